// The archive as a source: what it asks, what it makes of the answer, its sandbox to the end.
#include <catch2/catch.hpp>
#include <sources/archive/wire.hpp>
#include <sources/source_rig.hpp>

namespace freshet::sources::archive {

using catalog::operation;
using test::search_call;
namespace kept = freshet::sources::archive;

namespace {

constexpr const char* one_post =
    R"({"object":"post","id":"bluesky:at://did:plc:a/app.bsky.feed.post/1","source":"bluesky",)"
    R"("text":"tide","created_at":"2026-11-01T10:00:00Z"})";

result<step> read_posts(std::string body, int status = 200) {
  return kept::read_microblog({search_call(operation::microblog_search, "tide"),
                               {},
                               test::answer_of(status, std::move(body)),
                               "",
                               ""});
}

}  // namespace

TEST_CASE("archive: the question names the query as written, and every bound") {
  auto what = search_call(operation::microblog_search, "\"tide gauge\" -toy");
  what.since = time_point(std::chrono::milliseconds(1'700'000'000'123));
  what.lang = "en";
  what.limit = 30;
  const auto asked = kept::plan_microblog(what, {}, "77");
  REQUIRE(asked);
  CHECK(asked->url ==
        "https://archive.invalid/microblog/search?q=%22tide%20gauge%22%20-toy&limit=30"
        "&since=2023-11-14T22%3A13%3A20.123Z&lang=en&before=77");
  CHECK_FALSE(asked->cacheable);
  CHECK(kept::plan_news(search_call(operation::news_search, "tide"), {}, "")->url ==
        "https://archive.invalid/news/search?q=tide&limit=20");
  for (const auto* position : {"x", "-1", "1 2", "99999999999999999999"}) {
    const auto refused = kept::plan_microblog(what, {}, position);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code() == errc::invalid_cursor);
  }
}

TEST_CASE("archive: items come back with the source that they are of") {
  const auto page =
      test::listing_of(read_posts(R"({"items":[)" + std::string(one_post) + R"(],"next":"123"})"));
  REQUIRE(page.items.size() == 1);
  CHECK(common(page.items[0]).source == "bluesky");
  CHECK(common(page.items[0]).text == "tide");
  CHECK(page.next == "123");
  CHECK(test::listing_of(read_posts(R"({"items":[],"next":""})")).items.empty());
}

TEST_CASE("archive: items of another kind or of no source are left out") {
  const auto page = test::listing_of(
      read_posts(R"({"items":[{"object":"article","id":"feeds:1","source":"feeds"},)"
                 R"({"object":"post","id":"archive:1","source":"archive"},)"
                 R"({"object":"post","id":"nobody:1","source":"nobody"},)"
                 R"({"object":"post","id":"mastodon:x/1","source":"bluesky"},)" +
                 std::string(one_post) + R"(],"next":""})"));
  REQUIRE(page.items.size() == 1);
  CHECK(common(page.items[0]).id == "bluesky:at://did:plc:a/app.bsky.feed.post/1");
}

TEST_CASE("archive: answers that make no sense are errors") {
  for (const auto* body :
       {"", "{}", "[]", R"({"items":{}})", R"({"items":[1]})", R"({"items":[{"object":"post"}]})",
        R"({"items":[],"next":"abc"})", R"({"items":[],"next":"123456789012345678901"})"}) {
    INFO(body);
    const auto read = read_posts(body);
    REQUIRE_FALSE(read);
    CHECK(read.error().code() == errc::source_error);
  }
  CHECK(read_posts("{}", 503).error().code() == errc::source_unavailable);
}

TEST_CASE("archive: the sandbox holds both platforms") {
  const auto& by = kept::source;
  for (const auto& how : by.capabilities) {
    for (const auto* q : {"climate", "tides", "\"tide gauge\""}) {
      test::sandbox sandbox("archive");
      const auto what = search_call(how.op, q);
      settings with;
      with.base_url = kept::base_url;
      std::string position;
      std::size_t given = 0;
      int pages = 0;
      do {
        const auto page = sandbox.page(how, what, with, position);
        REQUIRE(page);
        for (const auto& one : page->items) CHECK(query::matches(what.q, one));
        given += page->items.size();
        position = page->next;
        REQUIRE(++pages < 5);
      } while (!position.empty());
      CHECK(given > 0);
    }
  }
}

}  // namespace freshet::sources::archive
