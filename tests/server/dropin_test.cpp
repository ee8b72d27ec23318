// The drop-in routes over a backend that the test holds: which calls a peer's request becomes, how
// many run at once, what ends them, and what they add up to.
#include <algorithm>
#include <boost/json.hpp>
#include <catch2/catch.hpp>
#include <deque>
#include <future>
#include <mutex>
#include <optional>
#include <server/dropin/composite_call.hpp>
#include <server/dropin/dropin.hpp>
#include <server/dropin/firecrawl.hpp>
#include <server/dropin/tavily.hpp>
#include <string>
#include <thread>

using namespace freshet;
using namespace freshet::server;
using namespace std::chrono_literals;
namespace json = boost::json;

namespace {

const dropin::work_place at_once_here = [](const std::string&, const std::function<void()>& work) {
  work();
};

const std::string search_body =
    R"({"data":[{"url":"https://a.example/1","title":"One","text":"first"},
                {"url":"https://b.a.example/2","title":"Two","text":"second"},
                {"url":"https://c.example/3","title":"Three","text":"third"},
                {"url":"https://d.example/4","title":"Four","text":"fourth"},
                {"url":"https://e.example/5","title":"Five","text":"fifth"},
                {"url":"https://f.example/6","title":"Six","text":"sixth"}],
        "meta":{"warnings":["one engine was out"]}})";

response success(std::string body, std::int64_t credits, std::int64_t remaining) {
  response out;
  out.body = std::move(body);
  out.credits_used = credits;
  out.credits_remaining = remaining;
  return out;
}

response failure(errc code, std::string_view detail) {
  response out;
  out.status = describe(code).http_status;
  out.code = code;
  out.body = json::serialize(json::object{
      {"code", describe(code).name}, {"title", describe(code).title}, {"detail", detail}});
  return out;
}

/// Keeps calls until the test answers them, or answers at once by `at_once`.
struct kept_backend {
  struct kept {
    request what;
    std::function<void(response)> done;
    std::uint64_t ticket;
  };
  std::deque<kept> open;
  std::vector<request> seen;
  std::vector<std::uint64_t> cancelled;
  std::function<std::optional<response>(const request&)> at_once;
  backend whole;

  kept_backend() {
    backend behind;
    behind.submit = [this](request what, std::function<void(response)> done) {
      seen.push_back(what);
      const std::uint64_t ticket = seen.size();
      std::optional<response> answer = at_once ? at_once(what) : std::nullopt;
      if (answer) {
        done(std::move(*answer));
      } else {
        open.push_back({std::move(what), std::move(done), ticket});
      }
      return ticket;
    };
    behind.cancel = [this](std::uint64_t ticket) { cancelled.push_back(ticket); };
    behind.problem = [](const error& what, std::string_view) {
      return failure(what.code(), what.detail());
    };
    whole = dropin::with_dropin(std::move(behind), at_once_here);
  }
  void answer(response with) {
    kept first = std::move(open.front());
    open.pop_front();
    first.done(std::move(with));
  }
  json::object parameters(std::size_t call) const {
    return json::parse(seen.at(call).body).as_object();
  }
};

struct outcome {
  std::optional<response> got;
  int times = 0;
  std::function<void(response)> taker() {
    return [this](response with) {
      got = std::move(with);
      ++times;
    };
  }
  [[nodiscard]] json::object body() const { return json::parse(got.value().body).as_object(); }
};

request asking(std::string path, std::string body) {
  request out;
  out.endpoint = std::move(path);
  out.body = std::move(body);
  out.api_key = "a key";
  out.request_id = "req_1";
  out.in_process = false;
  return out;
}

}  // namespace

TEST_CASE("what is no drop-in path goes through as it is") {
  kept_backend with;
  outcome out;
  const auto ticket = with.whole.submit(asking("scrape/markdown", "{}"), out.taker());
  REQUIRE(with.seen.size() == 1);
  CHECK(with.seen[0].endpoint == "scrape/markdown");
  with.whole.cancel(ticket);
  CHECK(with.cancelled == std::vector<std::uint64_t>{ticket});
}

