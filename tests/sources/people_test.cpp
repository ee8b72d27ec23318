// Users that match, that follow and that are followed: what the microblogs are asked, how their
// lists go on, and their recordings.
#include <catch2/catch.hpp>
#include <sources/item_check.hpp>
#include <sources/source_rig.hpp>

namespace freshet::sources {

using catalog::operation;
using test::code_of;

namespace {

const test::source_rig on_bluesky("bluesky");
const test::source_rig on_mastodon("mastodon");
const test::source_rig on_keyed_mastodon = on_mastodon.configured({"", {{"token", "t0ken"}}});
const test::source_rig on_x("x", {"", {{"bearer_token", "secret"}}}, "twitter");

call follows_of(operation op, std::string username) {
  auto made = test::call_of(op);
  made.username = std::move(username);
  return made;
}

}  // namespace

TEST_CASE("people: what is asked for") {
  const auto search = test::search_call(operation::microblog_users_search, "tide gauge -toy");
  const std::string appview = "https://public.api.bsky.app/xrpc/app.bsky.";
  CHECK(on_bluesky.planned(search, "c1") ==
        appview + "actor.searchActors?q=tide%20gauge&limit=20&cursor=c1");
  CHECK(on_bluesky.planned(follows_of(operation::microblog_users_followers, "a.test")) ==
        appview + "graph.getFollowers?actor=a.test&limit=20");
  CHECK(on_bluesky.planned(follows_of(operation::microblog_users_following, "did:plc:abc")) ==
        appview + "graph.getFollows?actor=did%3Aplc%3Aabc&limit=20");
  CHECK(on_bluesky.planned(follows_of(operation::microblog_users_following, "alice")) ==
        "not_found");

  const std::string instance = "https://mastodon.social/api/";
  CHECK(on_mastodon.planned(search) ==
        instance + "v2/search?q=tide%20gauge&type=accounts&limit=40");
  CHECK(on_keyed_mastodon.planned(search, "o20") ==
        instance + "v2/search?q=tide%20gauge&type=accounts&limit=20&offset=20");
  CHECK(on_mastodon.planned(search, "m20") == "invalid_cursor");
  const auto followers = follows_of(operation::microblog_users_followers, "alice");
  CHECK(on_mastodon.planned(followers) == instance + "v1/accounts/lookup?acct=alice");
  CHECK(on_mastodon.planned(followers, "101/7001") ==
        instance + "v1/accounts/101/followers?limit=20&max_id=7001");
  CHECK(on_mastodon.planned(followers, "101/../7") == "invalid_cursor");

  const auto following = follows_of(operation::microblog_users_following, "alice");
  CHECK(on_x.planned(following).starts_with("https://api.x.com/2/users/by/username/alice?"));
  CHECK(on_x.planned(following, "42/TOKEN")
            .starts_with("https://api.x.com/2/users/42/following?max_results=20&user.fields="));
  CHECK(on_x.planned(following, "42/TOKEN").ends_with("&pagination_token=TOKEN"));
  CHECK(on_x.planned(follows_of(operation::microblog_users_following, "no.name")) == "not_found");
  CHECK(find_capability(on_x.source(), operation::microblog_users_search) == nullptr);
}

TEST_CASE("people: who shows nobody who follows whom is not found") {
  const auto answer = test::answer_of(200, R"({"id":"101","hide_collections":true})");
  CHECK(code_of(on_mastodon.read(follows_of(operation::microblog_users_followers, "alice"),
                                 answer)) == errc::not_found);
}

TEST_CASE("people: what a search of Mastodon lacks without a token is said") {
  std::string accounts;
  for (int i = 0; i < 40; ++i) {
    accounts += (i == 0 ? "" : ",") + (R"({"id":")" + std::to_string(i) + R"(","username":"u)" +
                                       std::to_string(i) + R"(","acct":"u"})");
  }
  const auto answer = test::answer_of(200, R"({"accounts":[)" + accounts + "]}");
  const auto search = test::search_call(operation::microblog_users_search, "u");
  const auto cut = test::listing_of(on_mastodon.read(search, answer));
  CHECK((cut.partial && cut.next.empty() && cut.items.size() == 40));
  const auto whole = test::listing_of(on_keyed_mastodon.read(search, answer));
  CHECK_FALSE(whole.partial);
  CHECK(whole.next == "o40");
}

TEST_CASE("people: the sandbox to its end, without those who hide") {
  test::sandbox sandbox("bluesky");
  int pages = 0;
  const auto followers =
      sandbox.walk(on_bluesky.source(),
                   follows_of(operation::microblog_users_followers, "alice.test"), {}, pages);
  CHECK(pages == 2);
  CHECK(followers.size() == 23);
  for (const auto& one : followers) CHECK(std::get<user>(one).handle != "pilot.test");
  const auto nobody =
      sandbox.page(on_bluesky.capability_for(operation::microblog_users_followers),
                   follows_of(operation::microblog_users_followers, "nobody.test"), {}, "");
  CHECK(code_of(nobody) == errc::not_found);
}

TEST_CASE("people: recorded lists are read without loss") {
  if (!test::shared_has("recordings")) return;
  const auto read = [](const test::source_rig& rig, operation op, const std::string& path,
                       std::string_view key, std::string_view state) {
    INFO(path);
    auto what = follows_of(op, "alice");
    what.q = test::query_of("x");
    const auto answer = test::recording_at(path);
    const auto page = test::listing_of(rig.read(what, answer, "", state));
    CHECK(test::joined(test::page_problems(page, rig.source().name)) == "");
    const auto body = test::parsed(answer.body);
    CHECK(page.items.size() == base::array_of(base::member(body, key)).size());
    return page;
  };
  using enum operation;
  for (const auto* name : {"bluesky/searchActors__1.json", "bluesky/searchActors__2.json",
                           "loopback/bluesky/searchActors_alice.json"})
    CHECK_FALSE(read(on_bluesky, microblog_users_search, name, "actors", "").items.empty());
  const auto followers =
      read(on_bluesky, microblog_users_followers, "bluesky/getFollowers__1.json", "followers", "");
  CHECK_FALSE(followers.next.empty());
  const auto of_x = read(on_x, microblog_users_followers, "twitter/users_followers__1.json", "data",
                         "user:783214");
  CHECK(of_x.next.starts_with("783214/"));
  CHECK_FALSE(
      read(on_mastodon, microblog_users_search, "mastodon/search_v2__1.json", "accounts", "")
          .items.empty());
}

}  // namespace freshet::sources
