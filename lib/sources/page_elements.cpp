// Selecting elements, and their text.
#include <base/unicode.hpp>
#include <html/select/selector.hpp>
#include <sources/item_text.hpp>
#include <sources/page_elements.hpp>

namespace freshet::sources {

std::vector<html::node_id> select_all(const html::document& page, html::node_id within,
                                      std::string_view selector) {
  const auto compiled = html::selector::compile(selector);
  if (!compiled) return {};
  if (page.counted_on() != nullptr) return compiled->select(page, within, *page.counted_on());
  return compiled->select(page, within);
}

html::node_id select_first(const html::document& page, html::node_id within,
                           std::string_view selector) {
  const auto found = select_all(page, within, selector);
  return found.empty() ? html::none : found.front();
}

std::string line_of(const html::document& page, html::node_id element) {
  if (element == html::none) return {};
  std::string text;
  auto at = page.next_in_order(element, element);
  while (at != html::none) {
    const auto& node = page.at(at);
    if (node.type == html::node_type::text) {
      text += node.text;
    } else if (node.name == "br") {
      text += ' ';
    } else if (node.name == "script" || node.name == "style") {
      at = page.next_skipping_children(at, element);
      continue;
    }
    at = page.next_in_order(at, element);
  }
  return base::collapse_spaces(clean_text(text));
}

}  // namespace freshet::sources
