// What stands on a shelf, what goes when there is no room, and who pays for that.
#include <base/shelf.hpp>
#include <catch2/catch.hpp>
#include <thread>
#include <vector>

using freshet::base::shelf;

namespace {

constexpr std::size_t thing_bytes = 1000;

shelf::thing a_thing(int number = 0) { return std::make_shared<const int>(number); }

bool has(shelf& shelf, std::string_view name) { return shelf.find(name) != nullptr; }

}  // namespace

TEST_CASE("what stands on a shelf is found by its name, and nothing else is") {
  shelf on(100'000);
  const auto first = a_thing(1);
  on.put("a", 1, thing_bytes, first);
  CHECK(on.find("a") == first);
  CHECK_FALSE(has(on, "b"));
  const auto second = a_thing(2);
  on.put("a", 2, thing_bytes, second);
  CHECK(on.find("a") == second);
  on.remove("a");
  CHECK_FALSE(has(on, "a"));
  CHECK(on.size() == 0);
}

TEST_CASE("the least recently used goes first") {
  shelf on(10 * 1400);
  for (int i = 0; i < 10; ++i) on.put(std::to_string(i), 1, thing_bytes, a_thing());
  const auto size = on.size();
  CHECK(size <= on.capacity());
  CHECK(has(on, "0"));
  for (int i = 10; i < 15; ++i) on.put(std::to_string(i), 1, thing_bytes, a_thing());
  CHECK(on.size() <= on.capacity());
  CHECK(has(on, "0"));
  CHECK_FALSE(has(on, "1"));
  CHECK(has(on, "14"));
}

TEST_CASE("who fills a shelf crowds out himself") {
  shelf on(20 * 1400);
  on.put("mine", 1, thing_bytes, a_thing());
  for (int i = 0; i < 1000; ++i) on.put("his" + std::to_string(i), 2, thing_bytes, a_thing());
  CHECK(has(on, "mine"));
  CHECK(has(on, "his999"));
  CHECK_FALSE(has(on, "his0"));
}

TEST_CASE("what is too large is not kept, and what stood there is gone") {
  shelf on(16'000);
  on.put("a", 1, 100, a_thing());
  on.put("a", 1, 2'000, a_thing());
  CHECK_FALSE(has(on, "a"));
  shelf nothing(0);
  nothing.put("a", 1, 0, a_thing());
  CHECK_FALSE(has(nothing, "a"));
}

TEST_CASE("what grows is counted, and makes room") {
  shelf on(16 * 1400);
  for (int i = 0; i < 10; ++i) on.put(std::to_string(i), 1, thing_bytes, a_thing());
  const auto before = on.size();
  on.grow("5", 1400);
  CHECK(on.size() == before + 1400);
  on.grow("5", -1400);
  CHECK(on.size() == before);
  on.grow("nothing", 1400);
  CHECK(on.size() == before);
  for (int i = 0; i < 10; ++i) on.grow(std::to_string(i), 1400);
  CHECK(on.size() <= on.capacity());
  CHECK_FALSE(has(on, "0"));
  on.grow("9", 1 << 20);
  CHECK_FALSE(has(on, "9"));
  CHECK(on.size() <= on.capacity());
}

TEST_CASE("an owner's names that begin so, or all, are taken away at once") {
  shelf on(100'000);
  for (const auto* each : {"a1", "a2", "aa", "b1"}) on.put(each, 1, thing_bytes, a_thing());
  on.put("a3", 2, thing_bytes, a_thing());
  on.put("a", 1, thing_bytes, a_thing());
  on.remove_beginning("a", 1);
  for (const auto* each : {"a", "a1", "a2", "aa"}) CHECK_FALSE(has(on, each));
  CHECK(has(on, "a3"));
  CHECK(has(on, "b1"));
  on.remove_beginning("b1\n", 1);
  CHECK(has(on, "b1"));
  on.put("a1", 1, thing_bytes, a_thing());
  CHECK(has(on, "a1"));
  on.drop();
  CHECK_FALSE(has(on, "b1"));
  CHECK(on.size() == 0);
  on.put("c", 1, thing_bytes, a_thing());
  CHECK(has(on, "c"));
}

TEST_CASE("a shelf that several threads use keeps its bound") {
  shelf on(50'000);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&on, t] {
      for (int i = 0; i < 2000; ++i) {
        const auto name = std::to_string(i * 7 % 97);
        if (i % 3 == 0) on.put(name, t, thing_bytes, a_thing(i));
        if (i % 5 == 0) on.grow(name, 10);
        if (i % 11 == 0) on.remove(name);
        if (i % 13 == 0) on.remove_beginning(name, t);
        static_cast<void>(on.find(name));
      }
    });
  }
  for (auto& each : threads) each.join();
  CHECK(on.size() <= on.capacity());
  for (int t = 0; t < 4; ++t) on.remove_beginning("", t);
  CHECK(on.size() == 0);
}
