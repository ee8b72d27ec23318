// Each block is looked at alone, and what is unsure once more beside what was made of those around
// it. Then blocks are ordered by their probabilities; of all beginnings of that order the one is
// kept whose F1 is the highest to expect. What is one is decided as one, and pictures
// go with the text beside them.
#include <markdown/choice/block_choice.hpp>

#include <algorithm>
#include <cmath>
#include <markdown/blocks/first_look.hpp>
#include <markdown/choice/block_groups.hpp>
#include <markdown/choice/manuals.hpp>
#include <markdown/choice/repeats.hpp>
#include <markdown/choice/trails.hpp>
#include <numeric>
#include <span>
#include <unordered_set>
#include <utility>

namespace freshet::markdown {

namespace {

using html::node_id;
using html::none;

/// Longest element path that a report names.
constexpr int most_places = 4;

std::string place_of(const page_tree& tree, node_id id) {
  std::string place;
  for (int i = 0; i < most_places && id != none && id > tree.body(); ++i) {
    std::string one(html::name_of(tree.tag_of(id)));
    const auto names = tree.attribute_of(id, "class");
    const auto first = names.substr(0, names.find_first_of(" \t\n\f\r"));
    if (!first.empty()) one += "." + std::string(first);
    place = place.empty() ? one : one + " > " + place;
    id = tree.parent_of(id);
  }
  return place;
}

float probability_at(float log_odds) { return 1 / (1 + std::exp(-log_odds)); }

class decision {
 public:
  decision(page_tree& tree, const block_evidence& evidence, const block_model& model)
      : tree_(tree), evidence_(evidence), model_(model), list_(list_blocks(tree)) {}

  content run();
  void report_to(choice_report& report) const;

 private:
  void look();
  void look_again();
  void pool();
  void decide();
  [[nodiscard]] bool is_part_of_text(std::size_t block) const;
  [[nodiscard]] std::uint32_t box_around(std::size_t first, std::size_t end) const;
  [[nodiscard]] bool is_beside_last(std::size_t first, std::size_t end) const;
  void keep(std::size_t first, std::size_t end);
  template <class Test>
  void keep_behind(Test goes_with);
  void keep_under_headings();
  void keep_introduced();
  void keep_holes();
  void keep_row(const text_box& box);
  void keep_terms();
  void keep_groups();
  [[nodiscard]] double words_kept() const;
  void keep_likely();
  void keep_between();
  void keep_numbers();
  [[nodiscard]] std::string_view name_of(const text_box& box) const;
  void keep_notes();
  void apply();
  [[nodiscard]] bool is_teaser(double confidence) const;
  [[nodiscard]] bool is_caption(std::size_t block, node_id picture) const;
  [[nodiscard]] bool keeps_between(node_id id) const;

