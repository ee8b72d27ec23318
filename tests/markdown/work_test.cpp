// The work on a page: counted in steps against a bound that is linear in its size, far from what
// pages of people take, and ended as soon as nobody wants the page.
#include <zlib.h>

#include <algorithm>
#include <atomic>
#include <catch2/catch.hpp>
#include <filesystem>
#include <html/document.hpp>
#include <iostream>
#include <markdown/page.hpp>
#include <thread>

#include "hostile_pages.hpp"
#include "support/sanitized.hpp"
#include "support/shared.hpp"

using namespace freshet;
using namespace std::chrono_literals;

namespace {

result<markdown::page_result> converted_counting(const std::string& page, base::meter& counted,
                                                 const markdown::page_options& options = {}) {
  return markdown::convert({page, "text/html; charset=utf-8", "https://a.example/b/"}, options,
                           &counted);
}

std::uint64_t steps_of(const std::string& page, const markdown::page_options& options = {}) {
  base::meter counted;
  static_cast<void>(converted_counting(page, counted, options));
  return counted.spent();
}

/// A slice of the meter, and what one pass spends before it begins.
std::uint64_t with_slack(std::uint64_t bound) { return bound + bound / 4; }

std::vector<std::filesystem::path> corpus_pages() {
  std::vector<std::filesystem::path> found;
  for (const auto& one :
       std::filesystem::recursive_directory_iterator(test::shared_dir() / "corpora")) {
    const auto name = one.path().filename().string();
    if (name.ends_with(".html") || name.ends_with(".html.gz")) found.push_back(one.path());
  }
  return found;
}

std::string corpus_page(const std::filesystem::path& path) {
  std::string page;
  const gzFile file = gzopen(path.c_str(), "rb");  // reads plain files as they are, too
  REQUIRE(file != nullptr);
  char buffer[64 * 1024];
  for (int got = 0; (got = gzread(file, buffer, sizeof buffer)) > 0;) {
    page.append(buffer, static_cast<std::size_t>(got));
  }
  gzclose(file);
  return page;
}

}  // namespace

