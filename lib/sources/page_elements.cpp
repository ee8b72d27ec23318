// Selecting elements, and their text.
#include <base/unicode.hpp>
#include <functional>
#include <html/select/selector.hpp>
#include <map>
#include <sources/item_text.hpp>
#include <sources/page_elements.hpp>

namespace freshet::sources {

namespace {

/// As many as are kept compiled: more than the sources have.
constexpr std::size_t max_kept = 64;

/// The selector that a text says; null if it is none. Each thread compiles a text once: every
/// result of a page is asked the same.
const html::selector* compiled(std::string_view text) {
  thread_local std::map<std::string, html::selector, std::less<>> kept;
  if (const auto found = kept.find(text); found != kept.end()) return &found->second;
  auto fresh = html::selector::compile(text);
  if (!fresh) return nullptr;
  if (kept.size() >= max_kept) kept.clear();
  return &kept.emplace(text, std::move(*fresh)).first->second;
}

}  // namespace

std::vector<html::node_id> select_all(const html::document& page, html::node_id within,
                                      std::string_view selector) {
  const auto* const wanted = compiled(selector);
  if (wanted == nullptr) return {};
  if (page.counted_on() != nullptr) return wanted->select(page, within, *page.counted_on());
  return wanted->select(page, within);
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
