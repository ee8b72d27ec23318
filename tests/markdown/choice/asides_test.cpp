// What goes beside content: each page has a short text that is likelier content than not, and one
// that is as short and stays.
#include <catch2/catch.hpp>
#include <markdown/blocks/blocks.hpp>
#include <markdown/choice/asides.hpp>
#include <markdown/tree/tree.hpp>
#include <markdown/visibility/visibility.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace freshet::markdown {

namespace {

/// Of the blocks of a page those that stay, where all were kept and are as likely.
std::vector<std::uint8_t> kept_of(const std::string& body, float probability,
                                  std::vector<feature> marks = {}) {
  const auto parsed = html::parse("<body>" + body);
  page_tree tree(parsed);
  drop_invisible(tree);
  const auto list = list_blocks(tree);
  const std::vector<float> probabilities(list.blocks.size(), probability);
  std::vector<feature_row> rows(list.blocks.size(), feature_row{});
  for (const auto one : marks) rows.front()[static_cast<std::size_t>(one)] = 1;
  std::vector<std::uint8_t> kept(list.blocks.size(), 1);
  drop_asides(tree, list, {rows, probabilities}, kept);
  return kept;
}

using bits = std::vector<std::uint8_t>;

}  // namespace

TEST_CASE("a word or two above a heading that stays go, unless they are likely content") {
  const std::string page = "<div>Pinned</div><h2>Tides</h2><p>The sea rises.</p>";
  CHECK(kept_of(page, 0.7f) == bits{0, 1, 1});
  CHECK(kept_of(page, 0.8f) == bits{1, 1, 1});
  CHECK(kept_of("<div>The sea rises</div><h2>Tides</h2>", 0.55f) == bits{1, 1});
  CHECK(kept_of("<div>Pinned</div><p>Tides</p>", 0.55f) == bits{1, 1});
  CHECK(kept_of("<h1>Harbours</h1><h2>Tides</h2>", 0.55f) == bits{1, 1});
  for (const auto one : {feature::in_list, feature::in_table, feature::ends_sentence}) {
    CHECK(kept_of(page, 0.55f, {one}) == bits{1, 1, 1});
  }
}

TEST_CASE("how a product is sent goes, where its element says so and it is a few words") {
  const std::vector<feature> marks = {feature::says_product, feature::is_purchase};
  const std::string page = "<div>By ship, on Fridays</div><p>It holds a litre.</p>";
  CHECK(kept_of(page, 0.6f, marks) == bits{0, 1});
  CHECK(kept_of(page, 0.7f, marks) == bits{1, 1});
  CHECK(kept_of(page, 0.6f, {marks[0], marks[1], feature::ends_sentence}) == bits{1, 1});
  CHECK(kept_of(page, 0.6f, {feature::is_purchase}) == bits{1, 1});
  CHECK(kept_of(page, 0.6f, {feature::says_product}) == bits{1, 1});
  const std::string words =
      "<div>By ship, on Fridays, from the harbour below the old tower, and "
      "only while the sea is calm</div><p>It holds a litre.</p>";
  CHECK(kept_of(words, 0.6f, marks) == bits{1, 1});
}

TEST_CASE("numbers in an element that is seldom content go") {
  const std::string page = "<div>1 2 3</div><p>The sea rises.</p>";
  CHECK(kept_of(page, 0.6f, {feature::is_unlikely}) == bits{0, 1});
  CHECK(kept_of(page, 0.7f, {feature::is_unlikely}) == bits{1, 1});
  CHECK(kept_of(page, 0.6f) == bits{1, 1});
  CHECK(kept_of(page, 0.6f, {feature::is_unlikely, feature::in_table}) == bits{1, 1});
  CHECK(kept_of("<div>1 jug</div><p>The sea rises.</p>", 0.6f, {feature::is_unlikely}) ==
        bits{1, 1});
}

}  // namespace freshet::markdown
