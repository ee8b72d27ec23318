#include <base/json.hpp>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <catch2/catch.hpp>
#include <functional>
#include <limits>
#include <model/json.hpp>
#include <model/object_writer.hpp>
#include <model/random_items.hpp>
#include <set>
#include <support/schema_check.hpp>

using namespace freshet;
using namespace freshet::model;

namespace {

std::string written(const item& item, const std::vector<std::string>& fields = {}) {
  std::string out;
  append_item(out, item, fields);
  return out;
}

std::string number(double value) {
  std::string out;
  append_number(out, value);
  return out;
}

std::string all_of(const std::vector<std::string>& problems) {
  std::string out;
  for (const auto& one : problems) out += one + "\n";
  return out;
}

}  // namespace

TEST_CASE("a post is written key by key in the contract's order") {
  post of;
  of.id = "bluesky:1";
  of.source = "bluesky";
  of.url = "https://bsky.app/profile/a/post/1";
  of.text = "high \"water\"\n";
  of.created_at = time_point(std::chrono::milliseconds(1'500));
  of.fetched_at = time_point(std::chrono::seconds(60));
  of.author.handle = "a.example";
  of.metrics.likes = 3;
  of.media.push_back({"video", "https://v.example/1", "", "", 640, {}, 1.5});
  of.tags = {"tides"};
  of.sensitive = false;
  CHECK(
      written(of) ==
      R"({"object":"post","id":"bluesky:1","source":"bluesky",)"
      R"("url":"https://bsky.app/profile/a/post/1","title":null,"text":"high \"water\"\n",)"
      R"("lang":null,"created_at":"1970-01-01T00:00:01.500Z",)"
      R"("edited_at":null,"fetched_at":"1970-01-01T00:01:00Z",)"
      R"("author":{"id":null,"handle":"a.example","display_name":null,"url":null,)"
      R"("avatar_url":null},)"
      R"("metrics":{"likes":3,"reposts":null,"replies":null,"quotes":null,"views":null},)"
      R"("media":[{"type":"video","url":"https://v.example/1","preview_url":null,"alt":null,)"
      R"("width":640,"height":null,"duration_s":1.5}],"tags":["tides"],"links":[],"highlights":[],"safety":[],)"
      R"("parent_id":null,"conversation_id":null,"quoted_id":null,)"
      R"("reposted_by":null,"sensitive":false})");
}

TEST_CASE("every item is exactly what the catalogue says") {
  test::random_items random(20261121);
  std::set<std::string> seen;
  for (int at = 0; at < 2000; ++at) {
    const auto one = random.next();
    const auto text = written(one);
    const auto parsed = base::parse_json(text, true);
    REQUIRE(parsed.has_value());
    const auto* schema = catalog::find_object_schema(object_name(one));
    REQUIRE(schema != nullptr);
    seen.insert(object_name(one));
    const auto problems = test::schema_problems(*parsed, *schema);
    INFO(text << "\n" << all_of(problems));
    REQUIRE(problems.empty());
  }
  CHECK(seen.size() == std::variant_size_v<item::variant>);
}

TEST_CASE("an item is named by its row of the table") {
#define FRESHET_ITEM(name, doc) CHECK(object_name(name{}) == std::string(#name));
#include <freshet/item_fields.def>
}

TEST_CASE("the check of schemas notices what it must") {
  const auto& schema = *catalog::find_object_schema("comment");
  comment of;
  of.id = "a:1";
  of.source = "a";
  const auto check = [&](const std::function<void(boost::json::object&)>& change) {
    auto parsed = base::parse_json(written(of));
    change(parsed->as_object());
    return test::schema_problems(*parsed, schema).size();
  };
  CHECK(check([](auto&) {}) == 0);
  CHECK(check([](auto& in) { in["extra"] = 1; }) == 1);
  CHECK(check([](auto& in) { in.erase("depth"); }) == 1);
  CHECK(check([](auto& in) { in["depth"] = nullptr; }) == 1);
  CHECK(check([](auto& in) { in["depth"] = "1"; }) == 1);
  CHECK(check([](auto& in) { in["url"] = "not a url"; }) == 1);
  CHECK(check([](auto& in) { in["created_at"] = "2026-11-21T03:40:00+00:00"; }) == 1);
  CHECK(check([](auto& in) { in["object"] = "post"; }) == 1);
  CHECK(check([](auto& in) { in["tags"].as_array().push_back(1); }) == 1);
  CHECK(check([](auto& in) { in["metrics"].as_object()["score"] = 0.5; }) == 1);
}

TEST_CASE("fields restrict the keys; object and id always come") {
  test::random_items random(7);
  const std::vector<std::string> fields = {"title", "metrics", "url"};
  for (int at = 0; at < 200; ++at) {
    const auto one = random.next();
    const auto parsed = base::parse_json(written(one, fields));
    REQUIRE(parsed.has_value());
    REQUIRE(parsed->as_object().size() == 5);
    CHECK(test::schema_problems(*parsed, *catalog::find_object_schema(object_name(one)), fields)
              .empty());
  }
  comment of;
  of.id = "a:1";
  CHECK(written(of, {"depth"}) == R"({"object":"comment","id":"a:1","depth":0})");
}

TEST_CASE("numbers are the shortest that read back, whole ones integers") {
  CHECK(number(0.1) == "0.1");
  CHECK(number(97) == "97");
  CHECK(number(-0.0) == "0");
  CHECK(number(12.5) == "12.5");
  CHECK(number(1.0 / 3) == "0.3333333333333333");
  CHECK(number(1e300) == "1e+300");
  CHECK(number(std::numeric_limits<double>::infinity()) == "null");
  CHECK(number(std::numeric_limits<double>::quiet_NaN()) == "null");
}

TEST_CASE("a document's status is null when nothing was fetched, its markdown never") {
  document of;
  of.id = "web:x";
  CHECK(written(of, {"markdown", "status_code"}) ==
        R"({"object":"document","id":"web:x","markdown":"","status_code":null})");
}

TEST_CASE("lists") {
  CHECK(items_json({}) == "[]");
  comment one;
  one.id = "a:1";
  comment two;
  two.id = "a:2";
  const std::vector<item> items = {one, two};
  const std::vector<std::string> fields = {"id"};
  CHECK(items_json(items, fields) ==
        R"([{"object":"comment","id":"a:1"},{"object":"comment","id":"a:2"}])");
}
