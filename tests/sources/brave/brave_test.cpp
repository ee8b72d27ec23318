// Brave: what is asked of it, its answers and refusals as recorded, and its sandbox to the end.
#include <base/time_text.hpp>
#include <catch2/catch.hpp>
#include <sources/brave/wire.hpp>
#include <sources/ranked_results.hpp>
#include <sources/source_rig.hpp>

namespace freshet::sources::brave {

using namespace test::web_calls;

namespace {

const settings defaults{"https://api.search.brave.com", {{"api_key", "BSA-secret"}}};
const test::source_rig rig("brave", defaults);

std::string failure(std::string_view code, int status, std::string_view more = "") {
  return R"({"type":"ErrorResponse","error":{"status":)" + std::to_string(status) + R"(,"code":")" +
         std::string(code) + R"(","detail":"why")" + std::string(more) + "}}";
}

}  // namespace

TEST_CASE("Brave is asked page by page, with its token in a header") {
  auto what = search_for("climate \"tide gauge\" -bitcoin !g site:a.example");
  const auto request = brave::plan_search(what, defaults, "");
  REQUIRE(request.has_value());
  CHECK(request->url ==
        "https://api.search.brave.com/res/v1/web/search?q=climate%20%22tide%20gauge%22%20-bitcoin"
        "%20%22%21g%22%20%22site%3Aa.example%22&count=20&offset=0&result_filter=web"
        "&text_decorations=false");
  CHECK(http::find_header(request->headers, "x-subscription-token") == "BSA-secret");
  CHECK(request->url.find("secret") == std::string::npos);
  CHECK(request->redirect_limit == 0);
  CHECK(rig.planned(search_for("x"), "10:180").find("&offset=9&") != std::string::npos);
  CHECK(rig.planned(search_for("x"), "11:200") == "invalid_cursor");
  CHECK(brave::plan_search(search_for("x"), {"http://127.0.0.1:81/b", {}}, "")
            ->url.starts_with("http://127.0.0.1:81/b/res/v1/web/search?q=x&"));
  what.q = test::query_of(std::string(401, 'a'));
  CHECK(rig.planned(what) == "invalid_request");
  std::string words = "a";
  for (int i = 0; i < 50; ++i) words += " b" + std::to_string(i);
  what.q = test::query_of(words);
  CHECK(rig.planned(what) == "invalid_request");
}

TEST_CASE("Brave's suggestions have another word for the language than its searches") {
  auto what = search_for("tide");
  what.op = catalog::operation::web_serp_suggest;
  what.lang = "de";
  const auto request = brave::plan_suggest(what, defaults, "");
  REQUIRE(request.has_value());
  CHECK(request->url ==
        "https://api.search.brave.com/res/v1/suggest/search?q=tide&count=20&lang=de");
}

TEST_CASE("Only languages and countries that Brave lists are sent") {
  const auto locale = [](std::string lang, std::string country) {
    auto what = search_for("x");
    what.lang = std::move(lang);
    what.country = std::move(country);
    const auto url = rig.planned(what);
    return url.substr(url.find("decorations=false") + 17);
  };
  CHECK(locale("de", "AT") == "&country=AT&search_lang=de");
  CHECK(locale("en-GB", "") == "&country=GB&search_lang=en-gb");
  CHECK(locale("pt-BR", "") == "&country=BR&search_lang=pt-br");
  CHECK(locale("pt", "") == "&search_lang=pt-pt");
  CHECK(locale("ja", "jp") == "&country=JP&search_lang=jp");
  CHECK(locale("zh", "TW") == "&country=TW&search_lang=zh-hant");
  CHECK(locale("zh-Hans", "TW") == "&country=TW&search_lang=zh-hans");
  CHECK(locale("nn", "KE") == "&search_lang=nb");
  CHECK(locale("sw", "") == "");
}

TEST_CASE("Every recorded answer of Brave is read or refused") {
  if (!rig.has_recordings()) return;
  std::map<std::string, int> count;
  for (const auto& path : rig.recordings()) {
    INFO(path.filename().string());
    const auto name = test::endpoint_of(path);
    if (test::is_unused("brave", name)) continue;
    ++count[name];
    const auto answer = test::recorded(path);
    const auto got = rig.read(answer);
    if (name.starts_with("error")) {
      REQUIRE_FALSE(got.has_value());
      const bool token = name == "error_422";
      CHECK(got.error().code() == (token ? errc::source_auth_required : errc::source_unavailable));
      // The window of the second is used up, that of the month is not.
      CHECK(got.error().retry_after ==
            (token ? std::optional<std::chrono::seconds>{} : std::chrono::seconds{1}));
      CHECK_FALSE(got.error().source_text.empty());
      continue;
    }
    const auto page = test::listing_of(got);
    test::check_page(page, "brave");
    CHECK_FALSE(page.items.empty());
    rig.read_broken(answer, {100, 6});
  }
  CHECK(count == std::map<std::string, int>{
                     {"error_422", 1}, {"error_429", 1}, {"web_search", 2}, {"web_search_dto", 1}});
}

