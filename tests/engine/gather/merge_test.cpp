// Merging queues: by time, in turn and by rank; nothing twice, stable for equal keys.
#include <catch2/catch.hpp>
#include <engine/gather/merge.hpp>

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
    found.push_back(std::get<web_result>(one.what.get()));
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

TEST_CASE("by rank: the addresses of one page are one result, of different pages several") {
  const std::vector<std::string> same = {"https://tide.example/gauge",
                                         "http://tide.example/gauge",
                                         "https://www.tide.example/gauge",
                                         "https://tide.example/gauge/",
                                         "https://tide.example/gauge?utm_source=a&gclid=b",
                                         "https://TIDE.example:443/gauge#top"};
  const std::vector<std::string> different = {
      "https://tide.example/Gauge", "https://tide.example/gauge?id=1",
      "https://tide.example:8443/gauge", "https://blog.tide.example/gauge"};
  std::vector<merge_queue> queues(same.size() + different.size());
  for (std::size_t i = 0; i < queues.size(); ++i) {
    const auto& url = i < same.size() ? same[i] : different[i - same.size()];
    queues[i].waiting = {a_result(url, static_cast<std::int64_t>(i + 1), "e" + std::to_string(i))};
    queues[i].ended = true;
  }
  std::vector<merge_queue*> views;
  for (auto& queue : queues) views.push_back(&queue);
  std::set<std::string> given;
  std::vector<web_result> found;
  give(merge_order::by_rank, views, 20, 0, given, [&](candidate& one) {
    found.push_back(std::get<web_result>(one.what.get()));
    return true;
  });
  REQUIRE(found.size() == 1 + different.size());
  REQUIRE(found[0].engines.size() == same.size());
  for (std::size_t i = 0; i < same.size(); ++i) {
    CHECK(found[0].engines[i].name == "e" + std::to_string(i));
    CHECK(found[0].engines[i].rank == static_cast<std::int64_t>(i + 1));
  }
  for (std::size_t i = 0; i < different.size(); ++i) CHECK(found[i + 1].url == different[i]);
}

TEST_CASE("by rank: what an engine may still find higher is waited for") {
  std::vector<merge_queue> queues(2);
  queues[0].waiting = {a_result("https://a1.example/", 1, "alpha"),
                       a_result("https://a2.example/", 2, "alpha"),
                       a_result("https://a3.example/", 3, "alpha")};
  queues[0].last_rank = 3;
  queues[0].ended = true;
  queues[1].waiting = {a_result("https://b1.example/", 1, "beta")};
  queues[1].last_rank = 1;
  std::set<std::string> given;
  CHECK(take(merge_order::by_rank, queues, 9, given) ==
        std::vector<std::string>{"x:https://a1.example/", "x:https://b1.example/",
                                 "x:https://a2.example/"});
  std::vector<std::size_t> needed;
  const std::vector<const merge_queue*> views{&queues[0], &queues[1]};
  CHECK_FALSE(can_give(merge_order::by_rank, views, 1, needed));
  CHECK(needed == std::vector<std::size_t>{1});
  queues[1].waiting = {a_result("https://b2.example/", 2, "beta")};
  queues[1].last_rank = 2;
  queues[1].ended = true;
  CHECK(take(merge_order::by_rank, queues, 9, given) ==
        std::vector<std::string>{"x:https://b2.example/", "x:https://a3.example/"});
}

TEST_CASE("by rank: two engines' middle outweighs one engine's first, equals keep their order") {
  std::vector<merge_queue> queues(3);
  queues[0].waiting = {a_result("https://a.example/", 1, "alpha"),
                       a_result("https://both.example/", 20, "alpha")};
  queues[1].waiting = {a_result("https://b.example/", 1, "beta"),
                       a_result("https://both.example/", 25, "beta")};
  queues[2].waiting = {a_result("https://c.example/", 1, "gamma"),
                       a_result("https://c2.example/", 2, "gamma")};
  for (auto& queue : queues) queue.ended = true;
  const std::vector<std::string> expected{"x:https://both.example/", "x:https://a.example/",
                                          "x:https://b.example/", "x:https://c.example/",
                                          "x:https://c2.example/"};
  for (int again = 0; again < 3; ++again) {
    auto copy = queues;
    std::set<std::string> given;
    CHECK(take(merge_order::by_rank, copy, 9, given) == expected);
  }
}

