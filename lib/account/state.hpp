// What accounts holds: the books and keys in memory, the queue, and the ledger thread that
// alone writes to the database. Everything in memory follows the disk: it changes when a commit has
// succeeded, except holds, marks and buckets, which live in memory only.
//
// Lock order: a connection's mutex and `mutex` are never held together by the same thread, except
// that the ledger thread takes `mutex` while it holds the writer's.
#pragma once

#include <account/accounts.hpp>
#include <account/ledger_writer.hpp>
#include <account/rules/budget.hpp>
#include <account/rules/monthly_credits.hpp>
#include <account/rules/rate_limit.hpp>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <sqlite/database_files.hpp>
#include <sqlite/sqlite.hpp>
#include <thread>
#include <unordered_map>
#include <unordered_set>

namespace freshet::account {

using sqlite::beside;
using sqlite::database;
using sqlite::database_use;
using sqlite::fail_hook;
using sqlite::file_lock;
using sqlite::is_fault_of_row;
using sqlite::is_uncertain;
using sqlite::load_pepper;
using sqlite::make_private_file;
using sqlite::sqlite_code;
using sqlite::sqlite_done;
using sqlite::sqlite_failed_sync;
using sqlite::sqlite_ok;
using sqlite::sqlite_row;
using sqlite::statement;

/// A reservation that waits for its account's month to begin.
struct month_waiter {
  std::int64_t account_id = 0, key_id = 0, price = 0;
  std::function<void(result<reservation>)> done;
  bool started = false;  ///< whether the grant that is on its way was begun for this one
  bool begun = false;    ///< whether a grant that was begun for this one has been made
};

/// An account in memory.
struct account_entry {
  account_record record;
  account_book book;             ///< what is committed
  std::int64_t reserved = 0;     ///< held for running calls
  month_index month = no_month;  ///< whose grant was made, or found to be made
  bool rolling = false;          ///< the month's grant is on its way; reservations wait
  std::vector<month_waiter> waiting;
  rate_bucket live_bucket, test_bucket;
  std::vector<std::int64_t> keys;
};

/// A key in memory.
struct key_entry {
  key_record record;
  std::int64_t family = 0;  ///< the first key of a chain of rotations: they share one budget
  bool used_since_flush = false;
};

/// Digests are keyed already, so their first bytes spread well; equality takes constant time.
struct digest_hash {
  std::size_t operator()(const base::sha256_digest& digest) const noexcept;
};
struct digest_equal {
  bool operator()(const base::sha256_digest& a, const base::sha256_digest& b) const noexcept {
    return base::equal_in_constant_time(base::as_text(a), base::as_text(b));
  }
};

/// The books that a batch has changed, until its commit. Used by the ledger thread.
class batch {
 public:
  explicit batch(accounts_state& of) : of_(of) {}
  struct changed_book {
    account_book book;
    std::int64_t resolved = 0;  ///< holds that this batch ends
  };
  [[nodiscard]] changed_book& book_of(std::int64_t account_id);
  [[nodiscard]] accounts_state& state() const noexcept { return of_; }
  [[nodiscard]] const std::unordered_map<std::int64_t, changed_book>& changed() const noexcept {
    return changed_;
  }

 private:
  accounts_state& of_;
  std::unordered_map<std::int64_t, changed_book> changed_;
};

/// One piece of work for the ledger thread.
class work {
 public:
  virtual ~work() = default;
  /// Writes inside the batch's transaction. May run again, alone, if a batch failed.
  [[nodiscard]] virtual sqlite_code write(batch& in) = 0;
  /// Brings memory up to date, under `mutex`.
  virtual void conclude(accounts_state& in, bool committed) = 0;
  /// Reads what it will tell, under `mutex`, when all of the batch have concluded.
  virtual void observe(accounts_state&) {}
  /// Tells who waits, without any lock.
  virtual void tell(bool committed) = 0;
};

/// The reservations that waited for what a piece of work has ended: taken when it concludes, made
/// when all of its batch have, told without a lock.
class month_waiters {
 public:
  /// The account's month has begun, or could not: under `mutex`.
  void take(accounts_state& in, account_entry& of);
  void resume(accounts_state& in, bool committed);
  void tell();

