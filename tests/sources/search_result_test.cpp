// What the sources of web results share: results, dates, positions, languages and countries.
#include <base/time_text.hpp>
#include <catch2/catch.hpp>
#include <html/document.hpp>
#include <sources/page_elements.hpp>
#include <sources/sandbox.hpp>
#include <sources/search_result.hpp>

using namespace freshet;
using namespace freshet::sources;

namespace {

std::string dated(std::string_view text) {
  const auto at = read_result_date(text, sandbox_now);
  return at ? base::format_time(*at) : "";
}

std::string wish(std::string lang, std::string country = "") {
  call what;
  what.lang = std::move(lang);
  what.country = std::move(country);
  const auto got = locale_of(what);
  return got.language + "/" + got.script + "/" + got.country;
}

}  // namespace

TEST_CASE("A result has its page's address, whatever the engine wrapped it in") {
  const auto got = result_at("engine",
                             "//duckduckgo.com/l/?uddg=https%3A%2F%2Fwww.Tide.example"
                             "%2Fa%20b%3Futm_source%3Dx%26p%3D1&rut=1");
  REQUIRE(got);
  CHECK(got->url == "https://www.tide.example/a%20b?p=1");
  CHECK(got->display_url == "www.tide.example/a b");
  CHECK(got->site_name == "tide.example");
  CHECK(got->source == "engine");
  CHECK(got->id.starts_with("engine:"));
  CHECK(got->id == result_at("engine", "https://www.tide.example/a%20b?p=1")->id);
  CHECK(result_at("engine", "https://tide.example/")->display_url == "tide.example");
  CHECK(result_at("engine", "https://tide.example/%ff")->display_url == "tide.example/%ff");
  for (const auto* none : {"", "javascript:void(0)", "ftp://a.example/", "/search?q=x", "http://",
                           "https://duckduckgo.com/y.js?ad_domain=a.example"}) {
    INFO(none);
    CHECK_FALSE(result_at("engine", none));
  }
}

TEST_CASE("Dates as engines write them") {
  CHECK(dated("Aug 19, 2024") == "2024-08-19T00:00:00Z");
  CHECK(dated("August 9, 2024") == "2024-08-09T00:00:00Z");
  CHECK(dated("9 Aug 2024") == "2024-08-09T00:00:00Z");
  CHECK(dated("2024-06-10T00:00:00.0000000") == "2024-06-10T00:00:00Z");
  CHECK(dated("Thu, 20 Nov 2026 09:00:00 GMT") == "2026-11-20T09:00:00Z");
  CHECK(dated("3 days ago") == base::format_time(sandbox_now - std::chrono::hours{72}));
  CHECK(dated("1 hour ago") == base::format_time(sandbox_now - std::chrono::hours{1}));
  for (const auto* none : {"", "yesterday", "days ago", "-3 days ago", "99999999999 days ago",
                           "Aug 2024", "Foo 1, 2024", "Aug 0, 2024", "1 2 3"}) {
    INFO(none);
    CHECK(dated(none).empty());
  }
  std::string snippet = "Aug 19, 2024 \xC2\xB7 An overly fine grind";
  CHECK(take_leading_date(snippet, sandbox_now));
  CHECK(snippet == "An overly fine grind");
  std::string plain = "May 1 \xC2\xB7 no date";
  CHECK_FALSE(take_leading_date(plain, sandbox_now));
  CHECK(plain == "May 1 \xC2\xB7 no date");
}

TEST_CASE("Positions of numbered pages are read as they are written, and nothing else") {
  CHECK(read_result_position("", 9, "X")->page == 1);
  const auto at = read_result_position(result_position{3, 27}.text(), 9, "X");
  REQUIRE(at.has_value());
  CHECK(at->page == 3);
  CHECK(at->given == 27);
  for (const auto* bad : {"x", "2", "0:1", "10:1", "2:", "2:-1", "2:1x", "2:9999999999", ":1"}) {
    INFO(bad);
    const auto got = read_result_position(bad, 9, "X");
    REQUIRE_FALSE(got.has_value());
    CHECK(got.error().code() == errc::invalid_cursor);
  }
}

TEST_CASE("Language and country out of either parameter") {
  CHECK(wish("pt-BR") == "pt//BR");
  CHECK(wish("pt-BR", "pt") == "pt//PT");
  CHECK(wish("zh-hans-cn") == "zh/Hans/CN");
  CHECK(wish("zh-Hant") == "zh/Hant/");
  CHECK(wish("de", "AT") == "de//AT");
  CHECK(wish("", "US") == "//US");
  CHECK(wish("es-419") == "es//");
  CHECK(wish("x") == "//");
  CHECK(wish("") == "//");
}

TEST_CASE("Elements of a page: by selector, and what they say") {
  const auto page = html::parse(
      "<ul><li class=a>One  <b>and</b><br>a half<script>no</script><style>no</style></li>"
      "<li class='a b'>Two &amp; more</li></ul>");
  const auto root = html::document::root();
  const auto all = select_all(page, root, "li.a");
  REQUIRE(all.size() == 2);
  CHECK(line_of(page, all[0]) == "One and a half");
  CHECK(line_of(page, select_first(page, root, ".b")) == "Two & more");
  CHECK(select_first(page, all[0], ".b") == html::none);
  CHECK(select_first(page, root, "li[") == html::none);
  CHECK(line_of(page, html::none).empty());
}
