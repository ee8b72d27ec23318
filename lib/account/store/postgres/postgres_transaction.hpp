// A transaction over PostgreSQL: the statements of what is written. Rows of the ledger and budgets
// are collected and written together, before whatever reads them and at the end. It begins, commits
// and rolls back nothing; postgres_store does.
#pragma once

#include <account/store/transaction.hpp>
#include <map>
#include <postgres/postgres.hpp>

namespace freshet::account::on_postgres {

class postgres_transaction final : public transaction {
 public:
  /// `connection` must outlive it.
  postgres_transaction(postgres::pg_connection& connection, std::int64_t node)
      : on_(&connection), node_(node) {}
  /// Counts this one as the node's, and reads what find_head() gives. `serves`: whether the node is
  /// in service. Before begin(), with the lock that all take.
  [[nodiscard]] postgres::pg_outcome find_end(std::int64_t batch, bool& serves);
  /// Begins anew, or fails at once, by how its beginning went; ends by how its commit did.
  void begin(postgres::pg_outcome code);
  void end(postgres::pg_outcome code) noexcept { code_ = code; }
  /// Writes what was collected.
  void flush();
  [[nodiscard]] bool is_lost() const noexcept { return code_ == postgres::pg_outcome::lost; }
  [[nodiscard]] store_status status() const noexcept override;

  std::optional<chain_head> find_head() override { return end_; }
  std::vector<leased_book> find_books(std::span<const std::int64_t> accounts) override;
  void put_lease(std::int64_t account_id, std::int64_t credits) override;
  std::optional<std::string> find_plan(std::int64_t account_id) override;
  std::optional<std::string> find_secret(std::string_view name) override;
  std::optional<std::string> begin_call(std::int64_t account_id, std::string_view name,
                                        std::string_view fingerprint) override;
  void end_call(std::int64_t account_id, std::string_view name) override;
  std::vector<stored_use> write_budgets() override;
  void tell(const peer_news& what) override { told_.push_back(what); }

  void append(const chain_row& row, const base::sha256_digest& hash) override;
  void put_head(const chain_head& head, const base::sha256_digest& mac) override;
  std::int64_t refunded(std::string_view book, std::string_view entry) override;
  std::optional<allowance> find_allowance(std::int64_t account_id, month_index month) override;
  void put_allowance(std::int64_t account_id, month_index month, const allowance& given) override;
  void charge_budget(std::int64_t family, month_index month, std::int64_t price) override;
  void keep_answer(std::int64_t account_id, std::string_view key, const stored_answer& answer,
                   running_time stored_at, const answer_limits& limits) override;
  bool purge_answers(running_time before) override;
  void put_running_time(running_time now) override;

  bool has_email(std::string_view email) override;
  bool has_mailbox(std::string_view mailbox) override;
  std::int64_t add_account(const account_record& record, std::string_view mailbox,
                           std::string_view password) override;
  void put_plan(std::int64_t account_id, std::string_view plan) override;
  void put_operator(std::int64_t account_id, bool is_operator) override;
  bool has_password(std::int64_t account_id, std::string_view hash) override;
  void put_password(std::int64_t account_id, std::string_view hash) override;
  bool reset_password(std::int64_t account_id, std::string_view hash,
                      time_point verified_at) override;
  void forget_person(const account_record& account, const base::sha256_digest& mark,
                     month_index month, time_point deleted_at) override;
  void put_secret(std::string_view name, std::string_view value) override;

  std::int64_t add_key(const stored_key& key) override;
  bool rotate_key(std::int64_t key_id, time_point expires_at, time_point rotated_at) override;
  void revoke_key(std::int64_t key_id, time_point revoked_at) override;
  std::vector<base::sha256_digest> key_hashes(std::int64_t account_id) override;
  void put_last_use(std::int64_t key_id, time_point used_at) override;

  void put_factor(std::int64_t account_id, const stored_factor& factor) override;
  void add_recovery_code(std::int64_t account_id, const base::sha256_digest& hash) override;
  bool has_codes(std::int64_t account_id) override;
  void remove_factor(std::int64_t account_id) override;
  bool add_passkey(std::int64_t account_id, const passkey_record& passkey,
                   std::size_t most) override;
  bool remove_passkey(std::int64_t account_id, std::string_view public_id) override;
  void remove_factors(std::int64_t account_id) override;
  bool take_factor(std::int64_t account_id, const factor_use& shown) override;

  std::optional<alert_settings> find_alerts(std::int64_t account_id) override;
  void put_alerts(std::int64_t account_id, const alert_settings& chosen) override;
  bool add_alert_mark(std::int64_t account_id, const alert_mark& mark, time_point now) override;

  void keep_mail(const stored_mail& mail) override;
  void remove_mail(std::string_view id) override;
  std::vector<stored_mail> take_mails(std::size_t most) override;

  void add_session(const session_record& session, const base::sha256_digest& hash,
                   std::size_t kept) override;
  void touch_session(std::string_view public_id, time_point used_at) override;
  void remove_session(const base::sha256_digest& hash) override;
  void remove_sessions(std::int64_t account_id, std::string_view kept) override;
  void remove_expired_sessions(time_point used_until, time_point created_until) override;
  void add_link(const new_link& link, time_point now) override;
  bool take_link(const base::sha256_digest& hash) override;
  void remove_links(std::string_view email) override;
  void note(const audit_note& line, time_point written_at) override;

 private:
  /// Runs the statement unless a step has failed.
  void run(postgres::pg_statement& one);
  template <class... Values>
  void run(std::string_view stage, const char* sql, const Values&... values) {
    postgres::pg_statement one(*on_, stage, sql);
    run(one.bind(values...));
  }
  /// Whether there is a row, which can then be read.
  [[nodiscard]] bool find(postgres::pg_statement& one);
  template <class... Values>
  [[nodiscard]] bool finds(std::string_view stage, const char* sql, const Values&... values) {
    postgres::pg_statement one(*on_, stage, sql);
    return find(one.bind(values...));
  }
  /// The id that an INSERT returns, 0 for none.
  template <class... Values>
  [[nodiscard]] std::int64_t add(std::string_view stage, const char* sql, const Values&... values) {
    postgres::pg_statement one(*on_, stage, sql);
    return find(one.bind(values...)) ? one.integer(0) : 0;
  }
  void flush_rows();
  void flush_leases();
  void flush_news();
  /// Recovery codes are for a second factor.
  void remove_codes_of_none(std::int64_t account_id);
  void remove_answers_of(std::int64_t account_id);
  void bound_answers(std::int64_t account_id, std::int64_t own, std::int64_t all,
                     const answer_limits& limits);

  static constexpr std::size_t row_columns = 17;

  postgres::pg_connection* on_;
  std::int64_t node_;
  chain_head end_;
  postgres::pg_outcome code_ = postgres::pg_outcome::done;
  std::array<postgres::pg_array, row_columns> rows_;  ///< of the ledger, not written yet
  std::vector<std::int64_t> tops_;                    ///< due behind them
  /// Of families of keys, not written yet: what they were charged, in which month.
  std::map<std::pair<std::int64_t, month_index>, std::int64_t> charged_;
  std::map<std::int64_t, std::int64_t> leases_;  ///< by account, not written yet
  std::vector<peer_news> told_;                  ///< not written yet
};

}  // namespace freshet::account::on_postgres