 private:
  std::vector<month_waiter> waiting_;
  std::vector<std::pair<std::function<void(result<reservation>)>, result<reservation>>> told_;
};

struct accounts_state {
  explicit accounts_state(accounts_options with) : options(std::move(with)) {}
  ~accounts_state();

  // Opening: accounts.cpp.
  result<void> open();
  result<void> open_files();
  result<void> check_pepper();
  result<void> load_accounts();
  result<void> load_past_grants();
  result<void> load_books();
  result<void> load_keys();
  result<void> load_budgets();
  void remember_key(key_entry key, const base::sha256_digest& hash);
  result<void> prepare_plans();

  // Accounts: administration.cpp. The first on the ledger thread, the second under `mutex`.
  [[nodiscard]] sqlite_code insert_account(account_record& record, std::string_view password);
  void remember_account(const account_record& record);
  /// What stands for an address whose account was deleted.
  [[nodiscard]] base::sha256_digest address_mark(std::string_view email) const;

  // Looking things up, under `mutex`: calls.cpp.
  account_entry* find_account(std::int64_t id);
  key_entry* find_key(std::int64_t id);
  [[nodiscard]] const plan* configured_plan(const std::string& name) const;
  [[nodiscard]] balance balance_of(const account_entry& of) const {
    return {{of.book.balance}, {of.reserved}};
  }
  /// Begins the month's grant if it is due and nobody has, without waiting for it.
  void begin_month(account_entry& of, time_point at);
  [[nodiscard]] plan plan_of(const account_entry& of) const;
  /// The record with what is used of its budget in `month`.
  [[nodiscard]] key_record shown(const key_entry& of, month_index month) const;
  budget_use* budget_of(std::int64_t key_id, month_index now);
  void release(std::int64_t account_id, std::int64_t key_id, std::int64_t held);

  // The month's grant: months.cpp.
  /// Makes it in the batch, unless it was made: what is left of the month before expires, except
  /// what running calls hold. Nothing may be reserved meanwhile (`rolling`).
  [[nodiscard]] sqlite_code renew_month(batch& in, std::int64_t account_id, time_point at);
  /// How much of the account's credits running calls will still hold when the batch has ended.
  [[nodiscard]] std::int64_t held_after(const account_entry& of,
                                        const batch::changed_book& changed) const;
  /// sqlite_row and the allowance, or sqlite_done if there is none.
  [[nodiscard]] sqlite_code read_allowance(std::int64_t account_id, month_index month,
                                           allowance& into);
  [[nodiscard]] sqlite_code write_allowance(std::int64_t account_id, month_index month,
                                            const allowance& what);
  [[nodiscard]] bool is_month_due(const account_entry& of, month_index month) const;
  void start_month(account_entry& of, time_point at, std::shared_ptr<bool> succeeded);
  /// Makes sure that the month's grant was made. Unlocks while it waits; a later month_due may
  /// begin meanwhile, but nobody holds credits while it runs.
  [[nodiscard]] result<void> ensure_month(std::unique_lock<std::mutex>& lock, account_entry& of);

  // Reserving, under `mutex`: reservations.cpp.
  /// What a reservation comes to at once; null if it has to wait for the account's month.
  [[nodiscard]] std::optional<result<reservation>> try_reserve(const principal& who, credits price);
  /// Holds the price now, or says why not.
  [[nodiscard]] result<reservation> hold(const month_waiter& of);
  /// Has it wait until the month has begun, which it begins if nobody has. Error: overloaded, and
  /// `waiter` is left as it was.
  [[nodiscard]] result<void> await_month(month_waiter& waiter);

