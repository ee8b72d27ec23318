#include <base/clock.hpp>
#include <catch2/catch.hpp>

using namespace freshet::base;

TEST_CASE("The machine's clock shows this century, and its steady time does not go back") {
  const auto& clock = system_clock();
  CHECK(clock.now() > freshet::time_point{std::chrono::sys_days{std::chrono::year{2020} / 1 / 1}});
  auto last = clock.steady();
  for (int i = 0; i < 100; ++i) {
    const auto now = clock.steady();
    CHECK(now >= last);
    last = now;
  }
}

TEST_CASE("A fixed clock shows its moment while its steady time runs") {
  const freshet::time_point at{std::chrono::milliseconds{1'700'000'000'123}};
  const fixed_clock fixed(at);
  const freshet::base::clock& shown = fixed;
  CHECK(shown.now() == at);
  const auto before = shown.steady();
  while (shown.steady() == before) {
  }
  CHECK(shown.steady() > before);
  CHECK(shown.now() == at);
}
