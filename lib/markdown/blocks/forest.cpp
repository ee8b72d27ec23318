// All trees at once (QuickScorer; Lucchese and others, 2015): a value closes the leaves that it
// rules out, as bits of a word a tree; the first one that is left is where the tree ends.
#include <algorithm>
#include <bit>
#include <markdown/blocks/forest.hpp>

namespace freshet::markdown {

namespace {

constexpr std::int64_t most_trees = 2'000;

}  // namespace

void forest::read(table_reader& table) {
  std::vector<split> splits;
  trees_ = static_cast<std::size_t>(table.take(0, most_trees));
  leaves_.assign(trees_ * most_leaves, 0);
  for (std::uint32_t tree = 0; tree < trees_ && !table.failed(); ++tree) {
    const auto count = table.take(0, most_leaves - 1);
    for (std::int64_t i = 0; i < count; ++i) {
      split one{};
      one.feature = static_cast<std::uint8_t>(table.take(0, feature_count - 1));
      one.most = static_cast<std::uint8_t>(table.take(0, feature_limit - 1));
      one.left = static_cast<std::uint16_t>(table.take(0, 0xFFFF));
      one.tree = tree;
      splits.push_back(one);
    }
    for (std::int64_t i = 0; i <= count; ++i) {
      constexpr double unit = 1e-4;
      constexpr std::int64_t most = 1'000'000;
      leaves_[tree * most_leaves + static_cast<std::size_t>(i)] =
          static_cast<float>(static_cast<double>(table.take(-most, most)) * unit);
    }
  }
  if (!table.failed()) index(splits);
}

void forest::index(const std::vector<split>& splits) {
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

float forest::log_odds(const feature_row& row) const {
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

}  // namespace freshet::markdown