  // The ledger thread: ledger_thread.cpp.
  void start();
  void stop();
  void post(std::unique_ptr<work> item);  ///< under `mutex`
  [[nodiscard]] bool on_ledger_thread() const noexcept;
  /// Writes and waits. `write` may run twice; `commit` runs under `mutex`.
  [[nodiscard]] result<void> run(std::function<sqlite_code(batch&)> write,
                                 std::function<void()> commit);
  void loop();
  void process(std::vector<std::unique_ptr<work>>& items);
  void conclude(std::vector<std::unique_ptr<work>>& items, const batch* committed);
  [[nodiscard]] sqlite_code write_batch(std::vector<std::unique_ptr<work>>& items, batch& in);
  void recover(sqlite_code after);
  [[nodiscard]] bool probe();
  /// Adds what is due; everything that is left if it is the `last` batch.
  void add_upkeep(std::vector<std::unique_ptr<work>>& items, bool last);

  [[nodiscard]] database& lookups() const { return in_memory ? writer : lookup_reader; }
  [[nodiscard]] database& reports() const { return in_memory ? writer : report_reader; }
  [[nodiscard]] time_point now() const { return options.clock->now(); }

  accounts_options options;
  std::map<std::string, rate_rule> rates;
  bool in_memory = false;
  std::string pepper;
  file_lock lock;

  // Declared before the statements that are prepared on them.
  mutable database writer, lookup_reader, report_reader;
  std::unique_ptr<ledger_writer> ledger;
  std::unique_ptr<statement> insert_answer;

  mutable std::mutex mutex;  ///< everything from here on
  std::condition_variable queue_filled, month_rolled;
  std::deque<std::unique_ptr<work>> queue;
  bool stopping = false;
  std::unordered_map<std::int64_t, account_entry> accounts_by_id;
  std::unordered_map<std::string, std::int64_t> accounts_by_email;
  std::unordered_map<std::string, std::int64_t> accounts_by_public_id;  ///< deleted ones too
  std::unordered_map<std::int64_t, key_entry> keys_by_id;
  std::unordered_map<base::sha256_digest, std::int64_t, digest_hash, digest_equal> keys_by_hash;
  std::unordered_map<std::string, std::int64_t> keys_by_public_id;
  std::unordered_map<std::int64_t, budget_use> budgets;  ///< by family
  /// The last grant of an address whose account was deleted: it gets none twice in a month.
  std::unordered_map<base::sha256_digest, month_index, digest_hash, digest_equal> past_grants;
  std::unordered_map<std::string, std::string> marks;  ///< running idempotent calls
  std::map<std::string, std::string, std::less<>> secrets;
  std::size_t holds = 0;    ///< reservations and settlements under way
  std::size_t waiters = 0;  ///< reservations that wait for a month to begin
  bool keys_used = false;
  std::chrono::steady_clock::time_point last_flush{}, last_purge{};

  std::atomic<bool> writable{true};    ///< the last write, or the last probe after it, succeeded
  std::atomic<bool> uncertain{false};  ///< nobody knows what is on the disk; until a restart
  std::atomic<std::uint64_t> key_lookups{0}, batches{0}, failed_batches{0};
  std::atomic<std::int64_t> movements{0};
  std::thread thread;
};

/// The name of a running idempotent call in `marks`.
[[nodiscard]] std::string mark_name(std::int64_t account_id, key_mode mode, std::string_view key);

/// "led_<seq>": an entry of the ledger, as people name it.
[[nodiscard]] std::string entry_name(std::int64_t seq);
/// Whether an operator's words fit into the ledger. Error: invalid_request.
[[nodiscard]] result<void> check_reason(std::string_view reason);

/// How long an answer is kept.
inline constexpr std::chrono::hours answer_lifetime{24};

[[nodiscard]] inline std::int64_t to_ms(time_point at) noexcept {
  return at.time_since_epoch().count();
}
[[nodiscard]] inline time_point from_ms(std::int64_t ms) noexcept {
  return time_point(std::chrono::milliseconds(ms));
}
[[nodiscard]] inline error storage_failure() {
  return error(errc::storage_unavailable, "the accounts cannot be written just now");
}

}  // namespace freshet::account
