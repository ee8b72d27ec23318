// Finding what repeats: one pass that groups elements by a hash of their shape. Which group is the
// content is not decided here beyond which has the most text.
#include <algorithm>
#include <functional>
#include <markdown/choice/repeated_blocks.hpp>
#include <unordered_map>

namespace freshet::markdown {

namespace {

using html::node_id;

constexpr std::size_t least_blocks = 4;
/// Less is a menu's entry, more a section of the page.
constexpr std::uint32_t least_text = 15, most_text = 3000;

/// The first class says what an element is, the others how this one differs.
std::string_view first_class(const html::document& page, node_id id) {
  auto names = page.attribute_of(id, "class");
  const auto from = names.find_first_not_of(" \t\n\f\r");
  if (from == std::string_view::npos) return {};
  names.remove_prefix(from);
  return names.substr(0, names.find_first_of(" \t\n\f\r"));
}

std::size_t shape_of(const html::document& page, node_id id) {
  constexpr std::size_t spread = 0x9E3779B97F4A7C15ull;
  const auto one = std::hash<std::string_view>{}(first_class(page, id));
  return (one * spread) ^ static_cast<std::size_t>(page.at(id).tag);
}

struct group {
  node_id last = 0;  ///< the end of the last block
  std::uint32_t count = 0, text = 0;
};

bool can_be_block(const page_tree& tree, node_id id) {
  if (tree.is_dropped(id) || !tree.is_element(id)) return false;
  const auto tag = tree.tag_of(id);
  if (!is_block(tag) && tag != html::tag_id::a) return false;
  if (tag == html::tag_id::p || is_heading(tag)) return false;
  const auto& text = tree.of(id);
  return text.text >= least_text && text.text <= most_text;
}

}  // namespace

repeated_blocks find_repeated_blocks(const page_tree& tree, node_id root) {
  const auto& page = tree.page();
  std::unordered_map<std::size_t, group> groups;
  std::vector<std::pair<std::size_t, node_id>> members;
  tree.spend_on(root);
  for (auto id = root + 1; id < tree.end_of(root); ++id) {
    if (!can_be_block(tree, id)) continue;
    const auto shape = shape_of(page, id) * 31 + shape_of(page, page.at(id).parent);
    auto& one = groups[shape];
    if (id < one.last) continue;
    one.last = tree.end_of(id);
    ++one.count;
    one.text += tree.text_in(id);
    members.emplace_back(shape, id);
  }
  const group* best = nullptr;
  std::size_t best_shape = 0;
  for (const auto& [shape, one] : groups) {
    if (one.count < least_blocks) continue;
    // Ties go to the one that ends last, so that the choice does not depend on the hash.
    if (best == nullptr || one.text > best->text ||
        (one.text == best->text && one.last > best->last)) {
      best = &one;
      best_shape = shape;
    }
  }
  repeated_blocks found;
  if (best == nullptr) return found;
  for (const auto& [shape, id] : members) {
    if (shape != best_shape) continue;
    const auto& text = tree.of(id);
    found.blocks.push_back(id);
    found.text += text.text;
    found.link_text += text.link_text;
    found.with_link += text.links > 0 || tree.tag_of(id) == html::tag_id::a;
    found.with_image += text.images > 0;
    found.with_heading += text.headings > 0;
  }
  return found;
}

}  // namespace freshet::markdown
