// Accounts, keys, plans, rate limits and the ledger behind one class. Reservations are in memory;
// settlements go to one ledger thread that commits whatever has queued since its last commit and
// answers only when it is durable. A crash makes reservations vanish uncharged.
#pragma once

#include <account/ledger/entry_report.hpp>
#include <account/ledger/replay.hpp>
#include <account/types.hpp>
#include <base/clock.hpp>
#include <base/time_zone.hpp>
#include <freshet/result.hpp>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace freshet::postgres {
class read_replica;
}

namespace freshet::account {

class accounts;
struct owners;
struct sealed_answer;

/// What is held, of whom, for a call.
struct held_credits {
  owners* owner = nullptr;
  std::int64_t account_id = 0, key_id = 0;
  std::int64_t family = 0, budget = 0;  ///< of the key's budget; family 0 where it has none
  credits price;
};

/// Credits held for a call. Releases them when it goes, unless settled. Move-only; used by one
/// thread at a time. Must go before the accounts that it came from, which alone make it.
class reservation {
 public:
  reservation() = default;
  explicit reservation(const held_credits& held) : held_(held) {}
  reservation(reservation&&) noexcept;
  reservation& operator=(reservation&&) noexcept;
  ~reservation();
  [[nodiscard]] credits held() const noexcept { return held_.price; }
  [[nodiscard]] explicit operator bool() const noexcept { return held_.owner != nullptr; }
  [[nodiscard]] std::int64_t account_id() const noexcept { return held_.account_id; }
  [[nodiscard]] bool is_of(const owners& all) const noexcept { return held_.owner == &all; }
  void release() noexcept;
  /// Empties it without releasing anything: for who settles.
  [[nodiscard]] held_credits take() noexcept;

