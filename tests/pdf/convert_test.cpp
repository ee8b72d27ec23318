// PDFs through poppler's programs, from bytes to HTML.
#include <unistd.h>
#include <catch2/catch.hpp>
#include <fstream>
#include <pdf/convert.hpp>
#include <pdf/find.hpp>
#include <pdf/html.hpp>
#include <process/tree.hpp>
#include <support/print_result.hpp>
#include <support/skips.hpp>

#include "made_pdf.hpp"

using namespace freshet;
using namespace std::chrono_literals;
using test::make_pdf;
using test::pdf_page;

#define NEED_POPPLER()                                  \
  if (!pdf::find_poppler("")) {                         \
    test::skip("poppler's programs are not installed"); \
    return;                                             \
  }

namespace {

pdf::conversion_options installed() {
  pdf::conversion_options out;
  out.folder = *pdf::find_poppler("");
  return out;
}

result<pdf::converted_document> convert(const std::string& body,
                                        pdf::conversion_options options = installed(),
                                        std::chrono::milliseconds time = 20s) {
  return pdf::convert(body, options, std::chrono::steady_clock::now() + time);
}

std::string html_of(const std::vector<pdf_page>& pages, std::string_view information = "") {
  const auto made = convert(make_pdf(pages, information));
  REQUIRE(made);
  return made->html;
}

bool holds(const std::string& html, std::string_view text) {
  CAPTURE(html, text);
  const bool found = html.find(text) != std::string::npos;
  CHECK(found);
  return found;
}

/// Enough text of the usual size for it to be the usual size.
std::vector<test::pdf_text> with_body(std::vector<test::pdf_text> texts, double y = 300) {
  texts.push_back({72, y, 11, "F1", "The gauge at the harbour writes a height every ten minutes."});
  texts.push_back(
      {72, y - 13, 11, "F1", "It is checked against a staff that is read by hand, and"});
  texts.push_back(
      {72, y - 26, 11, "F1", "the two have never differed by more than a thumb's width."});
  return texts;
}

}  // namespace

TEST_CASE("a PDF's text, headings, links and metadata", "[pdf]") {
  NEED_POPPLER();
  const auto html = html_of({{with_body({{72, 720, 24, "F2", "Tide gauges"},
                                         {72, 680, 16, "F2", "1. Methods"},
                                         {72, 650, 11, "F1", "A line with"},
                                         {126, 650, 11, "F1", "a link"},
                                         {156, 650, 11, "F1", "in it and a"},
                                         {72, 637, 11, "F1", "sentence that is torn be-"},
                                         {72, 624, 11, "F1", "tween two lines & more."},
                                         {72, 580, 16, "F2", "2. Results"}}),
                              {{127, 650, 25, "https://example.org/a?b=1&c=2"}}}},
                            "/Title(On gauges)/Author(Ada Gauge)/CreationDate(D:20240102030405Z)");
  holds(html, "<title>On gauges</title>");
  holds(html, "<meta name=\"author\" content=\"Ada Gauge\">");
  holds(html, "<meta name=\"date\" content=\"2024-01-02T03:04:05Z\">");
  holds(html, "<h1>Tide gauges</h1>");
  holds(html, "<h2>1. Methods</h2>");
  holds(html, "<h2>2. Results</h2>");
  holds(html,
        "A line with <a href=\"https://example.org/a?b=1&amp;c=2\">a link</a> in it and a "
        "sentence that is torn between two lines &amp; more.</p>");
  holds(html, "<p>The gauge at the harbour writes a height every ten minutes. It is checked");
}

TEST_CASE("a PDF's lists and code", "[pdf]") {
  NEED_POPPLER();
  const auto html = html_of({{with_body({{72, 700, 11, "F1", "\x95"},
                                         {90, 700, 11, "F1", "first of two, which"},
                                         {90, 687, 11, "F1", "goes on below"},
                                         {72, 670, 11, "F1", "\x95"},
                                         {90, 670, 11, "F1", "second"},
                                         {72, 640, 11, "F1", "3. third"},
                                         {72, 626, 11, "F1", "4. fourth"},
                                         {72, 590, 11, "F3", "if (a < b)"},
                                         {72, 577, 11, "F3", "    return a;"}}),
                              {}}});
  holds(html, "<ul><li>first of two, which goes on below</li>\n<li>second</li>\n</ul>");
  holds(html, "<ol start=\"3\"><li>third</li>\n<li>fourth</li>\n</ol>");
  holds(html, "<pre><code>if (a &lt; b)\n    return a;\n</code></pre>");
}

