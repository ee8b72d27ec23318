#include <catch2/catch.hpp>
#include <html/document.hpp>
#include <string>
#include <utility>

using namespace freshet;

namespace {

html::node element(std::string_view name) {
  html::node made;
  made.type = html::node_type::element;
  made.name = name;
  made.tag = html::tag_of(name);
  return made;
}

}  // namespace

TEST_CASE("nodes are linked in the order in which they are appended") {
  html::document page;
  const auto a = page.append(page.root(), element("a"));
  const auto b = page.append(page.root(), element("b"));
  const auto c = page.append(a, element("c"));
  CHECK(page.at(page.root()).first_child == a);
  CHECK(page.at(page.root()).last_child == b);
  CHECK(page.at(a).next == b);
  CHECK(page.at(b).previous == a);
  CHECK(page.at(c).parent == a);
  CHECK(page.next_in_order(page.root(), page.root()) == a);
  CHECK(page.next_in_order(a, page.root()) == c);
  CHECK(page.next_in_order(c, page.root()) == b);
  CHECK(page.next_in_order(c, a) == html::none);
  CHECK(page.next_skipping_children(a, page.root()) == b);
  CHECK(page.next_in_order(b, page.root()) == html::none);
}

TEST_CASE("views live as long as the document, also when it moves") {
  html::document page;
  const std::string long_text(200'000, 'x');
  const auto a = page.append(page.root(), element("a"));
  page.append_attribute(a, "href", long_text);
  page.append_attribute(a, "id", "i");
  const auto view = page.attribute_of(a, "href");
  const html::document moved = std::move(page);
  CHECK(moved.attribute_of(a, "href").data() == view.data());
  CHECK(moved.attribute_of(a, "href") == long_text);
  CHECK(moved.attribute_of(a, "id") == "i");
  CHECK(moved.is_element(a, html::tag_id::a));
  CHECK_FALSE(moved.is_element(html::none, html::tag_id::a));
}
