// The fitted table and what it says of a block: the probability that its words are content, looked
// at twice. Made by tests/bench/fit, which tells how. Read once, then only asked.
#pragma once

#include <markdown/blocks/features.hpp>
#include <markdown/blocks/forest.hpp>
#include <optional>
#include <span>
#include <vector>

namespace freshet::markdown {

class block_model {
 public:
  /// From the numbers of a table; null if they are none. In a table stand, each list after its
  /// length: the words (hash, log-odds in eighths); the trees of the first look; those of the
  /// second, which may be none; the true F1 in thousandths at each of evenly spaced expected ones.
  [[nodiscard]] static std::optional<block_model> read(std::span<const std::int64_t> table);
  /// The one that is compiled in.
  [[nodiscard]] static const block_model& built_in();

  [[nodiscard]] const odds_table& odds() const noexcept { return odds_; }
  [[nodiscard]] const forest& first() const noexcept { return first_; }
  /// It has the columns of first_look, too; empty: there is only one look.
  [[nodiscard]] const forest& second() const noexcept { return second_; }
  /// What an F1 that the probabilities promise was worth on pages that were not fitted on.
  [[nodiscard]] double calibrated(double expected) const noexcept;

 private:
  odds_table odds_;
  forest first_, second_;
  std::vector<float> truth_;
};

}  // namespace freshet::markdown
