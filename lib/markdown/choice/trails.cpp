// A trail begins with a link to "/", and all of it but the page itself is links. Below the first
// paragraph a list is the page's own.
#include <markdown/choice/trails.hpp>

#include <algorithm>
#include <string_view>

namespace freshet::markdown {

namespace {

/// Whether an address is a site's first page.
bool is_first_page(std::string_view address) {
  const auto host = address.find("//");
  if (host == std::string_view::npos) return address == "/";
  const auto path = address.find('/', host + 2);
  return path == std::string_view::npos || path + 1 == address.size();
}

bool leads_home(const page_tree& tree, html::node_id item) {
  tree.spend_on(item);
  for (auto id = item; id < tree.end_of(item); ++id) {
    if (tree.is_element(id, html::tag_id::a)) return is_first_page(tree.attribute_of(id, "href"));
  }
  return false;
}

bool is_trail(const page_tree& tree, const block_list& list, std::size_t first, std::size_t end) {
  constexpr std::size_t most_steps = 8;
  if (end - first < 2 || end - first > most_steps) return false;
  for (auto i = first; i + 1 < end; ++i) {
    const auto& step = list.blocks[i];
    if (step.text.half_words == 0 || step.link_half_words < step.text.half_words) return false;
  }
  return leads_home(tree, list.boxes[list.blocks[first].box].id);
}

}  // namespace

void drop_trails(const page_tree& tree, const block_list& list, const block_groups& groups,
                 std::span<std::uint8_t> kept) {
  for (std::size_t from = 0; from < kept.size();) {
    if (kept[from] != 0 && list.blocks[from].is_prose()) return;
    const auto end = groups.end_of(from);
    if (kept[from] != 0 && groups.solid[from] == 0 && is_trail(tree, list, from, end)) {
      std::fill(kept.begin() + static_cast<std::ptrdiff_t>(from),
                kept.begin() + static_cast<std::ptrdiff_t>(end), std::uint8_t{0});
    }
    from = end;
  }
}

}  // namespace freshet::markdown
