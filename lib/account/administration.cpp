// Accounts, keys and grants as an operator or an owner changes them. Each change is one job of the
// ledger thread; memory follows when it has committed.
#include <account/email.hpp>
#include <account/state.hpp>
#include <algorithm>
#include <base/ids.hpp>
#include <base/unicode.hpp>

namespace freshet::account {
namespace {

constexpr std::size_t max_reason_size = 500;
constexpr std::size_t max_keys_per_account = 1'000;
constexpr std::size_t max_key_name_length = 64;
constexpr std::chrono::seconds longest_lifetime = std::chrono::hours(24 * 3650);
constexpr std::size_t secret_bytes = 32;

error no_account() { return error(errc::not_found, "no such account"); }
error no_key() { return error(errc::not_found, "no such key"); }

/// Binds an optional number.
statement& bind_optional(statement& to, const std::optional<std::int64_t>& value) {
  return value ? to.bind(*value) : to.bind_null();
}

std::optional<std::int64_t> ms_of(const std::optional<time_point>& at) {
  if (!at) return std::nullopt;
  return to_ms(*at);
}

/// A key that is about to be stored.
struct new_key {
  std::string secret;
  base::sha256_digest hash{};
  key_entry entry;
};

new_key make_key(key_record like, time_point now, std::string_view pepper) {
  new_key made;
  made.secret = generate_key(like.mode);
  made.hash = hash_key(made.secret, pepper);
  like.public_id = base::make_id("key_", now);
  like.last_four = made.secret.substr(made.secret.size() - 4);
  like.created_at = now;
  like.last_used_at.reset();
  like.rotated_at.reset();
  like.revoked_at.reset();
  made.entry.record = std::move(like);
  return made;
}

/// Inserts the key and gives it its id; family 0 makes it the first of its own.
sqlite_code insert_key(database& on, new_key& key) {
  const key_record& record = key.entry.record;
  const std::string_view hash = base::as_text(key.hash);
  statement insert(on, "key",
                   "INSERT INTO keys (public_id, account_id, family, hash, is_test, last_four, "
                   "scope_read, scope_account, monthly_budget, expires_at, created_at, name) "
                   "VALUES (?,?,?,?,?,?,?,?,?,?,?,?)");
  insert.bind(record.public_id).bind(record.account_id).bind(key.entry.family).bind_blob(hash);
  insert.bind(record.mode == key_mode::test ? 1 : 0).bind(record.last_four);
  insert.bind(record.scope_read ? 1 : 0).bind(record.scope_account ? 1 : 0);
  bind_optional(insert,
                record.monthly_budget ? std::optional(record.monthly_budget->value) : std::nullopt);
  bind_optional(insert, ms_of(record.expires_at)).bind(to_ms(record.created_at));
  insert.bind(record.name);
  if (const sqlite_code code = insert.run(); code != sqlite_ok) return code;
  key.entry.record.id = on.last_insert_id();
  if (key.entry.family != 0) return sqlite_ok;
  statement found(on, "key", "UPDATE keys SET family=id WHERE id=?");
  return found.bind(key.entry.record.id).run();
}

/// Remembers a key that has been committed, and shows it.
void remember(accounts_state& in, new_key& key) {
  if (key.entry.family == 0) key.entry.family = key.entry.record.id;
  in.remember_key(key.entry, key.hash);
  key.entry.record = in.shown(key.entry, month_of(key.entry.record.created_at));
}

/// What a key may be called; the name is collapsed in place.
result<void> check_key_name(std::string& name) {
  if (!base::is_utf8(name)) return error(errc::invalid_request, "a key's name is UTF-8");
  name = base::collapse_spaces(name);
  for (const char c : name)
    if (static_cast<unsigned char>(c) < ' ' || c == '\x7f')
      return error(errc::invalid_request, "a key's name has no control characters");
  if (base::length(name) > max_key_name_length)
    return error(errc::invalid_request, "a key's name has at most 64 characters");
  return {};
}

}  // namespace

sqlite_code accounts_state::insert_account(account_record& record, std::string_view password) {
  statement insert(writer, "account",
                   "INSERT INTO accounts (public_id, email, plan, created_at, password, "
                   "verified_at) VALUES (?,?,?,?,?,?)");
  insert.bind(record.public_id).bind(record.email).bind(record.plan).bind(to_ms(record.created_at));
  const sqlite_code code = bind_optional(insert.bind(password), ms_of(record.verified_at)).run();
  record.id = writer.last_insert_id();
  return code;
}

void accounts_state::remember_account(const account_record& record) {
  account_entry entry;
  entry.record = record;
  const auto past = past_grants.find(address_mark(record.email));
  if (past != past_grants.end()) entry.month = past->second;
  accounts_by_email.emplace(record.email, record.id);
  accounts_by_public_id.emplace(record.public_id, record.id);
  accounts_by_id.emplace(record.id, std::move(entry));
}

base::sha256_digest accounts_state::address_mark(std::string_view email) const {
  return base::hmac_sha256(pepper, "past grant:" + std::string(email));
}

result<void> check_reason(std::string_view reason) {
  if (reason.size() > max_reason_size)
    return error(errc::invalid_request, "a reason has at most 500 bytes");
  if (!base::is_utf8(reason)) return error(errc::invalid_request, "a reason is UTF-8");
  return {};
}

result<account_record> accounts::create_account(std::string_view email, std::string_view plan) {
  accounts_state& state = *state_;
  const time_point now = state.now();
  account_record record;
  record.email = normal_email(email);
  record.plan = plan;
  record.created_at = now;
  record.public_id = base::make_id("acc_", now);
  if (record.email.empty()) return error(errc::invalid_request, "this is no e-mail address");
  if (state.configured_plan(record.plan) == nullptr)
    return error(errc::invalid_request, "there is no plan '" + record.plan + "'");
  bool exists = false;
  const auto write = [&](batch&) {
    exists = state.accounts_by_email.contains(record.email);
    if (exists) return sqlite_ok;
    return state.insert_account(record, "");
  };
  const auto commit = [&] {
    if (!exists) state.remember_account(record);
  };
  if (auto done = state.run(write, commit); !done) return done.error();
  if (exists)
    return error(errc::invalid_request, "there is an account for " + record.email + " already");
  return record;
}

result<account_record> accounts::find_account(std::string_view email) const {
  const std::lock_guard guard(state_->mutex);
  const auto found = state_->accounts_by_email.find(normal_email(email));
  if (found == state_->accounts_by_email.end()) return no_account();
  return state_->accounts_by_id.at(found->second).record;
}

result<created_key> accounts::create_key(std::int64_t account_id, const key_options& options) {
  accounts_state& state = *state_;
  if (options.monthly_budget && options.monthly_budget->value < 0)
    return error(errc::invalid_request, "a key's budget cannot be below zero");
  if (options.lifetime && (options.lifetime->count() <= 0 || *options.lifetime > longest_lifetime))
    return error(errc::invalid_request, "a key's lifetime is from 1 s to 3650 days");
  const time_point now = state.now();
  key_record like;
  like.name = options.name;
  if (auto fine = check_key_name(like.name); !fine) return fine.error();
  like.account_id = account_id;
  like.mode = options.mode;
  like.scope_read = options.scope_read;
  like.scope_account = options.scope_account;
  like.monthly_budget = options.monthly_budget;
  if (options.lifetime) like.expires_at = now + *options.lifetime;
  {
    const std::lock_guard guard(state.mutex);
    const account_entry* const owner = state.find_account(account_id);
    if (owner == nullptr) return no_account();
    if (owner->keys.size() >= max_keys_per_account)
      return error(errc::invalid_request, "the account has " +
                                              std::to_string(max_keys_per_account) +
                                              " keys, the most there can be");
  }
  new_key made = make_key(std::move(like), now, state.pepper);
  const auto done = state.run([&](batch&) { return insert_key(state.writer, made); },
                              [&] { remember(state, made); });
  if (!done) return done.error();
  return created_key{std::move(made.secret), std::move(made.entry.record)};
}

result<std::vector<key_record>> accounts::list_keys(std::int64_t account_id) const {
  const std::lock_guard guard(state_->mutex);
  const account_entry* const owner = state_->find_account(account_id);
  if (owner == nullptr) return no_account();
  std::vector<key_record> records;
  const month_index month = month_of(state_->now());
  for (const std::int64_t key : owner->keys)
    records.push_back(state_->shown(state_->keys_by_id.at(key), month));
  return records;
}

result<created_key> accounts::rotate_key(std::int64_t account_id, std::string_view key_id,
                                         std::chrono::seconds grace) {
  accounts_state& state = *state_;
  const time_point now = state.now();
  const time_point last = now + std::clamp(grace, std::chrono::seconds(0), longest_lifetime);
  key_entry old;
  {
    const std::lock_guard guard(state.mutex);
    const auto found = state.keys_by_public_id.find(std::string(key_id));
    if (found == state.keys_by_public_id.end()) return no_key();
    old = state.keys_by_id.at(found->second);
  }
  if (account_id != 0 && old.record.account_id != account_id) return no_key();
  if (old.record.revoked_at || (old.record.expires_at && *old.record.expires_at <= now))
    return error(errc::key_not_rotatable, "the key was revoked or has expired: create another");
  const error again(errc::key_not_rotatable,
                    "the key was rotated before: rotate the one that took its place");
  if (old.record.rotated_at) return again;
  new_key made = make_key(old.record, now, state.pepper);
  made.entry.family = old.family;
  const time_point until = old.record.expires_at ? std::min(*old.record.expires_at, last) : last;
  bool was_rotated = false;
  const auto write = [&](batch&) {
    // Asked in the transaction: of two in one batch the first does.
    statement still(state.writer, "key", "SELECT 1 FROM keys WHERE id=? AND rotated_at IS NULL");
    const sqlite_code found = still.bind(old.record.id).step();
    was_rotated = found == sqlite_done;
    if (found != sqlite_row) return was_rotated ? sqlite_ok : found;
    still.reset();
    statement end(state.writer, "key", "UPDATE keys SET expires_at=?, rotated_at=? WHERE id=?");
    const sqlite_code code = end.bind(to_ms(until)).bind(to_ms(now)).bind(old.record.id).run();
    return code == sqlite_ok ? insert_key(state.writer, made) : code;
  };
  const auto commit = [&] {
    if (was_rotated) return;
    key_record& record = state.keys_by_id.at(old.record.id).record;
    record.expires_at = until;
    record.rotated_at = now;
    remember(state, made);
  };
  if (auto done = state.run(write, commit); !done) return done.error();
  if (was_rotated) return again;
  return created_key{std::move(made.secret), std::move(made.entry.record)};
}

result<key_record> accounts::revoke_key(std::int64_t account_id, std::string_view key_id) {
  accounts_state& state = *state_;
  const time_point now = state.now();
  std::int64_t id = 0;
  {
    const std::lock_guard guard(state.mutex);
    const auto found = state.keys_by_public_id.find(std::string(key_id));
    if (found == state.keys_by_public_id.end()) return no_key();
    const key_record& record = state.keys_by_id.at(found->second).record;
    if (account_id != 0 && record.account_id != account_id) return no_key();
    if (record.revoked_at) return state.shown(state.keys_by_id.at(found->second), month_of(now));
    id = record.id;
  }
  key_record revoked;
  const auto write = [&](batch&) {
    statement update(state.writer, "key",
                     "UPDATE keys SET revoked_at=? WHERE id=? AND revoked_at IS NULL");
    return update.bind(to_ms(now)).bind(id).run();
  };
  const auto commit = [&] {
    key_entry& entry = state.keys_by_id.at(id);
    if (!entry.record.revoked_at) entry.record.revoked_at = now;
    revoked = state.shown(entry, month_of(now));
  };
  if (auto done = state.run(write, commit); !done) return done.error();
  return revoked;
}

result<balance> accounts::grant(std::int64_t account_id, credits amount, std::string_view reason) {
  accounts_state& state = *state_;
  if (amount.value <= 0 || amount.value > max_grant)
    return error(errc::invalid_request,
                 "a grant is of 1 to " + std::to_string(max_grant) + " credits");
  if (auto fine = check_reason(reason); !fine) return fine.error();
  {
    std::unique_lock guard(state.mutex);
    account_entry* const account = state.find_account(account_id);
    if (account == nullptr) return no_account();
    if (auto made = state.ensure_month(guard, *account); !made) return made.error();
  }
  const movement_note note{.kind = "grant", .reason = reason, .at = state.now()};
  bool too_much = false;
  const auto write = [&](batch& in) {
    account_book& book = in.book_of(account_id).book;
    too_much = is_too_large(book, amount.value);
    if (too_much) return sqlite_ok;
    return state.ledger->append(account_id, {amount.value, book.monthly_left}, note, book);
  };
  balance after;
  const auto commit = [&] { after = state.balance_of(state.accounts_by_id.at(account_id)); };
  if (auto done = state.run(write, commit); !done) return done.error();
  if (too_much) return error(errc::invalid_request, "the balance would be too large");
  return after;
}

result<std::string> accounts::secret(std::string_view name) {
  accounts_state& state = *state_;
  {
    const std::lock_guard guard(state.mutex);
    if (const auto known = state.secrets.find(name); known != state.secrets.end())
      return known->second;
  }
  std::string value;
  const auto write = [&](batch&) {
    // Two callers may ask at once; only this thread changes the map, so it may read it.
    const auto known = state.secrets.find(name);
    value = known != state.secrets.end() ? known->second : base::random_bytes(secret_bytes);
    if (known != state.secrets.end()) return sqlite_ok;
    statement insert(state.writer, "secret", "INSERT INTO secrets (name, value) VALUES (?, ?)");
    return insert.bind(name).bind_blob(value).run();
  };
  const auto commit = [&] { state.secrets.emplace(std::string(name), value); };
  if (auto done = state.run(write, commit); !done) return done.error();
  return value;
}

}  // namespace freshet::account
