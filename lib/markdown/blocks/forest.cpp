// All trees at once (QuickScorer; Lucchese and others, 2015): a value closes the leaves that it
// rules out, as bits of a word a tree; the first one that is left is where the tree ends.
#include <algorithm>
#include <array>
#include <markdown/blocks/forest.hpp>
#include <span>
#include <utility>

namespace freshet::markdown {

namespace {

constexpr std::int64_t most_trees = 2'000;

using word_pair = std::uint64_t __attribute__((vector_size(2 * sizeof(std::uint64_t))));

/// Of the words from `first` on, the bits that all rows have. So many pairs are held in registers.
template <std::size_t... Pair>
std::array<std::uint64_t, 2 * sizeof...(Pair)> left_open(std::span<const std::uint64_t* const> rows,
                                                         std::size_t first,
                                                         std::index_sequence<Pair...>) noexcept {
  constexpr std::uint64_t all = ~std::uint64_t{0};
  std::array<word_pair, sizeof...(Pair)> open{((void)Pair, word_pair{all, all})...};
  for (const auto* const row : rows) {
    // What is allocated is aligned for pairs, and rows are of whole pairs.
    const auto* const words =
        static_cast<const word_pair*>(__builtin_assume_aligned(row + first, sizeof(word_pair)));
    ((open[Pair] &= words[Pair]), ...);
  }
  std::array<std::uint64_t, 2 * sizeof...(Pair)> made;
  ((made[2 * Pair] = open[Pair][0], made[2 * Pair + 1] = open[Pair][1]), ...);
  return made;
}

/// Of a word that has one.
std::size_t first_bit(std::uint64_t word) noexcept {
  return static_cast<std::size_t>(__builtin_ctzll(word));
}

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
  constexpr std::uint64_t last_leaves = 0x8000'8000'8000'8000;
  std::array<const std::uint64_t*, feature_count> closing;
  std::size_t count = 0;
  for (const auto feature : used_) {
    const auto of_value = row_of_[feature * feature_limit + row[feature]];
    closing[count] = &open_[of_value * words_];
    count += of_value != 0 ? 1 : 0;
  }
  float sum = 0;
  for (std::size_t from = 0; from < words_; from += lane) {
    const auto open =
        left_open({closing.data(), count}, from, std::make_index_sequence<lane / 2>());
    for (std::size_t word = 0; word < lane; ++word) {
      // A tree always ends in one of its leaves; one that is not there has leaves of 0.
      const auto left = open[word] | last_leaves;
      const float* const leaves = &leaves_[(from + word) * per_word * most_leaves];
      for (std::size_t tree = 0; tree < per_word; ++tree) {
        sum += leaves[tree * most_leaves + first_bit(left >> (tree * most_leaves))];
      }
    }
  }
  return sum;
}

}  // namespace freshet::markdown