TEST_CASE("by rank: an engine that repeats a page has one vote, and gaps are filled") {
  std::vector<merge_queue> queues(2);
  queues[0].waiting = {a_result("https://twice.example/", 1, "alpha"),
                       a_result("https://twice.example/?utm_id=1", 2, "alpha"),
                       a_result("https://once.example/", 1, "alpha")};
  auto bare = a_result("https://both.example/", 4, "alpha");
  std::get<web_result>(bare.what.change()).engines = {{"alpha", std::nullopt}, {"shared", 3}};
  queues[0].waiting.push_back(bare);
  auto full = a_result("https://both.example/", 4, "beta");
  auto& known = std::get<web_result>(full.what.change());
  known.title = "Both";
  known.text = "A snippet";
  known.created_at = time_point(std::chrono::seconds(7));
  known.engines = {{"alpha", 9}, {"shared", 1}, {"beta", 4}};
  queues[1].waiting = {full};
  for (auto& queue : queues) queue.ended = true;
  std::vector<merge_queue*> views{&queues[0], &queues[1]};
  std::set<std::string> given;
  std::vector<web_result> found;
  give(merge_order::by_rank, views, 9, 0, given, [&](candidate& one) {
    found.push_back(std::get<web_result>(one.what.get()));
    return true;
  });
  REQUIRE(found.size() == 3);
  CHECK(found[0].url == "https://both.example/");
  CHECK(found[0].title == "Both");
  CHECK(found[0].text == "A snippet");
  CHECK(found[0].created_at == time_point(std::chrono::seconds(7)));
  REQUIRE(found[0].engines.size() == 3);
  CHECK(found[0].engines[0].rank == 9);
  CHECK(found[0].engines[1].rank == 3);
  CHECK(found[0].engines[2].rank == 4);
  CHECK(found[1].url == "https://twice.example/");
  CHECK(found[2].url == "https://once.example/");
}

TEST_CASE(
    "groups: one of each in turn, each by its own order, whoever has nothing more passed over") {
  std::vector<merge_queue> queues(4);
  queues[0].waiting = {a_post("p9", 9), a_post("p1", 1)};
  queues[1].waiting = {a_post("q5", 5)};
  queues[2].waiting = {a_result("https://r.example/1", 1, "x"),
                       a_result("https://r.example/2", 2, "x"),
                       a_result("https://r.example/3", 3, "x")};
  for (auto& queue : queues) queue.ended = true;
  std::vector<merge_group> groups{{merge_order::by_time, {&queues[0], &queues[1]}},
                                  {merge_order::by_rank, {&queues[2]}},
                                  {merge_order::in_turn, {&queues[3]}}};  // it has nothing
  std::set<std::string> given;
  std::vector<std::string> ids;
  const auto accept = [&](candidate& one) {
    ids.push_back(common(one.what).id);
    return true;
  };
  const auto turn = give_of_groups(groups, 3, 0, given, accept);
  CHECK(ids == std::vector<std::string>{"p9", "x:https://r.example/1", "q5"});
  give_of_groups(groups, 10, turn, given, accept);
  CHECK(ids == std::vector<std::string>{"p9", "x:https://r.example/1", "q5",
                                        "x:https://r.example/2", "p1", "x:https://r.example/3"});
}

TEST_CASE("groups: one that may still hold something is waited for, a refusal ends it") {
  std::vector<merge_queue> queues(2);
  queues[0].waiting = {a_post("p9", 9), a_post("p1", 1)};
  queues[0].ended = true;
  std::vector<merge_group> groups{{merge_order::by_time, {&queues[0]}},
                                  {merge_order::by_time, {&queues[1]}}};
  std::set<std::string> given;
  std::vector<std::string> ids;
  const auto accept = [&](candidate& one) {
    ids.push_back(common(one.what).id);
    return true;
  };
  CHECK(give_of_groups(groups, 10, 0, given, accept) == 1);  // the second group's turn
  CHECK(ids == std::vector<std::string>{"p9"});
  queues[1].ended = true;
  CHECK(give_of_groups(groups, 10, 1, given, [](candidate&) { return false; }) % 2 == 0);
  CHECK(queues[0].waiting.size() == 1);
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

TEST_CASE("a post with a URI for an id is the same under another address") {
  post by_handle;
  by_handle.id = "bluesky:at://did:plc:a/app.bsky.feed.post/1";
  by_handle.url = "https://bsky.app/profile/alice.test/post/1";
  auto by_did = by_handle;
  by_did.url = "https://bsky.app/profile/did:plc:a/post/1";
  CHECK(identity_of(item(by_handle)) == identity_of(item(by_did)));
  auto other = by_handle;
  other.id = "bluesky:at://did:plc:a/app.bsky.feed.post/2";
  CHECK(identity_of(item(by_handle)) != identity_of(item(other)));
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
