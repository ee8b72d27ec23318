#include <account/fixture.hpp>
#include <catch2/catch.hpp>
#include <optional>
#include <thread>
#include <vector>

#include "support/eventually.hpp"

using namespace freshet;
using namespace freshet::account;
using namespace freshet::account::test;
using namespace std::chrono_literals;

namespace {

/// What reservations that may wait were told.
class answers {
 public:
  std::function<void(result<reservation>)> next() {
    return [this](result<reservation> made) {
      const std::lock_guard guard(mutex_);
      told_.push_back(made ? errc{} : made.error().code());
      threads_.push_back(std::this_thread::get_id());
      if (made && kept_) held_.push_back(std::move(*made));
      changed_.notify_all();
    };
  }
  std::vector<errc> await(std::size_t count) {
    std::unique_lock guard(mutex_);
    changed_.wait_for(guard, freshet::test::patience, [&] { return told_.size() >= count; });
    return told_;
  }
  std::size_t count() {
    const std::lock_guard guard(mutex_);
    return told_.size();
  }
  std::vector<std::thread::id> threads() {
    const std::lock_guard guard(mutex_);
    return threads_;
  }
  void drop_what_comes() { kept_ = false; }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<errc> told_;
  std::vector<std::thread::id> threads_;
  std::vector<reservation> held_;
  std::atomic<bool> kept_{true};
};

/// Accounts whose ledger thread stops at a gate before each transaction, and fails where it is
/// told to.
struct gated_store {
  explicit gated_store(std::int64_t monthly = 10, std::size_t max_queue = 16384) {
    accounts_options options = options_for(":memory:", clock, monthly);
    options.plans["pro"].monthly = {30};
    options.max_queue = max_queue;
    options.fail = [this](std::string_view stage) {
      if (stage == "begin") entrance.pass();
      return stage == "commit" && failing > 0 && failing-- > 0;
    };
    store = open_or_throw(options);
    who = new_principal(*store);
    static_cast<void>(store->balance_of(who));
  }
  ~gated_store() { entrance.open(); }

  manual_clock clock;
  gate entrance;
  std::atomic<int> failing{0};  ///< commits that will fail
  std::unique_ptr<accounts> store;
  principal who;
};

}  // namespace

TEST_CASE("a reservation that need not wait is told before the call returns") {
  gated_store in;
  answers told;
  in.store->reserve(in.who, {4}, told.next());
  CHECK(told.count() == 1);
  CHECK(in.store->balance_of(in.who).value().reserved == credits{4});
  in.store->reserve(in.who, {7}, told.next());
  in.store->reserve(in.who, {-1}, told.next());
  CHECK(told.await(3) == std::vector{errc{}, errc::insufficient_credits, errc::internal});
  for (const auto thread : told.threads()) CHECK(thread == std::this_thread::get_id());
}

TEST_CASE("a reservation that may not wait is made at once or not at all") {
  gated_store in;
  {
    const auto made = in.store->reserve_at_once(in.who, {4});
    REQUIRE(made.has_value());
    REQUIRE(made->has_value());
    CHECK(in.store->balance_of(in.who).value().reserved == credits{4});
    CHECK(in.store->reserve_at_once(in.who, {7})->error().code() == errc::insufficient_credits);
  }
  CHECK(in.store->balance_of(in.who).value().reserved == credits{0});
  in.clock.set(december);
  CHECK_FALSE(in.store->reserve_at_once(in.who, {1}).has_value());
  CHECK(in.store->reserve(in.who, {1}).has_value());
  CHECK(in.store->reserve_at_once(in.who, {1}).has_value());
}

