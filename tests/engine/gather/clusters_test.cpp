// The clusters of one page: who stands in it, who is a member, and how much work that is.
#include <catch2/catch.hpp>
#include <engine/gather/clusters.hpp>

using namespace freshet;
using namespace freshet::detail;

namespace {

article told_at(const std::string& url, const std::string& title) {
  article made;
  made.id = "feeds:" + url;
  made.source = "feeds";
  made.url = url;
  made.title = title;
  return made;
}

}  // namespace

TEST_CASE("an item becomes a member of the first one that tells the same") {
  page_clusters of;
  CHECK_FALSE(of.take(told_at("https://a.example/1", "One")));
  of.add(told_at("https://a.example/1", "One"));
  of.add(told_at("https://a.example/2", "Two"));
  CHECK(of.take(told_at("http://www.a.example/2/", "Two again")));
  CHECK_FALSE(of.take(told_at("https://a.example/3", "Three")));
  const auto made = of.made();
  REQUIRE(made.size() == 1);
  CHECK(made[0].id == "feeds:https://a.example/2");
  REQUIRE(made[0].members.size() == 1);
  CHECK(made[0].members[0].title == "Two again");
  CHECK(made[0].members[0].object == "article");
}

TEST_CASE("members of a page are bounded, and so is the work") {
  page_clusters of;
  for (int i = 0; i < 100; ++i) {
    std::string title;
    for (int word = 0; word < 90; ++word) title += "w" + std::to_string(i * 90 + word) + " ";
    auto one = told_at("https://a.example/" + std::to_string(i), title);
    one.created_at = time_point{};
    of.add(one);
  }
  std::size_t taken = 0;
  for (int i = 0; i < 300; ++i) {
    auto one = told_at("https://a.example/99", "The last of a hundred");
    one.created_at = time_point{};
    taken += of.take(one) ? 1 : 0;
  }
  CHECK(taken == max_cluster_members);
  CHECK(of.made().front().members.size() == max_cluster_members);
  // Each of them was held against each item of the page, in one pass over the runs of both.
  CHECK(of.steps() <= max_cluster_members * 100 * 200);
}
