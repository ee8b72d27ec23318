// What large books cost: how long they take to open and what they hold in memory, with many
// accounts and keys; and, with a long ledger, what a report holds up, a refund and a page take. The
// books are made by SQL, with rows that no program has hashed.
//   bench_book                      100,000 accounts with a million keys, then five million calls
//   bench_book ACCOUNTS KEYS CALLS  as many of each
#include <sys/wait.h>
#include <unistd.h>
#include <account/accounts.hpp>
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <functional>
#include <future>
#include <sqlite/database_files.hpp>
#include <sqlite/sqlite.hpp>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace freshet;
using namespace freshet::account;
using sqlite::database;
using timer = std::chrono::steady_clock;

constexpr int used_keys = 1'000;

accounts_options options_for(const std::string& folder) {
  accounts_options options;
  options.database_path = folder + "/ledger.db";
  options.plans["free"].monthly = {100'000};
  options.plans["free"].rate = 1e6;
  options.plans["free"].burst = 1'000'000;
  return options;
}

std::unique_ptr<accounts> open(const std::string& folder) {
  auto opened = accounts::open(options_for(folder));
  if (!opened) {
    std::fprintf(stderr, "%s\n", opened.error().detail().c_str());
    std::_Exit(1);
  }
  return std::move(*opened);
}

void run(database& database, const std::string& sql) {
  if (database.execute(sql.c_str()) == sqlite::sqlite_ok) return;
  std::fprintf(stderr, "%s\n", database.last_error(sql.substr(0, 60)).detail().c_str());
  std::_Exit(1);
}

double ms_since(timer::time_point begun) {
  return std::chrono::duration<double, std::milli>(timer::now() - begun).count();
}

double processor_ms() { return 1e3 * static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

double resident_mb() {
  std::ifstream in("/proc/self/statm");
  std::size_t size = 0, resident = 0;
  in >> size >> resident;
  return static_cast<double>(resident * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE))) / 1e6;
}

/// Runs it in a process of its own, whose memory nothing else has used.
void apart(const std::function<void()>& what) {
  const pid_t child = ::fork();
  if (child == 0) {
    what();
    std::fflush(stdout);
    std::_Exit(0);
  }
  int status = 0;
  if (::waitpid(child, &status, 0) != child || status != 0) std::exit(1);
}

/// Opens what `store` has left to fill it fast.
void open_to_fill(database& database, const std::string& folder) {
  if (!database.open(folder + "/ledger.db", sqlite::database_use::write)) std::_Exit(1);
  run(database, "PRAGMA synchronous=OFF; PRAGMA cache_size=-500000");
}

std::string numbers_to(long most) {
  return "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i<" +
         std::to_string(most) + ") ";
}

/// `used_keys` keys that are known, of as many accounts; the hashes of the others are chance.
std::vector<std::string> make_people(const std::string& folder, long people, long keys) {
  static_cast<void>(open(folder));
  const auto pepper = sqlite::load_pepper(folder + "/pepper", false);
  std::vector<std::string> secrets;
  for (int i = 0; i < used_keys; ++i) secrets.push_back(generate_key(key_mode::live));
  apart([&] {
    database on;
    open_to_fill(on, folder);
    run(on, "INSERT INTO accounts (public_id, email, plan, created_at) " + numbers_to(people) +
                "SELECT printf('acc_01KATZ%020d', i), 'someone'||i||'@example.com', 'free', "
                "1795262400000 FROM n");
    run(on,
        "INSERT INTO keys (public_id, account_id, family, hash, is_test, last_four, scope_read, "
        "scope_account, created_at, name) " +
            numbers_to(keys) + "SELECT printf('key_01KATZ%020d', i), 1+i%" +
            std::to_string(people) +
            ", i, randomblob(32), 0, 'abcd', 1, 1, 1795262400000, 'agent' FROM n");
    sqlite::statement set(on, "query", "UPDATE keys SET hash=? WHERE id=?");
    for (int i = 0; i < used_keys; ++i) {
      const auto hash = hash_key(secrets[static_cast<std::size_t>(i)], *pepper);
      if (set.bind(hash, 1 + i * (keys / used_keys)).run() != sqlite::sqlite_ok) std::_Exit(1);
    }
  });
  return secrets;
}

