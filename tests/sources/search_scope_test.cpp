// Searches of the web within sites and a window of time: what every engine is told of them, and
// which engine is left out instead.
#include <catch2/catch.hpp>
#include <sources/search_scope.hpp>
#include <sources/source_rig.hpp>

namespace freshet::sources {

using test::code_of;
using namespace std::chrono_literals;

namespace {

const test::source_rig in_searxng("searxng", {"https://searxng.example", {}});
const test::source_rig in_duckduckgo("duckduckgo", {"https://html.duckduckgo.com", {}});
const test::source_rig in_mojeek("mojeek", {"https://www.mojeek.com", {}});
const test::source_rig in_brave("brave", {"https://api.search.brave.com", {{"api_key", "k"}}});
const test::source_rig in_serper("serper", {"https://google.serper.dev", {{"api_key", "k"}}});
const test::source_rig in_tavily("tavily", {"https://api.tavily.com", {{"api_key", "k"}}});
const test::source_rig in_marginalia("marginalia", {"https://api2.marginalia-search.com", {}});
const test::source_rig in_wikipedia("mediawiki", {"https://en.wikipedia.org/w", {}});

call within(std::vector<std::string> sites, std::vector<std::string> without = {}) {
  auto made = test::web_calls::search_for("tide");
  made.sites = std::move(sites);
  made.exclude_sites = std::move(without);
  return made;
}

call back_to(std::chrono::seconds span) {
  auto made = test::web_calls::search_for("tide");
  made.since = made.now - span;
  return made;
}

/// The pointer that a source names when it leaves itself out; "" if it does not.
std::string left_out_for(const test::source_rig& rig, const call& call) {
  const auto planned = rig.plan(call);
  if (planned || planned.error().code() != errc::not_found) return "";
  return planned.error().parameters.empty() ? "" : planned.error().parameters.front().pointer;
}

}  // namespace

TEST_CASE("search scope: sites are alternatives, excluded ones each by itself") {
  const site_syntax any{.engine = "It"};
  CHECK(with_sites("tide", within({}), any).value() == "tide");
  CHECK(with_sites("tide", within({"a.example"}), any).value() == "tide site:a.example");
  CHECK(with_sites("tide", within({"a.example", "b.example"}, {"c.a.example", "d.example"}), any)
            .value() ==
        "tide (site:a.example OR site:b.example) -site:c.a.example -site:d.example");
  const site_syntax one{.engine = "It", .alternatives = false};
  CHECK(with_sites("tide", within({"a.example"}), one).has_value());
  CHECK(code_of(with_sites("tide", within({"a.example", "b.example"}), one)) == errc::not_found);
}

TEST_CASE("search scope: what is excluded is told as far as there is room, sites in any case") {
  const site_syntax narrow{.engine = "It", .max_points = 22};
  CHECK(with_sites("tide", within({}, {"a.example", "b.example"}), narrow).value() ==
        "tide -site:a.example");
  CHECK(with_sites("tide", within({"a.example"}, {"b.example"}), narrow).value() ==
        "tide site:a.example");
  const auto refused = with_sites("tide", within({"a.example", "b.example"}), narrow);
  REQUIRE(code_of(refused) == errc::invalid_request);
  CHECK(refused.error().detail() == "q with sites: It takes at most 22 characters");
  CHECK(with_sites(std::string(23, 'a'), within({}), narrow).error().detail() ==
        "q: It takes at most 22 characters");
}

TEST_CASE("search scope: a window of time stays the same while a walk goes on") {
  CHECK(time_window_of(test::web_calls::search_for("x")) == time_window::any);
  const std::pair<std::chrono::seconds, time_window> spans[] = {
      {1h, time_window::day},         {24h, time_window::day},       {25h, time_window::day},
      {26h, time_window::week},       {7 * 24h, time_window::week},  {8 * 24h, time_window::month},
      {30 * 24h, time_window::month}, {31 * 24h, time_window::year}, {365 * 24h, time_window::year},
      {400 * 24h, time_window::any}};
  for (const auto& [span, window] : spans) {
    INFO(span.count());
    CHECK(time_window_of(back_to(span)) == window);
  }
  CHECK(day_of(sandbox_now - 24h) == "2026-10-31");
}

TEST_CASE("search scope: every engine is told in its own words") {
  const auto what = within({"a.example", "b.example"}, {"c.example"});
  const std::string either =
      "tide%20%28site%3Aa.example%20OR%20site%3Ab.example%29"
      "%20-site%3Ac.example";
  CHECK(in_searxng.planned(what).find("?q=" + either + "&") != std::string::npos);
  CHECK(in_duckduckgo.planned_body(what).starts_with("q=" + either + "&b=&"));
  CHECK(in_brave.planned(what).find("?q=" + either + "&") != std::string::npos);
  CHECK(in_serper.planned_body(what).find(
            R"("q":"tide (site:a.example OR site:b.example) -site:c.example")") !=
        std::string::npos);
  CHECK(in_tavily.planned_body(what).ends_with(
      R"("include_domains":["a.example","b.example"],"exclude_domains":["c.example"]})"));
  CHECK(in_mojeek.planned(within({"a.example"}, {"c.example"})) ==
        "https://www.mojeek.com/search?q=tide%20site%3Aa.example%20-site%3Ac.example");
  CHECK(in_marginalia.planned(within({"a.example"})).find("?query=tide%20site%3Aa.example&") !=
        std::string::npos);
  CHECK(left_out_for(in_mojeek, what) == "/sites");
  CHECK(left_out_for(in_marginalia, what) == "/sites");
}

TEST_CASE("search scope: every engine is told of the time, or is left out") {
  const auto week = back_to(7 * 24h);
  CHECK(in_searxng.planned(week).ends_with("&time_range=week"));
  CHECK(in_duckduckgo.planned_body(week).ends_with("&df=w"));
  CHECK(in_mojeek.planned(week).ends_with("&since=20261025"));
  CHECK(in_brave.planned(week).ends_with("&freshness=2026-10-25to2026-11-01"));
  CHECK(in_serper.planned_body(week).ends_with(R"("tbs":"qdr:w"})"));
  for (const auto* rig : {&in_tavily, &in_marginalia, &in_wikipedia}) {
    CHECK(left_out_for(*rig, week) == "/since");
  }
  // The next page's form has it already, or does not.
  CHECK(in_duckduckgo.planned_body(week, "10:s=10&vqd=4-1&df=w") == "q=tide&s=10&vqd=4-1&df=w");
  CHECK(in_duckduckgo.planned_body(week, "10:s=10&vqd=4-1") == "q=tide&s=10&vqd=4-1&df=w");
  CHECK(in_serper.planned_body(back_to(400 * 24h)).find("tbs") == std::string::npos);
}

TEST_CASE("search scope: Wikipedia is asked only for sites that it is of") {
  for (const auto& what : {within({"wikipedia.org"}), within({"x.example", "en.wikipedia.org"}),
                           within({}, {"de.wikipedia.org"})}) {
    CHECK(in_wikipedia.planned(what).starts_with("https://en.wikipedia.org/w/api.php?"));
  }
  for (const auto& what :
       {within({"a.example"}), within({"kipedia.org"}), within({"org"}, {"wikipedia.org"})}) {
    CHECK(in_wikipedia.planned(what) == "not_found");
    CHECK(left_out_for(in_wikipedia, what).empty());  // it has none of these pages: no warning
  }
  // Where the pages of another wiki are is told by its answer alone.
  const auto other = in_wikipedia.configured({"https://wiki.example/w", {}});
  CHECK(other.planned(within({"a.example"})).starts_with("https://wiki.example/w/api.php?"));
}

}  // namespace freshet::sources
