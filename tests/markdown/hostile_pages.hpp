// Pages that are made to cost more than their size: each has a shape of which some pass over a page
// once made the square, or a large multiple, of it.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace freshet::test {

inline std::string times(std::string_view unit, std::size_t count) {
  std::string out;
  out.reserve(unit.size() * count);
  for (std::size_t i = 0; i < count; ++i) out += unit;
  return out;
}

struct hostile_page {
  std::string_view name;
  /// A page of about so many bytes.
  std::function<std::string(std::size_t)> make;
};

namespace hostile {

inline std::string many_below_deep(std::size_t bytes) {
  return times("<div>", 400) + times("<i>x</i>", bytes / 8);
}
inline std::string deep(std::size_t bytes) { return times("<div>a ", bytes / 7); }
inline std::string quotes(std::size_t bytes) {
  return times("<blockquote>", 480) + times("a<br>", bytes / 5);
}
inline std::string wide_cells(std::size_t bytes) {
  return "<table>" + times("<tr><th colspan=100>a<td colspan=100>b", bytes / 38);
}
inline std::string wide_head(std::size_t bytes) {
  return "<table><tr>" + times("<th>a", 200) + times("<tr><td>b", bytes / 9);
}
inline std::string footnotes(std::size_t bytes) {
  std::string out;
  for (std::size_t i = 1; out.size() < bytes; ++i) {
    const auto id = "fn" + std::to_string(i);
    out += "<p>t<sup><a href=#" + id + ">1</a></sup><p><i id=" + id + ">n</i>";
  }
  return out;
}
inline std::string notes_in_one_paragraph(std::size_t bytes) {
  std::string links, notes;
  for (std::size_t i = 1; links.size() + notes.size() < bytes; ++i) {
    const auto id = "fn" + std::to_string(i);
    links += "<sup><a href=#" + id + ">1</a></sup>";
    notes += "<i id=" + id + ">n</i>";
  }
  return "<p>" + links + "<p>" + notes;
}
inline std::string shared_attributes(std::size_t bytes) {
  std::string out;
  for (char c = 'a'; c < 'q'; ++c) {
    out += "<b class='" + std::string(1, c) + times(" name", bytes / 160) + "'>";
  }
  return out + times("<p>x", bytes / 8);
}
inline std::string open_formatting(std::size_t bytes) {
  std::string out;
  for (char c = 'a'; c < 'q'; ++c) out += "<b id=" + std::string(1, c) + ">";
  return out + times("<p>x", bytes / 4);
}
inline std::string long_base(std::size_t bytes) {
  return "<base href='https://a.example/" + std::string(bytes / 2, 'b') + "/'><p>" +
         times("<a href=x>y</a> ", bytes / 32);
}
inline std::string brackets(std::size_t bytes) { return "<p>[" + times("](", bytes / 2); }
inline std::string tildes(std::size_t bytes) {
  return "<p>" + times("<b>~</b><i>~</i>", bytes / 16);
}
inline std::string signs_below_spans(std::size_t bytes) {
  return "<p>" + times("<b><i>", 200) + std::string(bytes, '*');
}
inline std::string tags(std::size_t bytes) {
  return "<meta property='" + times("article:tag ", bytes / 24) + "' content='" +
         std::string(bytes / 2, 'x') + "'><p>text";
}
inline std::string pictures_of_formulas(std::size_t bytes) {
  return "<p>" + times("<img class=mwe-math-fallback src=a>", bytes / 35);
}
inline std::string pictures(std::size_t bytes) {
  return "<picture>" + times("<source><img>", bytes / 13) + "</picture><p>text";
}
inline std::string related(std::size_t bytes) {
  const std::string prose = "<p>" + times("Some words of prose, and a few more. ", 8);
  return "<div>" + times("<h2>Related articles</h2>", bytes / 50) + times(prose, bytes / 598) +
         "</div>";
}
inline std::string nested_rules(std::size_t bytes) {
  return "<style>" + times(".a{&.b,.c &{", bytes / 24) + "display:none</style>" +
         times("<p class='a b'>x", bytes / 32);
}
inline std::string variables(std::size_t bytes) {
  std::string sheet = ":root{--v0:0";
  for (std::size_t i = 1; sheet.size() < bytes / 3; ++i) {
    const auto before = "var(--v" + std::to_string(i - 1) + ")";
    sheet += ";--v" + std::to_string(i) + ":" + before + before;
  }
  return "<style>" + sheet + "}p{opacity:var(--v40);color:var(--v7)}</style>" +
         times("<p style='--v0:1'>x", bytes / 30);
}
inline std::string variables_by_class(std::size_t bytes) {
  return "<style>" + times(".a .b{--v:none}*{--v:x}p{display:var(--v)}", bytes / 84) + "</style>" +
         times("<div class=a>", 200) + times("<p class=b>x", bytes / 24);
}
inline std::string relatives(std::size_t bytes) {
  return "<style>" + times("p:has(b):not(:is(i,u) *){display:none}", bytes / 76) + "</style>" +
         times("<p>x<i>y</i>", bytes / 24);
}
inline std::string layers(std::size_t bytes) {
  return "<style>" + times("@layer{.a{display:none}", bytes / 46) + "</style>" +
         times("<p class=a>x", bytes / 24);
}
inline std::string sheet_of_comments(std::size_t bytes) {
  return "<style>" + std::string(bytes / 2, ' ') + times("/**/", bytes / 8) + "</style><p>text";
}
inline std::string excerpts(std::size_t bytes) {
  return "<div>" +
         times("Some words, and more of them, that go on for a while<p>and so on</p>", bytes / 68) +
         "and so on…</div>";
}
inline std::string bylines(std::size_t bytes) {
  return times("<div class=byline>", 480) + std::string(bytes, 'x');
}
inline std::string formulas_in_attributes(std::size_t bytes) {
  return times("<p class=MathJax>", 1) + times("<div class=MathJax>", 400) +
         "<div class=MathJax data-mathml='" + times("<i>", bytes / 3) + "'>";
}
inline std::string long_title(std::size_t bytes) {
  return "<title>" + times("word ", bytes / 10) + "</title>" +
         times("<h2>another word</h2>", bytes / 42);
}
inline std::string comments_among_items(std::size_t bytes) {
  return "<ul>" + times("<!----><li>", bytes / 11);
}
inline std::string gutters(std::size_t bytes) {
  return "<pre>" + times("<div>", 480) + times("<b>1</b>", bytes / 8);
}

inline std::string lines_cut_off(std::size_t bytes) {
  return "<style>.more{white-space:nowrap;width:60px;height:20px;overflow:hidden}</style>" +
         times("<div class=more>", 480) + times("<b>a</b>", bytes / 8);
}
inline std::string boxes_pulled_up(std::size_t bytes) {
  return "<style>p{margin-top:-60px;height:60px;background:#fff;position:relative}</style>" +
         times("<p><b>a</b>", bytes / 11);
}

}  // namespace hostile

inline std::vector<hostile_page> hostile_pages() {
  using namespace hostile;
  return {{"many below deep", many_below_deep},
          {"deep", deep},
          {"quotes", quotes},
          {"wide cells", wide_cells},
          {"wide head", wide_head},
          {"footnotes", footnotes},
          {"notes in one paragraph", notes_in_one_paragraph},
          {"shared attributes", shared_attributes},
          {"open formatting", open_formatting},
          {"long base", long_base},
          {"brackets", brackets},
          {"tildes", tildes},
          {"signs below spans", signs_below_spans},
          {"tags", tags},
          {"pictures of formulas", pictures_of_formulas},
          {"pictures", pictures},
          {"related", related},
          {"nested rules", nested_rules},
          {"variables", variables},
          {"variables by class", variables_by_class},
          {"relatives", relatives},
          {"layers", layers},
          {"sheet of comments", sheet_of_comments},
          {"excerpts", excerpts},
          {"bylines", bylines},
          {"formulas in attributes", formulas_in_attributes},
          {"long title", long_title},
          {"comments among items", comments_among_items},
          {"gutters", gutters},
          {"lines cut off", lines_cut_off},
          {"boxes pulled up", boxes_pulled_up}};
}

}  // namespace freshet::test
