// Such pages are signatures and remarks of a few words, which read like menus. What they are led by
// stands outside of the element, or in elements that say so.
#include <cstddef>
#include <markdown/choice/manuals.hpp>
#include <vector>

namespace freshet::markdown {

void keep_manual(const page_tree& tree, const block_list& list, std::span<const float> probability,
                 std::span<std::uint8_t> kept) {
  constexpr double most = 0.9, enough = 0.25;
  constexpr float least = 0.03f;
  constexpr auto beside =
      part::nav | part::aside | part::footer | part::control | part::form | part::dialog;
  tree.spend(list.blocks.size() + list.boxes.size());
  // Sums up to each block.
  std::vector<double> all(kept.size() + 1), stays(kept.size() + 1);
  for (std::size_t i = 0; i < kept.size(); ++i) {
    const double words = list.blocks[i].words();
    all[i + 1] = all[i] + words;
    stays[i + 1] = stays[i] + (kept[i] != 0 ? words : 0);
  }
  const auto kept_in = [&](const text_box& box) { return stays[box.end] - stays[box.first]; };
  const auto* text = &list.boxes.front();
  for (const auto& box : list.boxes) {
    const bool inside = box.first >= text->first && box.end <= text->end;
    if (inside && kept_in(box) >= most * stays.back()) text = &box;
  }
  if (kept_in(*text) < enough * (all[text->end] - all[text->first])) return;
  for (auto i = text->first; i < text->end; ++i) {
    const bool serves = (list.boxes[list.blocks[i].box].parts & beside) != 0;
    if (!serves && probability[i] >= least) kept[i] = 1;
  }
}

}  // namespace freshet::markdown
