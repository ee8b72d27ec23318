#include <sqlite3.h>
#include <sys/resource.h>
#include <account/commit_queue.hpp>
#include <account/fixture.hpp>
#include <catch2/catch.hpp>
#include <csignal>
#include <mutex>
#include <sqlite/sqlite.hpp>
#include <thread>

#include "support/eventually.hpp"

using namespace freshet;
using namespace freshet::account;
using namespace freshet::account::test;
using namespace std::chrono_literals;

namespace {

bool wait_until_healthy(const accounts& store) {
  return freshet::test::eventually([&] { return store.healthy(); });
}

}  // namespace

TEST_CASE("settlements that queue up while a commit runs share the next one") {
  manual_clock clock;
  std::mutex gate;
  auto options = options_for(":memory:", clock);
  options.fail = [&](std::string_view stage) {
    if (stage == "commit") const std::lock_guard wait(gate);
    return false;
  };
  options.max_batch = 64;
  const auto store = open_or_throw(options);
  const auto who = new_principal(*store);
  CHECK(store->balance_of(who).has_value());
  const auto before = store->stats().batches;
  std::atomic<int> told{0};
  std::promise<void> all;
  {
    const std::lock_guard hold(gate);
    for (int i = 0; i < 200; ++i)
      store->settle(store->reserve(who, {1}).value(), {1}, {}, [&](const result<balance>& after) {
        if (after && ++told == 200) all.set_value();
      });
  }
  CHECK(all.get_future().wait_for(freshet::test::patience) == std::future_status::ready);
  // The first few go alone; the rest in batches of at most 64.
  CHECK(store->stats().batches - before >= 4);
  CHECK(store->stats().batches - before <= 8);
  CHECK(store->balance_of(who).value().posted == credits{800});
}

TEST_CASE("closing finishes what has queued") {
  const temporary_folder folder;
  manual_clock clock;
  const auto options = options_for(folder.file("ledger.db"), clock);
  std::atomic<int> told{0};
  {
    const auto store = open_or_throw(options);
    const auto who = new_principal(*store);
    for (int i = 0; i < 300; ++i)
      store->settle(store->reserve(who, {1}).value(), {1}, {}, [&](const result<balance>& after) {
        if (after) ++told;
      });
  }
  CHECK(told == 300);
  CHECK(open_or_throw(options)->ledger(1, 0, 1).value().at(0).balance == 700);
}

TEST_CASE("a fault at any step of a settlement charges nothing and passes") {
  for (int nth = 0;; ++nth) {
    manual_clock clock;
    std::atomic<int> left{-1};
    auto options = options_for(":memory:", clock, 10);
    options.fail = [&](std::string_view stage) {
      return stage != "query" && stage != "sync" && left >= 0 && left-- == 0;
    };
    const auto store = open_or_throw(options);
    const auto who = new_principal(*store);
    CHECK(store->balance_of(who).has_value());
    CHECK(store->begin_idempotent(who, "k", "f").has_value());
    auto held = store->reserve(who, {3}).value();
    left = nth;
    usage what;
    what.idempotency_key = "k";
    what.answer.fingerprint = "f";
    const auto after = settle(*store, std::move(held), 3, what);
    if (after) {
      CHECK(nth >= 5);  // begin, row, answer, head, commit
      break;
    }
    CAPTURE(nth);
    CHECK(after.error().code() == errc::storage_unavailable);
    CHECK(store->healthy());
    CHECK(store->stats().failed_batches == 1);
    CHECK(store->balance_of(who).value().available() == credits{10});
    CHECK(store->ledger(who.account.id, 0, 10).value().size() == 1);
    CHECK_FALSE(store->begin_idempotent(who, "k", "f").value().has_value());
    CHECK(settle(*store, store->reserve(who, {3}).value(), 3, what).value().posted == credits{7});
    CHECK(store->verify().value().ok);
  }
}

TEST_CASE("a full disk: nothing is charged, calls are refused before they cost, and it passes") {
  manual_clock clock;
  std::atomic<bool> full{false};
  auto options = options_for(":memory:", clock, 10);
  options.fail = [&](std::string_view stage) { return full && stage != "query"; };
  const auto store = open_or_throw(options);
  const auto who = new_principal(*store);
  CHECK(store->balance_of(who).has_value());
  CHECK(store->healthy());
  std::vector<reservation> held;
  for (int i = 0; i < 5; ++i) held.push_back(store->reserve(who, {1}).value());
  full = true;
  for (auto& one : held)
    CHECK(settle(*store, std::move(one), 1).error().code() == errc::storage_unavailable);
  CHECK_FALSE(store->healthy());
  CHECK(store->reserve(who, {1}).error().code() == errc::storage_unavailable);
  CHECK(store->create_account("b@example.com", "free").error().code() == errc::storage_unavailable);
  CHECK(store->find_account("b@example.com").error().code() == errc::not_found);
  CHECK(store->revoke_key(0, who.key.public_id).error().code() == errc::storage_unavailable);
  CHECK(store->balance_of(who).value().available() == credits{10});
  clock.advance(24h * 30);
  CHECK(store->balance_of(who).error().code() == errc::storage_unavailable);
  clock.advance(-24h * 30);
  full = false;
  CHECK(wait_until_healthy(*store));
  CHECK(settle(*store, store->reserve(who, {4}).value(), 4).value().posted == credits{6});
  CHECK(store->verify().value().ok);
}

