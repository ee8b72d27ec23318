// The way into the log: what was added is there for who looks; nobody waits for a disk that fails;
// one account's flood leaves room for every other, and what was left out is counted.
#include "requests/request_log.hpp"

#include <atomic>
#include <condition_variable>
#include <fstream>
#include <future>
#include <mutex>
#include <sqlite/sqlite.hpp>
#include <support/database_at.hpp>
#include <support/eventually.hpp>
#include <thread>

#include "fixture.hpp"

using namespace freshet;
using namespace freshet::requests;
using namespace freshet::requests::test;
using freshet::test::eventually;
using std::chrono::hours;
using std::chrono::milliseconds;

namespace {

struct open_log {
  temporary_folder folder;
  manual_clock clock;
  std::mutex mutex;
  std::vector<std::string> told;

  [[nodiscard]] log_options options() {
    log_options made;
    made.database = freshet::test::database_at(folder.file("requests.db"));
    made.clock = &clock;
    made.batch_delay = milliseconds(1);
    made.retry_pause = milliseconds(1);
    made.purge_pause = milliseconds(5);
    made.tell = [this](std::string_view, std::string_view line) {
      const std::lock_guard lock(mutex);
      told.emplace_back(line);
    };
    return made;
  }
  [[nodiscard]] std::vector<std::string> lines() {
    const std::lock_guard lock(mutex);
    return told;
  }
};

void add(request_log& log, const std::string& id, const std::string& account = "acc_1") {
  sample_call one;
  one.id = id;
  one.account = account;
  log.add(one.facts());
}

list ids(request_log& log, std::string_view account = "acc_1") {
  const auto found = log.list({.account = account, .limit = 1'000'000});
  REQUIRE(found);
  return ids_of(*found);
}

/// A disk that stands still while it is told to.
class gate_of_disk {
 public:
  [[nodiscard]] std::function<bool(std::string_view)> hook() {
    return [this](std::string_view stage) {
      if (stage != "begin") return false;
      std::unique_lock lock(mutex_);
      is_reached_ = is_shut_;
      changed_.notify_all();
      changed_.wait(lock, [this] { return !is_shut_; });
      return false;
    };
  }
  void shut() {
    const std::lock_guard lock(mutex_);
    is_shut_ = true;
  }
  void await_reached() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return is_reached_; });
  }
  void open() {
    const std::lock_guard lock(mutex_);
    is_shut_ = false;
    changed_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_shut_ = false, is_reached_ = false;
};

}  // namespace

