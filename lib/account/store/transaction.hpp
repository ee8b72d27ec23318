// Everything that the accounts write, each a named step of a transaction. A step that fails ends
// it: what is asked of it afterwards does nothing and finds nothing, and status() says why. It
// decides nothing; what may be written is decided by who owns it.
#pragma once

#include <account/rules/monthly_credits.hpp>
#include <account/store/records.hpp>
#include <span>
#include <vector>

namespace freshet::account {

/// Lives within account_store::write(), on its thread.
class transaction {
 public:
  transaction() = default;
  transaction(const transaction&) = delete;
  transaction& operator=(const transaction&) = delete;
  virtual ~transaction() = default;
  [[nodiscard]] virtual store_status status() const noexcept = 0;
  [[nodiscard]] bool is_good() const noexcept { return status() == store_status::done; }

  // Where several servers write, one transaction runs at a time, and what others have written is
  // read anew in each. Where one does, its owners remember, and these give and do nothing.
  /// Where the ledger ends.
  [[nodiscard]] virtual std::optional<chain_head> find_head() { return std::nullopt; }
  /// In the order of `accounts`.
  [[nodiscard]] virtual std::vector<leased_book> find_books(std::span<const std::int64_t>) {
    return {};
  }
  /// What this server may spend of an account without asking.
  virtual void put_lease(std::int64_t, std::int64_t) {}
  [[nodiscard]] virtual std::optional<std::string> find_plan(std::int64_t) { return std::nullopt; }
  [[nodiscard]] virtual std::optional<std::string> find_secret(std::string_view) {
    return std::nullopt;
  }
  /// Says that this server runs an idempotent call, by the name of its answer, until end_call() or
  /// the server's end. Null; or, where another one runs it, the fingerprint there, and nothing is
  /// said.
  [[nodiscard]] virtual std::optional<std::string> begin_call(std::int64_t, std::string_view,
                                                              std::string_view) {
    return std::nullopt;
  }
  virtual void end_call(std::int64_t, std::string_view) {}
  /// Writes what budgets were charged so far; gives what that comes to, others' charges in it.
  [[nodiscard]] virtual std::vector<stored_use> write_budgets() { return {}; }
  /// Tells the others, once it is committed.
  virtual void tell(const peer_news&) {}

  // The ledger. Rows are added, never changed.
  virtual void append(const chain_row& row, const base::sha256_digest& hash) = 0;
  virtual void put_head(const chain_head& head, const base::sha256_digest& mac) = 0;
  /// What refunds have given back of an entry so far.
  [[nodiscard]] virtual std::int64_t refunded(std::string_view book, std::string_view entry) = 0;
  [[nodiscard]] virtual std::optional<allowance> find_allowance(std::int64_t account_id,
                                                                month_index month) = 0;
  virtual void put_allowance(std::int64_t account_id, month_index month,
                             const allowance& given) = 0;
  /// Not for an account that was deleted. `answer.body` is as it is stored. Older answers go, until
  /// all are within `limits`.
  virtual void keep_answer(std::int64_t account_id, std::string_view key,
                           const stored_answer& answer, running_time stored_at,
                           const answer_limits& limits) = 0;
  /// Removes some that were stored before then, the oldest first; whether there are more. Also
  /// gives some of the file that is free back to the system.
  [[nodiscard]] virtual bool purge_answers(running_time before) = 0;
  virtual void put_running_time(running_time now) = 0;

  /// Counts what a family of keys was charged, as budget_use does.
  virtual void charge_budget(std::int64_t family, month_index month, std::int64_t price) = 0;

  // Accounts.
  [[nodiscard]] virtual bool has_email(std::string_view email) = 0;
  /// Of an account that was not deleted.
  [[nodiscard]] virtual bool has_mailbox(std::string_view mailbox) = 0;
  /// Gives its id. `mailbox`: what the address reaches.
  [[nodiscard]] virtual std::int64_t add_account(const account_record& record,
                                                 std::string_view mailbox,
                                                 std::string_view password) = 0;
  virtual void put_plan(std::int64_t account_id, std::string_view plan) = 0;
  /// Not for an account that was deleted.
  virtual void put_operator(std::int64_t account_id, bool is_operator) = 0;
  [[nodiscard]] virtual bool has_password(std::int64_t account_id, std::string_view hash) = 0;
  virtual void put_password(std::int64_t account_id, std::string_view hash) = 0;
  /// Also proves the address. False, and nothing is written, for an account that was deleted.
  [[nodiscard]] virtual bool reset_password(std::int64_t account_id, std::string_view hash,
                                            time_point verified_at) = 0;
  /// Removes everything that says of whom the account was, keys and sessions, beyond recovery from
  /// the file. What its mailbox was granted stays under `mark`.
  virtual void forget_person(const account_record& account, const base::sha256_digest& mark,
                             month_index month, time_point deleted_at) = 0;
  virtual void put_secret(std::string_view name, std::string_view value) = 0;

