// The fitted table: what is read of it, what is refused, and that it is asked as it was fitted.
#include <catch2/catch.hpp>
#include <markdown/blocks/model.hpp>
#include <vector>

namespace freshet::markdown {

namespace {

constexpr auto words = static_cast<std::int64_t>(feature::words);
constexpr auto links = static_cast<std::int64_t>(feature::links);

/// One word; of the first look one tree: words <= 10 ? (links <= 5 ? -1 : -2) : 3, of the second
/// another: seen_next <= 7 ? 1 : 2; and a calibration of three steps.
std::vector<std::int64_t> table() {
  constexpr auto next = static_cast<std::int64_t>(feature::seen_next);
  return {1,       42,      -7,                           // the word
          1,       2,       links,  5,  1, words, 10, 3,  // the splits of the first
          -10'000, -20'000, 30'000,                       // its leaves
          1,       1,       next,   7,  1,                // that of the second
          10'000,  20'000,                                // its leaves
          3,       100,     600,    900};
}

double odds_of(const block_model& model, std::uint8_t some_words, std::uint8_t some_links) {
  feature_row row{};
  row[static_cast<std::size_t>(feature::words)] = some_words;
  row[static_cast<std::size_t>(feature::links)] = some_links;
  return static_cast<double>(model.first().log_odds(row));
}

}  // namespace

TEST_CASE("a block falls into the leaf that its features lead to") {
  const auto model = block_model::read(table());
  REQUIRE(model.has_value());
  CHECK(odds_of(*model, 10, 5) == Approx(-1).margin(1e-4));
  CHECK(odds_of(*model, 10, 6) == Approx(-2).margin(1e-4));
  CHECK(odds_of(*model, 11, 0) == Approx(3).margin(1e-4));
  CHECK(odds_of(*model, 63, 63) == Approx(3).margin(1e-4));
  CHECK(model->odds().find(42) == -7);
  CHECK(model->odds().find(43) == 0);
  feature_row row{};
  CHECK(model->second().log_odds(row) == Approx(1));
  row[static_cast<std::size_t>(feature::seen_next)] = 8;
  CHECK(model->second().log_odds(row) == Approx(2));
}

TEST_CASE("an F1 to expect is worth what it was worth") {
  const auto model = block_model::read(table());
  REQUIRE(model.has_value());
  CHECK(model->calibrated(0) == Approx(0.1));
  CHECK(model->calibrated(0.25) == Approx(0.35));
  CHECK(model->calibrated(0.5) == Approx(0.6));
  CHECK(model->calibrated(1) == Approx(0.9));
  CHECK(model->calibrated(7) == Approx(0.9));
}

TEST_CASE("a table with too few numbers, too many or impossible ones is none") {
  auto numbers = table();
  for (std::size_t size = 0; size < numbers.size(); ++size) {
    CHECK_FALSE(block_model::read(std::span(numbers).first(size)).has_value());
  }
  numbers.push_back(0);
  CHECK_FALSE(block_model::read(numbers).has_value());
  numbers = table();
  numbers[5] = static_cast<std::int64_t>(feature_count);
  CHECK_FALSE(block_model::read(numbers).has_value());
}

TEST_CASE("the table in the tree is one of today's features") {
  const auto& model = block_model::built_in();
  CHECK(model.first().steps() > 1);
  CHECK(model.second().steps() > 1);
  const double sure = model.calibrated(0.95), unsure = model.calibrated(0.4);
  CHECK(sure > 0.85);
  CHECK(unsure < 0.6);
  CHECK(unsure < sure);
}

}  // namespace freshet::markdown
