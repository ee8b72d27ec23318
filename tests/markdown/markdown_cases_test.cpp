// The element by element cases of turndown and html-to-markdown, compared as rendered HTML: what a
// converter is asked is the same, how it spells the answer is its own.
#include <base/json.hpp>
#include <catch2/catch.hpp>
#include <markdown/page.hpp>

#include "differences.hpp"
#include "rendering.hpp"

using namespace freshet;

namespace {

std::string common_form(const std::string& markdown) {
  auto html = test::render(markdown);
  for (const auto& [what, with] :
       {std::pair{"<p>", "\n"}, std::pair{"</p>", "\n"}, std::pair{"\xC2\xA0", " "},
        std::pair{" align=\"left\"", ""}, std::pair{" align=\"right\"", ""},
        std::pair{" align=\"center\"", ""}, std::pair{"<tbody>", ""}, std::pair{"</tbody>", ""},
        std::pair{"<br />", "\n"}}) {
    test::replace_all(html, what, with);
  }
  // Comments keep lists apart in other converters; we change the bullet.
  for (auto at = html.find("<!--"); at != std::string::npos; at = html.find("<!--", at)) {
    html.erase(at, html.find("-->", at) + 3 - at);
  }
  html = test::tidy_lines(html);
  test::replace_all(html, "<li>\n", "<li>");
  test::replace_all(html, "\n</li>", "</li>");
  // An address without a path has the path "/".
  for (auto at = html.find("href=\"http"); at != std::string::npos;
       at = html.find("href=\"http", at + 1)) {
    const auto host = html.find("//", at) + 2;
    const auto end = html.find_first_of("/?\"", host);
    if (end != std::string::npos && html[end] != '/') html.insert(end, "/");
  }
  return html;
}

void run(const std::string& corpus) {
  if (!test::shared_has("corpora/markdown") || !test::has_cmark()) return;
  const auto cases = base::parse_json(
      test::read_file(test::shared_dir() / "corpora/markdown" / (corpus + ".json")));
  REQUIRE(cases.has_value());
  test::differences known(corpus);
  markdown::page_options options;
  options.mode = markdown::page_mode::page;
  for (const auto& one : cases->as_array()) {
    const std::string name(base::text_of(base::member(one, "name")));
    const std::string html(base::text_of(base::member(one, "html")));
    const std::string wanted(base::text_of(base::member(one, "markdown")));
    const auto made = markdown::convert({html, "text/html; charset=utf-8", ""}, options);
    REQUIRE(made.has_value());
    known.check(name, common_form(wanted), common_form(made->document.markdown));
  }
  known.finish();
}

}  // namespace

TEST_CASE("elements as turndown answers them") { run("turndown"); }

TEST_CASE("elements as html-to-markdown answers them") { run("html-to-markdown"); }
