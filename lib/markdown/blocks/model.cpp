// The numbers of the table, part by part.
#include <algorithm>
#include <cmath>
#include <markdown/blocks/model.hpp>
#include <markdown/blocks/table_reader.hpp>

namespace freshet::markdown {

namespace {

constexpr std::int64_t numbers[] = {
#include <markdown/blocks/model_table.inc>
};

constexpr std::int64_t most_words = 20'000, most_steps = 1'000;

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
  made.first_.read(from);
  made.second_.read(from);
  const auto steps = from.take(2, most_steps);
  for (std::int64_t i = 0; i < steps; ++i) {
    constexpr float unit = 1e-3f;
    made.truth_.push_back(static_cast<float>(from.take(0, most_steps)) * unit);
  }
  if (!from.ended()) return {};
  return made;
}

const block_model& block_model::built_in() {
  static const block_model made = *read(numbers);
  return made;
}

double block_model::calibrated(double expected) const noexcept {
  const auto at = std::clamp(expected, 0.0, 1.0) * static_cast<double>(truth_.size() - 1);
  const auto below = std::min(static_cast<std::size_t>(at), truth_.size() - 2);
  const auto part = static_cast<float>(at - static_cast<double>(below));
  return static_cast<double>(truth_[below] * (1 - part) + truth_[below + 1] * part);
}

}  // namespace freshet::markdown
