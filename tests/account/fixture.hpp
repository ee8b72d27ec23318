// What the tests of the accounts share: the shortest way to a store with an account and a key, and
// ways to hold its threads.
#pragma once

#include <account/accounts.hpp>
#include <account/book_at.hpp>
#include <account/users.hpp>
#include <condition_variable>
#include <future>
#include <mutex>
#include <stdexcept>
#include <string>
#include <support/manual_clock.hpp>
#include <support/temporary_folder.hpp>
#include <thread>
#include <vector>

namespace freshet::account::test {

using freshet::test::manual_clock;
using freshet::test::start_time;
using freshet::test::temporary_folder;

/// The first moment of the month after it.
inline const time_point december{std::chrono::sys_days{std::chrono::year{2026} / 12 / 1}};

/// Stops the ledger thread before its next transaction, until it is opened.
class gate {
 public:
  void close() {
    const std::lock_guard guard(mutex_);
    open_ = false;
    waiting_ = false;
  }
  void open() {
    const std::lock_guard guard(mutex_);
    open_ = true;
    changed_.notify_all();
  }
  void pass() {
    std::unique_lock guard(mutex_);
    waiting_ = true;
    changed_.notify_all();
    changed_.wait(guard, [&] { return open_; });
  }
  /// Until somebody waits.
  void await() {
    std::unique_lock guard(mutex_);
    changed_.wait(guard, [&] { return waiting_; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool open_ = true, waiting_ = false;
};

inline accounts_options options_for(const std::string& path, const base::clock& clock,
                                    std::int64_t monthly = 1000) {
  accounts_options options;
  const book_at at = book_of(path);
  options.database_path = at.database;
  options.folder = at.folder;
  options.clock = &clock;
  options.plans["free"].monthly = {monthly};
  return options;
}

/// Opens or throws with the error's words.
inline std::unique_ptr<accounts> open_or_throw(accounts_options options) {
  auto opened = accounts::open(std::move(options));
  if (!opened) throw std::runtime_error(opened.error().detail());
  return std::move(*opened);
}

/// A new account with one live key, authenticated.
inline principal new_principal(accounts& accounts, const std::string& email = "a@example.com",
                               const key_options& options = {}) {
  const auto found = accounts.find_account(email);
  const auto account = found ? found : accounts.create_account(email, "free");
  const auto key = accounts.create_key(account.value().id, options);
  return accounts.authenticate(key.value().secret).value();
}

/// Settles and waits for the answer.
inline result<balance> settle(accounts& accounts, reservation held, std::int64_t price,
                              usage usage = {}) {
  std::promise<result<balance>> told;
  auto answer = told.get_future();
  if (usage.endpoint.empty()) usage.endpoint = "microblog/search";
  accounts.settle(std::move(held), {price}, std::move(usage),
                  [&](result<balance> after) { told.set_value(std::move(after)); });
  return answer.get();
}

/// Charges that one commit writes. The store's `fail` must let `before` pass at "begin", and it
/// must be closed by nobody else.
inline void charge_together(accounts& accounts, gate& before, const std::vector<principal>& callers,
                            const std::vector<usage>& usages) {
  std::vector<reservation> held;
  for (const auto& who : callers) held.push_back(accounts.reserve(who, {2}).value());
  before.close();
  std::thread first(
      [&] { static_cast<void>(accounts.grant(callers[0].account.id, {2}, "first")); });
  before.await();
  std::vector<std::promise<result<balance>>> told(held.size());
  for (std::size_t i = 0; i < held.size(); ++i)
    accounts.settle(std::move(held[i]), {1 + static_cast<std::int64_t>(i % 2)}, usages[i],
                    [&told, i](result<balance> after) { told[i].set_value(std::move(after)); });
  before.open();
  first.join();
  for (auto& one : told)
    if (!one.get_future().get()) throw std::runtime_error("a charge failed");
}

/// People whose passwords are hashed in little memory: of much, sanitizers follow every byte.
inline users_options quick_hashing() {
  users_options out;
  out.password_memory_kib = 64;
  return out;
}

/// Why something was refused; no code if it was not.
inline errc code_of(const auto& outcome) { return outcome ? errc{} : outcome.error().code(); }

/// An account's rows, the oldest first, as "kind amount".
inline std::vector<std::string> movements(const accounts& store, std::int64_t account_id) {
  std::vector<std::string> all;
  for (const auto& row : store.ledger(account_id, 0, 1000).value())
    all.insert(all.begin(), row.kind + " " + std::to_string(row.amount));
  return all;
}

}  // namespace freshet::account::test