 private:
  held_credits held_;
};

/// A charge by which an account's balance fell to one of the shares that are watched, or below.
struct balance_fall {
  std::int64_t account = 0;  ///< its number
  std::string public_id, email;
  bool is_verified = false;              ///< whether the address is known to be its owner's
  std::int64_t before = 0, balance = 0;  ///< the charge, and behind it
  std::int64_t monthly = 0;              ///< what its plan grants a month
};

struct accounts_options {
  /// A file of SQLite, whose folder must exist, ":memory:" for tests, or "postgresql://…".
  std::string database_path;
  std::string folder = {};  ///< of the pepper, where the database is no file
  /// Where reports that may be some seconds old are read; null: in the database.
  std::shared_ptr<postgres::read_replica> replica = {};
  std::map<std::string, plan> plans;
  test_key_rate test_keys;
  answer_limits answers;
  const base::clock* clock = nullptr;
  std::size_t max_batch = 1024;
  std::size_t max_queue = 16384;  ///< reservations and settlements under way
  /// How many accounts and keys are kept in memory, beside those that are in use: about 1 KiB each.
  /// Others are read when they are needed. Of every key 32 bytes are kept.
  std::size_t accounts_in_memory = 16'384, keys_in_memory = 32'768;
  /// Of an account, ended ones included. Others are made until there are 1,000.
  std::int64_t max_rotated_keys = 10'000;
  /// Told why, once, when nobody can say any more what is stored: a failed sync, a damaged file.
  /// All that writes is refused from then on, and the process should end. On the ledger thread,
  /// before those who wait are told; it must not throw, nor call the accounts. May be null.
  std::function<void(const error&)> lost;
  /// Told in words what takes long while they open: a migration. May be null.
  std::function<void(std::string_view line)> tell;
  /// Which falls of a balance are told: to these parts of the plan's month, in percent.
  std::vector<int> watched_shares;
  /// Told of each, once its charge is committed, before who waits for that. It must neither wait
  /// nor throw, nor call the accounts. May be null.
  std::function<void(const balance_fall&)> fell;
  /// "redis://…", where several servers count the rates of their callers together; "": each has its
  /// part of a rate. `redis_timeout` is what a call waits for it at most.
  std::string redis = {};
  std::chrono::milliseconds redis_timeout{100};
  /// Told when that Redis is there or has gone away, and why, also as they open. On a thread of its
  /// own; it must neither wait nor throw. May be null.
  std::function<void(bool is_here, std::string_view why)> redis_changed;
  /// For tests: asked before each step of the writing connection with the step's name ("begin",
  /// "row", "head", "answer", "commit", "sync", …); true makes the step fail as a full disk would,
  /// "sync" as a failed fsync would, "reply" as a connection would that is lost once a commit is
  /// in, and before it lasts.
  std::function<bool(std::string_view stage)> fail;
  /// For tests: told when an account was read and is not in memory yet, without a lock. May be
  /// null.
  std::function<void()> was_read;
};

/// How it is with the Redis that counts rates.
struct redis_stats {
  bool is_here = false;
  std::uint64_t runs = 0;    ///< that it was asked and answered
  std::uint64_t losses = 0;  ///< of the connection
  std::uint64_t alone = 0;   ///< calls that were judged without it
};

/// Figures for metrics and tests, counted since the start.
struct accounts_stats {
  std::uint64_t key_lookups = 0;       ///< keys that were well formed and therefore looked up
  std::uint64_t batches = 0;           ///< transactions committed
  std::uint64_t failed_batches = 0;    ///< transactions rolled back
  std::int64_t movements = 0;          ///< in the ledger
  std::size_t queued = 0;              ///< waiting for the ledger thread now
  std::size_t accounts = 0, keys = 0;  ///< in memory now
  std::uint64_t reads = 0;             ///< of accounts and keys that were not
  batch_sizes sizes{};                 ///< of the transactions committed
  std::optional<redis_stats> redis{};  ///< null where there is none
};

/// The state of a balance.
struct balance {
  credits posted;    ///< what the ledger says
  credits reserved;  ///< held for running calls
  [[nodiscard]] credits available() const { return posted - reserved; }
};

/// An account and where its book stands.
struct account_summary {
  account_record account;
  balance now;
  std::int64_t keys = 0;  ///< that were made, revoked ones too
};

/// What a change of plan has done.
struct plan_change {
  account_record account;
  credits change;  ///< granted, or expired if below zero
  balance after;
};

/// What a refund has done.
struct refund_outcome {
  account_record account;
  std::string entry;  ///< "led_…": the charge that was refunded
  std::string request_id;
  credits refunded;
  credits left;  ///< of the charge, that can still be refunded
  balance after;
};

/// Which rows of a ledger are read.
struct ledger_filter {
  std::string_view kind = {};  ///< "grant", "usage", "refund" or "expiry"; "" for all
  time_point since{};          ///< inclusive
};

struct key_options {
  key_mode mode = key_mode::live;
  std::string name = {};  ///< for people; at most 64 characters, spaces collapsed
  bool scope_read = true, scope_account = true;
  std::vector<std::string> origins = {};  ///< as key_record::origins; at most 4
  std::optional<credits> monthly_budget;
  std::optional<std::chrono::seconds> lifetime;
};

struct created_key {
  std::string secret;  ///< shown once
  key_record record;
};

/// What a key may do, by what is known of every key.
struct key_rights {
  std::int64_t account_id = 0;
  bool scope_read = false, scope_account = false;
};

/// Which charged calls are counted, and by what.
struct usage_query {
  time_point since{};  ///< inclusive
  /// "day", "endpoint", "key", "source", or two of them joined by a comma: "day,endpoint".
  std::string_view group_by = "day";
  base::time_zone zone = base::time_zone::utc();  ///< whose days
  bool empty_days = false;  ///< whether days without a call have a row; only where grouped by day
  std::function<bool()> is_wanted = {};  ///< asked now and then; false ends it. May be null
};

/// What the calls of one group have used. Of the four names those of the group are set.
struct usage_row {
  std::string group;  ///< the names of the group, joined by a comma
  std::string day;    ///< "2026-11-21"
  std::string endpoint;
  std::string key;  ///< a public id, session_key_id
  std::string source;
  std::int64_t calls = 0;
  credits used;
};

/// Thread-safe. `done` handlers run on the ledger thread: they must not throw, and of this class
/// they may call only what does not wait for that thread (authenticate_at_once, reserve_at_once,
/// take_rate_token, end_idempotent, settle, the reading of `const` functions); the others answer
/// them with internal.
///
/// The month's grant is made once a calendar month (UTC) and account, whatever restarts and however
/// the clock jumps: unique indexes guard it. Usage consumes the monthly grant first; what is left
/// of it when the next one is made expires (a movement of kind "expiry"), except so much as running
/// calls hold and nothing else covers. Credits that an operator granted do not expire. An account
/// whose plan is no longer configured is granted nothing and loses nothing.
///
/// After a failed sync nobody knows what is on the disk: everything is then refused with
/// storage_unavailable, healthy() stays false, `lost` is told, and the process has to be restarted.
/// Other failures (a full disk) roll the batch back and pass when the cause does.
class accounts {
 public:
  /// Opens or creates the database: one process only (a lock file beside it), migrations applied,
  /// all or none, after a copy was made beside it (".schema-6").
  /// The file `pepper` beside it (mode 0600) belongs to it and to its backups: without it no key
  /// can be checked. Errors: storage_unavailable, invalid_configuration (another process holds it;
  /// the detail says so; a newer schema; a missing pepper; a plan whose rate cannot be kept).
  [[nodiscard]] static result<std::unique_ptr<accounts>> open(accounts_options options);
  ~accounts();  ///< finishes what has queued
  /// What waits to hear from a database that is away whether its commit was done waits no longer,
  /// and fails: nobody knows. For who ends. Any thread.
  void stop_waiting() noexcept;
  /// Who is told, on a thread of the book's, of accounts that another server has deleted while they
  /// were in memory here; null: nobody any more, and who was told has returned. It must not wait.
  void on_deletion(std::function<void(const std::string& public_id)> told);

