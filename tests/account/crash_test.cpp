// Kills a process that debits, at random moments, and counts: what was answered is recorded, and
// nothing that was not begun.
#include <sys/wait.h>
#include <unistd.h>
#include <account/fixture.hpp>
#include <base/ids.hpp>
#include <catch2/catch.hpp>
#include <csignal>
#include <random>
#include <support/sanitized.hpp>
#include <thread>

using namespace freshet;
using namespace freshet::account;
using namespace freshet::account::test;

namespace {

constexpr char begun = 'b', answered = 'a';

/// The child: debits from eight threads until it is killed.
[[noreturn]] void debit_for_ever(const accounts_options& options, const std::string& key, int out) {
  const auto opened = accounts::open(options);
  if (!opened) ::_exit(3);
  accounts& store = **opened;
  const auto say = [out](char what) {
    if (::write(out, &what, 1) != 1) ::_exit(4);
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([&] {
      const auto who = store.authenticate(key).value();
      for (;;) {
        auto held = store.reserve(who, {1});
        if (!held) ::_exit(5);
        say(begun);
        usage what;
        what.request_id = base::make_id("req_", options.clock->now());
        if (!settle(store, std::move(*held), 1, what)) ::_exit(6);
        say(answered);
      }
    });
  for (;;) ::pause();
}

struct counts {
  std::int64_t begun = 0, answered = 0;
};

/// Starts the child, kills it after `answers` answers and counts what it said.
counts run_and_kill(const accounts_options& options, const std::string& key, int answers) {
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    ::close(ends[0]);
    debit_for_ever(options, key, ends[1]);
  }
  ::close(ends[1]);
  counts seen;
  bool killed = false;
  char block[512];
  for (ssize_t size = 0; (size = ::read(ends[0], block, killed ? sizeof block : 1)) > 0;) {
    for (ssize_t i = 0; i < size; ++i) ++(block[i] == answered ? seen.answered : seen.begun);
    if (!killed && seen.answered >= answers) killed = ::kill(child, SIGKILL) == 0;
  }
  ::close(ends[0]);
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  CHECK(WIFSIGNALED(status));
  return seen;
}

}  // namespace

TEST_CASE("kill -9 at any moment loses no answered debit and charges nothing that was not begun",
          "[many]") {
  const temporary_folder folder;
  manual_clock clock;
  const auto options = options_for(folder.file("ledger.db"), clock, 1'000'000);
  std::string key;
  {
    const auto store = open_or_throw(options);
    const auto account = store->create_account("a@example.com", "free").value();
    key = store->create_key(account.id, {}).value().secret;
    CHECK(store->balance_of(store->authenticate(key).value()).has_value());
  }
  std::mt19937 random(7);
  std::int64_t recorded_before = 0;
  for (int round = 0; round < freshet::test::cases(20, 20, 8); ++round) {
    const counts seen = run_and_kill(options, key, static_cast<int>(random() % 150));
    const auto store = open_or_throw(options);
    const auto who = store->authenticate(key).value();
    const auto after = store->balance_of(who).value();
    const std::int64_t recorded = 1'000'000 - after.posted.value - recorded_before;
    CAPTURE(round, seen.begun, seen.answered, recorded);
    CHECK(seen.answered <= recorded);
    CHECK(recorded <= seen.begun);
    CHECK(seen.begun <= seen.answered + 8);
    CHECK(after.reserved == credits{0});
    const auto report = store->verify().value();
    CHECK(report.ok);
    CHECK(report.rows == 1 + recorded_before + recorded);
    recorded_before += recorded;
  }
}
