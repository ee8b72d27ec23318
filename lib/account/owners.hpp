// The owners of what the accounts are, wired together over one commit queue. Each keeps its members
// to itself; here is only who there is, and what is read when the accounts open: what must be known
// of everybody. The rest is read as it is needed. Opaque to other modules.
//
// Lock order: the commit queue's lock, then that of the sessions. Neither is held by who waits for
// the store.
#pragma once

#include <account/accounts.hpp>
#include <account/keys/known_origins.hpp>
#include <account/keys/noted_uses.hpp>
#include <account/keys/shared_rates.hpp>
#include <account/residents.hpp>
#include <account/rules/origins.hpp>
#include <account/users/throttle.hpp>

namespace freshet::account {

/// The running time of the book that is open. Thread-safe once it has begun.
class running_clock {
 public:
  /// `clock` must outlive it.
  explicit running_clock(const base::clock& clock) : clock_(clock) {}
  /// Goes on from what was before.
  void begin(running_time before) {
    before_ = before;
    begun_ = clock_.steady();
  }
  [[nodiscard]] running_time now() const {
    return before_ + std::chrono::duration_cast<running_time>(clock_.steady() - begun_);
  }

 private:
  const base::clock& clock_;
  running_time before_{0};
  std::chrono::steady_clock::time_point begun_;
};

/// What is due from time to time: storing when keys were last used, removing old answers, leases.
/// Each time some of it, so that no commit waits for long; what is left is due again at once.
class account_upkeep final : public upkeep {
 public:
  /// All must outlive it. `left` gives what is left of others' work, null for nothing.
  account_upkeep(account::keyring& keys, account::balances& money, const base::clock& clock,
                 const running_clock& running, std::function<std::unique_ptr<work>()> left);
  [[nodiscard]] std::optional<std::chrono::milliseconds> due_in() const override;
  void add_due(std::vector<std::unique_ptr<work>>& items, bool last) override;

 private:
  void add_uses(std::vector<std::unique_ptr<work>>& items, bool last);
  void add_purge(std::vector<std::unique_ptr<work>>& items);

  account::keyring& keys_;
  account::balances& money_;
  const base::clock& clock_;
  const running_clock& running_;
  const std::function<std::unique_ptr<work>()> left_;
  std::chrono::steady_clock::time_point last_flush_, last_purge_;
  bool more_uses_ = false, more_answers_ = false;  ///< than the last time took
};

/// The last grants of mailboxes whose accounts were deleted: none is made twice in a month. Under
/// the commit queue's lock.
class past_grants {
 public:
  /// `pepper` must outlive it.
  explicit past_grants(std::string_view pepper) : pepper_(pepper) {}
  /// What stands for the mailbox of an address.
  [[nodiscard]] base::sha256_digest mark_of(std::string_view email) const;
  void put(const base::sha256_digest& mark, month_index month);
  /// What an account that began then does without; no_month if that is none: one that was there
  /// before has a grant of its own.
  [[nodiscard]] month_index month_of(const account_record& account) const;

 private:
  std::string_view pepper_;
  std::unordered_map<base::sha256_digest, month_index, digest_hash, digest_equal> months_;
};

/// The server's own secrets, by name, made at first use. They are kept with the accounts and belong
/// to none of them. Thread-safe.
class secrets {
 public:
  explicit secrets(commit_queue& queue) : queue_(queue) {}
  [[nodiscard]] result<void> load(account_store& books);
  /// 32 random bytes. Waits for a commit where they are made. Error: storage_unavailable.
  [[nodiscard]] result<std::string> get(std::string_view name);

 private:
  commit_queue& queue_;
  std::map<std::string, std::string, std::less<>> values_;
};

/// An idempotent call that is running.
struct marked_call {
  std::int64_t account_id = 0;
  key_mode mode = key_mode::live;
  std::string key;
};

/// The name of an answer in the store: live and test keys have calls of their own, and no header
/// can spell what the names of the latter begin with.
[[nodiscard]] std::string answer_name(key_mode mode, std::string_view key);

struct owners {
  /// Errors as accounts::open().
  [[nodiscard]] static result<std::unique_ptr<owners>> open(accounts_options options);
  owners(accounts_options options, plan_table known_plans, std::unique_ptr<account_store> opened);
  ~owners();

