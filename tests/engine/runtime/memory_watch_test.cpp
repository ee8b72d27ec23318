#include <catch2/catch.hpp>
#include <engine/runtime/memory_watch.hpp>
#include <vector>

using namespace freshet;
using namespace freshet::detail;
using namespace std::chrono_literals;

namespace {

struct stepping_clock final : base::clock {
  std::chrono::steady_clock::time_point at{1h};
  [[nodiscard]] time_point now() const override { return {}; }
  [[nodiscard]] std::chrono::steady_clock::time_point steady() const override { return at; }
};

}  // namespace

TEST_CASE("as memory grows, more is given up, and it comes back") {
  stepping_clock clock;
  std::size_t used = 0;
  int looks = 0;
  std::vector<memory_level> rises;
  memory_watch watch(
      1'000'000, [&](memory_level level) { rises.push_back(level); },
      [&] {
        ++looks;
        return used;
      },
      clock);
  const auto at = [&](std::size_t bytes) {
    used = bytes;
    clock.at += 1s;
    return watch.level();
  };
  CHECK(at(690'000) == memory_level::calm);
  CHECK(at(710'000) == memory_level::no_caches);
  CHECK(at(860'000) == memory_level::no_calls);
  CHECK(at(2'000'000) == memory_level::no_connections);
  CHECK(at(860'000) == memory_level::no_calls);
  CHECK(at(100) == memory_level::calm);
  CHECK(rises ==
        std::vector{memory_level::no_caches, memory_level::no_calls, memory_level::no_connections});
  CHECK(looks == 6);
  for (int i = 0; i < 1'000; ++i) (void)watch.level();
  CHECK(looks == 6);
}

TEST_CASE("what the process takes is read from the system") {
  memory_watch huge(std::size_t{1} << 50);
  CHECK(huge.level() == memory_level::calm);
  memory_watch tiny(4'096);
  CHECK(tiny.level() == memory_level::no_connections);
  CHECK(memory_watch().bound() > (64u << 20));
}