TEST_CASE("a page that is made to cost more than its size is read or refused within its bound",
          "[many]") {
  for (const auto& one : test::hostile_pages()) {
    INFO(one.name);
    const auto page = one.make(test::cases(200'000, 100'000, 25'000));
    base::meter counted;
    const auto made = converted_counting(page, counted);
    if (!made) {
      CHECK(made.error().code() == errc::unsupported_content);
      CHECK(made.error().detail().find("too complex") != std::string::npos);
    }
    CHECK(counted.spent() <= with_slack(markdown::page_bound(page.size())));
  }
}

TEST_CASE("a text that is no page is read no further once nobody waits, however long its lines") {
  const auto ended = std::make_shared<base::stop_token>(std::chrono::steady_clock::now() - 1s);
  const std::string line(test::cases(4'000'000, 1'000'000, 1'000'000), 'a');
  for (const auto* type : {"text/plain", "text/markdown", "application/json"}) {
    INFO(type);
    const markdown::page_source source{line, type, "https://a.example/b"};
    base::meter late(ended);
    const auto made = markdown::convert(source, {}, &late);
    REQUIRE_FALSE(made.has_value());
    CHECK(made.error().code() == errc::source_timeout);
    base::meter counted;
    CHECK(markdown::convert(source, {}, &counted).has_value());
    CHECK(counted.spent() > line.size());
    CHECK(counted.spent() <= markdown::page_bound(line.size()));
  }
}

TEST_CASE("what is the square of a page's size is refused") {
  using namespace test::hostile;
  for (const auto make :
       {brackets, tildes, tags, pictures_of_formulas, pictures, excerpts, formulas_in_attributes}) {
    base::meter counted;
    const auto made = converted_counting(make(test::cases(150'000, 150'000, 80'000)), counted);
    REQUIRE(made.has_error());
    CHECK(made.error().code() == errc::unsupported_content);
  }
}

TEST_CASE("a page that only looks hostile is read, at a cost that grows as it does", "[many]") {
  using namespace test::hostile;
  const std::size_t size = test::cases<std::size_t>(100'000, 100'000, 50'000);
  for (const auto make :
       {long_base, many_below_deep, deep, quotes, footnotes, notes_in_one_paragraph,
        sheet_of_comments, comments_among_items, gutters, signs_below_spans, bylines}) {
    const auto once = steps_of(make(size)), twice = steps_of(make(2 * size));
    CHECK(twice < 2 * once + once / 4);
  }
}

TEST_CASE("languages of a deep page are looked up once an element, not once a level") {
  const auto page = test::hostile::many_below_deep(test::cases(800'000, 800'000, 200'000));
  std::string selector;
  for (int i = 0; i < 20; ++i)
    selector += (i > 0 ? ",i:lang(a" : "i:lang(a") + std::to_string(i) + ")";
  markdown::page_options options;
  options.exclude = {selector, selector};
  base::meter counted;
  const auto made = converted_counting(page, counted, options);
  REQUIRE(made.has_value());
  // An element for each eight bytes, forty compounds of two tests each.
  CHECK(counted.spent() - steps_of(page) < page.size() / 8 * 40 * 4);
}

TEST_CASE("selectors that take too much work are refused by the name of their parameter") {
  const auto page = test::hostile::many_below_deep(200'000);
  std::string selector;
  for (int i = 0; i < 60; ++i) selector += (i > 0 ? ",i" : "i") + test::times(":not(.b)", 8);
  markdown::page_options options;
  options.exclude = std::vector<std::string>(10, selector);
  base::meter counted;
  const auto excluded = converted_counting(page, counted, options);
  REQUIRE(excluded.has_error());
  CHECK(excluded.error().code() == errc::invalid_request);
  REQUIRE(excluded.error().parameters.size() == 1);
  CHECK(excluded.error().parameters[0].pointer == "/exclude");
  CHECK(excluded.error().detail().find("simpler ones") != std::string::npos);
  CHECK(counted.spent() <=
        with_slack(markdown::page_bound(page.size()) + markdown::selection_bound(page.size())));
  std::swap(options.include, options.exclude);
  const auto included = converted_counting(page, counted, options);
  REQUIRE(included.has_error());
  CHECK(included.error().parameters[0].pointer == "/include");
}

TEST_CASE("an attribute is searched in one pass, whatever is sought in it") {
  const std::string page = "<p title='" + std::string(100'000, 'a') + "'>text";
  markdown::page_options options;
  options.exclude = {"[title*='" + std::string(2000, 'a') + "b']"};
  CHECK(steps_of(page, options) < markdown::page_bound(0));
}

TEST_CASE("a page that nobody waits for is not read to its end", "[many]") {
  const auto page = test::hostile::many_below_deep(test::cases(4'000'000, 1'000'000, 500'000));
  const auto whole = steps_of(page);
  SECTION("stopped before") {
    const auto wanted = std::make_shared<base::stop_token>();
    wanted->stop();
    base::meter counted(wanted);
    const auto made = converted_counting(page, counted);
    REQUIRE(made.has_error());
    CHECK(made.error().code() == errc::cancelled);
    CHECK(counted.spent() < whole / 4);
  }
  SECTION("stopped from another thread") {
    const auto wanted = std::make_shared<base::stop_token>();
    std::atomic<bool> goes_on = true;
    std::optional<errc> code;
    std::thread reader([&] {
      // Again and again, so that the moment of the stop does not matter.
      while (!code) {
        base::meter counted(wanted);
        const auto made = converted_counting(page, counted);
        if (!made) code = made.error().code();
      }
      goes_on = false;
    });
    wanted->stop();
    reader.join();
    CHECK_FALSE(goes_on);
    CHECK(code == errc::cancelled);
  }
  SECTION("late") {
    base::meter counted(std::make_shared<base::stop_token>(std::chrono::steady_clock::now() - 1s));
    const auto made = converted_counting(page, counted);
    REQUIRE(made.has_error());
    CHECK(made.error().code() == errc::source_timeout);
  }
}

TEST_CASE("rules that are looked at for every element are counted for every element") {
  constexpr std::uint64_t rules = 3'000, elements = 2'000;
  std::string sheet, body;
  for (std::uint64_t i = 0; i < rules; ++i)
    sheet += "[data-" + std::to_string(i) + "]{display:none}";
  for (std::uint64_t i = 0; i < elements; ++i) body += "<p data-x>w</p>";
  const auto plain = steps_of(body);
  CHECK(steps_of("<style>" + sheet + "</style>" + body) > plain + rules * elements / 8);
}

TEST_CASE("what is asked of all that is around an element, or in it, is counted each time") {
  constexpr std::uint64_t count = 400;
  const std::string ground = "style='position:absolute;inset:0;background:#fff'";
  const auto many = [](const std::string& one) {
    std::string all;
    for (std::uint64_t i = 0; i < count; ++i) all += one;
    return all;
  };
  const auto covers = "<div style=position:relative>" + many("<i " + ground + "></i><p>w</p>");
  CHECK(steps_of(covers) > count * count);
  const auto cells = many("<p style='grid-area:1/1;background:#fff'>w</p>");
  CHECK(steps_of("<div style=display:grid>" + cells + "</div>") < count * count * 2);
  const auto sheet =
      "<style>@container style(--a:" + std::string(4'000, 'b') + "){p{display:none}}</style>";
  CHECK(steps_of(sheet + many("<p>w</p>")) > count * 4'000 / 8);
  std::string boxes, ends;
  for (std::uint64_t i = 0; i < count / 4; ++i) {
    boxes += "<div style='height:20px;overflow:hidden'>";
    ends += "</div>";
  }
  CHECK(steps_of(boxes + many("<p>w</p>") + ends) > count * count / 4);
  std::string around, called;
  for (std::uint64_t i = 0; i < count / 4; ++i) around += "<div>";
  for (std::uint64_t i = 0; i < count; ++i) called += "<i style='display:--f(--f(none))'>w</i>";
  CHECK(steps_of(around + many("<p style='position:relative;left:-100%'>w</p>")) >
        count * count / 4);
  const auto function =
      "<style>@function --f(--x){result:" + std::string(900, ' ') + "var(--x) }</style>";
  CHECK(steps_of(function + called) > steps_of(called) + 4 * count);
  const auto radios = "<style>input:indeterminate+p{display:none}</style>" +
                      many("<input type=radio name=a><p>w</p>");
  CHECK(steps_of(radios) > count * count);
}

TEST_CASE("a selector in which parts are written out again and again is given up") {
  std::string inner = "b";
  for (int i = 0; i < 4; ++i) {
    std::string choices;
    for (int k = 0; k < 30; ++k)
      choices += (k > 0 ? "," : "") + std::string(".a") + std::to_string(k);
    inner = ":is(" + choices + ") :not(" + inner + ")";
  }
  CHECK(steps_of("<style>" + inner + "{display:none}</style><p class=a1>" + std::string(40, 'w')) <
        100'000);
}

TEST_CASE("pages that people read take less than a fifth of what they may", "[many]") {
  if (!test::shared_has("corpora/wcxb")) return;
  double largest = 0;
  std::string which;
  const std::size_t every = test::cases<std::size_t>(1, 8, 32);
  std::size_t at = 0;
  for (const auto& path : corpus_pages()) {
    if (++at % every != 0) continue;  // steps are the same in every build
    const auto page = corpus_page(path);
    const auto share = static_cast<double>(steps_of(page)) /
                       static_cast<double>(markdown::page_bound(page.size()));
    if (share > largest) which = path.filename().string();
    largest = std::max(largest, share);
  }
  std::cout << "the largest share of a page's bound: " << largest << " (" << which << ")\n";
  CHECK(largest < 0.2);
}
