// The pages and expected answers of defuddle, compared as rendered text and structure. Spelling is
// not compared: bullets, heading style, escapes, tight or loose lists, white space in formulas.
#include <catch2/catch.hpp>
#include <filesystem>
#include <html/document.hpp>
#include <markdown/page.hpp>

#include "differences.hpp"
#include "rendering.hpp"

using namespace freshet;

namespace {

namespace fs = std::filesystem;

bool is_kept_in_formula(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

/// "[^1]: a" and what is indented under it as plain paragraphs; formulas as their letters.
std::string without_extensions(const std::string& markdown) {
  std::string out;
  bool in_note = false, in_fence = false;
  for (std::size_t at = 0; at < markdown.size();) {
    const auto end = std::min(markdown.find('\n', at), markdown.size());
    auto line = markdown.substr(at, end - at);
    at = end + 1;
    if (line.starts_with("[^") && line.find("]:") != std::string::npos) {
      in_note = true;
      line =
          "(note " + line.substr(2, line.find("]:") - 2) + ") " + line.substr(line.find("]:") + 2);
    } else if (in_note && line.starts_with("    ")) {
      line.erase(0, 4);
    } else if (!line.empty()) {
      in_note = false;
    }
    if (line.find("```") != std::string::npos) in_fence = !in_fence;
    if (!in_fence) {
      for (auto from = line.find("[^"); from != std::string::npos; from = line.find("[^", from)) {
        const auto close = line.find(']', from);
        if (close == std::string::npos) break;
        line = line.substr(0, from) + "(note " + line.substr(from + 2, close - from - 2) + ")" +
               line.substr(close + 1);
      }
    }
    out += line + "\n";
  }
  std::string plain;
  for (std::size_t at = 0; at < out.size();) {
    if (out[at] == '`') {
      const auto ticks = std::min(out.find_first_not_of('`', at), out.size()) - at;
      const auto close = out.find(std::string(ticks, '`'), at + ticks);
      const auto end = close == std::string::npos ? at + ticks : close + ticks;
      plain += out.substr(at, end - at);
      at = end;
      continue;
    }
    if (out[at] != '$') {
      plain += out[at++];
      continue;
    }
    const std::string sign = out.compare(at, 2, "$$") == 0 ? "$$" : "$";
    const auto close = out.find(sign, at + sign.size());
    const auto tex_at = std::string_view(out).substr(at + sign.size(), close - at - sign.size());
    const bool money =
        sign == "$" && (tex_at.find('\n') != std::string_view::npos ||
                        (at + 1 < out.size() && out[at + 1] >= '0' && out[at + 1] <= '9' &&
                         tex_at.find('\\') == std::string_view::npos));
    if (close == std::string::npos || close > at + 4000 || close == at + sign.size() || money) {
      plain += out[at++];
      continue;
    }
    auto tex = out.substr(at + sign.size(), close - at - sign.size());
    for (const auto* word : {"\\left", "\\right", "\\displaystyle", "\\textstyle", "\\mathrm",
                             "\\text", "\\operatorname", "\\quad"}) {
      test::replace_all(tex, word, "");
    }
    plain += " FORMULA";
    for (const char c : tex) {
      if (is_kept_in_formula(c)) plain += c;
    }
    plain += ' ';
    at = close + sign.size();
  }
  return plain;
}

/// Rendered, without what is only spelling.
std::string common_form(const std::string& markdown, const std::string& name) {
  auto html = test::render(without_extensions(markdown));
  for (const auto& [what, with] :
       {std::pair{"<h1>", "<h2>"}, std::pair{"</h1>", "</h2>"}, std::pair{"<p>", "\n"},
        std::pair{"</p>", "\n"}, std::pair{" align=\"left\"", ""},
        std::pair{" align=\"right\"", ""}, std::pair{" align=\"center\"", ""},
        std::pair{"<br />", "\n"}, std::pair{"\xC2\xA0", " "}, std::pair{"\xE2\x80\x8B", ""},
        std::pair{"<hr />", "\n"}, std::pair{"<tbody>", ""}, std::pair{"</tbody>", ""}}) {
    test::replace_all(html, what, with);
  }
  // Where a page has no address of its own, defuddle makes one up from its name, or half of it.
  const auto half = name.find("--");
  if (half != std::string::npos) {
    test::replace_all(html, "https://" + name.substr(half + 2) + "/", "https://" + name + "/");
  }
  html = test::tidy_lines(html);
  // Whether a formula stands on lines of its own is spelling too.
  test::replace_all(html, "\nFORMULA", " FORMULA");
  for (auto at = html.find("FORMULA"); at != std::string::npos; at = html.find("FORMULA", at + 1)) {
    auto end = at;
    while (end < html.size() && is_kept_in_formula(html[end])) ++end;
    if (end < html.size() && html[end] == '\n') html[end] = ' ';
  }
  // The title at the top is metadata to us.
  if (html.starts_with("<h2>")) html.erase(0, html.find("</h2>") + 6);
  test::replace_all(html, "<li>\n", "<li>");
  test::replace_all(html, "\n</li>", "</li>");
  return html;
}

std::string without_front_matter(std::string text) {
  if (text.starts_with("```json")) text.erase(0, text.find("\n```\n") + 5);
  return text;
}

std::string address_of(const std::string& page, const std::string& name) {
  const auto from = page.find("<!-- {\"url\":");
  if (from == std::string::npos || from > 200) return "https://" + name + "/";
  const auto open = page.find('"', from + 12);
  return page.substr(open + 1, page.find('"', open + 1) - open - 1);
}

}  // namespace

TEST_CASE("pages as defuddle answers them") {
  if (!test::shared_has("corpora/defuddle") || !test::has_cmark()) return;
  test::differences known("defuddle");
  std::vector<fs::path> pages;
  for (const auto& entry : fs::directory_iterator(test::shared_dir() / "corpora/defuddle")) {
    if (entry.path().extension() == ".html") pages.push_back(entry.path());
  }
  std::sort(pages.begin(), pages.end());
  for (const auto& path : pages) {
    const auto name = path.stem().string();
    const auto page = test::read_file(path);
    auto answer = path;
    answer.replace_extension(".md");
    const auto wanted = without_front_matter(test::read_file(answer));
    const auto made =
        markdown::convert({page, "text/html; charset=utf-8", address_of(page, name)}, {});
    REQUIRE(made.has_value());
    known.check(name, common_form(wanted, name), common_form(made->document.markdown, name));
  }
  known.finish();
}
