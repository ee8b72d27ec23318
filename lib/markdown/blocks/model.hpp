// The fitted table and what it says of a block: the probability that its words are content. Trees
// of decisions, summed; made by tests/bench/fit, which tells how. Read once, then only asked.
#pragma once

#include <markdown/blocks/features.hpp>
#include <optional>
#include <span>
#include <vector>

namespace freshet::markdown {

class block_model {
 public:
  /// From the numbers of a table; null if they are none. In a table stand, each list after its
  /// length: the words (hash, log-odds in eighths); the trees, each as its splits
  /// (feature, greatest value of the left side, leaves of the left side as bits) and its leaves in
  /// ten-thousandths; the true F1 in thousandths at each of evenly spaced expected ones.
  [[nodiscard]] static std::optional<block_model> read(std::span<const std::int64_t> numbers);
  /// The one that is compiled in.
  [[nodiscard]] static const block_model& built_in();

  [[nodiscard]] const odds_table& odds() const noexcept { return odds_; }
  [[nodiscard]] std::vector<float> probabilities(const std::vector<feature_row>& rows) const;
  /// What an F1 that the probabilities promise was worth on pages that were not fitted on.
  [[nodiscard]] double calibrated(double expected) const noexcept;
  /// Steps of a meter for one block.
  [[nodiscard]] std::uint64_t steps() const noexcept { return 1 + trees_ / 6; }

 private:
  static constexpr std::size_t most_leaves = 16, per_word = 4, lane = 4;

  struct split {
    std::uint8_t feature, most;
    std::uint16_t left;
    std::uint32_t tree;
  };
  void index(const std::vector<split>& splits);
  [[nodiscard]] float score(const feature_row& row) const;

  odds_table odds_;
  std::size_t trees_ = 0, words_ = 0;
  std::vector<float> leaves_;  ///< most_leaves for each tree
  /// For each feature and value the row of `open_` that says which leaves can still be reached;
  /// 0 is the one of all leaves.
  std::vector<std::uint16_t> row_of_;
  std::vector<std::uint64_t> open_;
  std::vector<std::uint8_t> used_;  ///< the features that any tree asks for
  std::vector<float> truth_;
};

}  // namespace freshet::markdown
