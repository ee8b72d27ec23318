#include <catch2/catch.hpp>
#include <sources/instance.hpp>

using namespace freshet::sources;

TEST_CASE("instance: the configured one keeps its base URL") {
  const auto configured = instance_at("http://127.0.0.1:3000/prefix");
  CHECK(configured.host == "127.0.0.1:3000");
  const auto same = instance_named("127.0.0.1:3000", configured);
  REQUIRE(same.has_value());
  CHECK(same->base_url == "http://127.0.0.1:3000/prefix");
  CHECK(same->configured);
  const auto other = instance_named("Mastodon.Example", configured);
  REQUIRE(other.has_value());
  CHECK(other->base_url == "https://mastodon.example");
  CHECK(!other->configured);
}

TEST_CASE("instance: a name that is no host is none") {
  const auto configured = instance_at("https://mastodon.social");
  for (const auto bad : {"", "localhost", "a b.c", "a.b/c", "user@a.b", "a.b?x", "a.b#x", "a\\b.c",
                         "a.b:99999999", "..", "[::1]"}) {
    CAPTURE(bad);
    CHECK(!instance_named(bad, configured).has_value());
  }
}

TEST_CASE("instance: the parts of a path") {
  using parts = std::vector<std::string_view>;
  CHECK(path_segments("/a//b/") == parts{"a", "b"});
  CHECK(path_segments("").empty());
  CHECK(path_segments("a") == parts{"a"});
}