  // Keys.
  /// Gives its id, 0 where the account is not there or was deleted. Family 0 makes it the first of
  /// its own.
  [[nodiscard]] virtual std::int64_t add_key(const stored_key& key) = 0;
  /// False, and nothing is written, for a key that was rotated before.
  [[nodiscard]] virtual bool rotate_key(std::int64_t key_id, time_point expires_at,
                                        time_point rotated_at) = 0;
  virtual void revoke_key(std::int64_t key_id, time_point revoked_at) = 0;
  [[nodiscard]] virtual std::vector<base::sha256_digest> key_hashes(std::int64_t account_id) = 0;
  virtual void put_last_use(std::int64_t key_id, time_point used_at) = 0;

  // Second factors: codes by time and passkeys. With the last of them the recovery codes go.
  /// Codes by time, in the place of those that are there.
  virtual void put_factor(std::int64_t account_id, const stored_factor& factor) = 0;
  virtual void add_recovery_code(std::int64_t account_id, const base::sha256_digest& hash) = 0;
  /// Whether codes by time are on.
  [[nodiscard]] virtual bool has_codes(std::int64_t account_id) = 0;
  /// Codes by time.
  virtual void remove_factor(std::int64_t account_id) = 0;
  /// False, and nothing is written, where the account has `most` or somebody has this one.
  [[nodiscard]] virtual bool add_passkey(std::int64_t account_id, const passkey_record& passkey,
                                         std::size_t most) = 0;
  /// False where it is not there.
  [[nodiscard]] virtual bool remove_passkey(std::int64_t account_id,
                                            std::string_view public_id) = 0;
  /// All of them.
  virtual void remove_factors(std::int64_t account_id) = 0;
  /// Uses up what was shown, which is good once; false, and nothing is written, where it is not
  /// good now, or nothing was shown and something must be.
  [[nodiscard]] virtual bool take_factor(std::int64_t account_id, const factor_use& shown) = 0;

  // What an account's owner is told of.
  /// Null: the account has not chosen.
  [[nodiscard]] virtual std::optional<alert_settings> find_alerts(std::int64_t account_id) = 0;
  /// Not for an account that was deleted.
  virtual void put_alerts(std::int64_t account_id, const alert_settings& chosen) = 0;
  /// False, and nothing is written, where the mark is there, or the account has as many of its kind
  /// as there may be. Also removes the account's marks that are over.
  [[nodiscard]] virtual bool add_alert_mark(std::int64_t account_id, const alert_mark& mark,
                                            time_point now) = 0;

  // Mails that are not sent yet. Each is held by one server, until that is not in service any more.
  /// Held by this one.
  virtual void keep_mail(const stored_mail& mail) = 0;
  virtual void remove_mail(std::string_view id) = 0;
  /// At most so many of those that nobody holds, the oldest first: this server holds them now.
  [[nodiscard]] virtual std::vector<stored_mail> take_mails(std::size_t most) = 0;

  // Sessions, links, the audit log.
  /// Of the account's other sessions the `kept` that were used last stay.
  virtual void add_session(const session_record& session, const base::sha256_digest& hash,
                           std::size_t kept) = 0;
  virtual void touch_session(std::string_view public_id, time_point used_at) = 0;
  virtual void remove_session(const base::sha256_digest& hash) = 0;
  /// But for the one whose public id is `kept`; "" for all.
  virtual void remove_sessions(std::int64_t account_id, std::string_view kept) = 0;
  virtual void remove_expired_sessions(time_point used_until, time_point created_until) = 0;
  /// Also removes the links that have expired by `now`.
  virtual void add_link(const new_link& link, time_point now) = 0;
  /// Removes it; whether it was there.
  [[nodiscard]] virtual bool take_link(const base::sha256_digest& hash) = 0;
  virtual void remove_links(std::string_view email) = 0;
  virtual void note(const audit_note& line, time_point written_at) = 0;
};

}  // namespace freshet::account
