#include <catch2/catch.hpp>
#include <redis/redis_address.hpp>

using namespace freshet;
using namespace freshet::redis;

TEST_CASE("an address names host, port, user, password and database") {
  struct row {
    const char* text;
    redis_address where;
    const char* shown;
  };
  const auto one = GENERATE(values<row>({
      {"redis://cache.example", {"cache.example"}, "redis://cache.example:6379/0"},
      {"redis://127.0.0.1:7000/", {"127.0.0.1", 7000}, "redis://127.0.0.1:7000/0"},
      {"redis://[::1]:7000/2", {"::1", 7000, "", "", 2}, "redis://[::1]:7000/2"},
      {"redis://:p%40ss@a/15", {"a", 6379, "", "p@ss", 15}, "redis://a:6379/15"},
      {"redis://u:p@a", {"a", 6379, "u", "p"}, "redis://a:6379/0"},
  }));
  const auto read = read_address(one.text);
  REQUIRE(read.has_value());
  CHECK(read->host == one.where.host);
  CHECK(read->port == one.where.port);
  CHECK(read->user == one.where.user);
  CHECK(read->password == one.where.password);
  CHECK(read->database == one.where.database);
  CHECK(shown(*read) == one.shown);
}

TEST_CASE("what is no address of Redis is refused without a word of it") {
  const auto* const text =
      GENERATE("", "localhost:6379", "http://secret", "redis://", "redis://:secret@", "redis://a:0",
               "redis://a:70000", "redis://a/secret", "redis://a/-1", "redis://secret@a",
               "redis://a?x=secret", "redis://a#secret", "rediss://secret");
  const auto read = read_address(text);
  REQUIRE_FALSE(read.has_value());
  CHECK(read.error().code() == errc::invalid_configuration);
  CHECK(read.error().detail().starts_with("storage.redis: "));
  CHECK(read.error().detail().find("secret") == std::string::npos);
}
