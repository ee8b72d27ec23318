// Pages that send their readers on by themselves: to which address, and that no end is lost where
// they send each other to and fro.
#include <catch2/catch.hpp>
#include <sources/source.hpp>
#include <sources/source_rig.hpp>
#include <sources/web/leads.hpp>
#include <utility>

namespace freshet::sources::web {

namespace {

const test::source_rig led_rig("web");
constexpr auto stub_address = "https://example.org/docs/";

std::string target_of(const std::string& body) {
  return refresh_target(test::answer_of(200, body, "text/html"), stub_address);
}

/// Of what an element with this content makes.
std::string by_content(const std::string& content) {
  return target_of("<html><head><meta http-equiv=\"refresh\" content=\"" + content + "\"></head>");
}

call call_of(catalog::operation op, std::string url) {
  call what;
  what.op = op;
  what.url = std::move(url);
  return what;
}

result<step> read_led(const http::response& answer, std::string_view state, const call& asked) {
  return led_rig.capability_for(asked.op).read({asked, {}, answer, "", state});
}

}  // namespace

TEST_CASE("web: an address that a page sends its readers to is read as browsers read it") {
  const std::string there = "https://example.org/docs/latest/";
  for (const char* content :
       {"0; url=latest/", "0;URL='/docs/latest/'", "0;url=&quot;latest/&quot;",
        " 0 ; url = latest/", "0, latest/", "0 latest/", "1;url=https://example.org/docs/latest/",
        "05;url=latest/#part", ".5; url=latest/", "0.0;url='latest/' and more",
        "5;url=//example.org/docs/latest/"}) {
    INFO(content);
    CHECK(by_content(content) == there);
  }
  for (const char* content :
       {"", "0", "0;", "6;url=latest/", "300;url=latest/", "99999999999999999999999;url=latest/",
        "url=latest/", "0x;url=latest/", "-1;url=latest/", "0;url=javascript:alert(1)",
        "0;url=data:text/html,x", "0;url=file:///etc/passwd", "0;url=http://[",
        "0;url=", "0;url=#part", "0;url=https://example.org/docs/?utm_source=x", "0;url=./"}) {
    INFO(content);
    CHECK(by_content(content).empty());
  }
}

TEST_CASE("web: the query of a refresh is in the page's encoding, as those of its links are") {
  const std::string page = "<meta charset=windows-1251><meta http-equiv=refresh content='0;?q=";
  CHECK(target_of(page + "\xEC\xE8\xF0'>") == "https://example.org/docs/?q=%EC%E8%F0");
  CHECK(target_of("<meta charset=utf-8><meta http-equiv=refresh content='0;?q=мир'>") ==
        "https://example.org/docs/?q=%D0%BC%D0%B8%D1%80");
}

TEST_CASE("web: where a refresh stands, and where it says nothing") {
  const std::string there = "https://example.org/there";
  CHECK(target_of("<META content='0;/there' HTTP-EQUIV = ' Refresh '>") == there);
  CHECK(target_of("<body><p>Moved.<meta http-equiv=refresh content='0;/there'>") == there);
  CHECK(target_of("<base href=/a/b/><meta http-equiv=refresh content='0;url=../../there'>") ==
        there);
  // The first one that says something counts.
  CHECK(target_of("<meta http-equiv=refresh content=x><meta http-equiv=refresh content='0;/there'>"
                  "<meta http-equiv=refresh content='0;/elsewhere'>") == there);
  CHECK(target_of("<noscript><meta http-equiv=refresh content='0;/there'></noscript>").empty());
  CHECK(target_of("<template><meta http-equiv=refresh content='0;/there'></template>").empty());
  CHECK(target_of("<!-- <meta http-equiv=refresh content='0;/there'> -->").empty());
  CHECK(target_of("<pre>&lt;meta http-equiv=refresh content='0;/there'></pre>").empty());
  CHECK(target_of("<meta name=refresh content='0;/there'>").empty());
  auto answer = test::answer_of(200, "<p>Moved", "text/html");
  answer.headers.push_back({"Refresh", "0; url=/there"});
  CHECK(refresh_target(answer, stub_address) == there);
  const auto data =
      test::answer_of(200, "<meta http-equiv=refresh content='0;/there'>", "text/plain");
  CHECK(refresh_target(data, stub_address).empty());
}

TEST_CASE("web: what a page leads on to is answered, by markdown and by extract") {
  const auto stub =
      test::answer_of(200, "<meta http-equiv=refresh content='0;/there'><p>Moved", "text/html");
  for (const auto op : {catalog::operation::scrape_markdown, catalog::operation::scrape_extract}) {
    auto what = call_of(op, stub_address);
    what.lang = "de";
    what.schema = "{}";
    const auto made = read_led(stub, "", what);
    REQUIRE(made.has_value());
    const auto* on = std::get_if<follow>(&*made);
    REQUIRE(on != nullptr);
    CHECK(on->request.url == "https://example.org/there");
    CHECK(on->request.obey_robots);
    CHECK(on->request.chosen_by == http::target_choice::caller);
    CHECK(http::find_header(on->request.headers, "accept-language") == "de");
    CHECK(on->state == ">");
  }
}

TEST_CASE("web: pages that lead on to each other end, and say so") {
  const auto what = call_of(catalog::operation::scrape_markdown, stub_address);
  std::string state;
  int pages = 0;
  for (;; ++pages) {
    REQUIRE(pages < 10);
    auto answer = test::answer_of(
        200, "<meta http-equiv=refresh content='0;/" + std::to_string(pages + 1) + "'><p>Page",
        "text/html");
    answer.final_url = "https://example.org/" + std::to_string(pages);
    const auto made = read_led(answer, state, what);
    REQUIRE(made.has_value());
    if (const auto* on = std::get_if<follow>(&*made)) {
      state = on->state;
      continue;
    }
    const auto& page = std::get<listing>(*made);
    REQUIRE(page.warnings.size() == 1);
    CHECK(page.warnings.front().find("https://example.org/4") != std::string::npos);
    break;
  }
  CHECK(pages == 3);
}

TEST_CASE("web: a shell that a page led on to is rendered where it is") {
  auto what = call_of(catalog::operation::scrape_markdown, stub_address);
  what.render = http::rendering::if_possible;
  auto shell =
      test::answer_of(200, "<div id=root></div><script src=/app.js></script>", "text/html");
  shell.final_url = "https://example.org/there";
  const auto made = read_led(shell, ">", what);
  REQUIRE(made.has_value());
  const auto* again = std::get_if<follow>(&*made);
  REQUIRE(again != nullptr);
  CHECK(again->request.url == "https://example.org/there");
  CHECK(again->state == "render");
}

}  // namespace freshet::sources::web
