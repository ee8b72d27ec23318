// The books of the accounts that are in memory: what is committed, what running calls hold, and the
// months, which begin with the first use in them. What a batch has changed is seen by its later
// work only, until the commit.
//
// The month's grant is made when an account is first used in a calendar month (UTC). Until it is
// there, and while a plan changes, nothing may be reserved: who wants to waits.
//
// Where several servers write, each spends of an account what is leased to it in the store: all of
// it where it is alone, else a little at a time. Who finds too little leased waits for more: for
// what is free, and, some times, for what others have and do not need. Books are read anew in each
// batch that changes them; those in memory are for showing.
#pragma once

#include <account/accounts.hpp>
#include <account/directory.hpp>
#include <account/ledger/ledger.hpp>
#include <account/plan_table.hpp>
#include <account/rules/lease.hpp>
#include <account/rules/refund.hpp>
#include <base/clock.hpp>
#include <deque>

namespace freshet::account {

/// Somebody who waits until credits of an account can be held: for its month to begin, or for a
/// lease.
class month_waiter {
 public:
  virtual ~month_waiter() = default;
  /// What it will want to hold.
  [[nodiscard]] virtual std::int64_t price() const noexcept { return 0; }
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
  balances(const account_store& books, commit_queue& queue, ledger& rows, directory& accounts,
           const plan_table& plans, const base::clock& clock)
      : books_(books),
        is_shared_(books.is_shared()),
        queue_(queue),
        rows_(rows),
        accounts_(accounts),
        plans_(plans),
        clock_(clock) {}

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
  /// Whether a reservation of so much has to wait.
  [[nodiscard]] bool must_wait(std::int64_t account_id, std::int64_t price) const;
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

  // Leases, where several servers write. Of an account that is not in memory they do nothing.
  /// Another server needs credits: what is leased and not held goes back.
  void give_back(std::int64_t account_id);
  /// Others gave some back: who waits asks again.
  void ask_again(std::int64_t account_id);
  /// What another server has committed.
  void show(std::int64_t account_id, std::int64_t balance, std::int64_t monthly_left);
  /// When leases are due to be asked for again, or to go back because nobody has used them.
  [[nodiscard]] std::optional<std::chrono::milliseconds> due_in() const;
  void add_due(std::vector<std::unique_ptr<work>>& items, bool last);

  // Holds: reservations and settlements under way.
  /// Error: insufficient_credits.
  [[nodiscard]] result<void> hold(std::int64_t account_id, std::int64_t price);
  void release(std::int64_t account_id, std::int64_t held);
  [[nodiscard]] std::size_t holds() const noexcept { return holds_; }

  // Inside a batch's transaction, on the queue's thread, without the lock.
  /// A call that held `held` has ended.
  void resolve(transaction& running, std::int64_t account_id, std::int64_t held);
  /// What is left of the balance.
  std::int64_t charge(transaction& running, std::int64_t account_id, std::int64_t price,
                      const movement_note& note);
  /// False, and nothing is written, if the balance would be too large.
  [[nodiscard]] bool grant(transaction& running, std::int64_t account_id, std::int64_t amount,
                           const movement_note& note);
  [[nodiscard]] refund_share refund(transaction& running, const call_charge& call,
                                    std::optional<std::int64_t> wanted, const movement_note& note);

  void begin(transaction& running, std::span<const std::int64_t> accounts) override;
  void seal(transaction& running) override;
  void drop() noexcept override { changed_.clear(); }
  void take() override;

