// What the second look is told of the first.
#include <algorithm>
#include <catch2/catch.hpp>
#include <markdown/blocks/first_look.hpp>
#include <numeric>

#include "cut.hpp"

namespace freshet::markdown {

namespace {

/// Rows of a page of which the first look says this, and keeps what is more likely than not.
class looked {
 public:
  looked(const std::string& body, std::vector<float> probability, double promise) : page_(body) {
    const auto count = page_.list.blocks.size();
    REQUIRE(count == probability.size());
    std::vector<std::uint8_t> kept;
    for (const auto one : probability) kept.push_back(one > 0.5f ? 1 : 0);
    std::vector<std::uint32_t> order(count);
    std::iota(order.begin(), order.end(), 0u);
    std::ranges::stable_sort(order, std::greater{}, [&](auto i) { return probability[i]; });
    rows_.resize(count);
    add_first_look(page_.list, {probability, kept, order, promise}, rows_);
  }
  [[nodiscard]] std::vector<int> column(feature one) const {
    std::vector<int> made;
    for (const auto& row : rows_) made.push_back(row[static_cast<std::size_t>(one)]);
    return made;
  }
  [[nodiscard]] std::vector<bool> unsure() const {
    std::vector<bool> made;
    for (const auto& row : rows_) made.push_back(is_unsure(row));
    return made;
  }

 private:
  cut page_;
  std::vector<feature_row> rows_;
};

using values = std::vector<int>;

constexpr const char* two_boxes =
    "<div class=story><p>one two</p><p>three four</p></div>"
    "<div class=menu><p>five six</p><p>seven eight</p></div>";

}  // namespace

TEST_CASE("a block has its own odds and those of its neighbours") {
  const looked page(two_boxes, {1, 0.5f, 0, 0.5f}, 0.5);
  // Even odds are in the middle; what is certain is as far from it as values go.
  CHECK(page.column(feature::seen_own) == values{63, 32, 0, 32});
  CHECK(page.column(feature::seen_last) == values{0, 63, 32, 0});
  CHECK(page.column(feature::seen_before_last) == values{0, 0, 63, 32});
  CHECK(page.column(feature::seen_next) == values{32, 0, 32, 0});
  CHECK(page.column(feature::seen_after_next) == values{0, 32, 0, 0});
}

TEST_CASE("a block has the mean of the boxes around it, without itself") {
  const looked page(two_boxes, {1, 1, 0, 1}, 0.5);
  CHECK(page.column(feature::seen_b1) == values{63, 63, 63, 0});
  CHECK(page.column(feature::seen_b2) == values{42, 42, 63, 42});
  CHECK(page.column(feature::seen_b1_part) == values{42, 42, 21, 21});
  CHECK(page.column(feature::seen_b2_part) == values{63, 63, 63, 63});
}

TEST_CASE("a second look is for what the first leaves open") {
  const looked page(two_boxes, {0.95f, 0.85f, 0.15f, 0.05f}, 0.5);
  CHECK(page.unsure() == std::vector<bool>{false, true, true, false});
}

TEST_CASE("a block has how far it is from what is kept, and what is kept of the page") {
  const looked page(two_boxes, {0, 1, 0, 0}, 0.5);
  CHECK(page.column(feature::seen_until_kept) == values{1, 63, 63, 63});
  CHECK(page.column(feature::seen_since_kept) == values{63, 63, 1, 2});
  CHECK(page.column(feature::seen_kept) == values{1, 1, 1, 1});
  CHECK(page.column(feature::seen_before) == values{0, 0, 63, 63});
  CHECK(page.column(feature::seen_rank) == values{15, 0, 31, 47});
  CHECK(page.column(feature::seen_page) == values{15, 15, 15, 15});
  CHECK(page.column(feature::seen_promise) == values{32, 32, 32, 32});
}

}  // namespace freshet::markdown