  [[nodiscard]] time_point now() const { return clock.now(); }
  /// The fall that a charge is, if it is one to be told of. Under the lock.
  [[nodiscard]] std::optional<balance_fall> fall_by(std::int64_t account_id, std::int64_t price,
                                                    std::int64_t left) const;
  /// A line of the audit log, in a transaction. Too long a detail is cut.
  void note(transaction& writing, audit_note line) const;
  /// An account that has just been stored. Under the lock.
  void add_account(const account_record& record);
  /// A key that has just been stored. Under the lock.
  void add_key(const stored_key& key);

  // Idempotent calls, where several servers write: marks that all of them see.
  /// Waits for a commit. Errors: idempotency_in_progress, idempotency_mismatch (on another server),
  /// storage_unavailable.
  [[nodiscard]] result<void> begin_elsewhere(const marked_call& call, std::string_view fingerprint);
  /// Ends one without an answer. Under the lock.
  void end_now(std::int64_t account_id, key_mode mode, std::string_view key) noexcept;
  /// The same when the store can be written again.
  void end_later(marked_call call);
  [[nodiscard]] std::unique_ptr<work> end_left_calls();

  /// Another server has committed something: what is in memory follows. On the store's thread.
  void hear(const peer_news& what);
  /// Told the account whose sessions another server has changed, 0 for all. Null: nobody is told,
  /// once this has returned.
  void on_sessions(std::function<void(std::int64_t account_id)> told);
  void on_deletion(std::function<void(const std::string& public_id)> told);

  const base::clock& clock;
  const std::size_t max_queue;
  const std::int64_t max_rotated_keys;
  const plan_table plans;
  const answer_limits answers;
  const std::vector<int> watched_shares;                ///< the smallest first
  const std::function<void(const balance_fall&)> fell;  ///< may be null
  const std::unique_ptr<account_store> books;
  account::directory directory;
  account::key_index key_index;
  account::noted_uses noted_uses;
  account::keyring keyring;
  known_origins origins;
  account::past_grants past_grants;
  running_clock running;
  account_upkeep upkeep;
  commit_queue queue;
  account::ledger ledger;
  account::balances balances;
  account::residents residents;
  account::secrets secrets;
  throttle refetches;                         ///< of answers that were too large to be kept
  throttle alert_changes;                     ///< of what owners want to be told of
  std::atomic<std::uint64_t> key_lookups{0};  ///< for the figures
  /// How many accounts there are, where there are no more than two; whoever reads it may outlive
  /// this.
  const std::shared_ptr<std::atomic<std::int64_t>> accounts =
      std::make_shared<std::atomic<std::int64_t>>(0);
  std::unique_ptr<shared_rates> rates;  ///< null where this server counts them itself

 private:
  [[nodiscard]] result<void> load();
  /// Of the options only what is not the book's own is set.
  void share_rates(shared_rates_options shared);
  [[nodiscard]] result<void> load_past_grants();
  [[nodiscard]] result<void> load_origins();
  void reread_account(std::int64_t account_id);
  void reread_key(std::int64_t key_id);
  void reread_everything();
  void tell_sessions(std::int64_t account_id);
  [[nodiscard]] bool take_news(std::int64_t account_id, const stored_account& read);
  void tell_deletion(const std::string& public_id);

  std::vector<marked_call> left_calls_;  ///< that could not be ended, under the lock
  std::mutex sessions_mutex_;
  std::function<void(std::int64_t)> sessions_changed_;  ///< under the mutex
  std::mutex deletions_mutex_;
  std::function<void(const std::string&)> deleted_;  ///< under the mutex
};

/// What a principal is told that cannot be admitted: internal in place of not_found.
[[nodiscard]] error no_caller(const error& why);

/// Whether an operator's words fit into the ledger. Error: invalid_request.
[[nodiscard]] result<void> check_reason(std::string_view reason);

/// How long an answer is kept, by the running time.
inline constexpr std::chrono::hours answer_lifetime{24};

}  // namespace freshet::account
