// What a page says is what its markdown says once it is rendered: texts full of markup, in every
// place where text can stand, and no backslash more than that takes.
#include <base/unicode.hpp>
#include <catch2/catch.hpp>
#include <cstdint>
#include <html/document.hpp>
#include <markdown/fragment.hpp>

#include "rendering.hpp"
#include "support/sanitized.hpp"

using namespace freshet;
using test::markdown_of;

namespace {

/// The text of HTML as cmark-gfm writes it.
std::string text_of(std::string_view html) {
  std::string out;
  for (std::size_t at = 0; at < html.size(); ++at) {
    if (html[at] != '<') {
      out += html[at];
      continue;
    }
    const auto end = html.find('>', at);
    if (end == std::string_view::npos) break;
    // A picture says its text in an attribute.
    const auto tag = html.substr(at, end - at);
    if (tag.starts_with("<img") && tag.find("alt=\"") != std::string_view::npos) {
      const auto from = tag.find("alt=\"") + 5;
      out += tag.substr(from, tag.find('"', from) - from);
    }
    for (const std::string_view block : {"<p", "</p", "<br", "<li", "</li", "<t", "</t", "<h",
                                         "</h", "<bl", "</bl", "<pre", "</pre", "<ul", "<ol"}) {
      if (tag.starts_with(block)) out += ' ';
    }
    at = end;
  }
  return base::collapse_spaces(html::decode_entities(out));
}

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    out += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : std::string(1, c);
  }
  return out;
}

/// A small generator, so that a failure can be repeated.
class dice {
 public:
  explicit dice(std::uint64_t seed) : state_(seed) {}
  std::size_t roll(std::size_t sides) {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<std::size_t>(state_ >> 33) % sides;
  }

 private:
  std::uint64_t state_;
};

const std::vector<std::string> pieces = {"*",
                                         "**",
                                         "_",
                                         "__",
                                         "`",
                                         "``",
                                         "~",
                                         "~~",
                                         "[",
                                         "]",
                                         "](",
                                         "(",
                                         ")",
                                         "<",
                                         ">",
                                         "<b>",
                                         "</i>",
                                         "<!--",
                                         "&",
                                         "&amp;",
                                         "&#35;",
                                         "#",
                                         "##",
                                         "-",
                                         "---",
                                         "+",
                                         "1.",
                                         "2)",
                                         "=",
                                         "===",
                                         "|",
                                         "| - |",
                                         "!",
                                         "![",
                                         "\\",
                                         "\\*",
                                         ":",
                                         "[a]:",
                                         "[^1]",
                                         "[x]",
                                         "$",
                                         "$$",
                                         "@",
                                         "/",
                                         " ",
                                         " ",
                                         " ",
                                         " ",
                                         " ",
                                         "a",
                                         "b",
                                         "word",
                                         "1",
                                         "\xC3\xA9",
                                         "\xE3\x80\x8C",
                                         ".",
                                         ",",
                                         "a_b",
                                         "x*y",
                                         "http://a.b/c_d",
                                         "\"",
                                         "'",
                                         "a@b.c",
                                         "\xE2\x80\x94",
                                         "\xC2\xA0"};

std::string random_text(dice& rolled) {
  std::string text;
  const auto count = 1 + rolled.roll(9);
  for (std::size_t i = 0; i < count; ++i) text += pieces[rolled.roll(pieces.size())];
  return text;
}

struct place {
  const char* name;
  std::string (*html)(const std::string& a, const std::string& b, const std::string& c);
};

const place places[] = {
    {"paragraph",
     [](auto& a, auto& b, auto& c) { return "<p>" + a + "<br>" + b + " " + c + "</p>"; }},
    {"emphasis",
     [](auto& a, auto& b, auto& c) { return "<p>" + a + "<em>" + b + "</em>" + c + "</p>"; }},
    {"strong in emphasis",
     [](auto& a, auto& b, auto& c) {
       return "<p><em>" + a + "<b>" + b + "</b></em>" + c + "</p>";
     }},
    {"strike",
     [](auto& a, auto& b, auto& c) { return "<p>" + a + "<del>" + b + "</del>" + c + "</p>"; }},
    {"link",
     [](auto& a, auto& b, auto& c) { return "<p>" + a + "<a href=/x>" + b + "</a>" + c + "</p>"; }},
    {"strong link",
     [](auto& a, auto& b, auto& c) {
       return "<p>" + a + "<strong><a href='/x(y'>" + b + "</a></strong>" + c + "</p>";
     }},
    {"heading",
     [](auto& a, auto& b, auto& c) { return "<h2>" + a + "<i>" + b + "</i>" + c + "</h2>"; }},
    {"items",
     [](auto& a, auto& b, auto& c) { return "<ul><li>" + a + "<li>" + b + "<li>" + c + "</ul>"; }},
    {"cells",
     [](auto& a, auto& b, auto& c) {
       return "<table><tr><th>h<th>k<tr><td>" + a + "<td>" + b + "<tr><td><em>" + c +
              "</em><td>z</table>";
     }},
    {"quote",
     [](auto& a, auto& b, auto& c) {
       return "<blockquote><p>" + a + "</p><p>" + b + "</p>" + c + "</blockquote>";
     }},
    {"code",
     [](auto& a, auto& b, auto& c) { return "<p>" + a + "<code>x" + b + "x</code>" + c + "</p>"; }},
    {"block of code", [](auto& a, auto& b,
                         auto& c) { return "<pre>x" + a + "\nx" + b + "x</pre><p>" + c + "</p>"; }},
    {"picture", [](auto& a, auto& b, auto& c) {
       return "<p>" + a + "<img src=/i alt='x" + b + "x'>" + c + "</p>";
     }}};

}  // namespace