  page_tree& tree_;
  const block_evidence& evidence_;
  const block_model& model_;
  block_list list_;
  std::vector<feature_row> rows_;
  std::vector<float> probability_;
  block_groups groups_;
  std::vector<std::uint8_t> kept_;
  std::vector<std::uint32_t> order_;  ///< the most probable block first
  double expected_ = 0;
};

void decision::look() {
  const auto& trees = model_.first();
  probability_.clear();
  for (const auto& row : rows_) {
    tree_.spend(trees.steps());  // for each: a page may have half a million of them
    probability_.push_back(probability_at(trees.log_odds(row)));
  }
  pool();
  decide();
}

/// Where the first look is unsure, both have the same say.
void decision::look_again() {
  const auto& trees = model_.second();
  add_first_look(list_, {probability_, kept_, order_, expected_}, rows_);
  if (trees.empty()) return;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    tree_.spend(1);
    if (!is_unsure(rows_[i])) continue;
    tree_.spend(trees.steps());
    const float first = std::log(probability_[i] / (1 - probability_[i]));
    probability_[i] = probability_at((first + trees.log_odds(rows_[i])) / 2);
  }
  pool();
  decide();
}

void decision::pool() {
  const auto all = list_.blocks.size();
  std::vector<double> sums(all), words(all);
  for (std::size_t i = 0; i < all; ++i) {
    const double own = list_.blocks[i].words() + 1;
    sums[groups_.group[i]] += own * static_cast<double>(probability_[i]);
    words[groups_.group[i]] += own;
  }
  for (std::size_t i = 0; i < all; ++i) {
    const auto group = groups_.group[i];
    probability_[i] = static_cast<float>(sums[group] / words[group]);
  }
}

void decision::decide() {
  order_.resize(list_.blocks.size());
  std::iota(order_.begin(), order_.end(), 0u);
  std::ranges::stable_sort(order_, std::greater{}, [&](auto i) { return probability_[i]; });
  expected_ = 0;
  double all = 0;
  for (const auto i : order_) all += list_.blocks[i].words() * static_cast<double>(probability_[i]);
  double hit = 0, words = 0;
  std::size_t best = 0;
  for (std::size_t n = 0; n < order_.size(); ++n) {
    const auto& one = list_.blocks[order_[n]];
    hit += one.words() * static_cast<double>(probability_[order_[n]]);
    words += one.words();
    const double f1 = words + all > 0 ? 2 * hit / (words + all) : 0;
    if (f1 < expected_) continue;
    expected_ = f1;
    best = n + 1;
  }
  kept_.assign(list_.blocks.size(), 0);
  for (std::size_t n = 0; n < best; ++n) kept_[order_[n]] = 1;
}

/// What belongs to the text around it, although it reads unlike it.
bool decision::is_part_of_text(std::size_t block) const {
  const auto& one = list_.blocks[block];
  if (one.heading) return true;
  if (tree_.is_inside(one.first, inside::pre | inside::table)) return groups_.solid[block] != 0;
  return tree_.has_ancestor(one.first, html::tag_id::math);
}

/// The innermost box that has more than these blocks.
std::uint32_t decision::box_around(std::size_t first, std::size_t end) const {
  auto at = list_.blocks[first].box;
  while (at != 0 && list_.boxes[at].end - list_.boxes[at].first <= end - first) {
    tree_.spend(1);
    at = list_.boxes[at].parent;
  }
  return at;
}

/// Whether blocks that are decided as one stand beside the block before them.
bool decision::is_beside_last(std::size_t first, std::size_t end) const {
  return box_around(first, end) == box_around(first - 1, first);
}

void decision::keep(std::size_t first, std::size_t end) {
  std::fill(kept_.begin() + static_cast<std::ptrdiff_t>(first),
            kept_.begin() + static_cast<std::ptrdiff_t>(end), std::uint8_t{1});
}

/// Headings, tables, code and formulas between blocks that stay, one of them or several.
void decision::keep_between() {
  constexpr float least = 0.05f;
  const auto all = kept_.size();
  for (std::size_t from = 1; from < all;) {
    if (kept_[from] != 0 || kept_[from - 1] == 0) {
      ++from;
      continue;
    }
    auto to = from;
    while (to < all && kept_[to] == 0 && is_part_of_text(to)) {
      const auto end = groups_.end_of(to);
      // What a page shows of code beside its text is its text, however it reads.
      const bool beside = groups_.solid[to] != 0 && is_beside_last(to, end);
      if (probability_[to] < least && !beside) break;
      to = end;
    }
    if (to < all && kept_[to] != 0) keep(from, to);
    from = std::max(to, from + 1);
  }
}

/// Blocks that are decided as one and stand beside a block that stays, where they go with it.
template <class Test>
void decision::keep_behind(Test goes_with) {
  for (std::size_t from = 1; from < kept_.size();) {
    const auto to = groups_.end_of(from);
    if (kept_[from - 1] != 0 && goes_with(list_.blocks[from - 1], from) && is_beside_last(from, to))
      keep(from, to);
    from = to;
  }
}

/// A table or code goes with the heading right above it.
void decision::keep_under_headings() {
  keep_behind([&](const auto& above, std::size_t from) {
    return above.heading && groups_.solid[from] != 0;
  });
}

/// "The output is an example:" and the code behind it go together, and so do the pages of an RFC.
void decision::keep_introduced() {
  if (evidence_.signs.forum) return;  // a log in a post is as long as its thread
  keep_behind([&](const auto& above, std::size_t from) {
    const bool goes_on = above.text.last == ':' || tree_.is_inside(above.first, inside::pre);
    return goes_on && tree_.is_inside(list_.blocks[from].first, inside::pre);
  });
}

/// A few blocks between siblings of theirs that stay, and not much less likely than those.
void decision::keep_holes() {
  constexpr std::size_t most_blocks = 3;
  constexpr float least_share = 0.8f;
  const auto all = kept_.size();
  for (std::size_t from = 1; from < all;) {
    if (kept_[from] != 0 || kept_[from - 1] == 0) {
      ++from;
      continue;
    }
    auto to = from;
    float lowest = 1;
    bool is_text = true;
    for (; to < all && kept_[to] == 0 && to - from <= most_blocks; ++to) {
      const auto& one = list_.blocks[to];
      lowest = std::min(lowest, probability_[to]);
      is_text = is_text && one.is_prose();
    }
    if (to < all && kept_[to] != 0 && is_text && is_beside_last(from, to) &&
        box_around(to, to + 1) == box_around(from, to) &&
        lowest >= least_share * std::min(probability_[from - 1], probability_[to])) {
      keep(from, to);
    }
    from = std::max(to, from + 1);
  }
}

/// A row without one of its cells says something else.
void decision::keep_row(const text_box& box) {
  tree_.spend(box.end - box.first);
  const auto own = std::span(kept_).subspan(box.first, box.end - box.first);
  if (2 * static_cast<std::size_t>(std::ranges::count(own, 1)) < own.size()) return;
  for (auto i = box.first; i < box.end; ++i) {
    if (list_.blocks[i].link_half_words == 0) kept_[i] = 1;
  }
}

/// A term goes with what is said of it, and most of a list of them, or of a row, with the rest.
void decision::keep_terms() {
  constexpr double most_words_of_row = 40;
  const auto& signs = evidence_.signs;
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
void decision::keep_groups() {
  std::vector<std::uint8_t> stays(kept_.size(), 0);
  for (std::size_t i = 0; i < kept_.size(); ++i) stays[groups_.group[i]] |= kept_[i];
  for (std::size_t i = 0; i < kept_.size(); ++i) kept_[i] = stays[groups_.group[i]];
}

/// The number that begins an element goes with what it numbers.
void decision::keep_numbers() {
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
std::string_view decision::name_of(const text_box& box) const {
  const auto id = tree_.attribute_of(box.id, "id");
  if (!id.empty() || box.end - box.first != 1) return id;
  const auto anchor = tree_.at(box.id).first_child;
  return anchor != none && tree_.is_element(anchor, html::tag_id::a)
             ? tree_.attribute_of(anchor, "name")
             : std::string_view();
}

/// Notes that what is kept refers to, by a link of a few characters: "[1]".
void decision::keep_notes() {
  constexpr std::uint32_t longest_reference = 4;
  constexpr std::uint32_t most_share = 4;
  // There they are the small print of the shop.
  if (evidence_.signs.product) return;
  std::unordered_set<std::string_view> ids;
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
  const auto all = list_.blocks.size();
  for (const auto& box : list_.boxes) {
    const auto name = name_of(box);
    if (name.empty() || !ids.contains(name) || (box.end - box.first) * most_share > all) continue;
    tree_.spend(box.end - box.first);
    keep(box.first, box.end);
  }
}

double decision::words_kept() const {
  double words = 0;
  for (std::size_t i = 0; i < kept_.size(); ++i) {
    if (kept_[i] != 0) words += list_.blocks[i].words();
  }
  return words;
}

/// Few words lack something more often than they hold too much.
void decision::keep_likely() {
  constexpr double few_words = 60;
  constexpr float least = 0.12f;
  constexpr auto around_text = part::nav | part::footer | part::control | part::form | part::dialog;
  if (words_kept() > few_words) return;
  for (std::size_t i = 0; i < kept_.size(); ++i) {
    const auto& one = list_.blocks[i];
    const bool leads_away = 2 * one.link_half_words > one.text.half_words;
    const bool serves = (list_.boxes[one.box].parts & around_text) != 0 ||
                        rows_[i][static_cast<std::size_t>(feature::is_controls)] != 0;
    if (probability_[i] >= least && !leads_away && !serves) kept_[i] = 1;
  }
}

/// Whether next to nothing of a page is kept, and that without being sure of it.
bool decision::is_teaser(double confidence) const {
  constexpr double least_confidence = 0.4, least_share = 0.02;
  if (confidence >= least_confidence) return false;
  double all = 0;
  for (const auto& one : list_.blocks) all += one.words();
  return words_kept() < all * least_share;
}

/// Whether a block is all the text that an element around it and a picture has.
bool decision::is_caption(std::size_t block, node_id picture) const {
  for (auto at = list_.blocks[block].box;; at = list_.boxes[at].parent) {
    const auto& box = list_.boxes[at];
    tree_.spend(1);
    if (box.end - box.first > 1) return false;
    if (tree_.contains(box.id, picture)) return true;
    if (at == 0) return false;
  }
}

/// A picture or a rule between two blocks. A caption that goes does not take its picture along.
bool decision::keeps_between(node_id id) const {
  const auto next = std::ranges::lower_bound(list_.blocks, id, {}, &page_block::first);
  const auto at = static_cast<std::size_t>(next - list_.blocks.begin());
  const auto is_kept = [&](std::size_t block) { return block < kept_.size() && kept_[block] != 0; };
  const bool after = is_kept(at) || (is_kept(at + 1) && at < kept_.size() && is_caption(at, id));
  const bool before = at > 0 && is_kept(at - 1);
  if (at > 0 && id < list_.blocks[at - 1].last) return before;
  const bool by_signals = evidence_.kept[id] != 0;
  return by_signals ? before || after : before && after;
}

void decision::apply() {
  const auto body = tree_.body();
  tree_.spend_on(body);
  std::vector<std::uint8_t> keep(tree_.page().size(), 0);
  std::size_t begun = list_.blocks.size();  // blocks that begin at a node or before it
  for (auto id = tree_.end_of(body); id-- > body + 1;) {
    if (tree_.is_dropped(id)) continue;
    while (begun > 0 && list_.blocks[begun - 1].first > id) --begun;
    if (tree_.is_text(id)) {
      keep[id] = tree_.text_in(id) > 0 && begun > 0 ? kept_[begun - 1] : 0;
    } else if (keep[id] == 0 && tree_.end_of(id) == id + 1) {
      keep[id] = keeps_between(id) ? 1 : 0;
    }
    if (keep[id] != 0) keep[tree_.parent_of(id)] = 1;
  }
  for (auto id = body + 1; id < tree_.end_of(body); ++id) {
    if (tree_.is_dropped(id) || keep[id] != 0) continue;
    const bool space = tree_.is_text(id) && tree_.text_in(id) == 0;
    if (space) continue;
    tree_.drop(id);
    id = tree_.end_of(id) - 1;
  }
  tree_.count();
}

content decision::run() {
  content chosen;
  chosen.roots = {tree_.body()};
  if (list_.blocks.empty()) {
    // Pictures and formulas alone: nothing says which of them are content.
    chosen.found = tree_.of(tree_.body()).images == 0;
    return chosen;
  }
  rows_ = read_features(tree_, list_, evidence_);
  groups_ = group_blocks(tree_, list_);
  look();
  look_again();
  chosen.confidence = model_.calibrated(expected_);
  keep_likely();
  keep_between();
  keep_under_headings();
  keep_introduced();
  keep_holes();
  keep_terms();
  keep_groups();
  keep_numbers();
  keep_notes();
  if (evidence_.signs.manual) keep_manual(tree_, list_, probability_, kept_);
  drop_trails(tree_, list_, groups_, kept_);
  // Documentation says the same of every function.
  if (!evidence_.signs.documentation) drop_repeats(tree_, list_, groups_, kept_);
  if (is_teaser(chosen.confidence)) kept_.assign(kept_.size(), 1);
  apply();
  return chosen;
}

void decision::report_to(choice_report& report) const {
  for (std::size_t i = 0; i < list_.blocks.size(); ++i) {
    const auto& one = list_.blocks[i];
    std::string text;
    for (auto id = one.first; id <= one.last; ++id) text += tree_.text_at(id);
    report.blocks.push_back({std::move(text), place_of(tree_, list_.boxes[one.box].id),
                             static_cast<double>(probability_[i]), kept_[i] != 0});
  }
  for (const auto& box : list_.boxes) {
    auto& words = report.words.emplace_back();
    each_name_word(tree_, box.id, [&](std::uint32_t hash) { words.push_back(hash); });
  }
  report.list = list_;
  report.rows = rows_;
  report.groups = groups_.group;
}

}  // namespace

content choose_blocks(page_tree& tree, const block_evidence& evidence, const block_model& model,
                      choice_report* report) {
  decision made(tree, evidence, model);
  auto chosen = made.run();
  if (report != nullptr) made.report_to(*report);
  return chosen;
}

}  // namespace freshet::markdown
