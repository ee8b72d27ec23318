// Where accounts are kept: the one seam between their owners and a database. It writes in
// transactions, one at a time, and reads beside them. It knows no rule and holds nothing that is
// not stored.
#pragma once

#include <account/store/ledger_snapshot.hpp>
#include <account/store/transaction.hpp>
#include <memory>
#include <span>
#include <vector>

namespace freshet::postgres {
class read_replica;
}

namespace freshet::account {

/// What is told of a store that refused.
[[nodiscard]] inline error storage_failure() {
  return error(errc::storage_unavailable, "the accounts cannot be written just now");
}

/// Where a store is, and how a test makes its steps fail: as accounts_options say.
struct account_store_options {
  std::string path;  ///< a file of SQLite, or "postgresql://…"
  std::function<bool(std::string_view step)> fail;
  std::function<void(std::string_view line)> tell = {};
  std::string folder = {};  ///< of the pepper, where the database is no file
  /// Where reports that may be some seconds old are read; null: in the database.
  std::shared_ptr<postgres::read_replica> replica = {};
};

/// write() and probe() are called by one thread; the reading functions by any. Errors of all that
/// give a result: storage_unavailable.
class account_store {
 public:
  account_store() = default;
  account_store(const account_store&) = delete;
  account_store& operator=(const account_store&) = delete;
  virtual ~account_store() = default;

  /// Makes what is missing and brings older data up to date. Errors: storage_unavailable,
  /// invalid_configuration (in use by another process, a newer schema, a missing pepper).
  [[nodiscard]] static result<std::unique_ptr<account_store>> open(
      const account_store_options& options);

  /// The secret that is kept beside the data, never in it.
  [[nodiscard]] virtual const std::string& pepper() const noexcept = 0;

  // Writing.
  /// Runs `steps` in a transaction and commits. Unless it is done, all is as it was before, or
  /// uncertain.
  [[nodiscard]] virtual store_status write(const std::function<void(transaction&)>& steps) = 0;
  /// What made the last write uncertain, for people; "" if nothing has.
  [[nodiscard]] virtual const std::string& failure() const noexcept = 0;
  /// Writes something that means nothing, to see whether it can.
  [[nodiscard]] virtual store_status probe() = 0;
  /// Whether nobody answers just now, of whom a write may be waiting for what became of it. Any
  /// thread.
  [[nodiscard]] virtual bool is_away() const noexcept { return false; }
  /// Told now and then, on the thread that writes, while a write waits for what became of it.
  /// Before the first write().
  virtual void while_away(std::function<void()>) {}
  /// Such a write waits no longer, and is uncertain. Any thread.
  virtual void stop_waiting() noexcept {}
  /// Told once, on another thread, that the others count this server as gone: what is written
  /// from now on is uncertain. Null: nobody is told, once this has returned. Any thread.
  virtual void on_loss(std::function<void()>) {}

  // Several servers over one book.
  /// Whether others may write, too.
  [[nodiscard]] virtual bool is_shared() const noexcept { return false; }
  /// How many others there are now. Any thread.
  [[nodiscard]] virtual int peers() const noexcept { return 0; }
  /// Told what the others write, since this store was opened and in their order, on another thread.
  /// Null: nobody is told, once this has returned. Any thread.
  virtual void on_news(std::function<void(const peer_news&)>) {}

  // What is held in memory of everybody, read once. Before the first write().
  [[nodiscard]] virtual result<ledger_end> read_ledger_end() = 0;
  /// The last that was put, and no less than that of any answer.
  [[nodiscard]] virtual result<running_time> read_running_time() = 0;
  [[nodiscard]] virtual result<void> read_secrets(const reader<std::string, std::string>& to) = 0;
  /// Counts no further than `most`.
  [[nodiscard]] virtual result<std::int64_t> count_accounts(std::int64_t most) = 0;
  [[nodiscard]] virtual result<void> read_past_grants(
      month_index since, const reader<base::sha256_digest, month_index>& rows) = 0;
  /// The origins of keys that are good, as join_origins() has them, each text once.
  [[nodiscard]] virtual result<void> read_origins(const reader<std::string>& to) = 0;
  /// Every key, in the order of their hashes; then once more those that are not plain: that have
  /// ended or will, or lack a scope. Two threads tell at once, of hashes with different first bits.
  [[nodiscard]] virtual result<void> read_key_index(
      const reader<base::sha256_digest, indexed_key>& to) = 0;
  /// Of one account, or of all: 0.
  [[nodiscard]] virtual result<void> read_sessions(
      std::int64_t account_id, const reader<base::sha256_digest, session_record>& rows) = 0;