  // Administration. These wait for the commit. Errors of all: storage_unavailable, and:
  /// invalid_request (a malformed or known address, an unknown plan).
  [[nodiscard]] result<account_record> create_account(std::string_view email,
                                                      std::string_view plan);
  /// Error: not_found.
  [[nodiscard]] result<account_record> find_account(std::string_view email) const;
  /// In force when it returns: rate, price of the days to come, and the month's credits, which are
  /// counted by the day (lib/account/rules/monthly_credits.hpp says how). Takes neither what an
  /// operator granted nor what running calls hold. The plan that the account has changes nothing.
  /// Errors: not_found, invalid_request (an unknown plan, a balance that would be too large).
  [[nodiscard]] result<plan_change> change_plan(std::int64_t account_id, std::string_view plan);
  /// As it is now. Error: not_found.
  [[nodiscard]] result<account_summary> show_account(std::int64_t account_id) const;
  /// Newest first, those made before the account `before_id` (0: from the newest) whose address
  /// contains `part` ("": all). At most 1000.
  [[nodiscard]] result<std::vector<account_summary>> list_accounts(std::string_view part,
                                                                   std::int64_t before_id,
                                                                   int limit) const;
  /// Errors: not_found, invalid_request (a negative budget or lifetime, a name that is too long,
  /// too many keys). Of this and of the next two: `line`, if there is one, stands in the audit log
  /// in the same commit, its subject the key that was made or revoked unless it names another;
  /// where nothing changes nothing is written.
  [[nodiscard]] result<created_key> create_key(std::int64_t account_id, const key_options& options,
                                               const audit_note* line = nullptr);
  /// In the order of creation, revoked ones too. Error: not_found.
  [[nodiscard]] result<std::vector<key_record>> list_keys(std::int64_t account_id) const;
  /// The old key stays valid for `grace`; both share one monthly budget. Both functions take the
  /// public id; account_id 0 means any account. Errors: not_found (another account's key too),
  /// key_not_rotatable (a revoked or expired key, or one that was rotated before).
  [[nodiscard]] result<created_key> rotate_key(std::int64_t account_id, std::string_view key_id,
                                               std::chrono::seconds grace,
                                               const audit_note* line = nullptr);
  /// In force when it returns. Revoking again changes nothing. Error: not_found.
  [[nodiscard]] result<key_record> revoke_key(std::int64_t account_id, std::string_view key_id,
                                              const audit_note* line = nullptr);
  /// An operator's credits, which do not expire. Errors: not_found, invalid_request.
  [[nodiscard]] result<balance> grant(std::int64_t account_id, credits amount,
                                      std::string_view reason);
  /// Gives back what a call was charged, or `amount` of it: credits that do not expire, from the
  /// book that the call paid into. `call` is the call's request id or its entry in the ledger,
  /// "led_…". All refunds of a charge together never exceed it. Errors: not_found, invalid_request
  /// (more than is left of the charge, a request id that several calls had, an amount below 1, a
  /// reason that is too long).
  [[nodiscard]] result<refund_outcome> refund(std::string_view call, std::optional<credits> amount,
                                              std::string_view reason);
  /// The ledger's entry, "led_…", that the call with this request id was charged by, the last one
  /// if there were several; "" if none was. Error: storage_unavailable.
  [[nodiscard]] result<std::string> charge_of(std::int64_t account_id,
                                              std::string_view request_id) const;
  /// Replays every row: balances, every chain, the sealed head. Finds any altered, missing, added
  /// or moved row and a cut tail; what it cannot find says account/rules/chain.hpp. Errors:
  /// storage_unavailable, cancelled.
  [[nodiscard]] result<verify_report> verify(const replay_options& options = {}) const;
  /// The same of one account's own entries: their numbers, hashes and balances. Those of the first
  /// era are in a chain with everybody's: of them the balances alone. Errors: storage_unavailable,
  /// cancelled.
  [[nodiscard]] result<entry_report> verify_entries(std::int64_t account_id,
                                                    const entry_range& range) const;

