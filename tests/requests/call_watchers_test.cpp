// Watching an account's calls: who is told, until when, and how many may be.
#include "requests/call_watchers.hpp"

#include <atomic>
#include <catch2/catch.hpp>
#include <support/eventually.hpp>

#include "fixture.hpp"
#include "requests/request_log.hpp"

using namespace freshet;
using namespace freshet::requests;
using namespace freshet::requests::test;

namespace {

std::function<bool()> counter(std::shared_ptr<std::atomic<int>> told, bool goes_on = true) {
  return [told = std::move(told), goes_on] {
    ++*told;
    return goes_on;
  };
}

}  // namespace

TEST_CASE("a watch is told of its account until it goes") {
  call_watchers watchers;
  const auto mine = std::make_shared<std::atomic<int>>(0);
  const auto others = std::make_shared<std::atomic<int>>(0);
  auto watch = watchers.add("acc_1", counter(mine));
  auto once = watchers.add("acc_1", counter(others, false));
  auto stranger = watchers.add("acc_2", counter(others));
  REQUIRE((watch && once && stranger));
  watchers.tell("acc_1");
  watchers.tell("acc_1");
  CHECK(*mine == 2);
  CHECK(*others == 1);  // it answered false
  watch->reset();
  watchers.tell("acc_1");
  CHECK(*mine == 2);
  watchers.tell("acc_2");
  CHECK(*others == 2);
}

TEST_CASE("as many watch an account, and all of them, as there may be") {
  call_watchers watchers;
  const auto told = std::make_shared<std::atomic<int>>(0);
  std::vector<call_watch> held;
  const auto add = [&](const std::string& account) {
    auto made = watchers.add(account, counter(told));
    if (!made) return made.error().code();
    held.push_back(std::move(*made));
    return errc{};
  };
  for (std::size_t n = 0; n < max_watches_of_account; ++n) CHECK(add("acc_1") == errc{});
  CHECK(add("acc_1") == errc::overloaded);
  CHECK(add("acc_2") == errc{});
  held.erase(held.begin());  // a place is free again
  CHECK(add("acc_1") == errc{});
  for (int n = 0; held.size() < max_watches; ++n) REQUIRE(add(std::to_string(n)) == errc{});
  CHECK(add("acc_3") == errc::overloaded);
  held.clear();
  CHECK(add("acc_3") == errc{});
}

TEST_CASE("accounts with many watches leave some to those without any") {
  call_watchers watchers;
  const auto told = std::make_shared<std::atomic<int>>(0);
  std::vector<call_watch> held;
  for (std::size_t n = 0; n < 2 * max_watches; ++n) {
    auto made = watchers.add(std::to_string(n % (max_watches / 8)), counter(told));
    if (made) held.push_back(std::move(*made));
  }
  CHECK(held.size() == max_watches - max_watches / 4);
  CHECK(watchers.add("another", counter(told)));
}

TEST_CASE("a watch that ends while it is told") {
  call_watchers watchers;
  call_watch watch;
  int told = 0;
  watch = *watchers.add("acc_1", [&] {
    ++told;
    watch.reset();
    return true;
  });
  watchers.tell("acc_1");
  watchers.tell("acc_1");
  CHECK(told == 1);
}

TEST_CASE("the log tells who watches once calls are written") {
  temporary_folder folder;
  manual_clock clock;
  log_options options;
  options.database = folder.file("requests.db");
  options.clock = &clock;
  options.batch_delay = std::chrono::milliseconds(1);
  const auto log = request_log::open(std::move(options));
  const auto told = std::make_shared<std::atomic<int>>(0);
  const auto watch = log->watch("acc_1", counter(told));
  REQUIRE(watch);
  const auto add = [&](const std::string& account) {
    sample_call one;
    one.account = account;
    log->add(one.facts());
  };
  add("acc_2");
  REQUIRE(log->list({.account = "acc_2"})->size() == 1);
  CHECK(*told == 0);
  add("acc_1");
  CHECK(freshet::test::eventually([&] { return *told == 1; }));
}
