// Each block is looked at alone, and what is unsure once more beside what was made of those around
// it. Then blocks are ordered by their probabilities; of all beginnings of that order the one is
// kept whose F1 is the highest to expect. What is one is decided as one, and pictures
// go with the text beside them.
#include <markdown/choice/block_choice.hpp>

#include <algorithm>
#include <cmath>
#include <markdown/blocks/first_look.hpp>
#include <markdown/choice/asides.hpp>
#include <markdown/choice/block_groups.hpp>
#include <markdown/choice/companions.hpp>
#include <markdown/choice/manuals.hpp>
#include <markdown/choice/repeats.hpp>
#include <markdown/choice/trails.hpp>
#include <numeric>
#include <span>
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
  [[nodiscard]] double words_kept() const;
  [[nodiscard]] bool has_link_around(std::size_t block, std::span<const std::size_t> stays) const;
  void keep_likely();
  void apply();
  [[nodiscard]] bool is_teaser(double confidence) const;
  [[nodiscard]] bool keeps_ways_alone() const;
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

double decision::words_kept() const {
  double words = 0;
  for (std::size_t i = 0; i < kept_.size(); ++i) {
    if (kept_[i] != 0) words += list_.blocks[i].words();
  }
  return words;
}

/// Whether a link around several blocks holds one that stays: it leads away from none of them.
/// `stays`: how many stay before each block.
bool decision::has_link_around(std::size_t block, std::span<const std::size_t> stays) const {
  const auto begin_at = [&](node_id id) {
    return std::ranges::lower_bound(list_.blocks, id, {}, &page_block::first) -
           list_.blocks.begin();
  };
  for (auto id = list_.boxes[list_.blocks[block].box].id; id > tree_.body();
       id = tree_.parent_of(id)) {
    tree_.spend(1);
    if (!tree_.is_element(id, html::tag_id::a)) continue;
    const auto first = static_cast<std::size_t>(begin_at(id));
    const auto end = static_cast<std::size_t>(begin_at(tree_.end_of(id)));
    return stays[end] > stays[first];
  }
  return false;
}

/// Few words lack something more often than they hold too much.
void decision::keep_likely() {
  constexpr double few_words = 60;
  constexpr float least = 0.12f;
  constexpr auto around_text = part::nav | part::footer | part::control | part::form | part::dialog;
  if (words_kept() > few_words) return;
  std::vector<std::size_t> stays(kept_.size() + 1);
  for (std::size_t i = 0; i < kept_.size(); ++i) stays[i + 1] = stays[i] + kept_[i];
  for (std::size_t i = 0; i < kept_.size(); ++i) {
    const auto& one = list_.blocks[i];
    const bool is_link = 2 * one.link_half_words > one.text.half_words;
    const bool serves = (list_.boxes[one.box].parts & around_text) != 0 ||
                        rows_[i][static_cast<std::size_t>(feature::is_controls)] != 0;
    if (probability_[i] < least || serves) continue;
    if (!is_link || has_link_around(i, stays)) kept_[i] = 1;
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

/// Whether all that is kept leads to other pages.
bool decision::keeps_ways_alone() const {
  for (std::size_t i = 0; i < kept_.size(); ++i) {
    const bool is_way = (list_.boxes[list_.blocks[i].box].parts & part::nav) != 0;
    if (kept_[i] != 0 && !is_way) return false;
  }
  return true;
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
  drop_asides(tree_, list_, {rows_, probability_}, kept_);
  keep_companions(tree_, list_, {evidence_.signs, groups_, probability_}, kept_);
  if (evidence_.signs.manual) keep_manual(tree_, list_, probability_, kept_);
  drop_trails(tree_, list_, groups_, kept_);
  // Documentation says the same of every function.
  if (!evidence_.signs.documentation) drop_repeats(tree_, list_, groups_, kept_);
  if (is_teaser(chosen.confidence)) kept_.assign(kept_.size(), 1);
  constexpr double confidence_of_ways = 0.4;
  if (keeps_ways_alone()) chosen.confidence = std::min(chosen.confidence, confidence_of_ways);
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
