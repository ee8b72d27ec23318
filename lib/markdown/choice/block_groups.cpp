// Groups of blocks: first what one element joins, then what stands alike in elements side by side.
#include <markdown/choice/block_groups.hpp>
#include <markdown/choice/content.hpp>
#include <markdown/tree/patches.hpp>
#include <numeric>
#include <utility>

namespace freshet::markdown {

namespace {

/// Whether a list holds nothing but items of one block each.
bool is_plain_list(const page_tree& tree, const block_list& list, std::uint32_t index) {
  constexpr std::uint32_t least = 3;
  const auto& box = list.boxes[index];
  const auto tag = tree.tag_of(box.id);
  if (tag != html::tag_id::ul && tag != html::tag_id::ol) return false;
  if (box.end - box.first < least) return false;
  for (auto i = box.first; i < box.end; ++i) {
    const auto& item = list.boxes[list.blocks[i].box];
    tree.spend(1);
    if (item.parent != index || item.end - item.first != 1) return false;
  }
  return true;
}

/// Boxes of one shape and as many blocks each, one after the other in the same box.
struct card_run {
  std::uint64_t signature = 0;
  std::uint32_t first = 0, end = 0;  ///< their blocks
  std::uint32_t blocks = 0;          ///< of each card
};

class group_maker {
 public:
  group_maker(const page_tree& tree, const block_list& list) : tree_(tree), list_(list) {}

  block_groups run();

 private:
  void join();
  void match_cards();
  void match(const card_run& run);

  const page_tree& tree_;
  const block_list& list_;
  block_groups made_;
};

void group_maker::join() {
  std::uint32_t end = 0;  // of the last one; others may stand in it
  for (std::uint32_t at = 0; at < list_.boxes.size(); ++at) {
    const auto& box = list_.boxes[at];
    if (box.end <= end) continue;
    const auto tag = tree_.tag_of(box.id);
    const bool solid = tag == html::tag_id::pre ||
                       (tag == html::tag_id::table && is_data_table(tree_, box.id)) ||
                       is_patch(tree_, box.id);
    if (!solid && !is_plain_list(tree_, list_, at)) continue;
    end = box.end;
    for (auto i = box.first; i < box.end; ++i) {
      made_.group[i] = box.first;
      made_.joined[i] |= i > box.first ? 1 : 0;
      made_.solid[i] = solid ? 1 : 0;
    }
  }
}

/// The prices of three offers stay or go together, and so do their names.
void group_maker::match(const card_run& run) {
  constexpr std::uint32_t least_cards = 3, least_blocks = 2;
  if (run.blocks < least_blocks || run.end - run.first < least_cards * run.blocks) return;
  tree_.spend(run.end - run.first);
  for (auto i = run.first + run.blocks; i < run.end; ++i) {
    made_.group[i] = made_.group[run.first + (i - run.first) % run.blocks];
  }
}

void group_maker::match_cards() {
  std::vector<card_run> runs(list_.boxes.size());  // the last one in each box
  tree_.spend(runs.size());
  for (std::uint32_t at = 1; at < list_.boxes.size(); ++at) {
    const auto& box = list_.boxes[at];
    auto& run = runs[box.parent];
    const auto blocks = box.end - box.first;
    if (run.signature == box.signature && run.end == box.first && run.blocks == blocks) {
      run.end = box.end;
      continue;
    }
    match(run);
    run = {box.signature, box.first, box.end, blocks};
  }
  for (const auto& run : runs) match(run);
}

block_groups group_maker::run() {
  const auto all = list_.blocks.size();
  made_.group.resize(all);
  std::iota(made_.group.begin(), made_.group.end(), 0u);
  made_.joined.assign(all, 0);
  made_.solid.assign(all, 0);
  join();
  match_cards();
  return std::move(made_);
}

}  // namespace

std::size_t block_groups::end_of(std::size_t block) const noexcept {
  for (++block; block < joined.size() && joined[block] != 0;) ++block;
  return block;
}

block_groups group_blocks(const page_tree& tree, const block_list& list) {
  return group_maker(tree, list).run();
}

}  // namespace freshet::markdown