  // What owners are told of. Errors of all: storage_unavailable.
  /// Null: the account has not chosen.
  [[nodiscard]] result<std::optional<alert_settings>> alerts_of(std::int64_t account_id) const;
  /// Makes of what was chosen, null for nothing, what is from now on: no other change comes
  /// between. It may run twice. Waits for the commit. `line`, if there is one, stands in the audit
  /// log in the same one. A webhook that is new, or was another, is set now, which gives it a
  /// secret.
  using alerts_change = std::function<alert_settings(std::optional<alert_settings>)>;
  [[nodiscard]] result<changed_alerts> change_alerts(std::int64_t account_id,
                                                     const alerts_change& change,
                                                     const audit_note* line = nullptr);
  /// With which what is told to the webhook is signed: "whsec_…". Nobody stores it.
  [[nodiscard]] std::string alert_secret(const account_record& account,
                                         const alert_settings& chosen) const;
  /// Whether the owner is to be told: of several servers, and of several calls, the first is told
  /// so. Waits for the commit.
  [[nodiscard]] result<bool> take_alert(std::int64_t account_id, const alert_mark& mark);

  // A call's way through. What of an account or a key is not in memory is read first, which may
  // wait for the disk, but for no commit.
  /// Errors: missing_api_key, invalid_api_key, revoked_api_key (expired too), storage_unavailable.
  /// Begins the month's grant if it is due, without waiting for it.
  [[nodiscard]] result<principal> authenticate(std::string_view key);
  /// The same for who must not wait: null where something has to be read. A key that is not good is
  /// refused without reading.
  [[nodiscard]] std::optional<result<principal>> authenticate_at_once(std::string_view key);
  /// Whose a key is and what it may do, for who must not wait either: nothing is read. It is a use
  /// of the key. Errors: missing_api_key, invalid_api_key, revoked_api_key.
  [[nodiscard]] result<key_rights> check_key(std::string_view key);
  /// Whether check_key() would let a key in. This is no use of it: nothing is written.
  [[nodiscard]] bool is_key_good(std::string_view key);
  /// Whether there is or was a key that pages of that origin may use: what a browser asks before it
  /// sends one. In memory.
  [[nodiscard]] bool knows_origin(std::string_view origin) const;
  /// A signed-in person in place of a key: whoever calls has checked the session. The principal has
  /// both scopes, no budget, key id 0 and the public id `dashboard`, under which usage and ledger
  /// show its calls; everything below takes it like a key's. `key_mode::test` calls the sandbox at
  /// no cost. Begins the month's grant like authenticate(). Error: not_found.
  [[nodiscard]] result<principal> principal_of(std::int64_t account_id, key_mode mode);
  /// Takes one request from the account's bucket; test keys share another one, with its own rate,
  /// and a signed-in person's calls of the account itself (`of_account`) do, too.
  /// `state` is filled in both cases. Where several servers count together it may wait for Redis,
  /// for redis_timeout at most. Error: rate_limited, with retry_after.
  [[nodiscard]] result<void> take_rate_token(const principal& who, rate_info& state,
                                             bool of_account = false);
  /// Told the same; on another thread, without a lock, and it must not wait.
  using rate_handler = std::function<void(const result<void>&, const rate_info&)>;
  /// The same for who must not wait: null where Redis has to be asked, and then `done` is told,
  /// once.
  [[nodiscard]] std::optional<result<void>> take_rate_token(const principal& who, rate_info& state,
                                                            bool of_account, rate_handler done);
  /// Whether that can be.
  [[nodiscard]] bool shares_rates() const noexcept;
  /// Makes the month's grant if it is due (the only case in which it waits for a commit), then
  /// holds `price`. Not for test keys, which cost nothing: internal. Errors: insufficient_credits,
  /// key_budget_exceeded, storage_unavailable, overloaded (max_queue).
  [[nodiscard]] result<reservation> reserve(const principal& who, credits price);
  /// What that comes to where nothing has to be waited for, neither a commit nor the disk; null
  /// otherwise.
  [[nodiscard]] std::optional<result<reservation>> reserve_at_once(const principal& who,
                                                                   credits price);
  /// As above, for who must not wait for a commit: `done` is told once. Before this returns, unless
  /// the month's grant has to be made first; then on the ledger thread, after its commit, without a
  /// lock. `done` must neither block nor throw. Accounts that close tell those who still wait
  /// storage_unavailable.
  void reserve(const principal& who, credits price, std::function<void(result<reservation>)> done);
  /// The stored answer of an idempotent call, if there is one; otherwise marks the key as running
  /// until settle() or keep() is done with it or end_idempotent() is called. So it does where the
  /// answer was too large to be kept: the call may be made again, without a charge, but only once a
  /// minute and as often as the account may have such calls. What live and test keys call are
  /// different calls. Reads and inflates: not for a thread that must not wait. Errors:
  /// idempotency_in_progress (retry_after 1 s), idempotency_mismatch, rate_limited,
  /// invalid_request (not 1 to 255 printable characters), storage_unavailable.
  [[nodiscard]] result<std::optional<stored_answer>> begin_idempotent(const principal& who,
                                                                      std::string_view key,
                                                                      std::string_view fingerprint);
  /// Ends a mark that begin_idempotent() made and neither settle() nor keep() will end.
  void end_idempotent(const principal& who, std::string_view key) noexcept;
  /// Charges `price` (at most what is held; 0 writes no movement) and stores the usage and, with an
  /// idempotency key, the answer, in one transaction; `done` is told the balance after the commit,
  /// or storage_unavailable (then nothing was charged and the hold is gone). An empty reservation
  /// is told internal: each one is resolved once. It is told by `thread`, or by the ledger's.
  void settle(reservation held, credits price, usage usage,
              std::function<void(result<balance>)> done,
              std::shared_ptr<answering_thread> thread = nullptr);
  /// Stores the answer of an idempotent call that costs nothing, and ends its mark; `done` is told
  /// as settle() tells it.
  void keep(const principal& who, std::string_view key, stored_answer answer,
            std::function<void(result<void>)> done);

