// Where items come from, for who asks: every kind of answer, and nothing for who does not.
#include <base/json.hpp>
#include <boost/json/serialize.hpp>
#include <catch2/catch.hpp>
#include <freshet/engine.hpp>
#include <set>
#include <support/print_result.hpp>

using namespace freshet;

namespace {

boost::json::value asked(engine& engine, const std::string& endpoint, const std::string& body) {
  request what;
  what.endpoint = endpoint;
  what.body = body;
  const auto answer = engine.call(std::move(what));
  INFO(answer.body);
  REQUIRE(answer.status == 200);
  return *base::parse_json(answer.body, true);
}

std::unique_ptr<engine> sandbox() {
  engine_options options;
  REQUIRE(options.config.set("network.sandbox", "true"));
  auto opened = engine::open(std::move(options));
  REQUIRE(opened);
  return std::move(*opened);
}

}  // namespace

TEST_CASE("provenance: each item of a list says its source, its instance and the call") {
  const auto on = sandbox();
  std::set<std::string> requests;
  for (int i = 0; i < 2; ++i) {  // the second time it is no kept page of another call
    const auto page = asked(*on, "microblog/search",
                            R"({"q":"climate","fields":["url","provenance"],"limit":8})");
    const auto id = base::text_of(base::member(page, "meta", "request_id"));
    requests.insert(id);
    std::set<std::string> sources;
    for (const auto& one : base::array_of(base::member(page, "data"))) {
      const auto& from = base::member(one, "provenance");
      CHECK(base::text_of(base::member(from, "request_id")) == id);
      CHECK(base::member(from, "cached").is_bool());
      CHECK(from.as_object().size() == 4);
      const auto source = base::text_of(base::member(from, "source"));
      CHECK(base::text_of(base::member(one, "id")).starts_with(source + ":"));
      CHECK(base::member(from, "instance").is_string() == (source == "mastodon"));
      CHECK(one.as_object().size() == 4);  // object, id, url, provenance
      sources.insert(source);
    }
    CHECK(sources.size() > 1);
  }
  CHECK(requests.size() == 2);
}

TEST_CASE("provenance: a document says where in the page it was read") {
  const auto on = sandbox();
  const auto page = asked(*on, "scrape/markdown",
                          R"({"url":"https://example.com/tide-gauges","fields":["provenance"]})");
  const auto& from = base::member(page, "data", "provenance");
  CHECK(base::view_of(base::member(from, "source")) == "web");
  CHECK(base::view_of(base::member(from, "title")) == "heading");
  for (const auto* key : {"authors", "created_at"}) CHECK(from.as_object().contains(key));
}

TEST_CASE("provenance: a lookup has it, who does not name it has none, an extraction has its own") {
  const auto on = sandbox();
  const auto user =
      asked(*on, "microblog/users/lookup", R"({"username":"alice.test","fields":["provenance"]})");
  CHECK(base::view_of(base::member(user, "data", "provenance", "source")) == "bluesky");
  const auto plain = asked(*on, "microblog/users/lookup", R"({"username":"alice.test"})");
  CHECK_FALSE(base::member(plain, "data").as_object().contains("provenance"));
  const auto values = asked(*on, "scrape/extract",
                            R"({"url":"https://example.com/tide-gauges","fields":["provenance"],)"
                            R"("schema":{"properties":{"headline":{"type":"string"}}}})");
  CHECK(base::member(values, "data", "provenance").is_array());
}
