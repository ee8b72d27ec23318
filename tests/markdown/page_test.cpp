#include <algorithm>
#include <catch2/catch.hpp>
#include <markdown/blocks/report.hpp>
#include <markdown/page.hpp>
#include <markdown/words.hpp>
#include <random>
#include <string>
#include <support/sanitized.hpp>
#include <support/shared.hpp>

using namespace freshet;
using test::times;

namespace {

markdown::page_result converted(const std::string& body, markdown::page_options options = {},
                                std::string_view type = "text/html",
                                std::string_view url = "https://example.org/a") {
  auto made = markdown::convert({body, type, url}, options);
  REQUIRE(made.has_value());
  return std::move(*made);
}

const std::string article_page =
    "<html lang=en><head><title>Tides | Notes</title><meta property=og:site_name content=Notes>"
    "<link rel=canonical href='/tides?utm_source=x'></head><body><article><h1>Tides</h1>" +
    times(
        "<p>The sea rises, the sea falls, and every harbour keeps its own table of when it does "
        "so, printed once a year and pinned to the door of the office.</p>",
        6) +
    "<h2>More</h2><ul><li>one<li>two</ul></article></body></html>";

}  // namespace

TEST_CASE("a page becomes a document") {
  const auto made = converted(article_page);
  const auto& item = made.document;
  CHECK(item.title == "Tides");
  CHECK(item.site_name == "Notes");
  CHECK(item.lang == "en");
  CHECK(item.url == "https://example.org/tides");
  CHECK(item.final_url == "https://example.org/a");
  CHECK(item.markdown.starts_with("The sea rises"));
  CHECK(item.markdown.ends_with("- one\n- two\n"));
  CHECK(item.text.find("More\none\ntwo") != std::string::npos);
  CHECK(item.word_count > 150);
  CHECK(item.token_estimate > 150);
  CHECK(made.warnings.empty());
}

TEST_CASE("a page of frames says what it has for readers without them, and that it shows frames") {
  const std::string frames = "<frameset><frame src=a><frame src=b>";
  const auto made = converted(frames +
                              "<noframes><body><p>Go to <a href=/b>the text</a>.<script>x"
                              "</script></noframes></frameset>");
  CHECK(made.document.markdown == "Go to [the text](https://example.org/b).\n");
  CHECK(made.is_frames);
  CHECK(made.warnings.size() == 1);
  CHECK(converted(frames + "</frameset>").document.markdown.empty());
  CHECK(converted("<p>a</p><noframes>b</noframes>").document.text == "a");
}

TEST_CASE("blocks begin where the top-level blocks begin") {
  const auto made = converted(article_page);
  REQUIRE(made.blocks.size() == 8);
  CHECK(made.blocks[0] == 0);
  CHECK(std::is_sorted(made.blocks.begin(), made.blocks.end()));
  for (std::size_t i = 1; i < made.blocks.size(); ++i) {
    CHECK(made.document.markdown.substr(made.blocks[i] - 2, 2) == "\n\n");
  }
  CHECK(made.document.markdown.substr(made.blocks[6]).starts_with("## More"));
  CHECK(made.document.markdown.substr(made.blocks[7]).starts_with("- one"));
}

TEST_CASE("include and exclude choose parts") {
  markdown::page_options options;
  options.include = {"h2", "ul"};
  CHECK(converted(article_page, options).document.markdown == "## More\n\n- one\n- two\n");
  options.exclude = {"li:first-child"};
  CHECK(converted(article_page, options).document.markdown == "## More\n\n- two\n");
  options.include = {"table"};
  const auto none = converted(article_page, options);
  CHECK(none.document.markdown.empty());
  REQUIRE(none.warnings.size() == 1);
  options.include = {"p >"};
  const auto wrong = markdown::convert({article_page, "text/html", ""}, options);
  REQUIRE_FALSE(wrong.has_value());
  CHECK(wrong.error().code() == errc::invalid_request);
  REQUIRE(wrong.error().parameters.size() == 1);
  CHECK(wrong.error().parameters[0].pointer == "/include");
}

TEST_CASE("a document says how sure its choice is, and warns where it is not") {
  const auto sure = converted(article_page);
  CHECK(sure.document.confidence.value_or(0) > 0.8);
  CHECK(sure.document.confidence.value_or(2) <= 1);
  const auto unsure = converted("<body><nav>" + times("<a href=/x>Somewhere</a> ", 9) + "</nav>");
  REQUIRE(unsure.document.confidence.has_value());
  CHECK(*unsure.document.confidence <= 0.5);
  REQUIRE(unsure.warnings.size() == 1);
  CHECK(unsure.warnings[0].find("not certain") != std::string::npos);
  // Where nothing was chosen there is nothing to be sure of.
  markdown::page_options options;
  options.mode = markdown::page_mode::page;
  CHECK_FALSE(converted(article_page, options).document.confidence.has_value());
  CHECK_FALSE(converted("# a", {}, "text/markdown").document.confidence.has_value());
  options.mode = markdown::page_mode::article;
  options.include = {"h2"};
  CHECK_FALSE(converted(article_page, options).document.confidence.has_value());
}