TEST_CASE("A result of Brave loses no field") {
  if (!rig.has_recordings()) return;
  const auto page = test::listing_of(rig.read(rig.recording("web_search__1.json"), "2:20"));
  REQUIRE(page.items.size() == 17);
  CHECK(page.next == "3:37");
  const auto& first = std::get<web_result>(page.items[0]);
  CHECK(first.url == "https://laravel.com/");
  CHECK(first.title == "Laravel - The PHP Framework For Web Artisans");
  CHECK(first.text.starts_with("Laravel is a PHP web application framework with expressive"));
  CHECK(base::format_time(*first.created_at) == "2023-05-01T20:10:05Z");
  CHECK(first.lang == "en");
  CHECK(first.site_name == "Laravel");
  CHECK(first.display_url == "laravel.com");
  CHECK(first.rank == 21);
  REQUIRE(first.engines.size() == 1);
  CHECK(first.engines[0].name == "brave");
  CHECK(first.engines[0].rank == 21);
  REQUIRE(first.media.size() == 1);
  CHECK(first.media[0].url == "https://laravel.com/img/og-image.jpg");
  CHECK(first.media[0].preview_url.starts_with("https://imgs.search.brave.com/"));
  REQUIRE(first.links.size() >= 2);
  CHECK(first.links[0] == "https://laravel.com/docs/4.2");
  const auto& second = std::get<web_result>(page.items[1]);
  CHECK(second.display_url == "en.wikipedia.org › wiki › Laravel");
  CHECK(second.links.empty());  // parts of the same page
}

TEST_CASE("The order is that of Brave's whole page") {
  const auto page = test::listing_of(rig.read(test::answer_of(200, R"({"type":"search",
    "query":{"more_results_available":false},
    "mixed":{"main":[{"type":"web","index":1},{"type":"videos","index":0},{"type":"web","index":1},
             {"type":"web","index":7},{"type":"web","index":-1},{"type":"web","index":0}]},
    "web":{"results":[{"url":"https://a.example/","age":"3 days ago"},{"url":"https://b.example/"},
           {"url":"ftp://c.example/"},{"url":"https://d.example/"}]}})")));
  REQUIRE(page.items.size() == 3);
  CHECK(common(page.items[0]).url == "https://b.example/");
  CHECK(common(page.items[1]).url == "https://a.example/");
  CHECK(common(page.items[1]).created_at == sandbox_now - std::chrono::hours{72});
  CHECK(common(page.items[2]).url == "https://d.example/");
  CHECK(std::get<web_result>(page.items[2]).rank == 3);
  CHECK(page.next.empty());
}

TEST_CASE("Brave's walk ends where Brave says, or at its last page") {
  const std::string more = R"({"query":{"more_results_available":true},
                               "web":{"results":[{"url":"https://a.example/"}]}})";
  CHECK(test::listing_of(rig.read(test::answer_of(200, more), "9:160")).next == "10:161");
  CHECK(test::listing_of(rig.read(test::answer_of(200, more), "10:161")).next.empty());
  const auto none = test::answer_of(200, R"({"type":"search","query":{"original":"x"}})");
  CHECK(test::listing_of(rig.read(none)).items.empty());
  CHECK(test::listing_of(rig.read(none)).next.empty());
}

TEST_CASE("Brave's refusals have their codes") {
  const auto code = [](int status, const std::string& body) {
    return rig.read(test::answer_of(status, body)).error().code();
  };
  CHECK(code(422, failure("VALIDATION", 422)) == errc::source_error);
  CHECK(code(422, failure("VALIDATION", 422,
                          R"(,"meta":{"errors":[{"loc":["header","x-subscription-token"]}]})")) ==
        errc::source_auth_required);
  CHECK(code(422, R"({"errors":[{"code":"SUBSCRIPTION_TOKEN_INVALID","status":422}]})") ==
        errc::source_auth_required);
  CHECK(code(403, failure("RESOURCE_NOT_ALLOWED", 403)) == errc::source_auth_required);
  CHECK(code(200, failure("RATE_LIMITED", 429)) == errc::source_unavailable);
  CHECK(code(500, failure("INTERNAL", 500)) == errc::source_unavailable);
  CHECK(code(402, "{}") == errc::source_unavailable);
  CHECK(code(200, R"({"hello":1})") == errc::source_error);
  CHECK(rig.read(test::answer_of(403, "<html>no", "text/html")).error().code() ==
        errc::source_blocked);
  const auto spent = rig.read(test::answer_of(
      429, failure("RATE_LIMITED", 429, R"(,"meta":{"quota_limit":2000,"quota_current":2000})")));
  CHECK(spent.error().retry_after == std::chrono::seconds{3600});
}

TEST_CASE("The sandbox of Brave walks as the pipeline would") {
  test::sandbox box("brave");
  const settings keyless{"https://api.search.brave.com", {}};
  const auto& how = rig.source().capabilities[0];
  CHECK(test::walk_ranked(box, rig.source(), "climate", keyless) == test::ranked_walk{2, 24});
  CHECK(box.page(how, search_for("\"tide gauge\""), keyless, "")->items.size() == 2);
  CHECK(box.page(how, search_for("quota"), keyless, "").error().code() == errc::source_unavailable);
  CHECK(box.page(how, search_for("forbidden"), keyless, "").error().code() ==
        errc::source_auth_required);
}

}  // namespace freshet::sources::brave
