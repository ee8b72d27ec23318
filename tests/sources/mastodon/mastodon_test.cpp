// Mastodon's sandbox, to the end of every operation.
#include <catch2/catch.hpp>
#include <sources/mastodon/wire.hpp>
#include <sources/source_rig.hpp>

namespace freshet::sources::mastodon {

using catalog::operation;
namespace masto = freshet::sources::mastodon;

TEST_CASE("mastodon: the sandbox holds every operation") {
  test::sandbox sandbox("mastodon");
  int pages = 0;
  for (const auto name : {"alice", "alice@mastodon.example"}) {
    auto lookup = test::call_of(operation::microblog_users_lookup);
    lookup.username = name;
    CHECK(std::get<user>(sandbox.walk(masto::source, lookup, {}, pages).at(0)).display_name ==
          "Alice Marsh");
    auto posts = test::call_of(operation::microblog_users_posts);
    posts.username = name;
    const auto timeline = sandbox.walk(masto::source, posts, {}, pages);
    CHECK(timeline.size() == (lookup.username == "alice" ? 25 : 6));
    bool boosted = false;
    for (const auto& one : timeline) boosted |= !std::get<post>(one).reposted_by.id.empty();
    CHECK(boosted);
  }
  auto search = test::call_of(operation::microblog_search);
  search.q = test::query_of("#tides");
  CHECK(sandbox.walk(masto::source, search, {}, pages).size() == 24);
  CHECK(pages >= 2);
  for (const auto q : {"climate", "tide gauge", "\"tide gauge\""}) {
    search.q = test::query_of(q);
    std::size_t matching = 0;
    for (const auto& one : sandbox.walk(masto::source, search, {}, pages))
      matching += query::matches(search.q, one) ? 1 : 0;
    CHECK(matching >= 2);
  }
  auto replies = test::call_of(operation::microblog_posts_replies);
  replies.url = "https://mastodon.social/@alice/117532337438730006";
  const auto thread = sandbox.walk(masto::source, replies, {}, pages);
  REQUIRE(thread.size() == 4);
  CHECK(common(thread[1]).text == "Levelled twice. The bracket is bent.");
  CHECK(common(thread[3]).text.starts_with("Will the ferry tables change?"));
  replies.url.clear();
  replies.native_id = "mastodon.example/117532337438730006";
  CHECK(sandbox.walk(masto::source, replies, {}, pages).size() == 4);
}

TEST_CASE("mastodon: the sandbox knows what is unknown") {
  test::sandbox sandbox("mastodon");
  auto what = test::call_of(operation::microblog_users_lookup);
  for (const auto name : {"nobody", "nobody@mastodon.example"}) {
    what.username = name;
    const auto page = sandbox.page(*find_capability(masto::source, what.op), what, {}, "");
    REQUIRE(page.has_error());
    CHECK(page.error().code() == errc::not_found);
  }
}

TEST_CASE("mastodon: what it says of itself") {
  CHECK(masto::source.instances_key == "instances");
  REQUIRE(masto::source.default_instances.size() == 1);
  CHECK(masto::source.default_instances[0] == masto::source.default_base_url);
}

}  // namespace freshet::sources::mastodon
