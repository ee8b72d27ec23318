#include <catch2/catch.hpp>
#include <markdown/blocks/known_text.hpp>
#include <string>

namespace freshet::markdown {

namespace {

const std::string sea =
    "The sea rises, the sea falls, and every harbour keeps its own table of when it does so, "
    "printed once a year and pinned to the door of the office.";
const std::string tower =
    "A tower stands on the cape, built of granite in the year of the great storm, and its lamp "
    "has been lit every night since, but for two when the keeper was away at a wedding.";

}  // namespace

TEST_CASE("a text is known whatever its markup and case") {
  CHECK(share_found(sea, tower + sea) == Approx(1));
  CHECK(share_found("<p>" + sea.substr(0, 40) + "</p>\n<b>" + sea.substr(40) + "</b>", sea) > 0.95);
  CHECK(share_found(tower, sea) < 0.1);
  const auto half = share_found(sea + tower, tower);
  CHECK(half > 0.35);
  CHECK(half < 0.75);
  CHECK(share_found("", sea) == 0);
}

TEST_CASE("blocks are compared with the article that structured data hold") {
  const auto page = html::parse("<body><p>" + sea + "</p><p>" + tower + "</p><p>Tides</p>");
  const page_tree tree(page);
  const known_text body(tree, "<p>" + sea +
                                  "</p> and more of it, until it is long enough to be a "
                                  "text by which others are judged, which takes some words");
  REQUIRE_FALSE(body.empty());
  std::vector<html::node_id> said;
  for (html::node_id id = 1; id < page.size(); ++id) {
    if (tree.is_text(id)) said.push_back(id);
  }
  REQUIRE(said.size() == 3);
  CHECK(body.share_of(said[0], said[0]).value_or(0) > 0.9);
  CHECK(body.share_of(said[1], said[1]).value_or(1) < 0.1);
  CHECK_FALSE(body.share_of(said[2], said[2]).has_value());
  CHECK(known_text(tree, "short").empty());
}

}  // namespace freshet::markdown
