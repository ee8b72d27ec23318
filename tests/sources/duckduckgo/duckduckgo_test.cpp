// DuckDuckGo: what is posted to it, the pages that come back, and what is no result.
#include <base/time_text.hpp>
#include <catch2/catch.hpp>
#include <sources/duckduckgo/wire.hpp>
#include <sources/ranked_results.hpp>
#include <sources/source_rig.hpp>

namespace freshet::sources::duckduckgo {

using namespace test::web_calls;

namespace {

const settings defaults{"https://html.duckduckgo.com", {}};
const test::source_rig rig("duckduckgo", defaults);
const std::string later =
    "10:s=10&nextParams=&v=l&o=json&dc=11&api=d.js&vqd=4-228146944907429031912155131235649544909"
    "&kl=wt-wt";

http::response page_of(const std::string& links) {
  return test::answer_of(200, "<!doctype html><body><div id=links>" + links + "</div>",
                         "text/html; charset=UTF-8");
}

std::string a_result(const std::string& href) {
  return "<div class='result web-result'><h2><a class='result__a' href='" + href +
         "'>T</a></h2></div>";
}

std::string a_form(const std::string& fields) {
  return "<div class=nav-link><form>" + fields + "</form></div>";
}

std::string hidden(const std::string& name, const std::string& value) {
  return "<input type=hidden name='" + name + "' value='" + value + "'>";
}

}  // namespace

TEST_CASE("DuckDuckGo is asked as its own form asks, without commands") {
  auto what = search_for("climate \"tide gauge\" -bitcoin !g site:a.example");
  const auto request = duckduckgo::plan_search(what, defaults, "");
  REQUIRE(request.has_value());
  CHECK(request->method == "POST");
  CHECK(request->url == "https://html.duckduckgo.com/html/");
  CHECK(request->body ==
        "q=climate%20%22tide%20gauge%22%20-bitcoin%20%22%21g%22%20%22site%3Aa.example%22&b="
        "&kl=wt-wt");
  CHECK(http::find_header(request->headers, "content-type") == "application/x-www-form-urlencoded");
  CHECK(http::find_header(request->headers, "referer") == "https://html.duckduckgo.com/");
  CHECK(http::find_header(request->headers, "sec-fetch-dest") == "document");
  CHECK(http::find_header(request->headers, "sec-fetch-mode") == "navigate");
  CHECK(http::find_header(request->headers, "sec-fetch-site") == "same-origin");
  CHECK(http::find_header(request->headers, "sec-fetch-user") == "?1");
  CHECK(request->redirect_limit == 0);
  CHECK(duckduckgo::plan_search(what, {"http://127.0.0.1:81/ddg", {}}, "")->url ==
        "http://127.0.0.1:81/ddg/html/");
  CHECK(rig.planned_body(search_for(std::string(498, 'a'))).starts_with("q=aaa"));
  CHECK(rig.planned_body(search_for(std::string(500, 'a'))) == "invalid_request");
}

TEST_CASE("Language and country choose one of DuckDuckGo's regions") {
  const auto region = [](std::string lang, std::string country) {
    auto what = search_for("x");
    what.lang = std::move(lang);
    what.country = std::move(country);
    return std::string(duckduckgo::region_of(what));
  };
  CHECK(region("", "") == "wt-wt");
  CHECK(region("de", "") == "de-de");
  CHECK(region("de", "AT") == "at-de");
  CHECK(region("de-CH", "") == "ch-de");
  CHECK(region("fr", "CH") == "ch-fr");
  CHECK(region("en", "") == "us-en");
  CHECK(region("", "gb") == "uk-en");
  CHECK(region("ja", "") == "jp-jp");
  CHECK(region("pt-BR", "") == "br-pt");
  CHECK(region("zh-Hant", "") == "tw-tzh");
  CHECK(region("zh", "HK") == "hk-tzh");
  CHECK(region("nb", "") == "no-no");
  CHECK(region("ca", "") == "es-ca");
  CHECK(region("", "ES") == "es-es");
  CHECK(region("sw", "") == "wt-wt");
  CHECK(region("en", "KE") == "wt-wt");  // no region at all rather than another country's
  auto what = search_for("x");
  what.lang = "de-AT";
  const auto request = duckduckgo::plan_search(what, defaults, "");
  CHECK(request->body == "q=x&b=&kl=at-de");
  CHECK(http::find_header(request->headers, "accept-language") == "de-AT");
}

TEST_CASE("The next page is the hidden form, and never without its token") {
  CHECK(rig.planned_body(search_for("rust programming"), later) ==
        "q=rust%20programming&s=10&nextParams=&v=l&o=json&dc=11&api=d.js"
        "&vqd=4-228146944907429031912155131235649544909&kl=wt-wt");
  for (const std::string& bad :
       std::vector<std::string>{"x", "10", "10:", "10:s=10&dc=11", "10:s=10&vqd=", "10:s=0&vqd=4-1",
                                "10:vqd=4-1", "-1:s=10&vqd=4-1", "99999:s=10&vqd=4-1",
                                "10:s=x&vqd=4-1", "10:s=10&vqd=" + std::string(600, '1')}) {
    INFO(bad);
    CHECK(rig.planned_body(search_for("x"), bad) == "invalid_cursor");
  }
}

TEST_CASE("Every recorded page of DuckDuckGo is read or refused") {
  if (!rig.has_recordings()) return;
  std::map<std::string, int> count;
  for (const auto& path : rig.recordings()) {
    INFO(path.filename().string());
    const auto name = test::endpoint_of(path);
    if (test::is_unused("duckduckgo", name)) continue;
    ++count[name];
    const auto answer = test::recorded(path);
    const auto got = rig.read(answer);
    if (name == "html") {
      const auto page = test::listing_of(got);
      test::check_page(page, "duckduckgo");
      CHECK_FALSE(page.next.empty());
      rig.read_broken(answer, {60, 3});
      continue;
    }
    REQUIRE_FALSE(got.has_value());
    const bool shell = name == "serp_js_shell";  // results that only scripts would fetch
    CHECK(got.error().code() == (shell ? errc::source_error : errc::source_blocked));
    CHECK(got.error().retry_after.has_value() == !shell);
  }
  CHECK(count ==
        std::map<std::string, int>{
            {"error_challenge", 3}, {"error_persist", 1}, {"html", 2}, {"serp_js_shell", 1}});
}

TEST_CASE("A page of DuckDuckGo loses no field") {
  if (!rig.has_recordings()) return;
  const auto page = test::listing_of(rig.read(rig.recording("html__1.html")));
  REQUIRE(page.items.size() == 10);
  CHECK(page.next == later);
  const auto& first = std::get<web_result>(page.items[0]);
  CHECK(first.url == "https://rust-lang.org/");
  CHECK(first.title == "Rust Programming Language");
  CHECK(first.display_url == "rust-lang.org");
  CHECK(first.site_name == "rust-lang.org");
  CHECK(first.rank == 1);
  REQUIRE(first.engines.size() == 1);
  CHECK(first.engines[0].name == "duckduckgo");
  CHECK(first.engines[0].rank == 1);
  const auto& last = std::get<web_result>(page.items[9]);
  CHECK(last.url == "https://www.programiz.com/rust");
  CHECK(last.text ==
        "Rust is a fast, safe and modern programming language for systems programming. Learn Rust "
        "with free tutorials, interactive courses, videos and online compiler.");
  const auto old = test::listing_of(rig.read(rig.recording("html__2.html"), later));
  REQUIRE(old.items.size() == 30);
  CHECK(std::get<web_result>(old.items[0]).rank == 11);
  CHECK(std::get<web_result>(old.items[29]).engines[0].rank == 40);
  CHECK(old.next.starts_with("40:s=30&nextParams=&"));
  CHECK(old.next.find("&vqd=3-289638319682691983490055202818909500-72215953049068939235297072544033"
                      "955870") != std::string::npos);
}

TEST_CASE("Adverts and what is no address are left out, a date is taken") {
  const auto page = test::listing_of(rig.read(
      page_of("<div class='result web-result result--ad'><a class=result__a "
              "href='https://ad.example/'>Ad</a></div>" +
              a_result("//duckduckgo.com/y.js?ad_domain=a.example&ad_provider=b") +
              a_result("javascript:void(0)") + a_result("/html/?q=x") +
              "<div class='result web-result'><a class=result__a href='//duckduckgo.com/l/?"
              "uddg=https%3A%2F%2Fa.example%2F'>A</a><div class=result__extras__url><span "
              "class=result__icon></span><span>&nbsp; 2024-06-10T00:00:00.0000000</span></div>"
              "</div>")));
  REQUIRE(page.items.size() == 1);
  const auto& only = std::get<web_result>(page.items[0]);
  CHECK(only.url == "https://a.example/");
  CHECK(only.rank == 1);
  CHECK(base::format_time(*only.created_at) == "2024-06-10T00:00:00Z");
}

TEST_CASE("A page of results inside results is read within bounds") {
  std::string nested;
  for (int i = 0; i < 5000; ++i) {
    nested += "<div class=web-result><a class=result__a href='https://a.example/" +
              std::to_string(i) + "'>T</a>";
  }
  const auto page = test::listing_of(rig.read(page_of(nested)));
  CHECK(page.items.size() == 100);
  CHECK(duckduckgo::plan_search(search_for("x"), defaults, "")->body_limit == 2u << 20);
}

TEST_CASE("No results, a refusal and a page of another kind are three things") {
  CHECK(
      test::listing_of(rig.read(page_of("<div class=no-results>No results.</div>"))).items.empty());
  CHECK(rig.read(page_of("")).error().code() == errc::source_error);
  CHECK(test::listing_of(rig.read(page_of(""), later)).next.empty());
  CHECK(rig.read(test::answer_of(200, "<html><form id=challenge-form></form>", "text/html"))
            .error()
            .code() == errc::source_blocked);
  CHECK(rig.read(test::answer_of(202, "<html></html>", "text/html")).error().code() ==
        errc::source_blocked);
  CHECK(
      rig.read(test::answer_of(200, "If this error persists, please let us know: a", "text/plain"))
          .error()
          .code() == errc::source_blocked);
  CHECK(rig.read(test::answer_of(303, "", "text/html")).error().code() == errc::source_error);
  CHECK(rig.read(test::answer_of(200, "{}")).error().code() == errc::source_error);
  CHECK(rig.read(test::answer_of(503, "<html>busy", "text/html")).error().code() ==
        errc::source_unavailable);
}

TEST_CASE("A result that quotes a challenge is a result") {
  const auto page = test::listing_of(rig.read(
      page_of("<div class='result web-result'><a class=result__a href='https://a.example/'>"
              "Just a moment</a><a class=result__snippet>Verify you are human: the captcha of "
              "challenge-platform, anomaly-modal and anomaly.js?</a></div>")));
  REQUIRE(page.items.size() == 1);
  CHECK(rig.read(page_of("<p>Verify you are human</p>")).error().code() == errc::source_blocked);
}

TEST_CASE("A form that leads back, or cannot be carried along, is not followed") {
  const auto back = a_form(hidden("s", "0") + hidden("vqd", "4-1"));
  const auto on = a_form(hidden("q", "x y") + hidden("s", "25") + hidden("vqd", "4-1"));
  const auto page =
      test::listing_of(rig.read(page_of(a_result("https://a.example/") + back + on), later));
  CHECK(page.next == "11:s=25&vqd=4-1");
  CHECK(test::listing_of(rig.read(page_of(a_result("https://a.example/") + back), later))
            .next.empty());
  for (const auto& form : {a_form(hidden("s", "25")),
                           a_form(hidden("s", "25") + hidden("vqd", std::string(600, '4')))}) {
    const auto cut = test::listing_of(rig.read(page_of(a_result("https://a.example/") + form)));
    CHECK(cut.next.empty());
    CHECK(cut.partial);
    CHECK(cut.warnings.size() == 1);
  }
}

TEST_CASE("The sandbox of DuckDuckGo walks as the pipeline would") {
  test::sandbox box("duckduckgo");
  const auto& how = rig.source().capabilities[0];
  CHECK(test::walk_ranked(box, rig.source(), "climate", defaults) == test::ranked_walk{3, 16});
  CHECK(box.page(how, search_for("\"tide gauge\""), defaults, "")->items.size() == 3);
  CHECK(box.page(how, search_for("nothing-like-this"), defaults, "")->items.empty());
  CHECK(box.page(how, search_for("forbidden"), defaults, "").error().code() ==
        errc::source_blocked);
}

}  // namespace freshet::sources::duckduckgo
