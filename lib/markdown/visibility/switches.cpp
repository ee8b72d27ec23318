// By tags, attributes and, where these say nothing, by the names that elements have.
#include <base/unicode.hpp>
#include <markdown/sheets/value_text.hpp>
#include <markdown/tree/signals.hpp>
#include <markdown/visibility/switches.hpp>

namespace freshet::markdown {

namespace {

/// A link with "#" or "javascript:void(0)", and one without an address that is no place to jump to.
bool leads_nowhere(const page_tree& tree, html::node_id link) {
  const auto address = base::trim(tree.attribute_of(link, "href"));
  if (address.empty()) return !tree.has_attribute(link, "name") && !tree.has_attribute(link, "id");
  return address == "#" || begins_with(address, "javascript:");
}

}  // namespace

bool is_switch(const page_tree& tree, html::node_id id) {
  if (!tree.is_element(id)) return false;
  const auto tag = tree.tag_of(id);
  if (tag == html::tag_id::button || tag == html::tag_id::summary) return true;
  return tree.has_attribute(id, "aria-expanded") || tree.attribute_of(id, "role") == "button";
}

bool may_be_clicked(const page_tree& tree, html::node_id id) {
  if (!tree.is_element(id)) return false;
  if (is_switch(tree, id) || tree.has_attribute(id, "aria-controls")) return true;
  constexpr std::uint32_t longest_label = 60;
  const auto length = tree.text_in(id);
  if (length == 0 || length > longest_label) return false;
  const auto tag = tree.tag_of(id);
  if (tag == html::tag_id::label) return tree.has_attribute(id, "for");
  if (tag == html::tag_id::a) return leads_nowhere(tree, id);
  return tree.has_attribute(id, "onclick") || (tree.marks_of(id) & mark::opened) != 0;
}

std::string_view opened_by(const page_tree& tree, html::node_id id) {
  if (!tree.is_element(id) || !tree.has_attributes(id)) return {};
  const auto controls = base::trim(tree.attribute_of(id, "aria-controls"));
  if (!controls.empty()) return controls;
  for (const std::string_view name : {"data-bs-toggle", "data-toggle"}) {
    const auto what = tree.attribute_of(id, name);
    if (!what.empty() && what != "collapse" && what != "tab" && what != "pill") return {};
  }
  for (const std::string_view name : {"data-bs-target", "data-target", "href"}) {
    const auto target = base::trim(tree.attribute_of(id, name));
    if (target.size() > 1 && target.starts_with('#')) return target.substr(1);
  }
  return {};
}

opening_elements opening_elements_of(const page_tree& tree) {
  opening_elements found;
  tree.spend_on(tree.page().root());
  for (html::node_id at = 0; at < tree.page().size(); ++at) {
    if (const auto opened = opened_by(tree, at); !opened.empty()) found.try_emplace(opened, at);
  }
  return found;
}

}  // namespace freshet::markdown