TEST_CASE("two columns are read one after the other, and paragraphs go on over pages", "[pdf]") {
  NEED_POPPLER();
  pdf_page first, second;
  for (int i = 0; i < 30; ++i) {
    const double y = 700 - 13.0 * i;
    const auto number = std::to_string(i);
    first.texts.push_back({72, y, 11, "F1", "left column line number " + number + " has text"});
    first.texts.push_back({330, y, 11, "F1", "right column line number " + number + " goes"});
  }
  second.texts.push_back({72, 700, 11, "F1", "on with this on the second page."});
  const auto html = html_of({first, second});
  holds(html, "left column line number 29 has text right column line number 0 goes");
  holds(html, "right column line number 29 goes on with this on the second page.</p>");
}

TEST_CASE("running heads and page numbers are left out", "[pdf]") {
  NEED_POPPLER();
  std::vector<pdf_page> pages;
  for (int i = 1; i <= 4; ++i) {
    auto texts = with_body({{72, 770, 9, "F1", "Journal of gauges, volume 7"},
                            {300, 20, 9, "F1", "Page " + std::to_string(i) + " of 4"}},
                           400 + i);
    texts.push_back({72, 500, 11, "F1", "Only once: " + std::string(1, char('a' + i)) + "."});
    pages.push_back({texts, {}});
  }
  const auto html = html_of(pages);
  CHECK(html.find("Journal") == std::string::npos);
  CHECK(html.find("Page") == std::string::npos);
  holds(html, "Only once: b.");
  holds(html, "Only once: e.");
}

TEST_CASE("pages that say nothing but the same at their edges say it", "[pdf]") {
  NEED_POPPLER();
  const pdf_page slide{{{72, 760, 11, "F1", "Out of order until Monday"}}, {}};
  holds(html_of({slide, slide, slide}), "Out of order until Monday");
}

TEST_CASE("links that are none of the web are dropped, and text is escaped", "[pdf]") {
  NEED_POPPLER();
  const auto html = html_of({{with_body({{72, 700, 11, "F1", "<script>alert(1)</script> here"}}),
                              {{72, 700, 100, "javascript:alert(1)"}}}});
  CHECK(html.find("javascript") == std::string::npos);
  CHECK(html.find("<script>") == std::string::npos);
  holds(html, "&lt;script&gt;");
}

TEST_CASE("a PDF that cannot be read is an error that says why", "[pdf]") {
  NEED_POPPLER();
  const auto why = [](const result<pdf::converted_document>& made) {
    REQUIRE_FALSE(made);
    CHECK(made.error().code() == errc::unsupported_content);
    return made.error().detail();
  };
  CHECK(why(convert("%PDF-1.4\nnothing of it")).find("broken") != std::string::npos);
  CHECK(why(convert(make_pdf({{{}, {}}}))).find("no text") != std::string::npos);
  // An empty user password would do; this one wants another.
  const std::string locked =
      "/ID[<00112233445566778899aabbccddeeff><00112233445566778899aabbccddeeff>]/Encrypt<<"
      "/Filter/Standard/V 1/R 2/P -4/O(01234567890123456789012345678901)"
      "/U(01234567890123456789012345678901)>>";
  CHECK(why(convert(make_pdf({{with_body({}), {}}}, "", locked))).find("encrypted") !=
        std::string::npos);
  CHECK(why(convert(make_pdf({{with_body({}), {}}}), {})).find("apt-get install poppler-utils") !=
        std::string::npos);
  auto hurried = installed();
  hurried.time = 1ms;
  CHECK(why(convert(make_pdf({{with_body({}), {}}}), hurried)).find("too long") !=
        std::string::npos);
  const auto late = convert(make_pdf({{with_body({}), {}}}), installed(), 0ms);
  REQUIRE_FALSE(late);
  CHECK(late.error().code() == errc::source_timeout);
  CHECK(process::descendants(getpid()).empty());
}

TEST_CASE("a long PDF is read in part, with a warning", "[pdf]") {
  NEED_POPPLER();
  std::vector<pdf_page> pages;
  for (int i = 1; i <= 5; ++i) {
    pages.push_back({{{72, 400, 11, "F1", "This is page " + std::to_string(i) + "."}}, {}});
  }
  auto few = installed();
  few.max_pages = 3;
  const auto made = convert(make_pdf(pages), few);
  REQUIRE(made);
  holds(made->html, "This is page 3.");
  CHECK(made->html.find("page 4") == std::string::npos);
  REQUIRE(made->warnings.size() == 1);
  CHECK(made->warnings[0].find("first 3 pages") != std::string::npos);
}