TEST_CASE("what was chosen and why can be asked for") {
  markdown::choice_report report;
  markdown::page_options options;
  options.report = &report;
  const auto made = converted(article_page, options);
  REQUIRE(report.blocks.size() == 10);
  CHECK(report.confidence == made.document.confidence.value_or(-1));
  CHECK(report.blocks[1].kept);
  CHECK(report.blocks[1].probability > 0.5);
  CHECK(report.blocks[1].place == "article > p");
  const auto text = markdown::explain(report);
  CHECK(text.find("article > p  The sea rises, the sea falls, and every harbour") !=
        std::string::npos);
  CHECK(text.find("...\n") != std::string::npos);
  CHECK(text.find("confidence 0.") != std::string::npos);
}

TEST_CASE("links and images as asked") {
  const std::string body = "<p><a href=/x>x</a> <a href=/y>y</a> <a href=/x>z</a><img src=i alt=A>";
  markdown::page_options options;
  options.mode = markdown::page_mode::page;
  options.images = false;
  options.links = markdown::link_style::footnotes;
  const auto made = converted(body, options);
  CHECK(made.document.markdown ==
        "[x][1] [y][2] [z][1]\n\n[1]: https://example.org/x\n[2]: https://example.org/y\n");
  CHECK(made.document.links.size() == 2);
  CHECK(made.document.media.size() == 1);
  options.links = markdown::link_style::none;
  CHECK(converted(body, options).document.markdown == "x y z\n");
}

TEST_CASE("plain text and markdown pass through, pictures and the like do not") {
  const auto plain = converted("# a\r\n\r\nb", {}, "text/plain; charset=utf-8");
  CHECK(plain.document.markdown == "# a\n\nb");
  CHECK(plain.blocks == std::vector<std::size_t>{0, 5});
  const auto readme = converted("# Title\n\n```\n\nx\n```\n", {}, "text/markdown");
  CHECK(readme.document.title == "Title");
  CHECK(readme.blocks.size() == 2);
  for (const auto& [body, type] :
       {std::pair{"%PDF-1.7", ""}, std::pair{"x", "application/pdf"},
        std::pair{"\x89PNG\r\n", "text/html"}, std::pair{"{}", "application/vnd.api"},
        std::pair{"<svg/>", "image/svg+xml"}, std::pair{"x", "image/png"}}) {
    const auto made = markdown::convert({body, type, ""}, {});
    REQUIRE_FALSE(made.has_value());
    CHECK(made.error().code() == errc::unsupported_content);
  }
  CHECK(converted("<p>x", {}, "application/xhtml+xml").document.markdown == "x\n");
  CHECK(converted("<html><p>x", {}, "").document.markdown == "x\n");
}

TEST_CASE("data is a block of code, with its own text beside it") {
  const auto json = converted("{\"a\": 1}\r\n", {}, "Application/JSON; charset=utf-8");
  CHECK(json.document.markdown == "```json\n{\"a\": 1}\n```\n");
  CHECK(json.document.text == "{\"a\": 1}");
  CHECK(json.blocks == std::vector<std::size_t>{0});
  CHECK(json.document.content_type == "Application/JSON; charset=utf-8");
  for (const auto& [type, language] :
       {std::pair{"application/ld+json", "json"}, std::pair{"application/rss+xml", "xml"},
        std::pair{"text/xml", "xml"}, std::pair{"text/css", "css"},
        std::pair{"application/javascript", "javascript"}, std::pair{"application/yaml", "yaml"}}) {
    INFO(type);
    CHECK(converted("a ```` b", {}, type).document.markdown ==
          "`````" + std::string(language) + "\na ```` b\n`````\n");
  }
  CHECK(converted(" ", {}, "application/json").document.markdown.find('`') == std::string::npos);
  const char* feed = "<?xml version='1.0'?><rss><title>T</title><p>&lt;html></p></rss>";
  CHECK(converted(feed, {}, "application/xml").document.markdown.starts_with("```xml\n<?xml"));
  const char* page =
      "<?xml version='1.0'?><!DOCTYPE html><!-- x --><html><body><p>x</p></body></html>";
  CHECK(converted(page, {}, "application/xml").document.markdown == "x\n");
}

