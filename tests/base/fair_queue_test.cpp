#include <base/fair_queue.hpp>
#include <catch2/catch.hpp>
#include <map>
#include <string>
#include <support/sanitized.hpp>

using freshet::base::fair_queue;
using freshet::base::owner_id;

namespace {

/// The owners of the next `count` entries, each of which costs `cost`.
std::string owners_of(fair_queue<int>& queue, int count, double cost = 1) {
  std::string out;
  for (int i = 0; i < count; ++i) {
    const auto next = queue.pop(cost);
    out += next ? std::to_string(next->owner) : "-";
  }
  return out;
}

}  // namespace

TEST_CASE("a fair queue takes turns, however many entries one owner has") {
  fair_queue<int> queue;
  for (int i = 0; i < 100; ++i) queue.push(1, i);
  queue.push(2, 0);
  queue.push(2, 1);
  CHECK(owners_of(queue, 6) == "121211");
  CHECK(queue.size() == 96);
}

TEST_CASE("entries of one owner stay in order") {
  fair_queue<int> queue;
  for (int i = 0; i < 5; ++i) queue.push(7, i);
  for (int i = 0; i < 5; ++i) CHECK(queue.pop(1)->entry == i);
  CHECK_FALSE(queue.pop(1));
}

TEST_CASE("who cost more than was thought comes later") {
  fair_queue<int> queue;
  for (int i = 0; i < 10; ++i) queue.push(1, i), queue.push(2, i);
  CHECK(owners_of(queue, 2) == "12");
  queue.done(1, 3);
  CHECK(owners_of(queue, 5) == "22212");
}

TEST_CASE("who comes back has saved nothing up, and who was dear is still behind") {
  fair_queue<int> queue;
  queue.push(1, 0);
  for (int i = 0; i < 50; ++i) queue.push(2, i);
  CHECK(owners_of(queue, 41).substr(0, 2) == "12");
  for (int i = 0; i < 10; ++i) queue.push(1, i);
  CHECK(owners_of(queue, 6).find("111") == std::string::npos);
  queue.done(2, 5);
  queue.push(3, 0);
  CHECK(owners_of(queue, 2).find('2') == std::string::npos);
}

TEST_CASE("what is removed does not come, and its owner's other entries do") {
  fair_queue<int> queue;
  queue.push(1, 10);
  queue.push(1, 11);
  queue.push(2, 20);
  CHECK(queue.remove(1, [](int one) { return one == 10; }));
  CHECK_FALSE(queue.remove(1, [](int one) { return one == 10; }));
  CHECK(queue.remove(2, [](int) { return true; }));
  CHECK(queue.pop(1)->entry == 11);
  CHECK(queue.empty());
}

TEST_CASE("how many come before a further entry") {
  fair_queue<int> queue;
  for (int i = 0; i < 100; ++i) queue.push(1, i);
  CHECK(queue.ahead_of(2) == 1);
  CHECK(queue.ahead_of(1) == 100);
  queue.push(2, 0);
  CHECK(queue.ahead_of(2) == 3);
}

TEST_CASE("a hundred thousand owners leave nothing behind") {
  fair_queue<int> queue;
  for (owner_id owner = 0; owner < freshet::test::cases(100'000, 100'000, 20'000); ++owner) {
    queue.push(owner, 0);
    CHECK(queue.pop(1));
    queue.done(owner);
  }
  queue.push(1, 0);
  queue.push(2, 0);
  CHECK(owners_of(queue, 3).find('-') == 2);
}

TEST_CASE("no more of an owner run than may, and the engine's own always do") {
  fair_queue<int> queue;
  for (int i = 0; i < 5; ++i) queue.push(0, i), queue.push(1, i), queue.push(2, i);
  std::map<owner_id, int> running;
  while (const auto next = queue.pop(1, 2)) ++running[next->owner];
  CHECK(running == std::map<owner_id, int>{{0, 5}, {1, 2}, {2, 2}});
  queue.done(2);
  CHECK(queue.pop(1, 2)->owner == 2);
  CHECK_FALSE(queue.pop(1, 2));
}
