// Trees of decisions over the features of a block, summed to the log-odds that it is content.
#pragma once

#include <cstdint>
#include <markdown/blocks/features.hpp>
#include <markdown/blocks/table_reader.hpp>
#include <vector>

namespace freshet::markdown {

class forest {
 public:
  /// Takes the trees, after their number: each as its splits (feature, greatest value of the left
  /// side, leaves of the left side as bits) and its leaves in ten-thousandths.
  void read(table_reader& table);

  [[nodiscard]] bool empty() const noexcept { return trees_ == 0; }
  [[nodiscard]] float log_odds(const feature_row& row) const;
  /// Steps of a meter for one block.
  [[nodiscard]] std::uint64_t steps() const noexcept { return 1 + trees_ / 6; }

 private:
  static constexpr std::size_t most_leaves = 16, per_word = 4, lane = 16;

  struct split {
    std::uint8_t feature, most;
    std::uint16_t left;
    std::uint32_t tree;
  };
  void index(const std::vector<split>& splits);

  std::size_t trees_ = 0, words_ = 0;
  std::vector<float> leaves_;  ///< most_leaves for each tree
  /// For each feature and value the row of `open_` that says which leaves can still be reached;
  /// 0 is the one of all leaves.
  std::vector<std::uint16_t> row_of_;
  std::vector<std::uint64_t> open_;
  std::vector<std::uint8_t> used_;  ///< the features that any tree asks for
};

}  // namespace freshet::markdown