TEST_CASE("a scrape is one call with the parameters that it stands for") {
  kept_backend with;
  outcome out;
  with.whole.submit(
      asking("/v2/scrape", R"({"url":"a.example/x","onlyMainContent":false,"includeTags":["main"],
        "excludeTags":["nav",".ad"],"maxAge":90500,"timeout":500000,"origin":"js-sdk@4","waitFor":null})"),
      out.taker());
  REQUIRE(with.seen.size() == 1);
  CHECK(with.seen[0].endpoint == "scrape/markdown");
  CHECK(with.seen[0].api_key == "a key");
  CHECK(with.seen[0].request_id == "req_1");
  CHECK_FALSE(with.seen[0].in_process);
  CHECK(with.parameters(0) == json::parse(R"({"url":"http://a.example/x","mode":"page",
      "include":["main"],"exclude":["nav",".ad"],"max_age_s":90,"timeout_ms":120000,"render":"auto"})"));
  with.answer(success(R"({"data":{"markdown":"# A","title":"A","links":[],
      "authors":[{"display_name":"Ada Byron"},{"display_name":"Bo Carr"}]},"meta":{}})",
                      5, 90));
  CHECK(out.times == 1);
  CHECK(out.body().at("data").at("metadata").at("author") == "Ada Byron, Bo Carr");
  CHECK(out.got->credits_used == 5);
  CHECK(out.got->credits_remaining == 90);
  CHECK(out.body().at("data").at("markdown") == "# A");
  CHECK(out.body().at("data").at("metadata").at("creditsUsed") == 5);
}