TEST_CASE("rendered markdown gives back the text", "[many]") {
  if (!test::has_cmark()) return;
  const std::size_t rounds = test::cases<std::size_t>(400, 200, 60);
  constexpr std::string_view mark = "QQQ";
  for (const auto& one : places) {
    dice rolled(7);
    std::string whole;
    std::vector<std::string> pages;
    for (std::size_t i = 0; i < rounds; ++i) {
      std::string texts[3];
      for (auto& text : texts) {
        text = escaped(random_text(rolled));
        test::replace_all(text, "'", "&#39;");
      }
      pages.push_back(one.html(texts[0], texts[1], texts[2]));
      whole += markdown_of(pages.back()) + "\n\n" + std::string(mark) + "\n\n";
    }
    const auto html = test::render(whole);
    std::size_t at = 0;
    for (std::size_t i = 0; i < rounds; ++i) {
      const std::string end_mark = "<p>" + std::string(mark) + "</p>";
      const auto end = html.find(end_mark, at);
      INFO(one.name << ": " << pages[i] << "\n" << markdown_of(pages[i]));
      REQUIRE(end != std::string::npos);
      // What the page says, by the parser's own word.
      const auto parsed = html::parse("<body>" + pages[i]);
      std::string said;
      for (html::node_id id = 0; id < parsed.size(); ++id) {
        const auto& node = parsed.at(id);
        if (node.type == html::node_type::text) said += node.text;
        if (node.tag == html::tag_id::img) said += parsed.attribute_of(id, "alt");
        if (node.type != html::node_type::element) continue;
        for (const auto block :
             {html::tag_id::p, html::tag_id::br, html::tag_id::li, html::tag_id::td,
              html::tag_id::th, html::tag_id::h2, html::tag_id::pre}) {
          if (node.tag == block) said += ' ';
        }
      }
      auto wanted = base::collapse_spaces(said), got = text_of(html.substr(at, end - at));
      // White space is not compared: edges of emphasis and cells may gain or lose some.
      for (auto* text : {&wanted, &got}) {
        test::replace_all(*text, "\xC2\xA0", "");
        std::erase(*text, ' ');
      }
      CHECK(got == wanted);
      at = end + end_mark.size();
    }
  }
}

TEST_CASE("ordinary text needs no backslash") {
  for (const std::string text : {"5 * 3 = 15, 2*3 = 6",
                                 "snake_case and _private",
                                 "C# is not C++",
                                 "a - b, a -- b",
                                 "[sic]",
                                 "see [1] and [2](above all)",
                                 "x < y and y > z",
                                 "AT&T; R&D & co",
                                 "100 % ~ 50",
                                 "a | b",
                                 "1984. A year",
                                 "#hashtag",
                                 "-5 degrees",
                                 "+1",
                                 "why? Because!",
                                 "it's 3:15 (p.m.)",
                                 "C:\\Windows\\path",
                                 "user@example.org",
                                 "f(x) = y",
                                 "~20 km",
                                 "$5",
                                 "\"quoted\"",
                                 "rock & roll",
                                 "=> arrow",
                                 "* ",
                                 "footnote*",
                                 "__init__.py is one file, a dunder",
                                 "{a: 1}"}) {
    INFO(text);
    const auto made = markdown_of("<p>x " + escaped(text) + "</p>");
    CHECK(made.find("\\ ") == std::string::npos);
    if (text.find("__init__") == std::string::npos) {
      CHECK(made == "x " + std::string(base::trim(text)));
    }
  }
  CHECK(markdown_of("<p>1984. A year") == "1984\\. A year");
  CHECK(markdown_of("<p>* a") == "\\* a");
  CHECK(markdown_of("<p>a<br>2. b") == "a  \n2. b");
  CHECK(markdown_of("<p>*a* and b*c") == "\\*a* and b*c");
}