 private:
  class month_work;
  class plan_work;
  class return_work;
  class resumed_waiters;
  using steady = std::chrono::steady_clock;  ///< of the machine, whatever clock accounts have
  struct waiting_one {
    std::unique_ptr<month_waiter> waiter;
    bool started = false;  ///< whether the grant that is on its way was begun for this one
    bool begun = false;    ///< whether a grant that was begun for this one has been made
    bool counted = false;  ///< whether a lease was asked for that has its price in it
    int asked = 0;         ///< so often, of others
  };
  /// What is leased of an account, be it in memory or not, where several servers write.
  struct lease {
    std::int64_t own = 0;        ///< to this server
    std::int64_t others = 0;     ///< to the others, as they were known last
    std::int64_t returning = 0;  ///< of its own, on its way back
    steady::time_point used_at{}, leased_at{};
    std::int64_t ahead = least_leased_ahead;  ///< beyond what is needed, beside other servers
    bool is_watched = false;                  ///< whether it is in idle_
    bool asks_again = false;                  ///< whether it is in asking_
    /// What could not be had, and how long nobody asks for it again.
    std::int64_t refused = 0;
    steady::time_point refused_until{};
  };
  struct entry {
    account_book book;             ///< what is committed
    std::int64_t reserved = 0;     ///< held for running calls
    std::size_t holds = 0;         ///< by so many of them
    month_index month = no_month;  ///< whose grant was made, or found to be made
    bool rolling = false;          ///< a grant, a change of plan or a lease is on its way
    std::vector<waiting_one> waiting;
  };
  /// A book that the batch has changed, or may change.
  struct changed_book {
    account_book book;
    std::int64_t resolved = 0;                         ///< holds that this batch ends
    std::int64_t own = 0, others = 0, own_before = 0;  ///< leased
    std::int64_t returned = 0;                         ///< by this batch
    std::int64_t balance_before = 0;
  };
  /// An account and when something is due of it.
  struct due_one {
    steady::time_point at;
    std::int64_t account_id = 0;
  };

  [[nodiscard]] bool is_month_due(std::int64_t account_id) const;
  void start_month(std::int64_t account_id);
  /// Nobody's grant or lease is on its way before.
  [[nodiscard]] std::unique_ptr<work> begin_rolling(std::int64_t account_id);
  void wait_for(std::int64_t account_id, waiting_one one);
  [[nodiscard]] changed_book& book_of(transaction& running, std::int64_t account_id);
  /// How much of the account's credits running calls will still hold when the batch has ended, here
  /// or, as far as they may, on other servers.
  [[nodiscard]] std::int64_t held_after(std::int64_t account_id, const changed_book& changed) const;
  /// The same on this server, with what goes back.
  [[nodiscard]] std::int64_t own_held_after(std::int64_t account_id,
                                            const changed_book& changed) const;

  [[nodiscard]] std::int64_t available(std::int64_t account_id) const;
  [[nodiscard]] bool lacks_lease(std::int64_t account_id, std::int64_t price) const;
  /// Leases in the batch what is held and what is waited for, and some more where there is some.
  void lease_more(transaction& running, std::int64_t account_id);
  /// Leases on what is in use, within the batch that charges it: so nobody has to wait.
  void lease_on();
  /// How much to lease now beyond what is needed.
  [[nodiscard]] static std::int64_t ahead_of(lease& leased);
  [[nodiscard]] bool has_peers(const changed_book& changed) const;
  /// Whether who waits goes on waiting, until others may have given something back.
  [[nodiscard]] bool asks_others(std::int64_t account_id, waiting_one& one);
  /// What of a lease is neither held nor on its way back.
  [[nodiscard]] std::int64_t unused(std::int64_t account_id, const lease& leased) const;
  void keep_lease(std::int64_t account_id, const changed_book& changed, bool has_more);
  void return_idle(steady::time_point now, std::vector<std::unique_ptr<work>>& items);
  /// Makes the month's grant in the batch, unless it was made.
  void renew_month(transaction& running, std::int64_t account_id, const std::string& plan_name,
                   time_point now);
  /// That month's grant was committed.
  void begin_month_of(std::int64_t account_id, month_index month);

  const account_store& books_;
  const bool is_shared_;
  commit_queue& queue_;
  ledger& rows_;
  directory& accounts_;
  const plan_table& plans_;
  const base::clock& clock_;
  std::unordered_map<std::int64_t, entry> entries_;
  std::unordered_map<std::int64_t, lease> leases_;
  std::unordered_map<std::int64_t, changed_book> changed_;  ///< the queue's thread's alone
  std::condition_variable rolled_;                          ///< somebody's grant has concluded
  std::size_t holds_ = 0, waiting_ = 0;
  std::deque<due_one> idle_;    ///< whose leases are looked at, by when
  std::deque<due_one> asking_;  ///< who asks again, by when
};

}  // namespace freshet::account