  // Reading.
  /// Makes the month's grant if it is due. Error: storage_unavailable.
  [[nodiscard]] result<balance> balance_of(const principal& who);
  /// The same where nothing has to be waited for, not even the disk; null: ask balance_of(). Any
  /// thread.
  [[nodiscard]] std::optional<balance> balance_at_once(const principal& who);
  /// The same as it is stored now: where several servers write, balance_of() may not have heard yet
  /// of what another has just committed. Waits for the store. Error: storage_unavailable.
  [[nodiscard]] result<balance> stored_balance_of(const principal& who);
  /// Rows of the account's book, newest first, before `before_seq` (0: from the newest).
  [[nodiscard]] result<std::vector<ledger_row>> ledger(std::int64_t account_id,
                                                       std::int64_t before_seq, int limit,
                                                       const ledger_filter& only = {}) const;
  /// In the order of the groups. A call that several sources served counts in full under each of
  /// them. Refunds do not count. Errors: invalid_request (an unknown group_by), cancelled (nobody
  /// wants it any more), storage_unavailable.
  [[nodiscard]] result<std::vector<usage_row>> usage_of(std::int64_t account_id,
                                                        const usage_query& query) const;
  /// 32 random bytes kept in the database, made at first use ("cursor"). Error:
  /// storage_unavailable.
  [[nodiscard]] result<std::string> secret(std::string_view name);
  /// Whether the database answers; for /readyz. Never blocks on the ledger thread for long.
  [[nodiscard]] bool healthy() const noexcept;
  [[nodiscard]] accounts_stats stats() const;
  /// Says whether there is more than one; thread-safe, and may outlive the accounts.
  [[nodiscard]] std::function<bool()> is_shared() const;

  /// For the other rooms of this module: opaque.
  [[nodiscard]] owners& inside() const noexcept { return *owners_; }

 private:
  explicit accounts(std::unique_ptr<owners> opened);
  /// What begin_idempotent() gives of what was found.
  [[nodiscard]] result<stored_answer> check_answer(const principal& who, const std::string& name,
                                                   std::string_view fingerprint,
                                                   sealed_answer found) const;
  std::unique_ptr<owners> owners_;
};

}  // namespace freshet::account
