// First elements side by side that are the same, then runs of blocks elsewhere: a heading goes with
// what is below it, and no short line alone. Blocks are compared by their letters.
#include <markdown/choice/repeats.hpp>

#include <algorithm>
#include <base/hash_spread.hpp>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace freshet::markdown {

namespace {

/// What has fewer stays.
constexpr double least_words = 6;

constexpr std::uint64_t mix(std::uint64_t a, std::uint64_t b) noexcept {
  constexpr int half = 32;
  const auto both = (a ^ (a >> half)) * base::hash_spread + b;
  return (both ^ (both >> half)) * base::hash_spread;
}

/// The kind of a box: the path of tags and first classes down to it.
std::vector<std::uint64_t> kinds_of(const block_list& list) {
  std::vector<std::uint64_t> made(list.boxes.size());
  for (std::size_t i = 1; i < made.size(); ++i) {
    made[i] = mix(made[list.boxes[i].parent], list.boxes[i].signature);
  }
  return made;
}

/// What is kept before each block: a hash of one after the other, how many, and their words.
struct kept_sum {
  std::uint64_t hash = 0;
  std::uint32_t blocks = 0, solid = 0;
  double words = 0;
};

std::vector<kept_sum> add_up(const block_list& list, const block_groups& groups,
                             std::span<const std::uint8_t> kept) {
  std::vector<kept_sum> sums(kept.size() + 1);
  for (std::size_t i = 0; i < kept.size(); ++i) {
    auto& next = sums[i + 1];
    next = sums[i];
    if (kept[i] == 0) continue;
    next.hash = next.hash * base::hash_spread + mix(list.blocks[i].text.hash, 1);
    ++next.blocks;
    next.solid += groups.solid[i];
    next.words += list.blocks[i].words();
  }
  return sums;
}

/// Slides that stand there again, so that a carousel can go round.
void drop_clones(const block_list& list, const block_groups& groups, std::span<std::uint8_t> kept) {
  constexpr std::uint32_t least_blocks = 2;
  const auto sums = add_up(list, groups, kept);
  std::vector<std::uint64_t> powers(kept.size() + 1, 1);  // of what a hash is multiplied by
  for (std::size_t i = 0; i < kept.size(); ++i) powers[i + 1] = powers[i] * base::hash_spread;
  std::unordered_set<std::uint64_t> seen;
  std::uint32_t dropped = 0;  // up to this block
  for (std::size_t at = 1; at < list.boxes.size(); ++at) {
    const auto& box = list.boxes[at];
    const auto &first = sums[box.first], &end = sums[box.end];
    const bool is_solid = end.solid > first.solid;
    if (box.first < dropped || is_solid || end.blocks - first.blocks < least_blocks ||
        end.words - first.words < least_words)
      continue;
    const auto text = end.hash - first.hash * powers[end.blocks - first.blocks];
    if (seen.insert(mix(mix(box.parent, box.signature), text)).second) continue;
    std::fill(kept.begin() + box.first, kept.begin() + box.end, std::uint8_t{0});
    dropped = box.end;
  }
}

/// Blocks whose text is kept before them, in an element of another kind.
std::vector<std::uint8_t> find_repeats(const block_list& list, const block_groups& groups,
                                       std::span<const std::uint8_t> kept) {
  const auto kinds = kinds_of(list);
  std::unordered_map<std::uint64_t, std::uint64_t> first;  // a text: the kind of its first place
  std::vector<std::uint8_t> again(kept.size(), 0);
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
  tree.spend(kept.size() + list.boxes.size());
  drop_clones(list, groups, kept);
  const auto again = find_repeats(list, groups, kept);
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
