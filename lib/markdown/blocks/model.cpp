// All trees at once (QuickScorer; Lucchese and others, 2015): a value closes the leaves that it
// rules out, as bits of a word a tree; the first one that is left is where the tree ends.
#include <algorithm>
#include <bit>
#include <cmath>
#include <markdown/blocks/model.hpp>

namespace freshet::markdown {

namespace {

constexpr std::int64_t numbers[] = {
#include <markdown/blocks/model_table.inc>
};

/// Takes numbers from the front of a table.
class table_reader {
 public:
  explicit table_reader(std::span<const std::int64_t> left) : left_(left) {}

  std::int64_t take(std::int64_t least, std::int64_t most) {
    if (left_.empty() || left_.front() < least || left_.front() > most) failed_ = true;
    if (failed_) return least;
    const auto one = left_.front();
    left_ = left_.subspan(1);
    return one;
  }
  [[nodiscard]] bool failed() const { return failed_; }
  [[nodiscard]] bool ended() const { return !failed_ && left_.empty(); }

 private:
  std::span<const std::int64_t> left_;
  bool failed_ = false;
};

constexpr std::int64_t most_words = 20'000, most_trees = 2'000, most_steps = 1'000;

}  // namespace

std::optional<block_model> block_model::read(std::span<const std::int64_t> table) {
  block_model made;
  table_reader from(table);
  const auto words = from.take(0, most_words);
  made.odds_ = odds_table(static_cast<std::size_t>(words));
  for (std::int64_t i = 0; i < words && !from.failed(); ++i) {
    const auto hash = static_cast<std::uint32_t>(from.take(0, 0xFFFFFFFF));
    made.odds_.add(hash, static_cast<std::int8_t>(from.take(-128, 127)));
  }
  std::vector<split> splits;
  made.trees_ = static_cast<std::size_t>(from.take(0, most_trees));
  made.leaves_.assign(made.trees_ * most_leaves, 0);
  for (std::uint32_t tree = 0; tree < made.trees_ && !from.failed(); ++tree) {
    const auto count = from.take(0, most_leaves - 1);
    for (std::int64_t i = 0; i < count; ++i) {
      split one{};
      one.feature = static_cast<std::uint8_t>(from.take(0, feature_count - 1));
      one.most = static_cast<std::uint8_t>(from.take(0, feature_limit - 1));
      one.left = static_cast<std::uint16_t>(from.take(0, 0xFFFF));
      one.tree = tree;
      splits.push_back(one);
    }
    for (std::int64_t i = 0; i <= count; ++i) {
      constexpr double unit = 1e-4;
      constexpr std::int64_t most = 1'000'000;
      made.leaves_[tree * most_leaves + static_cast<std::size_t>(i)] =
          static_cast<float>(static_cast<double>(from.take(-most, most)) * unit);
    }
  }
  const auto steps = from.take(2, most_steps);
  for (std::int64_t i = 0; i < steps; ++i) {
    constexpr float unit = 1e-3f;
    made.truth_.push_back(static_cast<float>(from.take(0, most_steps)) * unit);
  }
  if (!from.ended()) return {};
  made.index(splits);
  return made;
}

void block_model::index(const std::vector<split>& splits) {
  constexpr std::uint64_t all = ~std::uint64_t{0};
  words_ = (trees_ + per_word * lane - 1) / (per_word * lane) * lane;
  row_of_.assign(feature_count * feature_limit, 0);
  open_.assign(words_, all);
  leaves_.resize(words_ * per_word * most_leaves, 0);
  for (std::size_t feature = 0; feature < feature_count; ++feature) {
    std::vector<split> own;
    std::ranges::copy_if(splits, std::back_inserter(own),
                         [&](const split& one) { return one.feature == feature; });
    if (own.empty()) continue;
    used_.push_back(static_cast<std::uint8_t>(feature));
    std::ranges::sort(own, {}, &split::most);
    std::size_t next = 0, row = 0;
    for (std::uint8_t value = 0; value < feature_limit; ++value) {
      bool fresh = false;
      for (; next < own.size() && own[next].most < value; ++next) {
        if (!fresh) {
          const auto from = row * words_;
          row = open_.size() / words_;
          open_.resize(open_.size() + words_);
          std::copy_n(open_.begin() + static_cast<std::ptrdiff_t>(from), words_,
                      open_.end() - static_cast<std::ptrdiff_t>(words_));
          fresh = true;
        }
        const auto tree = own[next].tree;
        const auto bits = std::uint64_t{own[next].left} << (tree % per_word * most_leaves);
        open_[row * words_ + tree / per_word] &= ~bits;
      }
      row_of_[feature * feature_limit + value] = static_cast<std::uint16_t>(row);
    }
  }
}

const block_model& block_model::built_in() {
  static const block_model made = *read(numbers);
  return made;
}

float block_model::score(const feature_row& row) const {
  constexpr std::uint64_t all = ~std::uint64_t{0}, one_tree = 0xFFFF;
  std::array<const std::uint64_t*, feature_count> closing;
  std::size_t count = 0;
  for (const auto feature : used_) {
    const auto of_value = row_of_[feature * feature_limit + row[feature]];
    closing[count] = &open_[of_value * words_];
    count += of_value != 0 ? 1 : 0;
  }
  float sum = 0;
  for (std::size_t from = 0; from < words_; from += lane) {
    // Of a known length, so that the compiler takes several at once.
    std::array<std::uint64_t, lane> open;
    open.fill(all);
    for (std::size_t n = 0; n < count; ++n) {
      for (std::size_t i = 0; i < lane; ++i) open[i] &= closing[n][from + i];
    }
    for (std::size_t i = 0; i < lane * per_word; ++i) {
      // A tree always ends in one of its leaves; one that is not there has leaves of 0.
      const auto left = (open[i / per_word] >> (i % per_word * most_leaves)) & one_tree;
      const auto leaf = static_cast<std::size_t>(std::countr_zero(left | (one_tree + 1) >> 1));
      sum += leaves_[(from * per_word + i) * most_leaves + leaf];
    }
  }
  return sum;
}

std::vector<float> block_model::probabilities(const std::vector<feature_row>& rows) const {
  std::vector<float> made;
  made.reserve(rows.size());
  for (const auto& row : rows) made.push_back(1 / (1 + std::exp(-score(row))));
  return made;
}

double block_model::calibrated(double expected) const noexcept {
  const auto at = std::clamp(expected, 0.0, 1.0) * static_cast<double>(truth_.size() - 1);
  const auto below = std::min(static_cast<std::size_t>(at), truth_.size() - 2);
  const auto part = static_cast<float>(at - static_cast<double>(below));
  return static_cast<double>(truth_[below] * (1 - part) + truth_[below + 1] * part);
}

}  // namespace freshet::markdown
