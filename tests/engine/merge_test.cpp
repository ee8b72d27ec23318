// Merging queues: by time, in turn and by rank; nothing twice, stable for equal keys.
#include <catch2/catch.hpp>
#include <engine/merge.hpp>

using namespace freshet;
using namespace freshet::detail;

namespace {

candidate a_post(const std::string& id, std::int64_t seconds) {
  post one;
  one.id = id;
  one.url = "https://example.org/" + id;
  one.created_at = time_point(std::chrono::seconds(seconds));
  candidate made;
  made.what = one;
  made.identity = identity_of(made.what);
  return made;
}

candidate a_result(const std::string& url, std::int64_t rank, const std::string& engine) {
  web_result one;
  one.id = "x:" + url;
  one.url = url;
  one.engines = {{engine, rank}};
  candidate made;
  made.what = one;
  made.identity = identity_of(made.what);
  made.rank = rank;
  return made;
}

std::vector<std::string> take(merge_order order, std::vector<merge_queue>& queues,
                              std::size_t wanted, std::set<std::string>& given,
                              std::size_t turn = 0) {
  std::vector<merge_queue*> views;
  for (auto& queue : queues) views.push_back(&queue);
  std::vector<std::string> ids;
  give(order, views, wanted, turn, given, [&](candidate& one) {
    ids.push_back(common(one.what).id);
    return true;
  });
  return ids;
}

}  // namespace

TEST_CASE("by time: newest first across queues, earlier queue first for equal times") {
  std::vector<merge_queue> queues(2);
  queues[0].waiting = {a_post("a9", 9), a_post("a5", 5), a_post("a1", 1)};
  queues[1].waiting = {a_post("b9", 9), a_post("b7", 7)};
  queues[0].ended = queues[1].ended = true;
  std::set<std::string> given;
  CHECK(take(merge_order::by_time, queues, 10, given) ==
        std::vector<std::string>{"a9", "b9", "b7", "a5", "a1"});
}

TEST_CASE("by time: waits for a queue that may still hold something newer") {
  std::vector<merge_queue> queues(2);
  queues[0].waiting = {a_post("a9", 9), a_post("a5", 5)};
  queues[1].waiting = {a_post("b7", 7)};
  queues[0].ended = true;
  std::set<std::string> given;
  CHECK(take(merge_order::by_time, queues, 10, given) == std::vector<std::string>{"a9", "b7"});
  std::vector<std::size_t> needed;
  const std::vector<const merge_queue*> views{&queues[0], &queues[1]};
  CHECK_FALSE(can_give(merge_order::by_time, views, 8, needed));
  CHECK(needed == std::vector<std::size_t>{1});
  queues[1].ended = true;
  CHECK(can_give(merge_order::by_time, views, 8, needed));
  CHECK(take(merge_order::by_time, queues, 10, given) == std::vector<std::string>{"a5"});
}

TEST_CASE("in turn: one from each, beginning where it is told, duplicates dropped") {
  std::vector<merge_queue> queues(3);
  queues[0].waiting = {a_post("a1", 1), a_post("same", 1), a_post("a3", 1)};
  queues[1].waiting = {a_post("b1", 1), a_post("b2", 1)};
  queues[2].waiting = {a_post("same", 1), a_post("c2", 1)};
  for (auto& queue : queues) queue.ended = true;
  std::set<std::string> given;
  CHECK(take(merge_order::in_turn, queues, 4, given) ==
        std::vector<std::string>{"a1", "b1", "same", "a3"});
  CHECK(take(merge_order::in_turn, queues, 4, given, 1) == std::vector<std::string>{"b2", "c2"});
}

TEST_CASE("by rank: what two engines found comes first, with both engines named") {
  std::vector<merge_queue> queues(2);
  queues[0].waiting = {a_result("https://one.example/", 1, "alpha"),
                       a_result("https://www.both.example/page/?utm_source=x", 2, "alpha")};
  queues[1].waiting = {a_result("https://two.example/", 1, "beta"),
                       a_result("http://both.example/page", 3, "beta")};
  for (auto& queue : queues) queue.ended = true;
  std::vector<merge_queue*> views{&queues[0], &queues[1]};
  std::set<std::string> given;
  std::vector<web_result> found;
  give(merge_order::by_rank, views, 10, 0, given, [&](candidate& one) {
    found.push_back(std::get<web_result>(one.what));
    return true;
  });
  REQUIRE(found.size() == 3);
  CHECK(found[0].url == "https://www.both.example/page/?utm_source=x");
  REQUIRE(found[0].engines.size() == 2);
  CHECK(found[0].engines[0].name == "alpha");
  CHECK(found[0].engines[0].rank == 2);
  CHECK(found[0].engines[1].name == "beta");
  CHECK(found[0].engines[1].rank == 3);
  CHECK(found[1].url == "https://one.example/");
  CHECK(found[2].url == "https://two.example/");
  CHECK(queues[0].waiting.empty());
  CHECK(queues[1].waiting.empty());
}

TEST_CASE("an item that is refused stays where it was") {
  std::vector<merge_queue> queues(1);
  queues[0].waiting = {a_post("a", 3), a_post("b", 2)};
  queues[0].ended = true;
  std::vector<merge_queue*> views{&queues[0]};
  std::set<std::string> given;
  int asked = 0;
  give(merge_order::as_given, views, 10, 0, given, [&](candidate&) { return ++asked < 2; });
  REQUIRE(queues[0].waiting.size() == 1);
  CHECK(common(queues[0].waiting.front().what).id == "b");
}

TEST_CASE("identity: the page for results, the origin's URL for posts, the id otherwise") {
  CHECK(a_result("https://www.a.example/x/", 1, "e").identity ==
        a_result("http://a.example/x?utm_medium=m", 1, "e").identity);
  post mirrored;
  mirrored.id = "mastodon:one.example/1";
  mirrored.url = "https://origin.example/@a/1";
  post other = mirrored;
  other.id = "mastodon:two.example/99";
  CHECK(identity_of(item(mirrored)) == identity_of(item(other)));
  comment first;
  first.id = "hackernews:1";
  first.url = "https://news.example/item";
  comment second = first;
  second.id = "hackernews:2";
  CHECK(identity_of(item(first)) != identity_of(item(second)));
}