TEST_CASE("what was added is there for who looks next, and after a restart") {
  open_log here;
  {
    const auto log = request_log::open(here.options());
    for (int i = 0; i < 1'000; ++i) add(*log, "call-" + std::to_string(i));
    const auto found = ids(*log);
    CHECK(found.size() == 1'000);
    CHECK(found.front() == "call-999");
    CHECK(log->show("acc_1", "call-3")->call.request_id == "call-3");
    CHECK(log->figures().written == 1'000);
    add(*log, "last");
  }
  const auto log = request_log::open(here.options());
  CHECK(ids(*log).front() == "last");
  CHECK(log->figures().dropped == 0);
  CHECK(here.lines().empty());
}

TEST_CASE("bodies are kept where they are wanted and short enough") {
  open_log here;
  auto options = here.options();
  sample_call one;
  one.id = "a";
  const request_log::bodies_view bodies{"sent", "lead and ", "rest"};
  {
    const auto log = request_log::open(options);
    log->add(one.facts(), bodies);
    CHECK(log->show("acc_1", "a")->bodies.sent.empty());
  }
  options.limits.keep_bodies = hours(24);
  options.max_body_bytes = 13;
  const auto log = request_log::open(options);
  one.id = "b";
  log->add(one.facts(), bodies);
  CHECK(log->show("acc_1", "b")->bodies.sent == "sent");
  CHECK(log->show("acc_1", "b")->bodies.answered == "lead and rest");
  one.id = "c";
  log->add(one.facts(), {"fourteen bytes", "lead and ", "more "});
  CHECK(log->show("acc_1", "c")->bodies.sent.empty());
  CHECK(log->show("acc_1", "c")->bodies.answered.empty());
  here.clock.set(start_time + hours(25));
  CHECK(eventually([&] { return log->show("acc_1", "b")->bodies.sent.empty(); }));
  CHECK(log->show("acc_1", "b"));
  here.clock.set(start_time + hours(24 * 31));
  CHECK(eventually([&] { return ids(*log).empty(); }));
}

TEST_CASE("an account that floods the log while the disk stands still leaves room for the others") {
  open_log here;
  gate_of_disk disk;
  auto options = here.options();
  options.max_waiting_bytes = 100'000;
  options.fail = disk.hook();
  const auto log = request_log::open(options);
  add(*log, "before");
  REQUIRE(ids(*log).size() == 1);
  disk.shut();
  add(*log, "held up");
  disk.await_reached();
  for (int i = 0; i < 10'000; ++i) add(*log, "flood", "acc_flood");
  for (int i = 0; i < 10'000; ++i) add(*log, "second", "acc_second");
  for (int quiet = 0; quiet < 20; ++quiet) add(*log, "quiet", "acc_" + std::to_string(100 + quiet));
  const auto waiting = log->figures();
  CHECK(waiting.waiting_bytes <= options.max_waiting_bytes);
  CHECK(waiting.dropped > 18'000);
  disk.open();
  REQUIRE(eventually([&] { return log->figures().waiting_bytes == 0; }));
  for (int quiet = 0; quiet < 20; ++quiet) {
    CHECK(ids(*log, "acc_" + std::to_string(100 + quiet)) == list{"quiet"});
  }
  const auto flood = ids(*log, "acc_flood").size();
  const auto second = ids(*log, "acc_second").size();
  CHECK(flood > 100);
  CHECK(second > 50);
  const auto now = log->figures();
  CHECK(now.written == 2 + flood + second + 20);
  CHECK(now.written + now.dropped == 2 + 20'000 + 20);
  CHECK(now.failed == 0);
}

TEST_CASE("nobody waits for a disk that stands still") {
  open_log here;
  gate_of_disk disk;
  auto options = here.options();
  options.fail = disk.hook();
  const auto log = request_log::open(options);
  add(*log, "written");
  REQUIRE(ids(*log).size() == 1);
  disk.shut();
  add(*log, "waits");
  disk.await_reached();
  add(*log, "too");
  // A reader gets what there is.
  CHECK(ids(*log) == list{"written"});
  disk.open();
  CHECK(eventually([&] { return ids(*log) == list{"too", "waits", "written"}; }));
}

TEST_CASE("a full disk costs the log what comes meanwhile, and is said once", "[sqlite]") {
  open_log here;
  std::atomic<bool> is_full = false;
  auto options = here.options();
  options.fail = [&](std::string_view stage) { return is_full && stage == "insert"; };
  const auto log = request_log::open(options);
  add(*log, "before");
  CHECK(ids(*log) == list{"before"});
  is_full = true;
  for (int i = 0; i < 5; ++i) {
    add(*log, "lost");
    CHECK(ids(*log) == list{"before"});
  }
  is_full = false;
  add(*log, "after");
  CHECK(ids(*log) == list{"after", "before"});
  CHECK(log->figures().failed == 5);
  REQUIRE(here.lines().size() == 1);
  CHECK(here.lines().front().find("calls are missing in the log") != std::string::npos);
}

TEST_CASE("a broken file is put aside, at the start and in the middle", "[sqlite]") {
  open_log here;
  const auto ruin = [&] {
    std::ofstream(here.folder.file("requests.db")) << std::string(20'000, 'x');
  };
  ruin();
  {
    const auto log = request_log::open(here.options());
    add(*log, "new");
    CHECK(ids(*log) == list{"new"});
    CHECK(std::filesystem::exists(here.folder.file("requests.db.broken")));
    REQUIRE(here.lines().size() == 1);
    CHECK(here.lines().front().find("is broken") != std::string::npos);
    for (int i = 0; i < 500; ++i) add(*log, std::string(100, 'a') + std::to_string(i));
    REQUIRE(ids(*log).size() == 501);
  }
  std::filesystem::resize_file(here.folder.file("requests.db"), 5'000);
  const auto log = request_log::open(here.options());
  CHECK(eventually([&] {
    add(*log, "again");
    const auto found = log->list({.account = "acc_1"});
    return found && !found->empty() && found->front().request_id == "again";
  }));
}

TEST_CASE("a folder that cannot be written leaves calls alone", "[sqlite]") {
  open_log here;
  auto options = here.options();
  options.database = here.folder.path() + "/later/requests.db";
  const auto log = request_log::open(options);
  add(*log, "lost");
  CHECK(eventually([&] { return log->figures().failed == 1; }));
  CHECK(log->list({.account = "acc_1"}).error().code() == errc::storage_unavailable);
  CHECK(log->show("acc_1", "lost").error().code() == errc::storage_unavailable);
  std::filesystem::create_directory(here.folder.path() + "/later");
  CHECK(eventually([&] {
    add(*log, "kept");
    return log->figures().written > 0;
  }));
  CHECK(ids(*log).front() == "kept");
}

TEST_CASE("a file that another program has locked is written when it is let go of", "[sqlite]") {
  open_log here;
  const auto log = request_log::open(here.options());
  add(*log, "before");
  REQUIRE(ids(*log).size() == 1);
  sqlite::database other;
  REQUIRE(other.open(here.folder.file("requests.db"), sqlite::database_use::write));
  REQUIRE(other.execute("BEGIN IMMEDIATE") == sqlite::sqlite_ok);
  add(*log, "meanwhile");
  CHECK(ids(*log) == list{"before"});
  REQUIRE(other.execute("COMMIT") == sqlite::sqlite_ok);
  other.close();
  CHECK(eventually([&] { return ids(*log).size() == 2; }));
}

TEST_CASE("an account is forgotten, also where the disk fails at first") {
  open_log here;
  std::atomic<int> failures = 3;
  auto options = here.options();
  options.fail = [&](std::string_view stage) { return stage == "purge" && failures-- > 0; };
  const auto log = request_log::open(options);
  for (const auto* account : {"acc_1", "acc_2"}) add(*log, "call", account);
  REQUIRE(ids(*log).size() == 1);
  log->forget("acc_1");
  CHECK(eventually([&] { return ids(*log).empty(); }));
  CHECK(ids(*log, "acc_2").size() == 1);
}

TEST_CASE("a call that ends after its account was forgotten is not kept") {
  open_log here;
  const auto log = request_log::open(here.options());
  for (const auto* account : {"acc_1", "acc_2"}) add(*log, "call", account);
  log->forget("acc_1");
  for (const auto* account : {"acc_1", "acc_2"}) add(*log, "late", account);
  REQUIRE(eventually([&] { return ids(*log).empty(); }));
  CHECK(ids(*log, "acc_2").size() == 2);
  add(*log, "later", "acc_1");
  CHECK(ids(*log).empty());
}

TEST_CASE("a call that waits while its account is forgotten is not kept") {
  open_log here;
  std::promise<void> begun, goes_on;
  std::atomic<bool> is_first = true;
  auto options = here.options();
  options.fail = [&](std::string_view stage) {
    if (stage != "insert" || !is_first.exchange(false)) return false;
    begun.set_value();
    goes_on.get_future().wait();
    return false;
  };
  const auto log = request_log::open(options);
  add(*log, "first", "acc_2");
  begun.get_future().wait();
  add(*log, "waiting", "acc_1");
  log->forget("acc_1");
  goes_on.set_value();
  CHECK(ids(*log, "acc_2") == list{"first"});
  CHECK(ids(*log).empty());
  CHECK(log->figures().waiting_bytes == 0);
}

TEST_CASE("many threads add and read at once") {
  open_log here;
  const auto log = request_log::open(here.options());
  constexpr int threads = 4, calls = 2'000;
  std::vector<std::thread> running;
  for (int which = 0; which < threads; ++which) {
    running.emplace_back([&, which] {
      const auto account = "acc_" + std::to_string(which);
      for (int i = 0; i < calls; ++i) {
        add(*log, "call-" + std::to_string(i), account);
        if (i % 500 == 0) static_cast<void>(log->list({.account = account}));
      }
    });
  }
  for (auto& one : running) one.join();
  for (int which = 0; which < threads; ++which) {
    const auto found = ids(*log, "acc_" + std::to_string(which));
    REQUIRE(found.size() == calls);
    for (int i = 0; i < calls; ++i)
      CHECK(found[static_cast<std::size_t>(i)] == "call-" + std::to_string(calls - 1 - i));
  }
}
