// A transaction over SQLite: the statements of what is written. It begins, commits and rolls back
// nothing; sqlite_store does.
#pragma once

#include <account/store/sqlite/packed_charges.hpp>
#include <account/store/transaction.hpp>
#include <map>
#include <sqlite/sqlite.hpp>
#include <utility>

namespace freshet::account {

class sqlite_transaction final : public transaction {
 public:
  /// `database` must outlive it; `newest` is the latest moment in its ledger.
  /// `path`: of the database's file.
  sqlite_transaction(sqlite::database& database, std::string path, time_point newest);
  /// Begins anew, or fails at once, by how its beginning went; ends by how its commit did.
  void begin(sqlite::sqlite_code code) noexcept {
    code_ = code;
    last_seq_ = 0;
    head_.clear();
    charges_.clear();
    budgets_.clear();
  }
  /// Writes what was held back to be written with more: the last step of all.
  void finish();
  void end(sqlite::sqlite_code code) noexcept { code_ = code; }
  /// The last row that was appended since begin(), 0 for none.
  [[nodiscard]] std::int64_t last_seq() const noexcept { return last_seq_; }
  /// The head that was put since begin(), as sealed_text() has it; "" for none.
  [[nodiscard]] const std::string& head() const noexcept { return head_; }
  [[nodiscard]] store_status status() const noexcept override;

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
  void run(sqlite::statement& one);
  template <class... Values>
  void run(std::string_view stage, const char* sql, const Values&... values) {
    sqlite::statement one(*on_, stage, sql);
    run(one.bind(values...));
  }
  /// Whether there is a row, which can then be read.
  [[nodiscard]] bool find(sqlite::statement& one);
  template <class... Values>
  [[nodiscard]] bool finds(std::string_view stage, const char* sql, const Values&... values) {
    sqlite::statement one(*on_, stage, sql);
    return find(one.bind(values...));
  }
  void execute(const char* sql);
  void insert(const chain_row& row, std::string_view hash, std::int64_t charges,
              std::string_view packed);
  void write_charges();
  /// Recovery codes are for a second factor.
  void remove_codes_of_none(std::int64_t account_id);
  /// `newest`: bytes of the one that was just added.
  void bound_answers(std::int64_t account_id, std::int64_t newest, const answer_limits& limits);
  void read_sizes(std::int64_t account_id, std::int64_t& own, std::int64_t& all);

  sqlite::database* on_;
  std::string path_;
  sqlite::sqlite_code code_ = sqlite::sqlite_ok;
  std::int64_t last_seq_ = 0;
  std::string head_;
  charge_packer charges_;
  time_point newest_;  ///< of what was ever appended, be it that it was undone
  std::map<std::pair<std::int64_t, month_index>, std::int64_t> budgets_;  ///< by family and month
  sqlite::statement insert_row_, put_head_, charge_budget_, remove_answer_, insert_answer_,
      answer_sizes_;
};

}  // namespace freshet::account