/// Two accounts with a key each, of which the first has made `calls` in the days before now.
std::vector<std::string> make_calls(const std::string& folder, long calls) {
  std::vector<std::string> secrets;
  {
    const auto store = open(folder);
    for (const char* const email : {"a@example.com", "b@example.com"}) {
      const auto account = store->create_account(email, "free").value();
      key_options with;
      with.monthly_budget = credits{1'000'000'000};
      secrets.push_back(store->create_key(account.id, with).value().secret);
      if (!store->balance_of(store->authenticate(secrets.back()).value())) std::_Exit(1);
    }
  }
  const auto now = std::chrono::duration_cast<std::chrono::milliseconds>(
      std::chrono::system_clock::now().time_since_epoch());
  const std::string begun = std::to_string(now.count() - calls * 500);
  apart([&] {
    database on;
    open_to_fill(on, folder);
    run(on,
        "INSERT INTO ledger (seq, number, movement, book, amount, balance, monthly_left, kind, "
        "reason, endpoint, request_id, sources, period, key_id, at, hash) " +
            numbers_to(calls) +
            "SELECT 2+i, 1+i, 2+i, 'account:1', -1, 1000000, 0, 'usage', '', 'microblog/search', "
            "printf('req_01KATZ%020d', i), 'bluesky,mastodon', '', 1, " +
            begun + "+i*1000, randomblob(32) FROM n");
    run(on,
        "INSERT OR REPLACE INTO ledger_tops (seq, top) "
        "SELECT (block + 1) * 1024, max(newest) OVER (ORDER BY block) FROM ("
        "SELECT seq / 1024 AS block, max(at) AS newest FROM ledger "
        "WHERE seq < (SELECT max(seq) / 1024 * 1024 FROM ledger) GROUP BY seq / 1024)");
  });
  return secrets;
}

/// How long steps took, in milliseconds: by the wall's clock, and of this thread's processor time,
/// which a machine that is busy with others does not change.
struct step_times {
  std::vector<double> wall, used;
};

double thread_ms() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return 1e3 * static_cast<double>(now.tv_sec) + 1e-6 * static_cast<double>(now.tv_nsec);
}

void print_times(const char* name, step_times times) {
  const auto at = [](std::vector<double>& of, std::size_t hundredth) {
    std::sort(of.begin(), of.end());
    return of[(of.size() - 1) * hundredth / 100];
  };
  std::printf("  %-40s p50 %9.3f ms   p99 %9.3f ms   its thread's p50 %7.3f ms, p99 %7.3f ms\n",
              name, at(times.wall, 50), at(times.wall, 99), at(times.used, 50), at(times.used, 99));
  std::fflush(stdout);
}

template <class Step>
step_times times_of(int count, Step step) {
  step_times times;
  for (int i = 0; i < count; ++i) {
    const double used = thread_ms();
    const auto begun = timer::now();
    step(i);
    times.wall.push_back(ms_since(begun));
    times.used.push_back(thread_ms() - used);
  }
  return times;
}

void call_once(accounts& store, const std::string& key) {
  const auto who = store.authenticate(key);
  auto held = store.reserve(who.value(), {1});
  std::promise<bool> told;
  usage what;
  what.endpoint = "microblog/search";
  what.sources = "bluesky";
  store.settle(std::move(held.value()), {1}, what,
               [&](const result<balance>& after) { told.set_value(after.has_value()); });
  if (!told.get_future().get()) std::_Exit(1);
}

std::unique_ptr<accounts> measured_open(const std::string& folder) {
  const double used = processor_ms();
  const auto begun = timer::now();
  auto store = open(folder);
  std::printf("  start %.0f ms, of the processor %.0f ms\n", ms_since(begun),
              processor_ms() - used);
  std::fflush(stdout);
  return store;
}

