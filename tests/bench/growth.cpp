// How the time of page to markdown grows with hostile input: each shape at 2,000 elements and twice
// ten times as many, and what each costs beside the one before. Linear is 10; the promise is at
// most
// 12. The largest leaves the processor's caches, which the second ratio shows beside the passes'
// own.
//   bench_growth [SHAPE...]     all of them without an argument
#include <malloc.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <functional>
#include <limits>
#include <markdown/page.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

constexpr int rounds = 5;
constexpr int factor = 10;
constexpr double promise = 12;

std::string repeat(std::string_view text, int times) {
  std::string out;
  out.reserve(text.size() * static_cast<std::size_t>(times));
  for (int i = 0; i < times; ++i) out += text;
  return out;
}

std::string numbered(const char* format, int times) {
  std::string out;
  char buffer[128];
  for (int i = 0; i < times; ++i) {
    std::snprintf(buffer, sizeof buffer, format, i, i);
    out += buffer;
  }
  return out;
}

using shape = std::pair<const char*, std::function<std::string(int)>>;

const std::vector<shape>& shapes() {
  static const std::vector<shape> all = {
      {"prose", [](int n) { return repeat("<p>Some words, and more of them, in a line.</p>", n); }},
      {"nested div", [](int n) { return repeat("<div>x", n); }},
      {"nested b", [](int n) { return repeat("<b>x", n); }},
      {"nested b in p", [](int n) { return repeat("<p><b><i>x", n); }},
      {"formatting, misnested", [](int n) { return repeat("<b><p>x</b><i>y</p></i>", n); }},
      {"open a", [](int n) { return numbered("<a href=/%d>x%d", n); }},
      {"links in links",
       [](int n) { return "<p><a href=/a>x</a>" + numbered("<object><a href=/%d>", n) + "y"; }},
      {"cards", [](int n) { return repeat("<div><h3>A jug, and a cup</h3><h3>x</h3></div>", n); }},
      {"switches",
       [](int n) {
         return numbered("<a aria-expanded=false aria-controls=p%d>x</a><p hidden id=p%d>y", n);
       }},
      {"font with attributes", [](int n) { return numbered("<font id=a%d class=b%d>x", n); }},
      {"attributes of one tag", [](int n) { return "<p " + numbered("a%d=b%d ", n) + ">x"; }},
      {"tags with attributes", [](int n) { return numbered("<i id=a%d class='b c%d'>x</i> ", n); }},
      {"table cells", [](int n) { return "<table><tr>" + repeat("<td>x", n) + "</table>"; }},
      {"table rows", [](int n) { return "<table>" + repeat("<tr><td>x<td>y", n) + "</table>"; }},
      {"nested tables", [](int n) { return repeat("<table><tr><td>x", n); }},
      {"foster parenting", [](int n) { return "<table>" + repeat("<b>x<tr>", n); }},
      {"rowspans",
       [](int n) {
         return "<table>" + repeat("<tr><td rowspan=999 colspan=99>x", n) + "</table>";
       }},
      {"nested lists", [](int n) { return repeat("<ul><li>x", n); }},
      {"nested quotes", [](int n) { return repeat("<blockquote>x", n); }},
      {"definitions", [](int n) { return "<dl>" + repeat("<dt>x<dd>y", n); }},
      {"buttons and p", [](int n) { return repeat("<button><p>x", n); }},
      {"svg", [](int n) { return repeat("<svg><g><foreignObject>x", n); }},
      {"math", [](int n) { return repeat("<math><mrow><mi>x", n); }},
      {"templates", [](int n) { return repeat("<template>x", n); }},
      {"selects", [](int n) { return repeat("<select><option>x", n); }},
      {"end tags alone", [](int n) { return repeat("</p></b></div></br>", n); }},
      {"entities", [](int n) { return "<p>" + repeat("&amp;&notin;&#x41;&nosuch ", n); }},
      {"less-than signs", [](int n) { return "<p>" + repeat("< <3 <= ", n); }},
      {"open comments", [](int n) { return repeat("<!-- x -- ", n); }},
      {"stars", [](int n) { return "<p>" + repeat("* _ ` [ ] ", n); }},
      {"emphasis", [](int n) { return "<p>" + repeat("<em>x</em><b>y</b>", n); }},
      {"backticks", [](int n) { return "<pre>" + repeat("`", n) + "</pre>"; }},
      {"footnotes",
       [](int n) {
         return "<p>" + numbered("<a href=#fn%d><sup>%d</sup></a>", n) + "<ol>" +
                numbered("<li id=fn%d>note %d", n);
       }},
      {"class names", [](int n) { return repeat("<p class='comment share nav'>x, y</p>", n); }},
      {"one long class", [](int n) { return "<p class='" + repeat("comment-", n) + "'>x"; }},
      {"styles", [](int n) { return repeat("<p style='color:red;top:0;left:0'>x</p>", n); }},
      {"spaces", [](int n) { return "<p>x" + repeat(" \n", n) + "y"; }},
      {"one long word", [](int n) { return "<p>" + repeat("xxxxxxxxxx", n); }},
      {"meta elements", [](int n) { return numbered("<meta name=n%d content=c%d>", n); }},
      {"linked data",
       [](int n) {
         return "<script type='application/ld+json'>[" + repeat("{\"@type\":\"Article\"},", n) +
                "{}]</script><p>x";
       }},
  };
  return all;
}

double seconds_of(const std::string& body) {
  double best = std::numeric_limits<double>::max();
  for (int round = 0; round < rounds; ++round) {
    const auto from = std::clock();
    const auto made =
        freshet::markdown::convert({body, "text/html; charset=utf-8", "https://example.org/"}, {});
    const auto spent = static_cast<double>(std::clock() - from) / CLOCKS_PER_SEC;
    if (made) best = std::min(best, spent);
  }
  return best;
}

}  // namespace

int main(int argc, char** argv) {
  // Memory stays with the process: else what is measured at ten times the size is how the kernel
  // zeroes pages that were given back a moment before.
  constexpr int keep = 1 << 30;
  mallopt(M_MMAP_THRESHOLD, keep);
  mallopt(M_TRIM_THRESHOLD, keep);
  constexpr int small = 2'000;
  std::printf("%-24s %10s %10s %10s %8s %8s\n", "shape", "1 x, ms", "10 x, ms", "100 x, ms",
              "10 / 1", "100 / 10");
  int beyond = 0, far_beyond = 0;
  const std::vector<std::string_view> wanted(argv + 1, argv + argc);
  for (const auto& [name, make] : shapes()) {
    if (!wanted.empty() && std::find(wanted.begin(), wanted.end(), name) == wanted.end()) continue;
    const double first = seconds_of(make(small));
    const double second = seconds_of(make(small * factor));
    const double third = seconds_of(make(small * factor * factor));
    if (second > promise * first) ++beyond;
    if (third > promise * second) ++far_beyond;
    std::printf("%-24s %10.2f %10.2f %10.2f %8.1f %8.1f\n", name, first * 1e3, second * 1e3,
                third * 1e3, second / first, third / second);
  }
  std::printf("beyond %.0f x: %d at ten times, %d at a hundred times, of %zu shapes\n", promise,
              beyond, far_beyond, shapes().size());
  return 0;
}
