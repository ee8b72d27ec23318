// Mastodon's streaming: what is kept of each event, and what must go.
#include <catch2/catch.hpp>
#include <sources/mastodon/wire.hpp>
#include <sources/source_rig.hpp>

#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

namespace freshet::sources::mastodon {
namespace masto = freshet::sources::mastodon;

namespace {

settings at_instance() {
  settings with;
  with.base_url = "https://tides.example";
  return with;
}

std::string event(const std::string& name, const std::string& payload) {
  boost::json::object out;
  out["stream"] = boost::json::array{"public"};
  out["event"] = name;
  out["payload"] = payload;
  return boost::json::serialize(out);
}

std::string status(const std::string& more, const std::string& account = R"("indexable":true)") {
  return R"({"id":"1172","created_at":"2026-11-21T11:00:00.000Z","visibility":"public",)"
         R"("uri":"https://tides.example/users/a/statuses/1172","url":"https://tides.example/@a/1172",)"
         R"("content":"<p>High <b>tide</b> at noon</p>","language":"en",)"
         R"("account":{"id":"7","acct":"a","display_name":"A","url":"https://tides.example/@a",)" +
         account + "}" + more + "}";
}

news read(const std::string& text) {
  auto said = masto::read_stream(at_instance(), text);
  INFO(text);
  REQUIRE(said);
  return std::move(*said);
}

}  // namespace

TEST_CASE("mastodon stream: the address is what the instance names") {
  CHECK(masto::plan_stream_address({})->url == "https://mastodon.social/api/v2/instance");
  auto with = at_instance();
  const auto asked = masto::plan_stream_address(with);
  REQUIRE(asked);
  CHECK(asked->url == "https://tides.example/api/v2/instance");
  with.values["stream_url"] = "wss://streaming.tides.example/";
  CHECK_FALSE(masto::plan_stream_address(with));
  const auto named = [](const std::string& address) {
    return masto::read_stream_address(test::answer_of(
        200,
        R"({"domain":"tides.example","configuration":{"urls":{"streaming":)" + address + "}}}"));
  };
  const std::string whole = "wss://streaming.tides.example/api/v1/streaming?stream=public";
  CHECK(named(R"("wss://streaming.tides.example")") == whole);
  CHECK(named(R"("wss://streaming.tides.example/")") == whole);
  CHECK(named(R"("wss://streaming.tides.example/api/v1/streaming")") == whole);
  CHECK(named(R"("wss://streaming.tides.example:4000/sub")") ==
        "wss://streaming.tides.example:4000/sub/api/v1/streaming?stream=public");
  for (const auto* odd : {"null", "7", "\"\"", "\"https://tides.example\"", "\"wss://\"",
                          "\"streaming.tides.example\"", "{}"}) {
    INFO(odd);
    CHECK(named(odd).empty());
  }
  CHECK(named("\"wss://a.example/" + std::string(3000, 'x') + "\"").empty());
  CHECK(masto::read_stream_address(test::answer_of(404, R"({"error":"Not found"})")).empty());
  CHECK(masto::read_stream_address(test::answer_of(200, "<html>")).empty());
}

TEST_CASE("mastodon stream: the public timeline of the first instance, with its token") {
  CHECK(masto::plan_stream({}, "")->url == "wss://mastodon.social/api/v1/streaming?stream=public");
  auto with = at_instance();
  with.values["token"] = "secret";
  const auto asked = masto::plan_stream(with, "anything");
  REQUIRE(asked);
  CHECK(asked->url == "wss://tides.example/api/v1/streaming?stream=public");
  REQUIRE(asked->headers.size() == 1);
  CHECK(asked->headers[0].value == "Bearer secret");
  // The token is another instance's.
  with.values["instances"] = "https://other.example,https://tides.example";
  CHECK(masto::plan_stream(with, "")->headers.empty());
  with.values["stream_url"] = "wss://streaming.tides.example/api/v1/streaming?stream=public:local";
  CHECK(masto::plan_stream(with, "")->url ==
        "wss://streaming.tides.example/api/v1/streaming?stream=public:local");
}

TEST_CASE("mastodon stream: statuses, edits and deletions") {
  const auto said = read(event("update", status("")));
  REQUIRE(said.items.size() == 1);
  test::check_item(said.items[0], "mastodon");
  CHECK(common(said.items[0]).id == "mastodon:tides.example/1172");
  CHECK(common(said.items[0]).text == "High tide at noon");
  CHECK(said.cursor.empty());
  CHECK(read(event("status.update", status(""))).items.size() == 1);
  CHECK(read(event("delete", "1172")).deleted ==
        std::vector<std::string>{"mastodon:tides.example/1172"});
  CHECK(read(event("delete", "../1")).deleted.empty());
}

TEST_CASE("mastodon stream: only authors who want to be found, and only public posts") {
  using names = std::vector<std::string>;
  for (const auto* account : {R"("indexable":false)", R"("indexable":null)", R"("bot":false)"}) {
    CHECK(read(event("update", status("", account))).items.empty());
    // They had it switched on before: what was kept goes.
    CHECK(read(event("status.update", status("", account))).deleted ==
          names{"mastodon:tides.example/1172"});
  }
  CHECK(read(event("update", status(R"(,"visibility":"unlisted")"))).items.empty());
  CHECK(read(event("update", status(R"(,"visibility":"private")"))).items.empty());
  CHECK(read(event("update", status(R"(,"reblog":)" + status("")))).items.empty());
}

TEST_CASE("mastodon stream: other events say nothing, broken ones are errors") {
  CHECK(read(event("notification", "{}")).items.empty());
  CHECK(read("{}").items.empty());
  CHECK(read(event("update", "{}")).items.empty());
  CHECK_FALSE(masto::read_stream(at_instance(), "x"));
  CHECK_FALSE(masto::read_stream(at_instance(), event("update", "x")));
  std::mt19937 random(4);
  for (int i = 0; i < 1000; ++i) {
    const auto said =
        masto::read_stream(at_instance(), event("update", test::mutated(status(""), random)));
    if (!said) continue;
    for (const auto& one : said->items) test::check_item(one, "mastodon");
  }
}

}  // namespace freshet::sources::mastodon
