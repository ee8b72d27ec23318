// Nothing is dropped here, and nothing is kept where nothing beside it is. Each rule looks at
// blocks beside one another, or at the elements that hold them.
#include <base/text_hash.hpp>
#include <markdown/choice/companions.hpp>

#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace freshet::markdown {

namespace {

using html::node_id;
using html::none;

class companions {
 public:
  companions(const page_tree& tree, const block_list& list, const block_facts& facts,
             std::span<std::uint8_t> kept)
      : tree_(tree),
        list_(list),
        signs_(facts.signs),
        groups_(facts.groups),
        probability_(facts.probability),
        kept_(kept) {}

  void run();

 private:
  [[nodiscard]] bool is_formula(std::size_t block) const;
  [[nodiscard]] bool is_part_of_text(std::size_t block) const;
  [[nodiscard]] std::uint32_t box_around(std::size_t first, std::size_t end) const;
  [[nodiscard]] bool is_beside_last(std::size_t first, std::size_t end) const;
  void keep(std::size_t first, std::size_t end);
  void keep_between();
  template <class End, class Test>
  void keep_gaps(End end_of, Test fits);
  template <class Test>
  void keep_behind(Test goes_with);
  void keep_under_headings();
  void keep_introduced();
  void keep_holes();
  void keep_row(const text_box& box);
  void keep_terms();
  void keep_groups();
  void keep_numbers();
  [[nodiscard]] std::string_view name_of(const text_box& box) const;
  using name_set = std::unordered_set<std::string_view, base::text_hash>;
  [[nodiscard]] std::string_view way_back(const page_block& one) const;
  void keep_linked_back(const name_set& ids);
  void keep_notes();

