#include <catch2/catch.hpp>
#include <engine/runtime/gate.hpp>
#include <memory>
#include <string>
#include <support/print_result.hpp>
#include <support/sanitized.hpp>
#include <vector>

using namespace freshet;
using namespace freshet::detail;
using namespace std::chrono_literals;

namespace {

/// A clock that goes on when it is told to.
struct stopped_clock final : base::clock {
  std::chrono::steady_clock::time_point at{1h};
  [[nodiscard]] time_point now() const override { return {}; }
  [[nodiscard]] std::chrono::steady_clock::time_point steady() const override { return at; }
};

constexpr gate_limits small{
    .calls = 2, .bytes = 1'000, .processor_share = 0.5, .browser_share = 0.5};

}  // namespace

TEST_CASE("an account has so many calls at once, and another has its own") {
  stopped_clock clock;
  gates all(100, clock);
  auto first = all.enter(1, gate_kind::live, small).value();
  const auto second = all.enter(1, gate_kind::live, small).value();
  const auto third = all.enter(1, gate_kind::live, small);
  REQUIRE_FALSE(third);
  CHECK(third.error().code() == errc::rate_limited);
  CHECK(third.error().retry_after == 1s);
  CHECK(all.enter(2, gate_kind::live, small));
  CHECK(all.enter(1, gate_kind::test, small));
  CHECK(all.enter(1, gate_kind::account_calls, small));
  first.reset();
  CHECK(all.enter(1, gate_kind::live, small));
}

TEST_CASE("accounts that have many calls under way do not shut the others out") {
  stopped_clock clock;
  gates all(64, clock);
  constexpr gate_limits roomy{.calls = 16};
  std::vector<std::shared_ptr<gates::pass>> inside;
  const auto enter = [&](base::owner_id account) {
    auto made = all.enter(account, gate_kind::live, roomy);
    if (made) inside.push_back(std::move(*made));
    return made ? "" : std::string(made.error().detail());
  };
  for (int i = 0; i < 32; ++i) REQUIRE(enter(1 + i / 16).empty());
  CHECK(enter(1).find("that an account has 4 at once") != std::string::npos);
  for (int i = 0; i < 16; ++i) REQUIRE(enter(3 + i / 4).empty());
  CHECK(enter(3).find("that an account has 1 at once") != std::string::npos);
  for (int i = 0; i < 16; ++i) CHECK(enter(100 + i).empty());
  CHECK(enter(1) == enter(200));
  CHECK(all.enter(200, gate_kind::live, roomy).error().code() == errc::overloaded);
  inside.erase(inside.begin());
  CHECK(enter(200).empty());
  inside.erase(inside.begin(), inside.begin() + 48);
  CHECK(enter(1).empty());
}

TEST_CASE("who has a call inside is counted once, and nobody who has gone") {
  stopped_clock clock;
  gates all(100, clock);
  CHECK(all.callers() == 0);
  auto live = all.enter(1, gate_kind::live, small).value();
  auto test = all.enter(1, gate_kind::test, small).value();
  const auto other = all.enter(2, gate_kind::account_calls, small).value();
  CHECK(all.callers() == 2);
  live.reset();
  CHECK(all.callers() == 2);
  test.reset();
  CHECK(all.callers() == 1);
  CHECK(all.size() == 3);  // whose shares are still remembered
}

TEST_CASE("a refusal says when a place is likely to be free") {
  stopped_clock clock;
  gates all(100, clock);
  for (int i = 0; i < 40; ++i) {
    const auto call = all.enter(1, gate_kind::live, small).value();
    clock.at += 7s;
  }
  const auto one = all.enter(1, gate_kind::live, small).value();
  const auto two = all.enter(1, gate_kind::live, small).value();
  CHECK(all.enter(1, gate_kind::live, small).error().retry_after == 7s);
}

TEST_CASE("all accounts together have so many calls at once") {
  gates all(2);
  const auto first = all.enter(1, gate_kind::live, small).value();
  const auto second = all.enter(2, gate_kind::live, small).value();
  CHECK(all.enter(3, gate_kind::live, small).error().code() == errc::overloaded);
}

TEST_CASE("processor time is a share that can be saved up for a minute, and owed") {
  stopped_clock clock;
  gates all(100, clock);
  const auto try_one = [&] { return all.enter(1, gate_kind::live, small); };
  try_one().value()->use(29s);  // of the 30 that half a minute's share is
  try_one().value()->use(21s);
  const auto refused = try_one();
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code() == errc::rate_limited);
  CHECK(refused.error().retry_after == 40s);
  CHECK(all.enter(2, gate_kind::live, small));
  clock.at += 39s;
  CHECK_FALSE(try_one());
  clock.at += 2s;
  CHECK(try_one());
  clock.at += 24h;
  try_one().value()->use(31s);  // no more than a minute's share was saved
  CHECK_FALSE(try_one());
}

