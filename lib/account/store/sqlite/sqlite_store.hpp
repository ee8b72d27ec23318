// The accounts in one SQLite file: one connection writes, one looks up for calls, one for who signs
// in, some report, and what takes minutes opens its own. In memory (":memory:", for tests) all of
// them are the one that writes.
//
// Lock order: nobody holds two connections' mutexes at once. The thread that writes may take the
// commit queue's lock while it holds the writer's, never the other way round.
#pragma once

#include <account/store/sqlite/reader_pool.hpp>
#include <account/store/sqlite/sqlite_transaction.hpp>
#include <account/store/store.hpp>
#include <sqlite/database_files.hpp>

namespace freshet::account {

class sqlite_store final : public account_store {
 public:
  ~sqlite_store() override;
  [[nodiscard]] result<void> open(const account_store_options& options);
  [[nodiscard]] const std::string& pepper() const noexcept override { return pepper_; }

  store_status write(const std::function<void(transaction&)>& steps) override;
  const std::string& failure() const noexcept override { return failure_; }
  store_status probe() override;

  result<ledger_end> read_ledger_end() override;
  result<running_time> read_running_time() override;
  result<void> read_secrets(const reader<std::string, std::string>& to) override;
  result<std::int64_t> count_accounts(std::int64_t most) override;
  result<void> read_past_grants(month_index since,
                                const reader<base::sha256_digest, month_index>& rows) override;
  result<void> read_key_index(const reader<base::sha256_digest, indexed_key>& to) override;
  result<void> read_sessions(std::int64_t account_id,
                             const reader<base::sha256_digest, session_record>& rows) override;

  result<std::optional<stored_account>> find_account(std::int64_t id) override;
  result<std::optional<stored_account>> find_account_by_email(std::string_view email) override;
  result<std::optional<stored_account>> find_account_by_mailbox(std::string_view mailbox,
                                                                std::string_view email) override;
  result<std::optional<stored_account>> find_account_by_public_id(
      std::string_view public_id) override;
  result<std::optional<stored_key>> find_key(std::int64_t id) override;
  result<std::optional<stored_key>> find_key_by_public_id(std::string_view public_id) override;
  result<std::vector<stored_key>> read_keys(std::int64_t account_id) override;
  result<std::int64_t> count_keys(std::int64_t account_id) override;
  result<std::optional<sealed_answer>> find_answer(std::int64_t account_id, std::string_view key,
                                                   running_time since) override;
  result<std::string> find_password(std::int64_t account_id) override;
  result<void> read_origins(const reader<std::string>& to) override;
  result<std::optional<stored_factor>> find_factor(std::int64_t account_id) override;
  result<std::vector<passkey_record>> find_passkeys(std::int64_t account_id) override;
  result<std::int64_t> count_recovery_codes(std::int64_t account_id) override;
  result<bool> has_free_mails() override;
  result<std::optional<alert_settings>> find_alerts(std::int64_t account_id) override;
  result<std::optional<std::string>> find_link(std::string_view purpose,
                                               const base::sha256_digest& hash,
                                               time_point now) override;
  bool answers() noexcept override;

  result<std::vector<ledger_row>> read_ledger(const ledger_page& page) override;
  result<void> read_book(
      std::string_view book, std::int64_t from_seq,
      const std::function<bool(const chain_row&, std::string_view hash)>& function) override;
  result<std::vector<listed_account>> list_accounts(std::string_view part, std::int64_t before_id,
                                                    int limit) override;
  result<void> read_usage(std::string_view book, time_point since,
                          const std::function<bool(const usage_charge&)>& function) override;
  result<std::vector<audit_entry>> read_audit(std::int64_t before_id, int limit) override;
  result<std::vector<call_charge>> find_charges(const charge_search& wanted) override;
  result<void> read_snapshot(const std::function<void(ledger_snapshot&)>& read) override;

 private:
  [[nodiscard]] result<void> open_files(const account_store_options& options);
  /// Brings the schema up to date, after a copy of what there is.
  [[nodiscard]] result<void> bring_up_to_date(const std::function<void(std::string_view)>& tell);
  [[nodiscard]] result<void> check_pepper();
  /// Says in the file that it is open, so that a copy of it alone can be told from a whole one.
  [[nodiscard]] result<void> mark_open();
  [[nodiscard]] sqlite::sqlite_code commit(std::string& why);
  [[nodiscard]] bool rollback();
  /// Nobody knows any more what is stored: says why, once.
  store_status give_up(std::string why);
  /// For calls.
  [[nodiscard]] sqlite::database& lookups() { return in_memory_ ? writer_ : lookup_reader_; }
  /// For who signs in, which many may try who have no key.
  [[nodiscard]] sqlite::database& people() { return in_memory_ ? writer_ : people_reader_; }
  /// Reads on a connection for reports.
  [[nodiscard]] result<void> report(const std::function<result<void>(sqlite::database&)>& read);
  /// Reads on a connection that nobody waits behind.
  [[nodiscard]] result<void> read_alone(const std::function<result<void>(sqlite::database&)>& read);

  std::string path_, pepper_;
  bool in_memory_ = false;
  bool is_marked_ = false;
  std::string failure_;  ///< why nobody knows what is stored; "" while it is known
  sqlite::file_lock lock_;
  sqlite::short_file head_;
  // Declared before the statements that are prepared on them.
  sqlite::database writer_, lookup_reader_, people_reader_;
  reader_pool reports_;
  std::unique_ptr<sqlite_transaction> transaction_;
  sqlite::statement begin_, commit_;
  std::int64_t committed_seq_ = 0;  ///< the ledger's last row that is known to be stored
};

}  // namespace freshet::account
