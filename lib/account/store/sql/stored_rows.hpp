// Accounts, keys and what owners are told of, out of the rows of either database: a row is whatever
// reads its columns, in their order, into what it is given. And what both keep to when they write.
#pragma once

#include <account/rules/origins.hpp>
#include <account/rules/shares.hpp>
#include <account/store/records.hpp>

namespace freshet::account {

/// What one commit removes of old answers: others wait for it. Of large ones fewer, of any one at
/// least.
inline constexpr std::int64_t max_purged = 500;
inline constexpr std::int64_t max_purged_bytes = 8 << 20;

/// The schemas say what the tops of the ledger are for.
inline constexpr std::int64_t rows_below_top = 1024;

/// What a kept answer takes of its account's bound: its row about 256 beside key and body.
[[nodiscard]] inline std::size_t bytes_of(std::string_view key, const stored_answer& answer) {
  return 256 + key.size() + answer.body.size();
}

/// What read_key() reads.
inline constexpr const char* key_rows =
    "SELECT keys.id, public_id, account_id, keys.family, hash, is_test, last_four, scope_read, "
    "scope_account, monthly_budget, expires_at, revoked_at, last_used_at, created_at, name, "
    "rotated_at, origins, budgets.month, budgets.used "
    "FROM keys LEFT JOIN budgets ON budgets.family=keys.family ";

template <class Row>
[[nodiscard]] stored_account read_account(const Row& row) {
  stored_account account;
  account_record& record = account.record;
  account_book& book = account.book.book;
  std::optional<month_index> month;
  row.read(record.id, record.public_id, record.email, record.plan, record.created_at,
           record.is_operator, record.verified_at, record.deleted_at, book.balance,
           book.monthly_left, book.chain.number, book.chain.hash, month);
  // The column only holds what makes it unique.
  if (record.deleted_at) record.email.clear();
  account.book.month = month.value_or(no_month);
  return account;
}

template <class Row>
[[nodiscard]] stored_key read_key(const Row& row) {
  stored_key key;
  key_record& record = key.record;
  bool is_test = false;
  std::optional<std::int64_t> budget;
  std::optional<month_index> month;
  std::string_view origins;
  row.read(record.id, record.public_id, record.account_id, key.family, key.hash, is_test,
           record.last_four, record.scope_read, record.scope_account, budget, record.expires_at,
           record.revoked_at, record.last_used_at, record.created_at, record.name,
           record.rotated_at, origins, month, key.budget_used);
  record.origins = split_origins(origins);
  record.mode = is_test ? key_mode::test : key_mode::live;
  if (budget) record.monthly_budget = credits{*budget};
  key.budget_month = month.value_or(no_month);
  return key;
}

/// What read_alerts() reads.
inline constexpr const char* alert_rows =
    "SELECT credits_left, key_budgets, failing_sources, mail, webhook, webhook_since "
    "FROM alert_settings ";

template <class Row>
[[nodiscard]] alert_settings read_alerts(const Row& row) {
  alert_settings chosen;
  std::string_view shares;
  row.read(shares, chosen.key_budgets, chosen.failing_sources, chosen.mail, chosen.webhook,
           chosen.webhook_since);
  chosen.credits_left = split_shares(shares);
  return chosen;
}

}  // namespace freshet::account
