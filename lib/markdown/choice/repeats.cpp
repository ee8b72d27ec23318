// A kind is the path of tags and first classes from the body to an element. Blocks are compared by
// their letters, and go in runs: a heading goes with what is below it, and no short line alone.
#include <markdown/choice/repeats.hpp>

#include <algorithm>
#include <unordered_map>
#include <vector>

namespace freshet::markdown {

namespace {

/// A run with fewer stays.
constexpr double least_words = 6;

std::vector<std::uint64_t> kinds_of(const block_list& list) {
  constexpr std::uint64_t spread = 0x9E3779B97F4A7C15ull;
  constexpr int half = 32;
  std::vector<std::uint64_t> made(list.boxes.size());
  for (std::size_t i = 1; i < made.size(); ++i) {
    const auto both = (made[list.boxes[i].parent] + list.boxes[i].signature) * spread;
    made[i] = both ^ (both >> half);
  }
  return made;
}

/// Blocks whose text is kept before them, in an element of another kind.
std::vector<std::uint8_t> find_repeats(const page_tree& tree, const block_list& list,
                                       const block_groups& groups,
                                       std::span<const std::uint8_t> kept) {
  const auto kinds = kinds_of(list);
  std::unordered_map<std::uint64_t, std::uint64_t> first;  // a text: the kind of its first place
  std::vector<std::uint8_t> again(kept.size(), 0);
  tree.spend(kept.size() + kinds.size());
  for (std::size_t i = 0; i < kept.size(); ++i) {
    const auto& one = list.blocks[i];
    if (kept[i] == 0 || one.text.letters == 0) continue;
    const auto [at, is_new] = first.try_emplace(one.text.hash, kinds[one.box]);
    again[i] = !is_new && at->second != kinds[one.box] && groups.solid[i] == 0 ? 1 : 0;
  }
  return again;
}

}  // namespace

void drop_repeats(const page_tree& tree, const block_list& list, const block_groups& groups,
                  std::span<std::uint8_t> kept) {
  const auto again = find_repeats(tree, list, groups, kept);
  for (std::size_t from = 0; from < kept.size();) {
    auto to = from;
    double words = 0;
    while (to < kept.size() && (kept[to] == 0 || again[to] != 0)) {
      const auto end = groups.end_of(to);
      bool whole = true;
      for (auto i = to; i < end; ++i) whole = whole && (kept[i] == 0 || again[i] != 0);
      if (!whole) break;
      for (; to < end; ++to) words += kept[to] != 0 ? list.blocks[to].words() : 0;
    }
    if (words >= least_words) {
      for (auto i = from; i < to; ++i) kept[i] = 0;
    }
    from = std::max(groups.end_of(from), to);
  }
}

}  // namespace freshet::markdown
