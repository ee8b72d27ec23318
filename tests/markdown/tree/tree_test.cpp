// Sums over subtrees, and what an element stands inside of.
#include <algorithm>
#include <base/unicode.hpp>
#include <catch2/catch.hpp>
#include <markdown/tree/tree.hpp>
#include <string>

using namespace freshet::markdown;
namespace html = freshet::html;

namespace {

html::node_id first(const html::document& page, html::tag_id tag) {
  for (html::node_id id = 0; id < page.size(); ++id) {
    if (page.is_element(id, tag)) return id;
  }
  return html::none;
}

}  // namespace

TEST_CASE("text is counted in characters, runs of white space as one") {
  const auto page =
      html::parse("<body><p> a \n b,\xC3\xA4 </p><p><a href=x>\xE6\xBD\xAE\xE3\x80\x81</a></p>");
  const page_tree tree(page);
  const auto& all = tree.of(tree.body());
  CHECK(all.text == 5 + 2);
  CHECK(all.link_text == 2);
  CHECK(all.commas == 2);
  CHECK(all.paragraphs == 2);
}

TEST_CASE("text is counted the same wherever its parts stand") {
  const std::string_view parts[] = {"  ", "a,", "\n \t", ", ,", "\xC3\xA4", "b \xC3\xA4 ,"};
  for (std::size_t length = 1; length < 50; ++length) {
    for (const auto part : parts) {
      const std::string text = std::string(length, 'x') + std::string(part) + std::string(40, ',');
      const auto page = html::parse("<body><p>" + text + "</p>");
      const page_tree tree(page);
      const auto& all = tree.of(tree.body());
      CHECK(all.text == freshet::base::length(freshet::base::collapse_spaces(text)));
      CHECK(all.commas == std::ranges::count(text, ','));
    }
  }
}

TEST_CASE("what is dropped no longer counts, and counts again when restored") {
  const auto page = html::parse("<body><p>abc</p><div>de</div>");
  page_tree tree(page);
  const auto div = first(page, html::tag_id::div);
  tree.drop(div);
  tree.count();
  CHECK(tree.of(tree.body()).text == 3);
  CHECK(tree.text_of(tree.body()) == "abc");
  CHECK(tree.raw_text_of(tree.body()) == "abcde");
  tree.restore(div);
  tree.count();
  CHECK(tree.of(tree.body()).text == 5);
}

TEST_CASE("dropping while counting asks from the inside out") {
  const auto page = html::parse("<body><div><p>abc</p><p>d</p></div>");
  page_tree tree(page);
  tree.count_dropping(tree.body(), [](html::node_id, const measure& one) { return one.text == 1; });
  CHECK(tree.of(first(page, html::tag_id::div)).text == 3);
}

TEST_CASE("an element knows what it stands inside of, but not itself") {
  const auto page = html::parse("<body><figure><a href=x><b>t</b></a></figure><b>u</b>");
  const page_tree tree(page);
  const auto bold = first(page, html::tag_id::b);
  CHECK(tree.is_inside(bold, inside::link));
  CHECK(tree.is_inside(bold, inside::figure | inside::code));
  CHECK_FALSE(tree.is_inside(bold, inside::code));
  CHECK_FALSE(tree.is_inside(first(page, html::tag_id::figure), inside::figure));
}