void measure_people(const std::string& folder, const std::vector<std::string>& secrets) {
  const double before = resident_mb();
  const auto store = measured_open(folder);
  std::printf("  memory: %.1f MB more after the start\n", resident_mb() - before);
  const auto at = [&](int i) -> const std::string& { return secrets[static_cast<std::size_t>(i)]; };
  print_times("a key's first use",
              times_of(used_keys, [&](int i) { static_cast<void>(store->authenticate(at(i))); }));
  print_times("a key's second use",
              times_of(used_keys, [&](int i) { static_cast<void>(store->authenticate(at(i))); }));
  print_times("a key that was made up", times_of(20'000, [&](int) {
                static_cast<void>(store->authenticate(generate_key(key_mode::live)));
              }));
  print_times("an account's first call in a month",
              times_of(used_keys, [&](int i) { call_once(*store, at(i)); }));
  std::printf("  memory: %.1f MB more after the use of %d accounts\n", resident_mb() - before,
              used_keys);
}

void measure_calls(const std::string& folder, const std::vector<std::string>& secrets, long calls) {
  const auto store = measured_open(folder);
  print_times("the owner's first use",
              times_of(1, [&](int) { static_cast<void>(store->authenticate(secrets[0])); }));
  call_once(*store, secrets[0]);
  print_times("another's call", times_of(1'000, [&](int) { call_once(*store, secrets[1]); }));
  std::atomic<bool> ends{false};
  std::atomic<int> reports{0};
  std::thread owner([&] {
    while (!ends) {
      usage_query query;
      query.is_wanted = [&] { return !ends; };
      if (store->usage_of(1, query)) ++reports;
    }
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  print_times("another's call beside account/usage",
              times_of(1'000, [&](int) { call_once(*store, secrets[1]); }));
  ends = true;
  owner.join();
  print_times("account/usage over all",
              times_of(1, [&](int) { static_cast<void>(store->usage_of(1, {})); }));
  // Others than in the round before.
  const long first = 1 + store->stats().movements % 997;
  print_times("a refund by request id", times_of(100, [&](int i) {
                char id[64];
                std::snprintf(id, sizeof id, "req_01KATZ%020ld", first + i * (calls / 101));
                if (!store->refund(id, std::nullopt, "sorry")) std::_Exit(1);
              }));
  print_times("a refund that is refused", times_of(100, [&](int) {
                static_cast<void>(store->refund("req_nobody's", std::nullopt, "sorry"));
              }));
  const auto now =
      std::chrono::time_point_cast<std::chrono::milliseconds>(std::chrono::system_clock::now());
  for (const char* const kind : {"", "usage", "grant", "refund", "expiry"})
    for (const int days : {3650, 15, 1}) {
      ledger_filter only;
      only.kind = kind;
      only.since = now - std::chrono::hours(24 * days);
      const std::string what = std::string("a page of ") + (*kind == '\0' ? "all" : kind) +
                               " since " + std::to_string(days) + " days";
      print_times(what.c_str(),
                  times_of(50, [&](int) { static_cast<void>(store->ledger(1, 0, 100, only)); }));
    }
}

}  // namespace

int main(int count, char** arguments) {
  const auto number = [&](int at, long usual) {
    return count > at ? std::strtol(arguments[at], nullptr, 10) : usual;
  };
  const long people = number(1, 100'000), keys = number(2, 1'000'000), calls = number(3, 5'000'000);
  std::string folder = (std::filesystem::temp_directory_path() / "freshet-bench-XXXXXX").string();
  if (::mkdtemp(folder.data()) == nullptr) return 1;
  const auto measured = [&](const char* name, const auto& make, const auto& measure) {
    const std::string of = folder + "/" + name;
    std::filesystem::create_directory(of);
    const std::vector<std::string> secrets = make(of);
    ::sync();  // what was made without is nobody's start
    for (int round = 1; round <= 2; ++round) {
      std::printf("round %d\n", round);
      std::fflush(stdout);
      apart([&] { measure(of, secrets); });
    }
    std::filesystem::remove_all(of);
  };
  if (keys >= used_keys) {
    std::printf("%ld accounts with %ld keys\n", people, keys);
    measured(
        "people", [&](const std::string& in) { return make_people(in, people, keys); },
        measure_people);
  }
  if (calls > 0) {
    std::printf("%ld calls of one account\n", calls);
    measured(
        "calls", [&](const std::string& in) { return make_calls(in, calls); },
        [&](const std::string& in, const std::vector<std::string>& secrets) {
          measure_calls(in, secrets, calls);
        });
  }
  std::filesystem::remove_all(folder);
  return 0;
}