TEST_CASE("a file that may not grow: the system's own refusal, and recovery", "[sqlite]") {
  const temporary_folder folder;
  manual_clock clock;
  const auto store = open_or_throw(options_for(folder.file("ledger.db"), clock, 100'000));
  const auto who = new_principal(*store);
  CHECK(store->balance_of(who).has_value());
  struct rlimit before {};
  REQUIRE(::getrlimit(RLIMIT_FSIZE, &before) == 0);
  const auto old_handler = std::signal(SIGXFSZ, SIG_IGN);
  struct rlimit small = before;
  small.rlim_cur = 400'000;
  REQUIRE(::setrlimit(RLIMIT_FSIZE, &small) == 0);
  std::int64_t charged = 0;
  bool refused = false;
  for (int i = 0; i < 2000 && !refused; ++i) {
    auto held = store->reserve(who, {1});
    const auto after = held ? settle(*store, std::move(*held), 1) : result<balance>(held.error());
    refused = !after;
    if (after) ++charged;
  }
  const auto during = store->balance_of(who).value();
  ::setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, old_handler);
  CHECK(refused);
  CHECK(charged > 0);
  CHECK(during.posted == credits{100'000 - charged});
  CHECK(wait_until_healthy(*store));
  CHECK(settle(*store, store->reserve(who, {1}).value(), 1).value().posted ==
        credits{100'000 - charged - 1});
  const auto report = store->verify().value();
  CHECK(report.ok);
  CHECK(report.rows == 1 + charged + 1);
}

TEST_CASE("after a failed sync everything is refused until a restart, which recovers") {
  const temporary_folder folder;
  manual_clock clock;
  std::atomic<bool> broken{false};
  auto options = options_for(folder.file("ledger.db"), clock, 10);
  options.fail = [&](std::string_view stage) { return broken && stage == "sync"; };
  std::vector<std::string> told;
  options.lost = [&](const error& why) { told.push_back(why.detail()); };
  std::string key;
  {
    const auto store = open_or_throw(options);
    const auto account = store->create_account("a@example.com", "free").value();
    key = store->create_key(account.id, {}).value().secret;
    const auto who = store->authenticate(key).value();
    auto held = store->reserve(who, {1}).value();
    broken = true;
    CHECK(settle(*store, std::move(held), 1).error().code() == errc::storage_unavailable);
    broken = false;
    CHECK_FALSE(store->healthy());
    CHECK(store->reserve(who, {1}).error().code() == errc::storage_unavailable);
    CHECK(store->grant(account.id, {1}, "x").error().code() == errc::storage_unavailable);
    CHECK_FALSE(store->healthy());
  }
  CHECK(told == std::vector<std::string>{"writing: a sync failed"});
  const auto store = open_or_throw(options);
  const auto who = store->authenticate(key).value();
  CHECK(store->balance_of(who).value().available() == credits{10});
  CHECK(store->reserve(who, {1}).has_value());
  CHECK(store->verify().value().ok);
}

TEST_CASE("one settlement that cannot be written does not spoil its batch", "[sqlite]") {
  const temporary_folder folder;
  manual_clock clock;
  std::mutex gate;
  auto options = options_for(folder.file("ledger.db"), clock);
  options.fail = [&](std::string_view stage) {
    if (stage == "commit") const std::lock_guard wait(gate);
    return false;
  };
  const auto store = open_or_throw(options);
  const auto who = new_principal(*store);
  CHECK(store->balance_of(who).has_value());
  sqlite3* outside = nullptr;
  REQUIRE(sqlite3_open(options.database_path.c_str(), &outside) == SQLITE_OK);
  sqlite3_db_config(outside, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
  CHECK(sqlite3_exec(outside,
                     "PRAGMA busy_timeout=5000; PRAGMA wal_autocheckpoint=0;"
                     "CREATE TRIGGER poison BEFORE INSERT ON answers WHEN NEW.key='poison' "
                     "BEGIN SELECT RAISE(ABORT, 'poison'); END",
                     nullptr, nullptr, nullptr) == SQLITE_OK);
  sqlite3_close(outside);
  std::atomic<int> charged{0}, failed{0};
  std::promise<void> all;
  {
    const std::lock_guard hold(gate);
    for (int i = 0; i < 50; ++i) {
      usage what;
      what.idempotency_key = i == 25 ? "poison" : "k" + std::to_string(i);
      store->settle(store->reserve(who, {1}).value(), {1}, what, [&](const result<balance>& after) {
        ++(after ? charged : failed);
        if (charged + failed == 50) all.set_value();
      });
    }
  }
  CHECK(all.get_future().wait_for(freshet::test::patience) == std::future_status::ready);
  CHECK(charged == 49);
  CHECK(failed == 1);
  CHECK(store->healthy());
  CHECK(store->balance_of(who).value().available() == credits{951});
  CHECK(store->verify().value().ok);
}

TEST_CASE("answers older than a day are removed, in the course of other work", "[sqlite]") {
  const temporary_folder folder;
  manual_clock clock;
  const auto store = open_or_throw(options_for(folder.file("ledger.db"), clock));
  const auto who = new_principal(*store);
  const auto answers = [&] {
    sqlite3* outside = nullptr;
    REQUIRE(sqlite3_open_v2(folder.file("ledger.db").c_str(), &outside, SQLITE_OPEN_READWRITE,
                            nullptr) == SQLITE_OK);
    sqlite3_db_config(outside, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
    sqlite3_stmt* count = nullptr;
    REQUIRE(sqlite3_prepare_v2(outside, "SELECT count(*) FROM answers", -1, &count, nullptr) ==
            SQLITE_OK);
    REQUIRE(sqlite3_step(count) == SQLITE_ROW);
    const int found = sqlite3_column_int(count, 0);
    sqlite3_finalize(count);
    sqlite3_close(outside);
    return found;
  };
  for (int i = 0; i < 10; ++i) {
    usage what;
    what.idempotency_key = "k" + std::to_string(i);
    CHECK(settle(*store, store->reserve(who, {1}).value(), 1, what).has_value());
    clock.advance(1h);
  }
  CHECK(answers() == 10);
  clock.advance(20h);
  CHECK(settle(*store, store->reserve(who, {1}).value(), 1).has_value());
  CHECK(answers() == 4);
}

namespace {

/// What a queue has done, in words, in the order in which it did it.
class diary {
 public:
  void write(const std::string& line) {
    const std::lock_guard guard(mutex_);
    lines_.push_back(line);
  }
  std::vector<std::string> take() {
    const std::lock_guard guard(mutex_);
    return std::exchange(lines_, {});
  }

 private:
  std::mutex mutex_;
  std::vector<std::string> lines_;
};

class noted_follower final : public follower {
 public:
  explicit noted_follower(diary& notes) : notes_(notes) {}
  void seal(transaction&) override { notes_.write("seal"); }
  void drop() noexcept override { notes_.write("drop"); }
  void take() override { notes_.write("take"); }

 private:
  diary& notes_;
};

/// Stores a secret; of one name there can be one only.
class noted_work final : public work {
 public:
  noted_work(diary& notes, std::string name, std::promise<bool>& told)
      : notes_(notes), name_(std::move(name)), told_(told) {}
  void write(transaction& running) override {
    notes_.write("write " + name_);
    running.put_secret(name_, "value");
  }
  void conclude(bool committed) override {
    notes_.write((committed ? "conclude " : "refuse ") + name_);
  }
  void observe() override { notes_.write("observe " + name_); }
  void tell(bool committed) override {
    notes_.write("tell " + name_);
    told_.set_value(committed);
  }

 private:
  diary& notes_;
  std::string name_;
  std::promise<bool>& told_;
};

class no_upkeep final : public upkeep {
 public:
  [[nodiscard]] std::optional<std::chrono::milliseconds> due_in() const override { return {}; }
  void add_due(std::vector<std::unique_ptr<work>>&, bool) override {}
};

/// A queue over a store in memory; what is posted by one call falls into one batch.
struct noted_queue {
  noted_queue() {
    queue.follow({&memory});
    queue.start();
  }
  std::vector<bool> post(const std::vector<std::string>& names) {
    std::vector<std::promise<bool>> told(names.size());
    {
      const auto guard = queue.lock();
      for (std::size_t i = 0; i < names.size(); ++i)
        queue.post(std::make_unique<noted_work>(notes, names[i], told[i]));
    }
    std::vector<bool> outcome;
    for (auto& one : told) outcome.push_back(one.get_future().get());
    return outcome;
  }

  std::string failing;  ///< the step that fails; set while nothing is posted
  const book_at at = book_of(":memory:");
  std::unique_ptr<account_store> books =
      account_store::open({at.database, [this](std::string_view step) { return step == failing; },
                           nullptr, at.folder})
          .value();
  diary notes;
  noted_follower memory{notes};
  no_upkeep nothing;
  commit_queue queue{*books, nothing, 64};
};

using lines = std::vector<std::string>;

}  // namespace

TEST_CASE("a batch is written, sealed, taken, concluded, observed and told, in this order") {
  noted_queue in;
  CHECK(in.post({"a", "b"}) == std::vector{true, true});
  in.queue.stop();
  CHECK(in.notes.take() == lines{"write a", "write b", "seal", "take", "conclude a", "conclude b",
                                 "observe a", "observe b", "tell a", "tell b"});
}

TEST_CASE("of a batch that is refused each is written alone, and only the one at fault fails") {
  noted_queue in;
  CHECK(in.post({"a", "a", "b"}) == std::vector{true, false, true});
  in.queue.stop();
  CHECK(in.notes.take() ==
        lines{"write a", "write a", "drop",                                           //
              "write a", "seal",    "take",     "conclude a", "observe a", "tell a",  //
              "write a", "drop",    "refuse a", "observe a",  "tell a",               //
              "write b", "seal",    "take",     "conclude b", "observe b", "tell b"});
  CHECK(in.queue.count().failed_batches == 2);
}

TEST_CASE("a batch that the storage refuses is dropped as a whole, and the queue goes on") {
  noted_queue in;
  in.failing = "commit";
  CHECK(in.post({"a", "b"}) == std::vector{false, false});
  CHECK(in.queue.is_writable());
  in.failing = "sync";
  CHECK(in.post({"a"}) == std::vector{false});
  CHECK_FALSE(in.queue.is_writable());
  in.failing.clear();
  // Nobody knows what is stored: nothing is even written.
  static_cast<void>(in.notes.take());
  CHECK(in.post({"c"}) == std::vector{false});
  in.queue.stop();
  CHECK(in.notes.take() == lines{"refuse c", "observe c", "tell c"});
}

TEST_CASE("what is purged keeps up with any number of answers, some in each commit",
          "[alone][sqlite]") {
  const temporary_folder folder;
  manual_clock clock;
  std::atomic<int> commits{0};
  auto options = options_for(folder.file("ledger.db"), clock, 10'000);
  options.fail = [&](std::string_view stage) {
    if (stage == "begin") ++commits;
    return false;
  };
  const auto store = open_or_throw(options);
  const auto who = new_principal(*store);
  CHECK(store->balance_of(who).has_value());
  constexpr int answers = 2'300;
  std::atomic<int> told{0};
  for (int i = 0; i < answers; ++i) {
    usage what;
    what.idempotency_key = "k" + std::to_string(i);
    store->settle(store->reserve(who, {1}).value(), {1}, what,
                  [&](const result<balance>&) { ++told; });
  }
  REQUIRE(freshet::test::eventually([&] { return told == answers; }));
  clock.advance(25h);
  commits = 0;
  CHECK(settle(*store, store->reserve(who, {1}).value(), 1).has_value());
  // Nobody calls any more: it goes on by itself.
  CHECK(freshet::test::eventually([&] {
    sqlite::database on;
    REQUIRE(on.open(folder.file("ledger.db"), sqlite::database_use::read).has_value());
    return on.integer("SELECT count(*) FROM answers").value() == 0;
  }));
  CHECK(commits >= answers / 500);
}

TEST_CASE("storing when keys were used takes as long as there are used ones, some in each commit",
          "[alone]") {
  manual_clock clock;
  std::atomic<int> in_commit{0}, most{0}, all{0};
  auto options = options_for(":memory:", clock);
  options.fail = [&](std::string_view stage) {
    if (stage == "begin") in_commit = 0;
    if (stage == "upkeep") {
      ++all;
      most = std::max(most.load(), ++in_commit);
    }
    return false;
  };
  const auto store = open_or_throw(options);
  std::vector<std::string> keys;
  key_options test_key;
  test_key.mode = key_mode::test;
  for (int i = 0; i < 5; ++i) {
    const auto account =
        store->create_account("a" + std::to_string(i) + "@example.com", "free").value();
    for (int key = 0; key < 540; ++key)
      keys.push_back(store->create_key(account.id, test_key).value().secret);
  }
  all = most = 0;
  for (const auto& key : keys) REQUIRE(store->authenticate(key).has_value());
  clock.advance(31s);
  CHECK(store->create_account("b@example.com", "free").has_value());
  CHECK(freshet::test::eventually([&] { return all >= 2'700; }));
  CHECK(most <= 2'010);
}