TEST_CASE("browser time is a share of its own, for calls that have pages rendered alone") {
  stopped_clock clock;
  gates all(100, clock);
  const auto render_one = [&] {
    return all.enter(1, gate_kind::live, small).value()->may_render();
  };
  REQUIRE(render_one());
  all.use_browser(1, 29s);  // of the 30 that half a minute's share is
  REQUIRE(render_one());
  all.use_browser(1, 19s);
  const auto refused = render_one();
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code() == errc::rate_limited);
  CHECK(refused.error().retry_after == 36s);
  CHECK(all.enter(2, gate_kind::live, small).value()->may_render());
  clock.at += 35s;
  CHECK_FALSE(render_one());
  clock.at += 2s;
  CHECK(render_one());
  // A call that was let in before is told what is left by then.
  const auto inside = all.enter(1, gate_kind::live, small).value();
  all.use_browser(1, 20s);
  CHECK_FALSE(inside->may_render());
  clock.at += 40s;
  CHECK(inside->may_render());
  all.use_browser(3, 20s);  // of somebody who has not called: there is nobody to owe it
  CHECK(all.size() == 2);
}

TEST_CASE("bytes are held until their answer is read, and one answer always passes") {
  gates all;
  const auto call = all.enter(1, gate_kind::live, small).value();
  auto large = call->hold_bytes(5'000).value();
  CHECK(call->hold_bytes(1).error().code() == errc::rate_limited);
  large.reset();
  const auto half = call->hold_bytes(500).value();
  const auto other_half = call->hold_bytes(500).value();
  CHECK_FALSE(call->hold_bytes(1));
  CHECK(all.enter(2, gate_kind::live, small).value()->hold_bytes(1'000));
}

TEST_CASE("what a call holds may outlive it") {
  gates all;
  auto call = all.enter(1, gate_kind::live, small).value();
  auto held = call->hold_bytes(1'000).value();
  call.reset();
  CHECK_FALSE(all.enter(1, gate_kind::live, small).value()->hold_bytes(1));
  held.reset();
  CHECK(all.enter(1, gate_kind::live, small).value()->hold_bytes(1'000));
}

TEST_CASE("a hundred thousand accounts leave no gates behind but those that owe") {
  stopped_clock clock;
  gates all(100, clock);
  all.enter(-1, gate_kind::live, small).value()->use(1h);
  REQUIRE(all.enter(-2, gate_kind::live, small));
  all.use_browser(-2, 1h);
  for (owner_id account = 0; account < test::cases(100'000, 100'000, 30'000); ++account) {
    clock.at += 10ms;
    REQUIRE(all.enter(account, gate_kind::live, small));
  }
  CHECK(all.size() < 20'000);
  CHECK_FALSE(all.enter(-1, gate_kind::live, small));
  CHECK_FALSE(all.enter(-2, gate_kind::live, small).value()->may_render());
}
