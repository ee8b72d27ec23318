// The web as a source: which pages are asked for, what is made of them, and when a page is
// rendered.
#include <base/work.hpp>
#include <catch2/catch.hpp>
#include <html/document.hpp>
#include <sources/source.hpp>
#include <sources/source_rig.hpp>
#include <sources/web/shell.hpp>

namespace freshet::sources::web {

namespace {

const test::source_rig rig("web");

const capability& scraping() { return rig.capability_for(catalog::operation::scrape_markdown); }

call scrape_of(std::string url) {
  call what;
  what.op = catalog::operation::scrape_markdown;
  what.url = std::move(url);
  return what;
}

result<step> read(const http::response& answer,
                  const call& call = scrape_of("https://example.org/a")) {
  return rig.read(call, answer);
}

errc refusal_of(const http::response& answer) {
  const auto made = read(answer);
  REQUIRE_FALSE(made.has_value());
  return made.error().code();
}

}  // namespace

TEST_CASE("web plans one polite request") {
  auto what = scrape_of("https://example.org/a b?c=1#part");
  what.max_age = std::chrono::seconds{60};
  const auto planned = scraping().plan(what, {}, "");
  REQUIRE(planned.has_value());
  CHECK(planned->method == "GET");
  CHECK(planned->url == "https://example.org/a%20b?c=1");
  CHECK(planned->obey_robots);
  CHECK(planned->max_age == std::chrono::seconds{60});
  CHECK(http::find_header(planned->headers, "accept").starts_with("text/html"));
  what.respect_robots = false;
  CHECK_FALSE(scraping().plan(what, {}, "")->obey_robots);
  for (const char* wrong : {"", "ftp://example.org/", "file:///etc/passwd", "example.org"}) {
    const auto refused = scraping().plan(scrape_of(wrong), {}, "");
    REQUIRE_FALSE(refused.has_value());
    CHECK(refused.error().code() == errc::invalid_request);
  }
}

TEST_CASE("web reads a page") {
  auto answer = test::answer_of(200,
                                "<html lang=en><title>T</title><link rel=canonical href=/c>"
                                "<body><p>Some text, <a href=b>linked</a>.",
                                "text/html");
  answer.final_url = "https://example.org/dir/a?utm_source=x";
  const auto page = test::listing_of(read(answer));
  REQUIRE(page.items.size() == 1);
  const auto& item = std::get<document>(page.items[0]);
  CHECK(item.id == "web:https://example.org/dir/a");
  CHECK(item.source == "web");
  CHECK(item.url == "https://example.org/c");
  CHECK(item.final_url == answer.final_url);
  CHECK(item.status_code == 200);
  CHECK(item.content_type == "text/html");
  CHECK(item.markdown == "Some text, [linked](https://example.org/dir/b).\n");
  CHECK(page.blocks == std::vector<std::size_t>{0});
  CHECK(page.next.empty());
}

TEST_CASE("web says that a page has nothing to read") {
  auto what = scrape_of("https://example.org/a");
  const auto warnings = [&](const char* body) {
    return test::listing_of(read(test::answer_of(200, body, "text/html"), what)).warnings;
  };
  CHECK(warnings("<p>x").empty());
  for (const char* body : {"", "<title>T</title>", "<p> <br>"}) {
    const auto told = warnings(body);
    REQUIRE(told.size() == 1);
    CHECK(told.front().find("with render") != std::string::npos);
  }
  what.render = http::rendering::if_possible;
  CHECK(warnings("") == std::vector<std::string>{"the page has nothing to read"});
}

TEST_CASE("web shows the only frame of a page, and names several") {
  const auto what = scrape_of("https://example.org/a");
  const auto read_frames = [&](const std::string& body) {
    return read(test::answer_of(200, "<title>T</title>" + body, "text/html"), what);
  };
  const auto made = read_frames(
      "<frameset rows='100%,*'><frame "
      "src='//shop.example/x?a=1'><noframes>No</noframes></frameset>");
  REQUIRE(made.has_value());
  const auto* on = std::get_if<follow>(&*made);
  REQUIRE(on != nullptr);
  CHECK(on->request.url == "https://shop.example/x?a=1");
  CHECK(on->request.obey_robots);
  CHECK(on->state == ">");

  const auto warnings = [&](const std::string& body) {
    return test::listing_of(read_frames(body)).warnings;
  };
  const std::string told = "the page has nothing to read but frames: ask for ";
  CHECK(warnings("<frameset><frame src=nav><frame src=/main><frame src=nav></frameset>") ==
        std::vector{told + "https://example.org/nav, https://example.org/main"});
  CHECK(warnings("<iframe src=/app></iframe>") == std::vector{told + "https://example.org/app"});
  for (const char* none :
       {"<iframe></iframe>", "<iframe src='about:blank'></iframe>",
        "<body><noscript><iframe src=/x></iframe></noscript>", "<iframe src=/a></iframe>"}) {
    INFO(none);
    CHECK(warnings(none).front().find("frames") == std::string::npos);
  }
  CHECK(warnings("<p>Text<iframe src=/app></iframe>").empty());
  const auto spare = test::listing_of(
      read_frames("<frameset><frame src=nav><frame src=/main><noframes><body><p>Go to <a "
                  "href=/main>the text</a>.</noframes></frameset>"));
  CHECK(std::get<document>(spare.items.at(0)).markdown ==
        "Go to [the text](https://example.org/main).\n");
  CHECK(spare.warnings.back() == told + "https://example.org/nav, https://example.org/main");
}

TEST_CASE("web turns statuses into errors") {
  const auto page = [](int status) { return test::answer_of(status, "<p>no", "text/html"); };
  CHECK(refusal_of(page(404)) == errc::not_found);
  CHECK(refusal_of(page(410)) == errc::not_found);
  CHECK(refusal_of(page(401)) == errc::source_auth_required);
  CHECK(refusal_of(page(403)) == errc::source_blocked);
  CHECK(refusal_of(page(500)) == errc::source_error);
  CHECK(refusal_of(page(304)) == errc::source_error);
  auto busy = page(429);
  busy.headers.push_back({"Retry-After", "30"});
  const auto made = read(busy);
  REQUIRE_FALSE(made.has_value());
  CHECK(made.error().code() == errc::source_unavailable);
  CHECK(made.error().retry_after == std::chrono::seconds{30});
  CHECK(refusal_of(page(503)) == errc::source_unavailable);
  CHECK(refusal_of(test::answer_of(200, "%PDF-1.7", "application/pdf")) ==
        errc::unsupported_content);
}

TEST_CASE("web knows a challenge from a page") {
  CHECK(refusal_of(test::answer_of(200, "<title>Just a moment...</title><p>Checking",
                                   "text/html")) == errc::source_blocked);
  auto marked = test::answer_of(200, "<p>x", "text/html");
  marked.headers.push_back({"cf-mitigated", "challenge"});
  CHECK(refusal_of(marked) == errc::source_blocked);
  CHECK(refusal_of(test::answer_of(
            200, "<script src='https://geo.captcha-delivery.com/c.js'></script>", "text/html")) ==
        errc::source_blocked);
  std::string long_page = "<title>Just a moment in time</title>";
  for (int i = 0; i < 60; ++i) long_page += "<p>A moment passes, and the tide turns again.</p>";
  CHECK(read(test::answer_of(200, long_page, "text/html")).has_value());
}

namespace {

/// Whether `render: auto` asks for a page again, to be rendered.
bool is_rendered(const std::string& body, std::string_view state = "") {
  auto what = scrape_of("https://example.org/a");
  what.render = http::rendering::if_possible;
  const auto answer = test::answer_of(200, body, "text/html");
  const auto made = scraping().read({what, {}, answer, "", state});
  REQUIRE(made.has_value());
  const auto* again = std::get_if<sources::follow>(&*made);
  if (again == nullptr) return false;
  CHECK(again->request.render == http::rendering::if_possible);
  REQUIRE(again->request.fetched != nullptr);
  CHECK(again->request.fetched->body == body);
  CHECK(again->request.url == "https://example.org/a");
  CHECK(again->state == "render");
  return true;
}

}  // namespace

TEST_CASE("web: auto renders an empty shell, and no page that can be read") {
  const std::string script = "<script src=/app.js></script>";
  const std::string text =
      "<p>The gauge at the harbour writes a height every ten minutes. It is checked against a "
      "staff that is read by hand, and the two have never differed by more than a thumb's width "
      "in all the years since it was set up there, on the mole, by those who wanted to know how "
      "high the water stands when the wind comes from the west for more than a day or two.</p>";
  CHECK(is_rendered("<title>A</title><div id=root></div>" + script));
  CHECK(is_rendered("<div id=__next><div></div></div>" + script + "<footer>Imprint</footer>"));
  CHECK(is_rendered("<app-root></app-root>" + script));
  CHECK(
      is_rendered("<body><noscript>Please enable JavaScript to run this app.</noscript>" + script));
  CHECK(is_rendered("<p>Loading...</p>" + script));
  CHECK(is_rendered("<script>location = '/b'</script>"));
  // Data is no script; what has no script is filled by none.
  CHECK_FALSE(is_rendered("<div id=root></div>"));
  CHECK_FALSE(is_rendered("<div id=app></div><script type='application/ld+json'>{}</script>"));
  CHECK_FALSE(is_rendered("<title>A</title>" + text + script));
  CHECK_FALSE(is_rendered("<div id=root>" + text + "</div>" + script));
  CHECK_FALSE(is_rendered(text + "<noscript>Switch on JavaScript</noscript>" + script));
  CHECK_FALSE(
      is_rendered("<h1>Example</h1><p>This page is short, but it says all it has to say."
                  "</p>" +
                  script));
  // Once only.
  CHECK_FALSE(is_rendered("<div id=root></div>" + script, "render"));
}

TEST_CASE("web: elements that scripts fill, one in another, are looked through once") {
  constexpr std::size_t depth = 300, many = 20'000;
  std::string page = "<script src=/app.js></script>";
  for (std::size_t i = 0; i < depth; ++i) page += "<div id=root>";
  for (std::size_t i = 0; i < many; ++i) page += "<br>";
  page += "Loading";
  http::response answer;
  answer.status = 200;
  answer.headers = {{"Content-Type", "text/html"}};
  answer.body = page;
  base::meter parsing, looking;
  CHECK(html::parse(page, &parsing).size() > depth + many);
  CHECK_FALSE(sign_of_empty_shell(answer, &looking).empty());  // a script, and hardly a word
  const auto steps = looking.spent() - parsing.spent();
  CHECK(steps > many);
  CHECK(steps < 10 * many);
}

TEST_CASE("web: the request says whether a browser is to run the page") {
  auto what = scrape_of("https://example.org/a");
  CHECK(scraping().plan(what, {}, "")->render == http::rendering::never);
  CHECK(scraping().plan(what, {}, "")->pdf_as_html);
  what.render = http::rendering::if_possible;
  CHECK(scraping().plan(what, {}, "")->render == http::rendering::never);
  what.render = http::rendering::always;
  CHECK(scraping().plan(what, {}, "")->render == http::rendering::always);
}

TEST_CASE("web: what the layers say of an answer is passed on") {
  auto answer = test::answer_of(200, "<h1>Title</h1><p>Words.", "text/html; charset=utf-8");
  answer.converted_from = "application/pdf";
  answer.warnings = {"pdf: only the first 3 pages were read"};
  const auto page = test::listing_of(read(answer));
  const auto& item = std::get<document>(page.items.at(0));
  CHECK(item.content_type == "application/pdf");
  CHECK(item.markdown == "# Title\n\nWords.\n");
  REQUIRE_FALSE(page.warnings.empty());
  CHECK(page.warnings.front() == "pdf: only the first 3 pages were read");
}

}  // namespace freshet::sources::web