  // Looking something up, beside the writing. Reports do not hold these up. Null where there is
  // none.
  [[nodiscard]] virtual result<std::optional<stored_account>> find_account(std::int64_t id) = 0;
  /// Of an account that was not deleted.
  [[nodiscard]] virtual result<std::optional<stored_account>> find_account_by_email(
      std::string_view email) = 0;
  /// The same of a mailbox; of several the one that is spelled so, or the oldest.
  [[nodiscard]] virtual result<std::optional<stored_account>> find_account_by_mailbox(
      std::string_view mailbox, std::string_view email) = 0;
  [[nodiscard]] virtual result<std::optional<stored_account>> find_account_by_public_id(
      std::string_view public_id) = 0;
  [[nodiscard]] virtual result<std::optional<stored_key>> find_key(std::int64_t id) = 0;
  [[nodiscard]] virtual result<std::optional<stored_key>> find_key_by_public_id(
      std::string_view public_id) = 0;
  /// In the order of creation, revoked ones too.
  [[nodiscard]] virtual result<std::vector<stored_key>> read_keys(std::int64_t account_id) = 0;
  [[nodiscard]] virtual result<std::int64_t> count_keys(std::int64_t account_id) = 0;
  [[nodiscard]] virtual result<std::optional<sealed_answer>> find_answer(std::int64_t account_id,
                                                                         std::string_view key,
                                                                         running_time since) = 0;
  /// Empty for an account that has none, or that is not there.
  [[nodiscard]] virtual result<std::string> find_password(std::int64_t account_id) = 0;
  [[nodiscard]] virtual result<std::optional<stored_factor>> find_factor(
      std::int64_t account_id) = 0;
  /// The oldest first.
  [[nodiscard]] virtual result<std::vector<passkey_record>> find_passkeys(
      std::int64_t account_id) = 0;
  /// That are left.
  [[nodiscard]] virtual result<std::int64_t> count_recovery_codes(std::int64_t account_id) = 0;
  /// Whether there is anything for transaction::take_mails().
  [[nodiscard]] virtual result<bool> has_free_mails() = 0;
  /// Null for an account that has not chosen.
  [[nodiscard]] virtual result<std::optional<alert_settings>> find_alerts(
      std::int64_t account_id) = 0;
  /// The address that a link is for.
  [[nodiscard]] virtual result<std::optional<std::string>> find_link(
      std::string_view purpose, const base::sha256_digest& hash, time_point now) = 0;
  /// Whether it answers. Does not wait for long.
  [[nodiscard]] virtual bool answers() noexcept = 0;

  // Reports, some at a time. Some seconds old where there is a replica, but for find_charges() and
  // read_book(): a refund is decided by the one, and the other is held against what somebody knows.
  [[nodiscard]] virtual result<std::vector<ledger_row>> read_ledger(const ledger_page& page) = 0;
  /// Of a book, from the row `from_seq` on, in the order of writing, each with the hash that stands
  /// beside it; false ends it.
  [[nodiscard]] virtual result<void> read_book(
      std::string_view book, std::int64_t from_seq,
      const std::function<bool(const chain_row&, std::string_view hash)>& function) = 0;
  /// Newest first, below `before_id`, whose address contains `part`.
  [[nodiscard]] virtual result<std::vector<listed_account>> list_accounts(std::string_view part,
                                                                          std::int64_t before_id,
                                                                          int limit) = 0;
  /// In the order of writing; false ends it, which is the error cancelled.
  [[nodiscard]] virtual result<void> read_usage(
      std::string_view book, time_point since,
      const std::function<bool(const usage_charge&)>& function) = 0;
  [[nodiscard]] virtual result<std::vector<audit_entry>> read_audit(std::int64_t before_id,
                                                                    int limit) = 0;

  [[nodiscard]] virtual result<std::vector<call_charge>> find_charges(
      const charge_search& wanted) = 0;

  // What takes long, beside everything else.
  [[nodiscard]] virtual result<void> read_snapshot(
      const std::function<void(ledger_snapshot&)>& read) = 0;
};

}  // namespace freshet::account
