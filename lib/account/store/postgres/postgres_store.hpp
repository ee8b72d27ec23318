// The accounts in a PostgreSQL database: one connection writes, some look up, some report. Several
// servers may write, each a node in the database; their transactions run one at a time.
//
// A connection that is lost is opened again. Where it was lost in a commit, the count of the
// node's transactions, which each of them raises, says whether it is in: until that can be read,
// and lasts, nobody is told anything, and is_away() is true. durability.hpp says what lasts when.
#pragma once

#include <account/store/postgres/durability.hpp>
#include <account/store/postgres/heartbeat.hpp>
#include <account/store/postgres/peer_listener.hpp>
#include <account/store/postgres/postgres_transaction.hpp>
#include <account/store/store.hpp>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <postgres/connection_pool.hpp>
#include <postgres/read_replica.hpp>
#include <sqlite/database_files.hpp>

namespace freshet::account::on_postgres {

class postgres_store final : public account_store {
 public:
  ~postgres_store() override;
  [[nodiscard]] result<void> open(const account_store_options& options);
  [[nodiscard]] const std::string& pepper() const noexcept override { return pepper_; }

  store_status write(const std::function<void(transaction&)>& steps) override;
  const std::string& failure() const noexcept override { return failure_; }
  store_status probe() override;
  bool is_away() const noexcept override { return away_ || sign_.is_unheard(); }
  void while_away(std::function<void()> told) override { away_told_ = std::move(told); }
  void stop_waiting() noexcept override;
  void on_loss(std::function<void()> told) override;
  bool is_shared() const noexcept override { return true; }
  int peers() const noexcept override { return sign_.peers(); }
  void on_news(std::function<void(const peer_news&)> told) override;

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
  [[nodiscard]] result<void> open_writer(const account_store_options& options);
  /// Gives this process its node, and ends that which the folder had before.
  [[nodiscard]] result<void> add_this_node(const std::string& folder);
  [[nodiscard]] result<void> take_pepper(const std::string& folder);
  /// Whether the writer's connection stands, and the node is in service.
  [[nodiscard]] bool is_ready();
  /// Opens it again. False where nobody answers, and where the node was retired.
  [[nodiscard]] bool reconnect();
  /// Begins a transaction beside which no other runs, of a node that is in service.
  [[nodiscard]] postgres::pg_outcome begin();
  /// What has become of a commit that nobody answered; waits until somebody does.
  [[nodiscard]] store_status resolve_commit();
  /// Waits a little longer each time; false once nobody is to wait any more.
  [[nodiscard]] bool pause(std::chrono::milliseconds& before);
  /// Nobody knows any more what is stored, or the node was retired: says why, once.
  store_status give_up(std::string why);
  template <class Found, class Read, class... Values>
  [[nodiscard]] result<Found> look_up(const std::string& sql, Read read, const Values&... values);
  template <class Row, class Read, class... Values>
  [[nodiscard]] static postgres::pg_outcome list(postgres::pg_connection& connection,
                                                 std::vector<Row>& rows, const std::string& sql,
                                                 Read read, const Values&... values);
  template <class Row, class Read, class... Values>
  [[nodiscard]] result<std::vector<Row>> report_list(const std::string& sql, Read read,
                                                     const Values&... values);
  [[nodiscard]] result<void> read_all(
      postgres::connection_pool& pool,
      const std::function<postgres::pg_outcome(postgres::pg_connection&)>& reading);
  /// What may be some seconds old.
  [[nodiscard]] result<void> read_report(
      const std::function<postgres::pg_outcome(postgres::pg_connection&)>& reading);

  postgres::connection_options where_;
  std::string pepper_, failure_;
  std::mutex mutex_;  ///< of the writer
  postgres::pg_connection writer_;
  std::unique_ptr<postgres_transaction> transaction_;
  std::int64_t node_ = 0;                  ///< this process, in the database
  std::int64_t batches_ = 0;               ///< of its transactions, that are known to be in
  commit_form form_ = commit_form::whole;  ///< of the transaction that runs
  bool is_held_up_ = false;                ///< somebody had the lock of all for too long
  postgres::connection_pool lookups_, reports_;
  std::shared_ptr<postgres::read_replica> replica_;  ///< null: there is none
  std::atomic<bool> away_{false};
  std::function<void()> away_told_;  ///< of who writes
  std::mutex stopping_mutex_;
  std::condition_variable stopped_;
  bool stopping_ = false;                    ///< under the mutex above
  std::optional<sqlite::file_lock> folder_;  ///< no other node is of this data folder
  heartbeat sign_;
  peer_listener ears_;
};

}  // namespace freshet::account::on_postgres
