#include <base/ids.hpp>
#include <catch2/catch.hpp>
#include <set>

using namespace freshet::base;
using freshet::time_point;

TEST_CASE("An id is its prefix and a ULID") {
  const time_point at{std::chrono::milliseconds{1'469'918'176'385}};
  const std::string id = make_id("req_", at);
  CHECK(id.size() == 4 + 26);
  CHECK(id.starts_with("req_01ARYZ6S41"));  // the example of the ULID specification
  for (const char c : id.substr(4)) {
    CHECK(std::string_view("0123456789ABCDEFGHJKMNPQRSTVWXYZ").find(c) != std::string_view::npos);
  }
  CHECK(is_valid_request_id(id));
}

TEST_CASE("Ids sort by time and do not repeat") {
  std::set<std::string> seen;
  std::string last;
  for (int ms = 0; ms < 1000; ++ms) {
    const std::string id = make_id("", time_point{std::chrono::milliseconds{1'000'000 + ms}});
    CHECK(last < id);
    last = id;
    seen.insert(id);
    seen.insert(make_id("", time_point{std::chrono::milliseconds{1'000'000}}));
  }
  CHECK(seen.size() == 2000);
  CHECK(make_id("", time_point{std::chrono::milliseconds{-5}}).starts_with("0000000000"));
}

TEST_CASE("Request ids that may be echoed") {
  for (const std::string_view good : {"a", "A-Z.09_:", "req_01KATZ"})
    CHECK(is_valid_request_id(good));
  CHECK(is_valid_request_id(std::string(128, 'x')));
  for (const std::string_view bad : {"", "a b", "a\n", "a\r\nSet-Cookie: x", "é", "a/b", "a\"b"}) {
    CHECK_FALSE(is_valid_request_id(bad));
  }
  CHECK_FALSE(is_valid_request_id(std::string(129, 'x')));
  CHECK_FALSE(is_valid_request_id(std::string_view("a\0b", 3)));
  CHECK_FALSE(is_valid_request_id("frs_live_0"));
  CHECK_FALSE(is_valid_request_id("of:frs_test_0"));
  CHECK(is_valid_request_id("frs_"));
}

TEST_CASE("The halves of an item's id") {
  const auto id = parse_item_id("bluesky:at://did:plc:abc/app.bsky.feed.post/3k");
  REQUIRE(id.has_value());
  CHECK(id->source == "bluesky");
  CHECK(id->native == "at://did:plc:abc/app.bsky.feed.post/3k");
  CHECK(parse_item_id("mastodon:mastodon.social/1")->native == "mastodon.social/1");
  for (const std::string_view bad : {"", "bluesky", ":1", "bluesky:", "Blue sky:1", "a/b:1"}) {
    INFO(bad);
    CHECK_FALSE(parse_item_id(bad).has_value());
  }
}
