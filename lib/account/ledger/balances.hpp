// The books of the accounts that are in memory: what is committed, what running calls hold, and the
// months, which begin with the first use in them. What a batch has changed is seen by its later
// work only, until the commit.
//
// The month's grant is made when an account is first used in a calendar month (UTC). Until it is
// there, and while a plan changes, nothing may be reserved: who wants to waits.
#pragma once

#include <account/accounts.hpp>
#include <account/directory.hpp>
#include <account/ledger/ledger.hpp>
#include <account/plan_table.hpp>
#include <account/rules/refund.hpp>
#include <base/clock.hpp>

namespace freshet::account {

/// Somebody who waits for an account's month to begin.
class month_waiter {
 public:
  virtual ~month_waiter() = default;
  /// It has begun, or the attempt that was made for this one failed. Under the lock.
  virtual void resume(const result<void>& begun) = 0;
  /// Tells what has come of it, without any lock.
  virtual void tell() = 0;
};

/// Functions without another rule are called under the queue's lock, for accounts that are in
/// memory. Whoever has something under way with an account keeps it there.
class balances final : public follower {
 public:
  /// All must outlive it.
  balances(commit_queue& queue, ledger& rows, directory& accounts, const plan_table& plans,
           const base::clock& clock)
      : queue_(queue), rows_(rows), accounts_(accounts), plans_(plans), clock_(clock) {}

  /// A new account, or one that was read.
  void add(std::int64_t account_id, const stored_book& book);
  /// One that is idle.
  void remove(std::int64_t account_id);
  /// Whether all of it is stored: nothing is held, begins or waits.
  [[nodiscard]] bool is_idle(std::int64_t account_id) const;
  /// That month's grant counts as made.
  void skip_month(std::int64_t account_id, month_index month);
  [[nodiscard]] balance balance_of(std::int64_t account_id) const;
  /// The last month whose grant was made.
  [[nodiscard]] month_index month_of_account(std::int64_t account_id) const;

  // Months.
  /// Whether a reservation has to wait.
  [[nodiscard]] bool must_wait(std::int64_t account_id) const;
  /// Begins the month's grant if it is due and nobody has, without waiting for it.
  void begin_month(std::int64_t account_id);
  /// Begins it if nobody has, and lets the waiter know.
  void await_month(std::int64_t account_id, std::unique_ptr<month_waiter> waiter);
  [[nodiscard]] std::size_t waiting() const noexcept { return waiting_; }
  /// Makes sure that the month's grant was made. Waits; without the lock. Errors:
  /// storage_unavailable, internal (on the queue's thread).
  [[nodiscard]] result<void> ensure_month(std::int64_t account_id);
  /// Waits for the commit; without the lock. Errors: storage_unavailable, not_found,
  /// invalid_request.
  [[nodiscard]] result<plan_change> change_plan(std::int64_t account_id, const plan& next);

  // Holds: reservations and settlements under way.
  /// Error: insufficient_credits.
  [[nodiscard]] result<void> hold(std::int64_t account_id, std::int64_t price);
  void release(std::int64_t account_id, std::int64_t held);
  [[nodiscard]] std::size_t holds() const noexcept { return holds_; }

  // Inside a batch's transaction, on the queue's thread, without the lock.
  /// A call that held `held` has ended.
  void resolve(std::int64_t account_id, std::int64_t held);
  /// What is left of the balance.
  std::int64_t charge(transaction& running, std::int64_t account_id, std::int64_t price,
                      const movement_note& note);
  /// False, and nothing is written, if the balance would be too large.
  [[nodiscard]] bool grant(transaction& running, std::int64_t account_id, std::int64_t amount,
                           const movement_note& note);
  [[nodiscard]] refund_share refund(transaction& running, const call_charge& call,
                                    std::optional<std::int64_t> wanted, const movement_note& note);

  void drop() noexcept override { changed_.clear(); }
  void take() override;

 private:
  class month_work;
  class plan_work;
  class resumed_waiters;
  struct waiting_one {
    std::unique_ptr<month_waiter> waiter;
    bool started = false;  ///< whether the grant that is on its way was begun for this one
    bool begun = false;    ///< whether a grant that was begun for this one has been made
  };
  struct entry {
    account_book book;             ///< what is committed
    std::int64_t reserved = 0;     ///< held for running calls
    std::size_t holds = 0;         ///< by so many of them
    month_index month = no_month;  ///< whose grant was made, or found to be made
    bool rolling = false;          ///< a grant or a change of plan is on its way
    std::vector<waiting_one> waiting;
  };
  /// A book that the batch has changed.
  struct changed_book {
    account_book book;
    std::int64_t resolved = 0;  ///< holds that this batch ends
  };

  [[nodiscard]] bool is_month_due(std::int64_t account_id) const;
  void start_month(std::int64_t account_id);
  void wait_for(std::int64_t account_id, waiting_one one);
  [[nodiscard]] changed_book& book_of(std::int64_t account_id);
  /// How much of the account's credits running calls will still hold when the batch has ended.
  [[nodiscard]] std::int64_t held_after(std::int64_t account_id, const changed_book& changed) const;
  /// Makes the month's grant in the batch, unless it was made.
  void renew_month(transaction& running, std::int64_t account_id, const std::string& plan_name,
                   time_point now);
  /// That month's grant was committed.
  void begin_month_of(std::int64_t account_id, month_index month);

  commit_queue& queue_;
  ledger& rows_;
  directory& accounts_;
  const plan_table& plans_;
  const base::clock& clock_;
  std::unordered_map<std::int64_t, entry> entries_;
  std::unordered_map<std::int64_t, changed_book> changed_;  ///< the queue's thread's alone
  std::condition_variable rolled_;                          ///< somebody's grant has concluded
  std::size_t holds_ = 0, waiting_ = 0;
};

}  // namespace freshet::account