  const page_tree& tree_;
  const block_list& list_;
  const page_signs& signs_;
  const block_groups& groups_;
  std::span<const float> probability_;
  std::span<std::uint8_t> kept_;
};

/// MathML, or TeX in a script: of scripts nothing else is text.
bool companions::is_formula(std::size_t block) const {
  const auto first = list_.blocks[block].first;
  return tree_.has_ancestor(first, html::tag_id::math) ||
         tree_.has_ancestor(first, html::tag_id::script);
}

/// What belongs to the text around it, although it reads unlike it.
bool companions::is_part_of_text(std::size_t block) const {
  const auto& one = list_.blocks[block];
  if (one.heading) return true;
  if (tree_.is_inside(one.first, inside::pre | inside::table)) return groups_.solid[block] != 0;
  return is_formula(block);
}

/// The innermost box that has more than these blocks.
std::uint32_t companions::box_around(std::size_t first, std::size_t end) const {
  auto at = list_.blocks[first].box;
  while (at != 0 && list_.boxes[at].end - list_.boxes[at].first <= end - first) {
    tree_.spend(1);
    at = list_.boxes[at].parent;
  }
  return at;
}

/// Whether blocks that are decided as one stand beside the block before them.
bool companions::is_beside_last(std::size_t first, std::size_t end) const {
  return box_around(first, end) == box_around(first - 1, first);
}

void companions::keep(std::size_t first, std::size_t end) {
  std::fill(kept_.begin() + static_cast<std::ptrdiff_t>(first),
            kept_.begin() + static_cast<std::ptrdiff_t>(end), std::uint8_t{1});
}

/// What is left out between two blocks that stay: `end_of` says how far it may go from its first
/// block, and `fits` whether that much stays, too.
template <class End, class Test>
void companions::keep_gaps(End end_of, Test fits) {
  const auto all = kept_.size();
  for (std::size_t from = 1; from < all;) {
    if (kept_[from] != 0 || kept_[from - 1] == 0) {
      ++from;
      continue;
    }
    const std::size_t to = end_of(from);
    if (to < all && kept_[to] != 0 && fits(from, to)) keep(from, to);
    from = std::max(to, from + 1);
  }
}

/// Headings, tables, code and formulas between blocks that stay, one of them or several.
void companions::keep_between() {
  constexpr float least = 0.05f;
  const auto end_of_parts = [this](std::size_t part) {
    while (part < kept_.size() && kept_[part] == 0 && is_part_of_text(part)) {
      const auto end = groups_.end_of(part);
      // What a page shows of code or formulas beside its text is its text, however it reads.
      const bool beside =
          (groups_.solid[part] != 0 || is_formula(part)) && is_beside_last(part, end);
      if (probability_[part] < least && !beside) break;
      part = end;
    }
    return part;
  };
  keep_gaps(end_of_parts, [](std::size_t, std::size_t) { return true; });
}

/// Blocks that are decided as one and stand beside a block that stays, where they go with it.
template <class Test>
void companions::keep_behind(Test goes_with) {
  for (std::size_t from = 1; from < kept_.size();) {
    const auto to = groups_.end_of(from);
    if (kept_[from - 1] != 0 && goes_with(list_.blocks[from - 1], from) && is_beside_last(from, to))
      keep(from, to);
    from = to;
  }
}

/// A table or code goes with the heading right above it.
void companions::keep_under_headings() {
  keep_behind([&](const auto& above, std::size_t from) {
    return above.heading && groups_.solid[from] != 0;
  });
}

/// "The output is an example:" and the code behind it go together, and so do the pages of an RFC.
void companions::keep_introduced() {
  if (signs_.forum) return;  // a log in a post is as long as its thread
  keep_behind([&](const auto& above, std::size_t from) {
    const bool goes_on = above.text.last == ':' || tree_.is_inside(above.first, inside::pre);
    return goes_on && tree_.is_inside(list_.blocks[from].first, inside::pre);
  });
}

/// A few blocks between siblings of theirs that stay, and not much less likely than those.
void companions::keep_holes() {
  constexpr std::size_t most_blocks = 3;
  constexpr float least_share = 0.8f;
  const auto end_of_few = [this](std::size_t first) {
    auto end = first;
    while (end < kept_.size() && kept_[end] == 0 && end - first <= most_blocks) ++end;
    return end;
  };
  keep_gaps(end_of_few, [&](std::size_t first, std::size_t end) {
    float lowest = 1;
    for (auto at = first; at < end; ++at) {
      if (!list_.blocks[at].is_prose()) return false;
      lowest = std::min(lowest, probability_[at]);
    }
    return is_beside_last(first, end) && box_around(end, end + 1) == box_around(first, end) &&
           lowest >= least_share * std::min(probability_[first - 1], probability_[end]);
  });
}

/// A row without one of its cells says something else.
void companions::keep_row(const text_box& box) {
  tree_.spend(box.end - box.first);
  const auto own = std::span(kept_).subspan(box.first, box.end - box.first);
  if (2 * static_cast<std::size_t>(std::ranges::count(own, 1)) < own.size()) return;
  for (auto i = box.first; i < box.end; ++i) {
    if (list_.blocks[i].link_half_words == 0) kept_[i] = 1;
  }
}

/// A term goes with what is said of it, and most of a list of them, or of a row, with the rest.
void companions::keep_terms() {
  constexpr double most_words_of_row = 40;
  const auto& signs = signs_;
  // There they are of who posts and of what is sold.
  if (signs.forum || signs.product || signs.collection) return;
  // Sums up to each block: lists stand in lists.
  std::vector<double> all(kept_.size() + 1), stays(kept_.size() + 1);
  for (std::size_t i = 0; i < kept_.size(); ++i) {
    const double words = list_.blocks[i].words();
    all[i + 1] = all[i] + words;
    stays[i + 1] = stays[i] + (kept_[i] != 0 ? words : 0);
  }
  for (const auto& box : list_.boxes) {
    const auto tag = tree_.tag_of(box.id);
    if (tag == html::tag_id::dt) {
      const bool is_said = box.end < kept_.size() && kept_[box.end] != 0;
      if (is_said &&
          list_.boxes[list_.blocks[box.end].box].id < tree_.end_of(tree_.parent_of(box.id)))
        keep(box.first, box.end);
    } else if (tag == html::tag_id::dl) {
      const double words = all[box.end] - all[box.first];
      if (2 * (stays[box.end] - stays[box.first]) >= words) keep(box.first, box.end);
    } else if (tag == html::tag_id::tr) {
      // A row without one of its cells says something else.
      if (all[box.end] - all[box.first] <= most_words_of_row) keep_row(box);
    }
  }
}

/// What is decided as one stays as one.
void companions::keep_groups() {
  std::vector<std::uint8_t> stays(kept_.size(), 0);
  for (std::size_t i = 0; i < kept_.size(); ++i) stays[groups_.group[i]] |= kept_[i];
  for (std::size_t i = 0; i < kept_.size(); ++i) kept_[i] = stays[groups_.group[i]];
}

/// The number that begins an element goes with what it numbers.
void companions::keep_numbers() {
  constexpr std::uint32_t most_digits = 3;
  for (std::uint32_t i = 0; i + 1 < kept_.size(); ++i) {
    const auto& text = list_.blocks[i].text;
    const bool number =
        text.digits > 0 && text.digits <= most_digits && text.digits == text.letters;
    if (!number || kept_[i] != 0 || kept_[i + 1] == 0) continue;
    auto box = list_.blocks[i].box;
    if (list_.boxes[box].end == i + 1) box = list_.boxes[box].up;
    if (list_.boxes[box].first == i) kept_[i] = 1;
  }
}

/// What links lead to a box by; of one that a single block fills, the name of its first anchor.
std::string_view companions::name_of(const text_box& box) const {
  const auto id = tree_.attribute_of(box.id, "id");
  if (!id.empty() || box.end - box.first != 1) return id;
  const auto anchor = tree_.at(box.id).first_child;
  return anchor != none && tree_.is_element(anchor, html::tag_id::a)
             ? tree_.attribute_of(anchor, "name")
             : std::string_view();
}

/// What the link that begins a block leads to on its page.
std::string_view companions::way_back(const page_block& one) const {
  for (auto id = tree_.parent_of(one.first); id > list_.boxes[one.box].id;
       id = tree_.parent_of(id)) {
    tree_.spend(1);
    if (!tree_.is_element(id, html::tag_id::a)) continue;
    const auto target = tree_.attribute_of(id, "href");
    const auto hash = target.find('#');
    return hash == std::string_view::npos ? std::string_view() : target.substr(hash + 1);
  }
  return {};
}

/// Notes of Word and of Google's documents have no ids: what "#_ftn1" means leads to "#_ftnref1".
void companions::keep_linked_back(const name_set& ids) {
  for (std::size_t from = 0; from < kept_.size(); from = groups_.end_of(from)) {
    const auto back = way_back(list_.blocks[from]);
    for (const std::string_view part : {"_ref", "ref"}) {
      const auto at = back.find(part);
      if (at == 0 || at == std::string_view::npos) continue;
      const auto note = std::string(back.substr(0, at)).append(back.substr(at + part.size()));
      if (ids.contains(note)) keep(from, groups_.end_of(from));
    }
  }
}

/// Notes that what is kept refers to, by a link of a few characters: "[1]".
void companions::keep_notes() {
  constexpr std::uint32_t longest_reference = 4;
  constexpr std::uint32_t most_share = 4;
  // There they are the small print of the shop.
  if (signs_.product) return;
  name_set ids;
  const auto body = tree_.body();
  tree_.spend_on(body);
  std::size_t begun = 0;  // blocks that begin at a node or before it
  for (auto id = body + 1; id < tree_.end_of(body); ++id) {
    while (begun < kept_.size() && list_.blocks[begun].first <= id) ++begun;
    if (!tree_.is_element(id, html::tag_id::a) || tree_.is_dropped(id)) continue;
    const auto length = tree_.text_in(id);
    if (length == 0 || length > longest_reference) continue;
    const auto target = tree_.attribute_of(id, "href");
    if (target.size() < 2 || target.front() != '#') continue;
    // The link stands at the beginning of a block or inside of one.
    const bool starts = begun < kept_.size() && list_.blocks[begun].first < tree_.end_of(id);
    const auto block = starts ? begun : begun - 1;
    if (block < kept_.size() && kept_[block] != 0) ids.insert(target.substr(1));
  }
  if (ids.empty()) return;
  keep_linked_back(ids);
  const auto all = list_.blocks.size();
  for (const auto& box : list_.boxes) {
    const auto name = name_of(box);
    if (name.empty() || !ids.contains(name) || (box.end - box.first) * most_share > all) continue;
    tree_.spend(box.end - box.first);
    keep(box.first, box.end);
  }
}

void companions::run() {
  keep_between();
  keep_under_headings();
  keep_introduced();
  keep_holes();
  keep_terms();
  keep_groups();
  keep_numbers();
  keep_notes();
}

}  // namespace

void keep_companions(const page_tree& tree, const block_list& list, const block_facts& facts,
                     std::span<std::uint8_t> kept) {
  companions(tree, list, facts, kept).run();
}

}  // namespace freshet::markdown
