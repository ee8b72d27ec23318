// Such pages are signatures and remarks of a few words, which read like menus. What they are led by
// stands outside of the element, or in elements that say so.
#include <cstddef>
#include <markdown/choice/manuals.hpp>
#include <vector>

namespace freshet::markdown {

namespace {

/// A title above the element belongs to its text, with what stands between.
std::uint32_t begin_of(const page_tree& tree, const block_list& list, const text_box& text) {
  constexpr std::uint32_t most_between = 8;
  for (auto i = text.first; i > 0 && text.first - i < most_between; --i) {
    if (tree.tag_of(list.boxes[list.blocks[i - 1].box].id) == html::tag_id::h1) return i - 1;
  }
  return text.first;
}

}  // namespace

void keep_manual(const page_tree& tree, const block_list& list, std::span<const float> probability,
                 std::span<std::uint8_t> kept) {
  constexpr double most = 0.9, much = 0.75, enough = 0.25;
  constexpr float least = 0.03f;
  constexpr auto beside =
      part::nav | part::aside | part::footer | part::control | part::form | part::dialog;
  tree.spend(list.blocks.size() + list.boxes.size());
  const auto serves = [&](std::size_t block) {
    return (list.boxes[list.blocks[block].box].parts & beside) != 0;
  };
  // Sums up to each block.
  std::vector<double> all(kept.size() + 1), stays(kept.size() + 1);
  for (std::size_t i = 0; i < kept.size(); ++i) {
    const double words = list.blocks[i].words();
    all[i + 1] = all[i] + (serves(i) ? 0 : words);
    stays[i + 1] = stays[i] + (kept[i] != 0 ? words : 0);
  }
  const auto all_in = [&](const text_box& box) { return all[box.end] - all[box.first]; };
  const auto kept_in = [&](const text_box& box) { return stays[box.end] - stays[box.first]; };
  const auto* text = &list.boxes.front();
  for (const auto& box : list.boxes) {
    const bool inside = box.first >= text->first && box.end <= text->end;
    // One section may be all that stays.
    const bool holds = kept_in(box) >= most * stays.back() && all_in(box) >= much * all.back();
    if (inside && holds) text = &box;
  }
  if (kept_in(*text) < enough * all_in(*text)) return;
  for (auto i = begin_of(tree, list, *text); i < text->end; ++i) {
    if (!serves(i) && probability[i] >= least) kept[i] = 1;
  }
}

}  // namespace freshet::markdown
