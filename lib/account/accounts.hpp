// Accounts, keys, plans, rate limits and the ledger behind one class. Reservations are in memory;
// settlements go to one ledger thread that commits whatever has queued since its last commit and
// answers only when it is durable. A crash makes reservations vanish uncharged.
#pragma once

#include <account/types.hpp>
#include <base/clock.hpp>
#include <freshet/result.hpp>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace freshet::account {

class accounts;

/// Credits held for a call. Releases them when it goes, unless settled. Move-only; used by one
/// thread at a time.
class reservation {
 public:
  reservation() = default;
  reservation(reservation&&) noexcept;
  reservation& operator=(reservation&&) noexcept;
  ~reservation();
  [[nodiscard]] credits held() const noexcept { return held_; }
  [[nodiscard]] explicit operator bool() const noexcept { return owner_ != nullptr; }
  void release() noexcept;

 private:
  friend class accounts;
  accounts* owner_ = nullptr;
  std::int64_t account_id_ = 0, key_id_ = 0;
  std::string idempotency_key_;
  credits held_;
};

struct accounts_options {
  std::string database_path;  ///< a file; its folder must exist. ":memory:" for tests
  std::map<std::string, plan> plans;
  const base::clock* clock = nullptr;
  std::size_t max_batch = 1024;
  std::size_t max_queue = 16384;
};

/// The state of a balance.
struct balance {
  credits posted;    ///< what the ledger says
  credits reserved;  ///< held for running calls
  [[nodiscard]] credits available() const { return posted - reserved; }
};

struct key_options {
  key_mode mode = key_mode::live;
  bool scope_read = true, scope_account = true;
  std::optional<credits> monthly_budget;
  std::optional<std::chrono::seconds> lifetime;
};

struct created_key {
  std::string secret;  ///< shown once
  key_record record;
};

struct usage_row {
  std::string group;  ///< a day, an endpoint or a key
  std::int64_t calls = 0;
  credits used;
};

struct verify_report {
  bool ok = false;
  std::int64_t rows = 0;
  std::vector<std::string> findings;  ///< one line each: what is wrong in which row
};

/// Thread-safe. `settled` handlers run on the ledger thread.
class accounts {
 public:
  /// Opens or creates the database: one process only (a lock file beside it), migrations applied.
  /// Errors: storage_unavailable, invalid_configuration (another process holds it; the detail
  /// says so; a newer schema).
  [[nodiscard]] static result<std::unique_ptr<accounts>> open(accounts_options options);
  ~accounts();  ///< finishes what has queued

  // Administration.
  [[nodiscard]] result<account_record> create_account(std::string_view email,
                                                      std::string_view plan);
  [[nodiscard]] result<account_record> find_account(std::string_view email) const;
  [[nodiscard]] result<created_key> create_key(std::int64_t account_id, const key_options& options);
  [[nodiscard]] result<std::vector<key_record>> list_keys(std::int64_t account_id) const;
  /// The old key stays valid for `grace`. Both take the public id; account_id 0 means any account.
  [[nodiscard]] result<created_key> rotate_key(std::int64_t account_id, std::string_view key_id,
                                               std::chrono::seconds grace);
  [[nodiscard]] result<key_record> revoke_key(std::int64_t account_id, std::string_view key_id);
  [[nodiscard]] result<balance> grant(std::int64_t account_id, credits amount,
                                      std::string_view reason);
  /// Replays every row: balances, sums of zero, the hash chain.
  [[nodiscard]] result<verify_report> verify() const;

  // A call's way through.
  /// Errors: missing_api_key, invalid_api_key, revoked_api_key.
  [[nodiscard]] result<principal> authenticate(std::string_view key);
  /// Takes one request from the plan's bucket. `state` is filled in both cases. Error:
  /// rate_limited, with retry_after.
  [[nodiscard]] result<void> admit(const principal& who, rate_info& state);
  /// Makes the month's grant if it is due, then holds `price`. Errors: insufficient_credits,
  /// key_budget_exceeded, storage_unavailable.
  [[nodiscard]] result<reservation> reserve(const principal& who, credits price);
  /// The stored answer of an idempotent call, if there is one; otherwise marks the key as running
  /// until the reservation or the mark goes. Errors: idempotency_in_progress (retry_after 1 s),
  /// idempotency_mismatch.
  [[nodiscard]] result<std::optional<stored_answer>> begin_idempotent(const principal& who,
                                                                      std::string_view key,
                                                                      std::string_view fingerprint);
  /// Ends a mark that begin_idempotent() made and no settle() will end.
  void end_idempotent(const principal& who, std::string_view key) noexcept;
  /// Charges `price` (at most what is held) and stores the usage; `done` is told the balance after
  /// the commit, or storage_unavailable (then nothing was charged).
  void settle(reservation held, credits price, usage what,
              std::function<void(result<balance>)> done);

  // Reading.
  [[nodiscard]] result<balance> balance_of(const principal& who);
  /// Rows of the account's book, newest first, before `before_seq` (0: from the newest).
  [[nodiscard]] result<std::vector<ledger_row>> ledger(std::int64_t account_id,
                                                       std::int64_t before_seq, int limit) const;
  /// `group_by`: "day", "endpoint" or "key".
  [[nodiscard]] result<std::vector<usage_row>> usage_since(std::int64_t account_id,
                                                           time_point since,
                                                           std::string_view group_by) const;
  /// A secret kept in the database, made at first use ("cursor").
  [[nodiscard]] result<std::string> secret(std::string_view name);
  /// Whether the database answers; for /readyz. Never blocks on the ledger thread for long.
  [[nodiscard]] bool healthy() const noexcept;

 private:
  friend class reservation;
  accounts();
  struct state;
  std::unique_ptr<state> state_;
};

}  // namespace freshet::account