TEST_CASE("text without an empty line can be cut") {
  std::string table = "hour,height\n";
  for (int i = 0; i < 1000; ++i) table += std::to_string(i) + ",3.14\n";
  const auto rows = converted(table, {}, "text/csv");
  CHECK(rows.document.markdown == table);
  REQUIRE(rows.blocks.size() > 4);
  for (const auto block : rows.blocks) CHECK((block == 0 || table[block - 1] == '\n'));
  // Without a line, too, and never within a character.
  std::string row = "[\"";
  for (int i = 0; i < 3000; ++i) row += "\u00e4";
  const auto json = converted(row + "\"]", {}, "application/json");
  CHECK(json.blocks.size() > 3);
  for (const auto block : json.blocks)
    CHECK((static_cast<unsigned char>(json.document.markdown[block]) & 0xC0) != 0x80);
}

TEST_CASE("a page with a NUL in it is a page") {
  using namespace std::string_literals;
  const auto body = "<html><body><p>The gau\0ge at the mill is read twice a day.</p>"s;
  CHECK(converted(body, {}, "text/html").document.markdown ==
        "The gauge at the mill is read twice a day.\n");
  std::string wide;
  for (const char c : "<html><body><p>Read twice a day.</p>"s) wide += {c, '\0'};
  CHECK(converted(wide, {}, "text/html; charset=utf-16le").document.markdown ==
        "Read twice a day.\n");
  CHECK_FALSE(markdown::convert({std::string(600, '\0'), "text/html", ""}, {}).has_value());
  std::mt19937 random(1);
  for (int i = 0; i < 200; ++i) {  // as woff2 and webp are
    std::string packed;
    while (packed.size() < 1024) packed += static_cast<char>(random());
    CHECK_FALSE(markdown::convert({packed, "text/html", ""}, {}).has_value());
  }
}

TEST_CASE("the queries of links are in the encoding of the page") {
  const auto made = converted(
      "<html><body><p>The gauge is read <a href='https://a.example/s?q=\xEC\xE8\xF0'>twice</a> a "
      "day.</p>",
      {}, "text/html; charset=windows-1251");
  CHECK(made.document.markdown ==
        "The gauge is read [twice](https://a.example/s?q=%EC%E8%F0) a day.\n");
}

TEST_CASE("a wiki page as MediaWiki writes it") {
  if (!test::shared_has("recordings/loopback/mediawiki")) return;
  const auto body =
      test::read_file(test::shared_dir() / "recordings/loopback/mediawiki/html_page.html");
  const auto made = converted(body);
  CHECK_FALSE(made.document.title.empty());
  CHECK_FALSE(made.document.markdown.empty());
  CHECK(made.document.markdown.find("Jump to") == std::string::npos);
}

TEST_CASE("a post as WordPress writes it") {
  if (!test::shared_has("recordings/loopback/wordpress")) return;
  const auto body =
      test::read_file(test::shared_dir() / "recordings/loopback/wordpress/oembed.json");
  CHECK_FALSE(converted("<body>" + body).document.markdown.empty());
}

TEST_CASE("hostile pages take linear time", "[many]") {
  const std::string units[] = {"<div>",
                               "<b>",
                               "<blockquote>",
                               "<ul><li>",
                               "<table><tr><td>x",
                               "<a href=x>a",
                               "<p>x",
                               "<li>x",
                               "<br>- x",
                               "a<br>",
                               "*a_[`<",
                               "<sup><a href=#x>1</a></sup><p id=x>",
                               "<img src=x>",
                               "<pre>x",
                               "<code>`",
                               "<h1>x",
                               "!<a href=x>x</a>",
                               "<span class=line>x",
                               "<dl><dd>x",
                               "<i>x</i> ",
                               "<tr><td>x",
                               "<section>x",
                               "<td rowspan=99>",
                               "<noscript><img src=x></noscript>",
                               "<p><template shadowrootmode=open><style>:host(.d) b,.c{"
                               "display:none}</style><b class=c>x</b></template></p>"};
  for (const auto& unit : units) {
    INFO(unit);
    const auto steps = [&](std::size_t bytes) {
      const auto body = times(unit, static_cast<int>(bytes / unit.size()));
      base::meter counted;
      const auto made =
          markdown::convert({body, "text/html", "https://example.org/a"}, {}, &counted);
      REQUIRE(made.has_value());
      CHECK(made->document.markdown.size() < 100 * body.size() + 1000);
      return counted.spent();
    };
    const std::size_t bytes = test::cases<std::size_t>(50'000, 20'000, 10'000);
    // What work is not counted would show here, too: the square of this takes longer than a test
    // may.
    CHECK(steps(10 * bytes) < 12 * steps(bytes));
  }
}
