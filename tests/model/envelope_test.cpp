#include <base/json.hpp>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <catch2/catch.hpp>
#include <ctime>
#include <model/json.hpp>
#include <model/random_items.hpp>
#include <support/schema_check.hpp>

using namespace freshet;
using namespace freshet::model;

namespace {

response_meta some_meta() {
  response_meta meta;
  meta.request_id = "req_01KATZ";
  meta.credits = {1, 999};
  meta.sources.push_back({"bluesky", "", "ok", "", 25, 20, "miss",
                          time_point(std::chrono::seconds(1'795'232'400)), 143});
  return meta;
}

}  // namespace

TEST_CASE("an envelope is exactly the contract's") {
  const page_info page{"c1.eyJ", true};
  const auto answer = make_envelope(R"([{"object":"post"}])", &page, some_meta());
  CHECK(
      answer.body ==
      R"({"data":[{"object":"post"}],"page":{"next_cursor":"c1.eyJ","has_more":true},)"
      R"("meta":{"request_id":"req_01KATZ","credits":{"used":1,"remaining":999},)"
      R"("completeness":"complete","truncated":false,"sources":[{"name":"bluesky","instance":null,)"
      R"("status":"ok","code":null,"items_read":25,"items":20,"cache":"miss",)"
      R"("fetched_at":"2026-11-21T03:40:00Z","elapsed_ms":143,"retry_after_s":null}],"warnings":[]}})");
  CHECK(answer.status == 200);
  CHECK(answer.ok());
  CHECK(answer.content_type == "application/json");
  CHECK(answer.data() == R"([{"object":"post"}])");
  CHECK(answer.request_id == "req_01KATZ");
  CHECK(answer.credits_used == 1);
  CHECK(answer.credits_remaining == 999);
}

TEST_CASE("a lookup has no page, the last page no cursor, an unmetered caller no balance") {
  response_meta meta;
  meta.request_id = "r";
  CHECK(make_envelope("{}", nullptr, meta).body ==
        R"({"data":{},"meta":{"request_id":"r","credits":{"used":0,"remaining":null},)"
        R"("completeness":"complete","truncated":false,"sources":[],"warnings":[]}})");
  const page_info last;
  CHECK(make_envelope("[]", &last, meta)
            .body.find(R"("page":{"next_cursor":null,"has_more":false})") != std::string::npos);
}

TEST_CASE("a frame, filled, is the envelope that would have been written") {
  auto meta = some_meta();
  meta.warnings = {"a \"completeness\":\"complete\" of its own"};
  meta.completeness = "partial";
  const page_info next{"c1.eyJ", true}, last;
  for (const page_info* page : {&next, &last, static_cast<const page_info*>(nullptr)}) {
    for (const bool metered : {true, false}) {
      meta.credits.remaining = metered ? std::optional<std::int64_t>(7) : std::nullopt;
      const auto frame = make_frame(R"([{"object":"post"}])", meta);
      auto filled = fill_frame(frame, page, meta.request_id, meta.credits);
      const auto whole = make_envelope(R"([{"object":"post"}])", page, meta);
      CHECK(filled.data() == whole.data());
      CHECK(filled.lead->bytes + filled.body == whole.body);
      CHECK(filled.credits_used == whole.credits_used);
      CHECK(filled.credits_remaining == whole.credits_remaining);
      CHECK(filled.request_id == whole.request_id);
      join_lead(filled);
      CHECK(filled.body == whole.body);
      CHECK(filled.data() == whole.data());
    }
  }
}

TEST_CASE("an envelope reads back") {
  test::random_items random(3);
  std::vector<item> items;
  for (int at = 0; at < 20; ++at) items.push_back(random.next());
  auto meta = some_meta();
  meta.completeness = "partial";
  meta.truncated = true;
  meta.warnings = {"mastodon: source_timeout"};
  meta.sources.push_back({"mastodon", "https://mastodon.example", "error", "source_timeout", 0, 0,
                          "", std::nullopt, 8000, 170});
  const page_info page{"c1.abc", true};
  const auto answer = make_envelope(items_json(items), &page, meta);
  const auto read = read_envelope(answer.body);
  REQUIRE(read.has_value());
  CHECK(read->is_list);
  CHECK(items_json(read->items) == answer.data());
  CHECK(make_envelope(items_json(read->items), &read->page, read->meta).body == answer.body);
  CHECK(read->meta.sources.at(0).instance.empty());
  CHECK(read->meta.sources.at(1).instance == "https://mastodon.example");
  CHECK(read->meta.sources.at(1).code == "source_timeout");
  CHECK_FALSE(read->meta.sources.at(1).fetched_at.has_value());
  CHECK(read->meta.sources.at(1).retry_after_s == 170);
  CHECK_FALSE(read->meta.sources.at(0).retry_after_s.has_value());
}

TEST_CASE("a lookup reads back as one item") {
  comment of;
  of.id = "a:1";
  std::string data;
  append_item(data, of);
  const auto read = read_envelope(make_envelope(data, nullptr, some_meta()).body);
  REQUIRE(read.has_value());
  CHECK_FALSE(read->is_list);
  REQUIRE(read->items.size() == 1);
  CHECK(common(read->items[0]).id == "a:1");
  CHECK_FALSE(read->page.has_more);
}

TEST_CASE("what is no envelope is a source error") {
  for (const auto* body : {"", "x", "[]", "{}", R"({"data":1})", R"({"data":[1]})",
                           R"({"data":[],"meta":{"truncated":"yes"}})",
                           R"({"data":[],"page":{"has_more":1}})", R"({"data":[],"meta":[]})"}) {
    INFO(body);
    const auto read = read_envelope(body);
    REQUIRE_FALSE(read.has_value());
    CHECK(read.error().code() == errc::source_error);
  }
}

TEST_CASE("a problem document is exactly the contract's") {
  error what(errc::invalid_request, "since: '24x' has an unknown unit; use m, h, d or w");
  what.parameters.push_back(
      {"/since", "invalid_format", "'24x' has an unknown unit; use m, h, d or w"});
  const auto answer = make_problem(what, "req_1", {0, 1000});
  CHECK(answer.body ==
        R"({"type":"/errors/invalid_request","title":"Invalid request","status":400,)"
        R"("detail":"since: '24x' has an unknown unit; use m, h, d or w",)"
        R"("code":"invalid_request","request_id":"req_1","retryable":false,)"
        R"("retry_after_s":null,"errors":[{"pointer":"/since","code":"invalid_format",)"
        R"("detail":"'24x' has an unknown unit; use m, h, d or w"}],)"
        R"("credits":{"used":0,"remaining":1000}})");
  CHECK(answer.status == 400);
  CHECK_FALSE(answer.ok());
  CHECK(answer.content_type == "application/problem+json");
  CHECK(answer.data().empty());
  CHECK(answer.credits_remaining == 1000);
}

TEST_CASE("a source's words stay apart, are bounded, and only there if it said something") {
  error what(errc::source_unavailable);
  what.retry_after = std::chrono::seconds(30);
  for (int at = 0; at < 3000; ++at) what.source_text += "é";
  const auto answer = make_problem(what, "req_1", {});
  const auto parsed = base::parse_json(answer.body, true);
  REQUIRE(parsed.has_value());
  CHECK(base::integer_of(base::member(*parsed, "retry_after_s")) == 30);
  CHECK(answer.retry_after == std::chrono::seconds(30));
  CHECK(base::flag_of(base::member(*parsed, "retryable")) == true);
  CHECK(base::array_of(base::member(*parsed, "errors")).empty());
  CHECK(base::text_of(base::member(*parsed, "detail")) == describe(errc::source_unavailable).help);
  const auto said = base::text_of(base::member(*parsed, "source_text"));
  CHECK(said.size() == 4096);
  CHECK(what.source_text.starts_with(said));
  CHECK(answer.body.find("é") > answer.body.find("source_text"));
}

TEST_CASE("a problem document reads back, whatever it holds") {
  error what(errc::rate_limited, "slow down");
  what.retry_after = std::chrono::seconds(2);
  what.source_text = "upstream";
  what.parameters.push_back({"/q", "missing", "is required"});
  const auto read = read_problem(make_problem(what, "r", {}).body, 429);
  CHECK(read.code() == errc::rate_limited);
  CHECK(read.detail() == "slow down");
  CHECK(read.retry_after == std::chrono::seconds(2));
  CHECK(read.source_text == "upstream");
  REQUIRE(read.parameters.size() == 1);
  CHECK(read.parameters[0].pointer == "/q");

  CHECK(read_problem("<html>", 502).code() == errc::source_error);
  CHECK(read_problem("<html>", 502).source_text == "<html>");
  CHECK(read_problem(R"({"code":"from_the_future"})", 418).code() == errc::source_error);
  CHECK(read_problem(R"({"code":"not_found","errors":7,"detail":[]})", 404).code() ==
        errc::not_found);
}

TEST_CASE("an envelope of 20 items is written in far less than 100 us", "[.bench]") {
  test::random_items random(11);
  std::vector<item> items;
  for (int at = 0; at < 20; ++at) items.push_back(random.next());
  const auto meta = some_meta();
  const page_info page{std::string(1000, 'c'), true};
  constexpr int rounds = 2000;
  std::size_t bytes = 0;
  // Processor time: a busy machine must not fail it.
  const auto start = std::clock();
  for (int at = 0; at < rounds; ++at) {
    bytes += make_envelope(items_json(items), &page, meta).body.size();
  }
  const auto spent = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  const auto us = spent * 1e6 / rounds;
  WARN(us << " us an envelope of " << bytes / rounds << " bytes");
  CHECK(us < 100);
}