TEST_CASE("a reservation waits for the month's grant without holding up its caller") {
  gated_store in;
  answers told;
  auto held = in.store->reserve(in.who, {6}).value();
  in.clock.set(december);
  in.entrance.close();
  for (int i = 0; i < 3; ++i) in.store->reserve(in.who, {2}, told.next());
  in.entrance.await();
  CHECK(told.count() == 0);
  in.entrance.open();
  // 10 of December, less 6 that a call of November holds.
  CHECK(told.await(3) == std::vector{errc{}, errc{}, errc::insufficient_credits});
  for (const auto thread : told.threads()) CHECK(thread != std::this_thread::get_id());
  held.release();
  CHECK(in.store->balance_of(in.who).value().posted == credits{10});
  CHECK(in.store->balance_of(in.who).value().reserved == credits{4});
  CHECK(in.store->verify().value().ok);
}

TEST_CASE("a month that cannot be written refuses the reservation that began it, and passes") {
  gated_store in;
  answers told;
  in.clock.set(december);
  in.failing = 1;
  in.store->reserve(in.who, {1}, told.next());
  CHECK(told.await(1) == std::vector{errc::storage_unavailable});
  in.store->reserve(in.who, {1}, told.next());
  CHECK(told.await(2).back() == errc{});
  CHECK(in.store->balance_of(in.who).value().available() == credits{9});
}

TEST_CASE("who waits for another's month that cannot be written begins it anew") {
  gated_store in;
  answers told;
  in.clock.set(december);
  in.entrance.close();
  in.store->reserve(in.who, {1}, told.next());
  in.entrance.await();
  for (int i = 0; i < 2; ++i) in.store->reserve(in.who, {1}, told.next());
  in.failing = 1;
  in.entrance.open();
  CHECK(told.await(3) == std::vector{errc::storage_unavailable, errc{}, errc{}});
  CHECK(in.store->balance_of(in.who).value().posted == credits{10});
}

TEST_CASE("a reservation waits for a change of plan, too") {
  gated_store in;
  answers told;
  in.entrance.close();
  bool changed = false;  // Catch2 counts on one thread alone
  std::thread changing(
      [&] { changed = in.store->change_plan(in.who.account.id, "pro").has_value(); });
  in.entrance.await();
  // More than the old plan gives.
  in.store->reserve(in.who, {12}, told.next());
  CHECK(told.count() == 0);
  in.entrance.open();
  CHECK(told.await(1) == std::vector{errc{}});
  changing.join();
  CHECK(changed);
}

TEST_CASE("reservations that wait are bounded") {
  gated_store in(10, 2);
  answers told;
  in.clock.set(december);
  in.entrance.close();
  for (int i = 0; i < 3; ++i) in.store->reserve(in.who, {1}, told.next());
  CHECK(told.await(1) == std::vector{errc::overloaded});
  in.entrance.open();
  CHECK(told.await(3) == std::vector{errc::overloaded, errc{}, errc{}});
}

TEST_CASE("accounts that close tell each reservation that waits, once") {
  answers told;
  told.drop_what_comes();
  {
    gated_store in;
    in.clock.set(december);
    in.entrance.close();
    for (int i = 0; i < 3; ++i) in.store->reserve(in.who, {1}, told.next());
    in.entrance.await();
    std::thread closing([&] { in.store.reset(); });
    // Whether it is seen to close before or after the commit, each is told.
    in.entrance.open();
    closing.join();
    CHECK(told.count() == 3);
  }
  CHECK(told.count() == 3);
  for (const errc code : told.await(3))
    CHECK((code == errc{} || code == errc::storage_unavailable));
}

TEST_CASE("a reservation that need not wait may be made on the ledger thread, another waits") {
  gated_store in;
  answers told;
  std::promise<errc> blocking;
  in.store->settle(in.store->reserve(in.who, {1}).value(), {1}, {}, [&](const result<balance>&) {
    in.clock.set(december);
    const auto refused = in.store->reserve(in.who, {1});
    blocking.set_value(refused ? errc{} : refused.error().code());
    in.store->reserve(in.who, {1}, told.next());
  });
  CHECK(blocking.get_future().get() == errc::internal);
  CHECK(told.await(1) == std::vector{errc{}});
}
