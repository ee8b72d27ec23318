#include <base/json.hpp>
#include <catch2/catch.hpp>
#include <model/json.hpp>
#include <model/random_items.hpp>

using namespace freshet;
using namespace freshet::model;

namespace {

std::string bytes_of(const item& what) {
  std::string out;
  append_item(out, what);
  return out;
}

std::string problem(std::string_view text) {
  const auto parsed = base::parse_json(text);
  REQUIRE(parsed.has_value());
  const auto read = read_item(*parsed);
  if (read) return "read";
  CHECK(read.error().code() == errc::source_error);
  return read.error().detail();
}

}  // namespace

TEST_CASE("reading is the inverse of writing") {
  test::random_items random(42);
  for (int at = 0; at < 3000; ++at) {
    const auto one = random.next();
    const auto text = bytes_of(one);
    const auto parsed = base::parse_json(text);
    REQUIRE(parsed.has_value());
    const auto read = read_item(*parsed);
    INFO(text);
    REQUIRE(read.has_value());
    REQUIRE(read->index() == one.index());
    // The bytes hold every member, so equal bytes are equal items.
    REQUIRE(bytes_of(*read) == text);
  }
}

TEST_CASE("values come back, not only bytes") {
  video of;
  of.id = "peertube:a/1";
  of.source = "peertube";
  of.created_at = time_point(std::chrono::milliseconds(1'795'232'400'123));
  of.duration_s = 12.345;
  of.metrics.views = INT64_MAX;
  of.music.title = "La mer";
  of.tags = {"a", ""};
  const auto read = read_item(*base::parse_json(bytes_of(of)));
  REQUIRE(read.has_value());
  const auto& back = std::get<video>(*read);
  CHECK(back.id == of.id);
  CHECK(back.source == of.source);
  CHECK(back.created_at == of.created_at);
  CHECK(back.duration_s == of.duration_s);
  CHECK(back.metrics.views == of.metrics.views);
  CHECK_FALSE(back.metrics.likes.has_value());
  CHECK(back.music.title == of.music.title);
  CHECK(back.music.id.empty());
  CHECK(back.tags == of.tags);
}

TEST_CASE("absent and unknown members are fine, wrong ones are not") {
  CHECK(problem(R"({"object":"post","id":"a:1"})") == "read");
  CHECK(problem(R"({"object":"post","id":"a:1","from_the_future":{"x":[1]}})") == "read");
  CHECK(problem(R"({"object":"post","id":"a:1","metrics":null,"media":null})") == "read");
  CHECK(problem(R"({"object":"post","id":"a:1","text":5})").find("`text` is not a string") !=
        std::string::npos);
  CHECK(problem(R"({"object":"post","id":"a:1","metrics":{"likes":"5"}})").find("`likes`") !=
        std::string::npos);
  CHECK(problem(R"({"object":"post","id":"a:1","created_at":"yesterday"})").find("a time") !=
        std::string::npos);
  CHECK(problem(R"({"object":"post","id":"a:1","media":[1]})").find("an object") !=
        std::string::npos);
  CHECK(problem(R"({"object":"post","id":"a:1","tags":"x"})").find("`tags` is not a list") !=
        std::string::npos);
  CHECK(problem(R"({"object":"post","id":""})").find("`id`") != std::string::npos);
  CHECK(problem(R"({"object":"account","id":"acc_1"})").find("no known kind") != std::string::npos);
  CHECK(problem("[]") != "read");
  CHECK(problem("null") != "read");
}
