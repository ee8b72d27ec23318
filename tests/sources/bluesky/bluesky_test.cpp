// Bluesky's sandbox, to the end of every operation.
#include <catch2/catch.hpp>
#include <sources/bluesky/wire.hpp>
#include <sources/source_rig.hpp>

namespace freshet::sources::bluesky {

using catalog::operation;
namespace bsky = freshet::sources::bluesky;

TEST_CASE("bluesky: the sandbox holds every operation") {
  test::sandbox sandbox("bluesky");
  int pages = 0;
  auto lookup = test::call_of(operation::microblog_users_lookup);
  lookup.username = "alice.test";
  const auto who = sandbox.walk(bsky::source, lookup, {}, pages);
  REQUIRE(who.size() == 1);
  CHECK(std::get<user>(who[0]).display_name == "Alice Marsh");

  auto posts = test::call_of(operation::microblog_users_posts);
  posts.username = "alice.test";
  const auto timeline = sandbox.walk(bsky::source, posts, {}, pages);
  CHECK(pages == 2);
  CHECK(timeline.size() > 20);
  posts.username = "bob.test";
  CHECK(std::get<post>(sandbox.walk(bsky::source, posts, {}, pages).at(0)).reposted_by.handle ==
        "bob.test");

  auto search = test::call_of(operation::microblog_search);
  search.q = test::query_of("climate");
  CHECK(sandbox.walk(bsky::source, search, {}, pages).size() > 20);
  CHECK(pages == 2);
  for (const auto q : {"tide gauge", "\"tide gauge\"", "#tides"}) {
    search.q = test::query_of(q);
    const auto found = sandbox.walk(bsky::source, search, {}, pages);
    CHECK(found.size() >= 4);
    for (const auto& one : found) CHECK(query::matches(search.q, one));
  }

  auto replies = test::call_of(operation::microblog_posts_replies);
  replies.url = "https://bsky.app/profile/bob.test/post/3n2s6qn4bd22q";
  const auto by_url = sandbox.walk(bsky::source, replies, {}, pages);
  REQUIRE(by_url.size() == 4);
  CHECK(common(by_url[0]).text == "Yes: the port authority publishes it, slightly hidden.");
  CHECK(std::get<post>(by_url[0]).parent_id ==
        "bluesky:at://did:plc:qdeel45ku4xshvo3picgjj3y/app.bsky.feed.post/3n2s6qn4bd22q");
  replies.native_id = std::get<post>(by_url[0]).parent_id.substr(8);
  replies.url.clear();
  CHECK(sandbox.walk(bsky::source, replies, {}, pages).size() == 4);
}

TEST_CASE("bluesky: the sandbox knows what is unknown") {
  test::sandbox sandbox("bluesky");
  for (const auto op : {operation::microblog_users_lookup, operation::microblog_users_posts}) {
    auto what = test::call_of(op);
    what.username = "nobody.test";
    const auto page = sandbox.page(*find_capability(bsky::source, op), what, {}, "");
    REQUIRE(page.has_error());
    CHECK(page.error().code() == errc::not_found);
  }
}

TEST_CASE("bluesky: what it says of itself") {
  CHECK(bsky::source.name == "bluesky");
  CHECK(bsky::source.platform == "microblog");
  for (const auto& one : bsky::source.settings) {
    CHECK(!one.required);
    CHECK(one.secret == (one.name == "app_password"));
    CHECK(!one.doc.empty());
  }
}

}  // namespace freshet::sources::bluesky
