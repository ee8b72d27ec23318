// The end of an account, operators, and the audit log. The books of a deleted account stay under
// its number, which names nobody; everything that says whose it was goes.
#include <account/email.hpp>
#include <account/users_state.hpp>
#include <algorithm>

namespace freshet::account {
namespace {

constexpr int max_entries_at_once = 500;
constexpr std::size_t max_detail_size = 1000;

/// Everything that an account's rows say of a person, and its keys. The statements of one
/// transaction.
sqlite_code erase_rows(database& on, const account_record& of, time_point at) {
  statement account(on, "account",
                    "UPDATE accounts SET email='deleted:' || public_id, password='', "
                    "verified_at=NULL, is_operator=0, deleted_at=? WHERE id=?");
  if (const auto code = account.bind(to_ms(at)).bind(of.id).run(); code != sqlite_ok) return code;
  statement keys(on, "key",
                 "UPDATE keys SET name='', revoked_at=ifnull(revoked_at, ?) WHERE account_id=?");
  if (const auto code = keys.bind(to_ms(at)).bind(of.id).run(); code != sqlite_ok) return code;
  statement answers(on, "answer", "DELETE FROM answers WHERE account_id=?");
  return answers.bind(of.id).run();
}

}  // namespace

result<void> users::erase(const login& who, std::string_view password, const origin& from) {
  const auto guess =
      state_->check_guess(who.account.email, who.account, password, from, "account.delete");
  if (!guess) return guess.error();
  accounts_state& accounts = state_->accounts;
  const account_record& of = who.account;
  const time_point at = state_->now();
  const base::sha256_digest mark = accounts.address_mark(of.email);
  month_index month = no_month;
  const auto write = [&](batch&) {
    // Freed pages are overwritten, so that the file does not keep what the tables have forgotten.
    sqlite_code code = accounts.writer.execute("PRAGMA secure_delete=ON");
    if (code == sqlite_ok) code = erase_rows(accounts.writer, of, at);
    if (code == sqlite_ok) code = state_->delete_sessions(of.id);
    if (code == sqlite_ok) code = state_->delete_tokens(of.email);
    if (code != sqlite_ok) return code;
    // Only this thread changes months, under the mutex that it need not hold to read them.
    month = accounts.accounts_by_id.at(of.id).month;
    statement past(accounts.writer, "account",
                   "INSERT OR REPLACE INTO past_grants (address, month) VALUES (?,?)");
    code = past.bind_blob(base::as_text(mark)).bind(month).run();
    if (code != sqlite_ok) return code;
    code = state_->note({actor_of(of), "account.delete", of.public_id, "", from.address});
    return code == sqlite_ok ? accounts.writer.execute("PRAGMA secure_delete=OFF") : code;
  };
  const auto commit = [&] {
    account_entry& entry = accounts.accounts_by_id.at(of.id);
    accounts.accounts_by_email.erase(of.email);
    entry.record.email.clear();
    entry.record.is_operator = false;
    entry.record.verified_at.reset();
    entry.record.deleted_at = at;
    for (const std::int64_t key : entry.keys) {
      key_record& record = accounts.keys_by_id.at(key).record;
      record.name.clear();
      if (!record.revoked_at) record.revoked_at = at;
    }
    accounts.past_grants[mark] = month;
    state_->forget_sessions(of.id);
  };
  return accounts.run(write, commit);
}

result<account_record> users::set_operator(std::string_view email, bool is_operator,
                                           const audit_note& note) {
  auto account = state_->find_account(normal_email(email));
  if (!account) return error(errc::not_found, "no such account");
  accounts_state& accounts = state_->accounts;
  const auto write = [&](batch&) {
    statement update(accounts.writer, "account",
                     "UPDATE accounts SET is_operator=? WHERE id=? AND deleted_at IS NULL");
    const sqlite_code code = update.bind(is_operator ? 1 : 0).bind(account->id).run();
    return code == sqlite_ok ? state_->note(note) : code;
  };
  const auto commit = [&] {
    account_record& record = accounts.accounts_by_id.at(account->id).record;
    if (!record.deleted_at) record.is_operator = is_operator;
  };
  if (auto done = accounts.run(write, commit); !done) return done.error();
  account->is_operator = is_operator;
  return *account;
}

sqlite_code users::state::note(const audit_note& what) {
  statement insert(accounts.writer, "audit",
                   "INSERT INTO audit (at, actor, action, subject, detail, address) "
                   "VALUES (?,?,?,?,?,?)");
  const std::string_view detail = std::string_view(what.detail).substr(0, max_detail_size);
  insert.bind(to_ms(now())).bind(what.actor).bind(what.action).bind(what.subject).bind(detail);
  return insert.bind(what.address).run();
}

result<void> users::record(const audit_note& what) {
  return state_->accounts.run([&](batch&) { return state_->note(what); }, nullptr);
}

result<std::vector<audit_entry>> users::audit(std::int64_t before_id, int limit) const {
  const std::int64_t before = before_id > 0 ? before_id : std::numeric_limits<std::int64_t>::max();
  database& reader = state_->accounts.reports();
  const std::lock_guard guard(reader.mutex);
  statement query(reader, "query",
                  "SELECT id, at, actor, action, subject, detail, address FROM audit WHERE id<? "
                  "ORDER BY id DESC LIMIT ?");
  query.bind(before).bind(std::clamp(limit, 1, max_entries_at_once));
  std::vector<audit_entry> entries;
  sqlite_code code = query.step();
  for (; code == sqlite_row; code = query.step())
    entries.push_back({query.integer(0), from_ms(query.integer(1)), std::string(query.text(2)),
                       std::string(query.text(3)), std::string(query.text(4)),
                       std::string(query.text(5)), std::string(query.text(6))});
  if (code != sqlite_done) return reader.last_error("reading the audit log");
  return entries;
}

std::string users::email_of(std::string_view public_id) const {
  const std::lock_guard guard(state_->accounts.mutex);
  const auto found = state_->accounts.accounts_by_public_id.find(std::string(public_id));
  if (found == state_->accounts.accounts_by_public_id.end()) return {};
  return state_->accounts.accounts_by_id.at(found->second).record.email;
}

}  // namespace freshet::account