TEST_CASE("a PDF made to take memory or time is bounded", "[pdf]") {
  NEED_POPPLER();
  // A page of a hundred thousand words on one spot.
  std::vector<test::pdf_text> heap;
  for (int i = 0; i < 20'000; ++i) heap.push_back({72, 700, 11, "F1", "w w w w w"});
  auto bounded = installed();
  bounded.time = 2s;
  const auto made = convert(make_pdf({{heap, {}}}), bounded);
  if (!made) CHECK(made.error().code() == errc::unsupported_content);
}

TEST_CASE("poppler's folder must have its programs", "[pdf]") {
  const auto none = pdf::find_poppler("/nowhere");
  REQUIRE_FALSE(none);
  CHECK(none.error().code() == errc::invalid_configuration);
  CHECK(none.error().detail().find("pdf.folder") != std::string::npos);
}

TEST_CASE("where no walls stand no PDF is read, and the error says what to do", "[pdf]") {
  NEED_POPPLER();
  auto bare = installed();
  // What cannot be hidden: programs are there.
  bare.walls = std::make_shared<process::wall_survey>(std::vector<std::string>{"/usr/bin"}, false);
  const auto refused = convert(make_pdf({{{{72, 500, 11, "F1", "Words."}}, {}}}), bare);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code() == errc::unsupported_content);
  CHECK(refused.error().detail().find("process.allow_without_walls") != std::string::npos);
  bare.walls = std::make_shared<process::wall_survey>(std::vector<std::string>{"/usr/bin"}, true);
  CHECK(convert(make_pdf({{{{72, 500, 11, "F1", "Words."}}, {}}}), bare));
}

namespace {

/// As pdftotext writes it.
std::string layout_of(int words) {
  std::string out = "<page width=\"600\" height=\"800\"><block><line>";
  for (int i = 0; i < words; ++i) {
    out += "<word xMin=\"1\" yMin=\"400\" xMax=\"9\" yMax=\"410\">word</word>";
    if (i % 10 == 9) out += "</line><line>";
  }
  return out + "</line></block></page>";
}

}  // namespace

TEST_CASE("what the programs wrote is read no further once nobody waits for it") {
  constexpr int words = 100'000;
  constexpr std::uint64_t soon = 10'000;
  const auto layout = layout_of(words);
  pdf::reading_meter all;
  const auto read = pdf::read_layout(layout, all);
  CHECK(all.spent() > words);
  const std::atomic<bool> stop = true;
  SECTION("while words are read") {
    pdf::reading_meter counted(&stop);
    CHECK_THROWS_AS(pdf::read_layout(layout, counted), base::work_ended);
    CHECK(counted.spent() < soon);
  }
  SECTION("while they are given their type") {
    auto styled = read;
    pdf::reading_meter counted(&stop);
    std::string xml;
    for (int i = 0; i < words; ++i) xml += "<text>a</text>";
    CHECK_THROWS_AS(pdf::add_styles(styled, xml, counted), base::work_ended);
    CHECK(counted.spent() < soon);
  }
  SECTION("while they become paragraphs") {
    pdf::reading_meter counted(&stop);
    CHECK_THROWS_AS(pdf::to_html(read, counted), base::work_ended);
    CHECK(counted.spent() < soon);
  }
  SECTION("where the time is over") {
    pdf::reading_meter counted(nullptr, std::chrono::steady_clock::now() - 1s);
    try {
      static_cast<void>(pdf::read_layout(layout, counted));
      FAIL("it was read");
    } catch (const base::work_ended& ended) {
      CHECK(ended.code() == errc::source_timeout);
    }
  }
}

TEST_CASE("a conversion says how much there was to read") {
  NEED_POPPLER();
  const auto steps_of = [](std::size_t pages) {
    pdf::reading_course course;
    const std::vector<pdf_page> all(pages, pdf_page{with_body({}), {}});
    const auto made = pdf::convert(make_pdf(all, ""), installed(),
                                   std::chrono::steady_clock::now() + 20s, &course);
    REQUIRE(made);
    return course.steps;
  };
  const auto of_one = steps_of(1);
  CHECK(of_one > 0);
  CHECK(steps_of(4) > 2 * of_one);
}