TEST_CASE("whether a browser runs the page follows from waitFor and fastMode") {
  const auto render = [](std::string_view more) {
    kept_backend with;
    outcome out;
    with.whole.submit(
        asking("/v2/scrape", R"({"url":"http://a.example/")" + std::string(more) + "}"),
        out.taker());
    return std::string(with.parameters(0).at("render").as_string());
  };
  CHECK(render("") == "auto");
  CHECK(render(R"(,"waitFor":0)") == "auto");
  CHECK(render(R"(,"waitFor":10)") == "always");
  CHECK(render(R"(,"fastMode":true)") == "never");
}

TEST_CASE("a refused request asks only whether its key may call, and that answer comes first") {
  kept_backend with;
  outcome out;
  with.whole.submit(asking("/v2/scrape", R"({"url":5,"mobile":true,"formats":["html"]})"),
                    out.taker());
  REQUIRE(with.seen.size() == 1);
  CHECK(with.parameters(0).at("dry_run") == true);
  SECTION("it may") {
    with.answer(success("{}", 0, 7));
    CHECK(out.got->status == 400);
    CHECK(out.got->credits_used == 0);
    CHECK(out.body().at("success") == false);
    CHECK(out.body().at("details").as_array().size() == 4);  // the url twice: no string, and none
    const std::string text(out.body().at("error").as_string());
    CHECK(text.find("mobile: ") != std::string::npos);
    CHECK(text.find("formats: 'html'") != std::string::npos);
  }
  SECTION("it may not") {
    with.answer(failure(errc::invalid_api_key, "no such key"));
    CHECK(out.got->status == 401);
    CHECK(out.body().at("code") == "invalid_api_key");
  }
  CHECK(with.seen.size() == 1);
  CHECK(out.times == 1);
}

TEST_CASE("what is said of a request does not grow with it") {
  json::array markups, selectors;
  json::object unknown;
  for (int i = 0; i < 5'000; ++i) {
    markups.emplace_back("html");
    selectors.emplace_back("!");
    unknown["field" + std::to_string(i)] = i;
  }
  const json::object many[] = {
      unknown,
      {{"url", "a.example"}, {"formats", markups}},
      {{"url", "a.example"},
       {"excludeTags", json::array(selectors.begin(), selectors.begin() + 9)}},
      {{"url", "a.example"}, {"scrapeOptions", unknown}}};
  for (const json::object& body : many) {
    kept_backend with;
    outcome out;
    with.whole.submit(asking("/v2/scrape", json::serialize(body)), out.taker());
    with.answer(success("{}", 0, 7));
    REQUIRE(out.got);
    CHECK(out.got->status == 400);
    CHECK(out.body().at("details").as_array().size() <= dropin::max_remarks);
    CHECK(out.got->body.size() < 8'192);
  }
  // More selectors than may be are not tried, each with a page of its own.
  kept_backend with;
  with.whole.submit(asking("/v2/scrape", json::serialize(json::object{{"url", "a.example"},
                                                                      {"excludeTags", selectors}})),
                    [](const response&) {});
  CHECK(with.parameters(0).at("exclude").as_array().size() == 5'000);
}

TEST_CASE("pages are fetched four at a time, and what is charged is added up") {
  kept_backend with;
  outcome out;
  request asked = asking("/v2/search", R"({"query":"tides","limit":6,"timeout":100000,
      "scrapeOptions":{"formats":["markdown"]}})");
  asked.idempotency_key = "once";
  with.whole.submit(std::move(asked), out.taker());
  REQUIRE(with.open.size() == 1);
  CHECK(with.seen[0].idempotency_key == "once");
  CHECK(with.parameters(0) == json::parse(R"({"q":"tides","limit":6})"));
  with.answer(success(search_body, 1, 99));
  CHECK(with.open.size() == 4);
  CHECK(with.seen[1].idempotency_key == "once/1");
  CHECK(with.parameters(1).at("url") == "https://a.example/1");
  CHECK(with.parameters(1).at("timeout_ms") == 30000);
  with.answer(success(R"({"data":{"markdown":"page one"},"meta":{}})", 1, 70));
  CHECK(with.open.size() == 4);
  with.answer(failure(errc::not_found, "the site has no such page"));
  while (!with.open.empty()) {
    with.answer(success(R"({"data":{"markdown":"page"},"meta":{}})", 5, 60));
  }
  REQUIRE(out.times == 1);
  CHECK(with.seen.size() == 7);
  CHECK(out.got->credits_used == 1 + 1 + 4 * 5);
  CHECK(out.got->credits_remaining == 99 - 21);
  const json::object body = out.body();
  CHECK(body.at("warning") == "one engine was out");
  const json::array& web = body.at("data").at("web").as_array();
  REQUIRE(web.size() == 6);
  CHECK(web[0].at("markdown") == "page one");
  CHECK(web[1].at("markdown").is_null());
  CHECK(web[1].at("metadata").at("error") == "Not found: the site has no such page");
}

TEST_CASE("answers that come at once, from within the submission, are as good") {
  kept_backend with;
  with.at_once = [](const request& what) -> std::optional<response> {
    if (what.endpoint == "web-serp/search") return success(search_body, 1, 9);
    return failure(errc::rate_limited, "too many requests");
  };
  outcome out;
  with.whole.submit(asking("/search", R"({"query":"tides","include_raw_content":true,
      "include_usage":true,"max_results":6})"),
                    out.taker());
  REQUIRE(out.times == 1);
  CHECK(with.seen.size() == 7);
  CHECK(out.body().at("results").as_array().size() == 6);
  CHECK(out.body().at("warnings").as_array().size() == 7);
  CHECK(out.body().at("usage").at("credits") == 1);
}

TEST_CASE("no page begins when those before it fill the answer") {
  kept_backend with;
  outcome out;
  with.whole.submit(asking("/v2/search", R"({"query":"tides","limit":6,"scrapeOptions":{}})"),
                    out.taker());
  with.answer(success(search_body, 1, 99));
  const std::string large(33 * 1024 * 1024, ' ');
  with.answer(success(R"({"data":{"markdown":"page"},"meta":{}})" + large, 1, 98));
  while (!with.open.empty()) {
    with.answer(success(R"({"data":{"markdown":"page"},"meta":{}})", 1, 90));
  }
  REQUIRE(out.times == 1);
  CHECK(with.seen.size() == 5);
  const json::object body = out.body();
  const json::array& web = body.at("data").at("web").as_array();
  CHECK(web[3].at("markdown") == "page");
  CHECK(web[5].at("metadata").at("error") ==
        "Payload too large: the pages before this one fill the answer");
}

TEST_CASE("no page begins when the time is over, and the search is answered") {
  kept_backend with;
  outcome out;
  with.whole.submit(asking("/v2/search", R"({"query":"tides","timeout":900,"scrapeOptions":{}})"),
                    out.taker());
  with.answer(success(search_body, 1, 99));
  REQUIRE(out.times == 1);
  CHECK(with.seen.size() == 1);
  const json::object body = out.body();
  const json::array& web = body.at("data").at("web").as_array();
  REQUIRE(web.size() == 5);
  CHECK(web[4].at("metadata").at("error").as_string().starts_with("Source timeout: "));
}

TEST_CASE(
    "a cancelled composite call cancels what runs, begins nothing more and answers with what it "
    "has") {
  kept_backend with;
  outcome out;
  const auto ticket = with.whole.submit(
      asking("/v2/search", R"({"query":"tides","limit":6,"scrapeOptions":{}})"), out.taker());
  with.answer(success(search_body, 1, 99));
  REQUIRE(with.open.size() == 4);
  with.whole.cancel(ticket);
  CHECK(with.cancelled == std::vector<std::uint64_t>{2, 3, 4, 5});
  while (!with.open.empty()) with.answer(failure(errc::cancelled, "cancelled"));
  REQUIRE(out.times == 1);
  CHECK(with.seen.size() == 5);
  CHECK(out.got->credits_used == 1);
  with.whole.cancel(ticket);  // of one that is over: nothing
  CHECK(with.cancelled.size() == 4);
}

TEST_CASE("an engine that ends is not asked for more") {
  kept_backend with;
  outcome out;
  with.whole.submit(asking("/v2/search", R"({"query":"tides","limit":6,"scrapeOptions":{}})"),
                    out.taker());
  with.answer(success(search_body, 1, 99));
  with.answer(failure(errc::cancelled, "the engine ends"));
  while (!with.open.empty()) with.answer(failure(errc::cancelled, "the engine ends"));
  CHECK(out.times == 1);
  CHECK(with.seen.size() == 5);
}

TEST_CASE("one source of two that fails leaves the other's results, with a warning") {
  kept_backend with;
  outcome out;
  with.whole.submit(asking("/v2/search", R"({"query":"tides","sources":["web",{"type":"news"}]})"),
                    out.taker());
  REQUIRE(with.open.size() == 2);
  CHECK(with.seen[1].endpoint == "news/search");
  SECTION("one") {
    with.answer(failure(errc::source_timeout, "too slow"));
    with.answer(success(search_body, 1, 99));
    CHECK(out.got->status == 200);
    CHECK(out.body().at("data").at("web").as_array().empty());
    CHECK(out.body().at("data").at("news").as_array().size() == 5);
    CHECK(out.body().at("warning").as_string().starts_with("web: Source timeout: too slow"));
  }
  SECTION("both") {
    with.answer(failure(errc::source_timeout, "too slow"));
    with.answer(failure(errc::source_blocked, "a captcha"));
    CHECK(out.got->status == 408);
    CHECK(out.body().at("success") == false);
  }
}

TEST_CASE("a composite call is answered once when its calls end on several threads") {
  backend behind;
  std::mutex mutex;
  std::vector<std::thread> threads;
  behind.submit = [&](request what, std::function<void(response)> done) -> std::uint64_t {
    const std::lock_guard lock(mutex);
    threads.emplace_back([what = std::move(what), done = std::move(done)] {
      done(what.endpoint == "web-serp/search"
               ? success(search_body, 1, 99)
               : success(R"({"data":{"markdown":"page"},"meta":{}})", 1, 90));
    });
    return threads.size();
  };
  behind.cancel = [](std::uint64_t) {};
  behind.problem = [](const error& what, std::string_view) { return failure(what.code(), ""); };
  const backend whole = dropin::with_dropin(std::move(behind), at_once_here);
  std::promise<response> told;
  whole.submit(asking("/v2/search", R"({"query":"tides","limit":6,"scrapeOptions":{}})"),
               [&](response with) { told.set_value(std::move(with)); });
  const response got = told.get_future().get();
  CHECK(got.credits_used == 7);
  for (std::size_t i = 0; i < 7; ++i) threads[i].join();
}

TEST_CASE("reading a request and shaping its answer are left to where there is time for it") {
  std::deque<std::pair<std::string, std::function<void()>>> works;
  std::deque<std::function<void(response)>> calls;
  backend behind;
  behind.submit = [&](const request&, std::function<void(response)> done) {
    calls.push_back(std::move(done));
    return std::uint64_t{calls.size()};
  };
  behind.cancel = [](std::uint64_t) {};
  behind.problem = [](const error& what, std::string_view) { return failure(what.code(), ""); };
  const backend whole = dropin::with_dropin(
      std::move(behind), [&](const std::string& owner, std::function<void()> work) {
        works.emplace_back(owner, std::move(work));
      });
  outcome told;
  whole.submit(asking("/v2/search", R"({"query":"tides"})"), told.taker());
  const auto work = [&] {
    REQUIRE(works.size() == 1);
    CHECK(works.front().first == "a key");
    const auto next = std::move(works.front().second);
    works.pop_front();
    next();
  };
  CHECK(calls.empty());
  work();
  while (!told.got) {
    REQUIRE(calls.size() == 1);
    const auto done = std::move(calls.front());
    calls.pop_front();
    done(success(search_body, 1, 99));
    CHECK(!told.got);
    work();
  }
  CHECK(told.got->ok());
  CHECK(told.body().at("data").as_object().at("web").as_array().size() > 0);
}

TEST_CASE("the peers' statuses: what their clients act on") {
  const auto status = [](dropin::route of, errc code) {
    return dropin::in_shape(of, failure(code, "")).status;
  };
  using dropin::route;
  CHECK(status(route::firecrawl_scrape, errc::source_error) == 500);
  CHECK(status(route::firecrawl_scrape, errc::source_timeout) == 408);
  CHECK(status(route::firecrawl_search, errc::insufficient_credits) == 402);
  CHECK(status(route::tavily_search, errc::insufficient_credits) == 432);
  CHECK(status(route::tavily_search, errc::key_budget_exceeded) == 432);
  CHECK(status(route::tavily_search, errc::rate_limited) == 429);
  CHECK(status(route::tavily_search, errc::source_error) == 502);
}

TEST_CASE("windows of time, by the clock that is given") {
  using dropin::instant;
  const instant now = std::chrono::sys_days(std::chrono::year(2026) / 11 / 22) + 6h + 30min;
  const auto since = [&](std::string_view tbs) {
    dropin::field_remarks said;
    const json::object body{{"query", "a"}, {"sources", {"news"}}, {"tbs", tbs}};
    const dropin::composition made = dropin::compose_firecrawl_search(body, said, now, "");
    if (!said.refused.empty()) return said.refused[0].name + " refused";
    const json::value* found = made.first.at(0).parameters.if_contains("since");
    return found == nullptr ? std::string("none") : std::string(found->as_string());
  };
  CHECK(since("qdr:h") == "1h");
  CHECK(since("qdr:d3") == "3d");
  CHECK(since("qdr:w") == "1w");
  CHECK(since("qdr:m2") == "62d");
  CHECK(since("qdr:y") == "366d");
  CHECK(since("sbd:1") == "none");
  CHECK(since("cdr:1,cd_min:11/21/2026") == "31h");
  CHECK(since("cdr:1,cd_min:1/1/2020,cd_max:11/22/2026") == "2518d");
  CHECK(since("cdr:1,cd_min:11/23/2026") == "tbs refused");
  CHECK(since("cdr:1,cd_min:11/1/2026,cd_max:11/21/2026") == "tbs refused");
  CHECK(since("qdr:") == "tbs refused");
  CHECK(since("qdr:d0") == "tbs refused");
  CHECK(since("cdr:1") == "tbs refused");
  CHECK(since("cd_min:13/1/2026") == "tbs refused");
  CHECK(since("yesterday") == "tbs refused");
}

TEST_CASE("queries: operators are taken out or refused, and quoted text is left alone") {
  const auto read = [](std::string_view query) {
    dropin::field_remarks said;
    const json::object body{{"query", query}};
    const dropin::composition made =
        dropin::compose_firecrawl_search(body, said, dropin::instant(), "");
    if (!said.refused.empty()) return "refused: " + said.refused[0].text;
    const json::object& parameters = made.first.at(0).parameters;
    return std::string(parameters.at("q").as_string()) + " " +
           std::to_string(parameters.at("limit").as_int64());
  };
  CHECK(read("  tide   gauge ") == "tide gauge 5");
  CHECK(read("tide -site:a.example gauge") == "tide gauge 15");
  CHECK(read(R"("site:a OR b" tide)") == R"("site:a OR b" tide 5)");
  CHECK(read("time 12:30 and note: this") == "time 12:30 and note: this 5");
  CHECK(read("tide site:a.example").starts_with("refused: 'site:a.example'"));
  CHECK(read("tide InTitle:gauge").starts_with("refused: 'InTitle:gauge'"));
  CHECK(read("tide OR gauge").starts_with("refused: 'OR'"));
  CHECK(read("-site:a.example").starts_with("refused: give the words"));
  CHECK(read("").starts_with("refused: give the words"));
}

TEST_CASE("domains that are left out are those and what is below them") {
  kept_backend with;
  outcome out;
  with.whole.submit(asking("/search", R"({"query":"tides",
      "exclude_domains":["https://A.example/","*.c.example"]})"),
                    out.taker());
  CHECK(with.parameters(0).at("limit") == 15);
  with.answer(success(search_body, 1, 9));
  const json::object body = out.body();
  const json::array& results = body.at("results").as_array();
  REQUIRE(results.size() == 3);
  CHECK(results[0].at("url") == "https://d.example/4");
}

TEST_CASE("countries by name or letters, as Tavily writes them") {
  CHECK(dropin::country_code("united kingdom") == "GB");
  CHECK(dropin::country_code("zimbabwe") == "ZW");
  CHECK(dropin::country_code("atlantis").empty());
}
