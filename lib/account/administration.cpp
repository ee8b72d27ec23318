// Accounts, keys and grants as an operator or an owner changes them. Each change is one job of the
// ledger thread; memory follows when it has committed. What is asked about is read from the store,
// be it in memory or not.
#include <account/owners.hpp>
#include <account/users/email.hpp>
#include <algorithm>
#include <base/ids.hpp>
#include <base/unicode.hpp>

namespace freshet::account {
namespace {

constexpr std::size_t max_reason_size = 500;
constexpr std::int64_t max_keys_per_account = 1'000;
constexpr std::size_t max_key_name_length = 64;
constexpr std::ptrdiff_t keys_at_once = 64;
constexpr std::chrono::seconds longest_lifetime = std::chrono::hours(24 * 3650);

error no_account() { return error(errc::not_found, "no such account"); }
error no_key() {
  return error(errc::not_found,
               "no such key: give the id of one, key_…, as the list of keys has it");
}

/// A key that is about to be stored.
struct new_key {
  std::string secret;
  stored_key stored;
};

new_key make_key(key_record like, time_point now, std::string_view pepper) {
  new_key made;
  made.secret = generate_key(like.mode);
  made.stored.hash = hash_key(made.secret, pepper);
  like.public_id = base::make_id("key_", now);
  like.last_four = made.secret.substr(made.secret.size() - 4);
  like.created_at = now;
  like.last_used_at.reset();
  like.rotated_at.reset();
  like.revoked_at.reset();
  made.stored.record = std::move(like);
  return made;
}

/// Remembers a key that has been committed, and shows it.
void remember(owners& all, new_key& key) {
  stored_key& stored = key.stored;
  if (stored.family == 0) stored.family = stored.record.id;
  all.add_key(stored);
  all.origins.add(stored.record.origins);
  stored.record = all.keyring.shown(stored, month_of(stored.record.created_at));
}

/// A key of an account as it is stored; account 0 means any. Error: not_found,
/// storage_unavailable.
result<stored_key> find_key(const owners& owners, std::int64_t account_id,
                            std::string_view key_id) {
  auto found = owners.books->find_key_by_public_id(key_id);
  if (!found) return found.error();
  if (!*found || (account_id != 0 && (*found)->record.account_id != account_id)) return no_key();
  return std::move(**found);
}

key_record show(const owners& owners, const stored_key& key, time_point now) {
  const auto guard = owners.queue.lock();
  return owners.keyring.shown(key, month_of(now));
}

/// The line, if there is one, with the key as its subject unless it has another.
void note_key(const owners& all, transaction& running, const audit_note* line,
              std::string_view key_id) {
  if (line == nullptr) return;
  audit_note written = *line;
  if (written.subject.empty()) written.subject = key_id;
  all.note(running, std::move(written));
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

result<void> check_reason(std::string_view reason) {
  if (reason.size() > max_reason_size)
    return error(errc::invalid_request, "a reason has at most 500 bytes");
  if (!base::is_utf8(reason)) return error(errc::invalid_request, "a reason is UTF-8");
  return {};
}

result<account_record> accounts::create_account(std::string_view email, std::string_view plan) {
  owners& in = *owners_;
  const time_point now = in.now();
  account_record record;
  record.email = normal_email(email);
  record.plan = plan;
  record.created_at = now;
  record.public_id = base::make_id("acc_", now);
  if (record.email.empty()) return error(errc::invalid_request, "this is no e-mail address");
  if (in.plans.find(record.plan) == nullptr)
    return error(errc::invalid_request, in.plans.no_plan(record.plan));
  bool exists = false;
  const auto write = [&](transaction& running) {
    exists = running.has_email(record.email);
    if (!exists) record.id = running.add_account(record, mailbox_of(record.email), "");
  };
  const auto commit = [&] {
    if (!exists) in.add_account(record);
  };
  if (auto done = in.queue.run(write, commit); !done) return done.error();
  if (exists)
    return error(errc::invalid_request, "there is an account for " + record.email + " already");
  return record;
}

result<account_record> accounts::find_account(std::string_view email) const {
  auto found = owners_->books->find_account_by_email(normal_email(email));
  if (!found) return found.error();
  if (!*found) return error(errc::not_found, "no such account: " + normal_email(email));
  return std::move((*found)->record);
}

result<plan_change> accounts::change_plan(std::int64_t account_id, std::string_view plan) {
  const auto* const next = owners_->plans.find(std::string(plan));
  if (next == nullptr) return error(errc::invalid_request, owners_->plans.no_plan(plan));
  const auto kept = owners_->residents.admit(account_id);
  if (!kept) return kept.error();
  return owners_->balances.change_plan(account_id, *next);
}

result<created_key> accounts::create_key(std::int64_t account_id, const key_options& options,
                                         const audit_note* line) {
  owners& in = *owners_;
  if (options.monthly_budget && options.monthly_budget->value < 0)
    return error(errc::invalid_request, "a key's budget cannot be below zero");
  if (options.lifetime && (options.lifetime->count() <= 0 || *options.lifetime > longest_lifetime))
    return error(errc::invalid_request, "a key's lifetime is from 1 s to 3650 days");
  const time_point now = in.now();
  key_record like;
  like.name = options.name;
  if (auto fine = check_key_name(like.name); !fine) return fine.error();
  like.account_id = account_id;
  like.mode = options.mode;
  like.scope_read = options.scope_read;
  like.scope_account = options.scope_account;
  if (auto fine = check_origins(options.origins); !fine) return fine.error();
  like.origins = options.origins;
  like.monthly_budget = options.monthly_budget;
  if (options.lifetime) like.expires_at = now + *options.lifetime;
  const auto kept = in.residents.admit(account_id);
  if (!kept) return kept.error();
  const auto keys = in.books->count_keys(account_id);
  if (!keys) return keys.error();
  if (*keys >= max_keys_per_account)
    return error(errc::invalid_request, "the account has " + std::to_string(max_keys_per_account) +
                                            " keys, the most there can be");
  new_key made = make_key(std::move(like), now, in.books->pepper());
  const auto write = [&](transaction& running) {
    made.stored.record.id = running.add_key(made.stored);
    if (made.stored.record.id != 0) note_key(in, running, line, made.stored.record.public_id);
  };
  const auto commit = [&] {
    if (made.stored.record.id != 0) remember(in, made);
  };
  if (auto done = in.queue.run(write, commit); !done) return done.error();
  if (made.stored.record.id == 0) return no_account();
  return created_key{std::move(made.secret), std::move(made.stored.record)};
}

result<std::vector<key_record>> accounts::list_keys(std::int64_t account_id) const {
  const owners& in = *owners_;
  const auto account = in.books->find_account(account_id);
  if (!account) return account.error();
  if (!*account) return no_account();
  const auto keys = in.books->read_keys(account_id);
  if (!keys) return keys.error();
  const month_index month = month_of(in.now());
  std::vector<key_record> shown;
  shown.reserve(keys->size());
  for (auto next = keys->begin(); next != keys->end();) {
    // Every call wants the lock: who has thousands of keys holds it for some of them at a time.
    const auto guard = in.queue.lock();
    const auto left = std::min<std::ptrdiff_t>(keys_at_once, keys->end() - next);
    for (const auto end = next + left; next != end; ++next)
      shown.push_back(in.keyring.shown(*next, month));
  }
  return shown;
}

result<created_key> accounts::rotate_key(std::int64_t account_id, std::string_view key_id,
                                         std::chrono::seconds grace, const audit_note* line) {
  owners& in = *owners_;
  const time_point now = in.now();
  const time_point last = now + std::clamp(grace, std::chrono::seconds(0), longest_lifetime);
  const auto found = find_key(in, account_id, key_id);
  if (!found) return found.error();
  const key_record& old = found->record;
  if (old.revoked_at || (old.expires_at && *old.expires_at <= now))
    return error(errc::key_not_rotatable, "the key was revoked or has expired: create another");
  const error again(errc::key_not_rotatable,
                    "the key was rotated before: rotate the one that took its place");
  if (old.rotated_at) return again;
  const auto keys = in.books->count_keys(account_id);
  if (!keys) return keys.error();
  // What a rotation leaves behind stays: every charge names its key.
  if (*keys >= in.max_rotated_keys)
    return error(errc::key_not_rotatable,
                 "the account has had " + std::to_string(*keys) +
                     " keys, the most there can be: let keys live longer before they are rotated");
  new_key made = make_key(old, now, in.books->pepper());
  made.stored.family = found->family;
  const time_point until = old.expires_at ? std::min(*old.expires_at, last) : last;
  bool is_first = false;
  const auto write = [&](transaction& running) {
    // Asked in the transaction: of two in one batch the first does.
    is_first = running.rotate_key(old.id, until, now);
    if (!is_first) return;
    made.stored.record.id = running.add_key(made.stored);
    is_first = made.stored.record.id != 0;
    if (is_first) note_key(in, running, line, made.stored.record.public_id);
  };
  const auto commit = [&] {
    if (!is_first) return;
    in.key_index.expire(found->hash, until);
    in.keyring.rotate(old.id, until, now);
    remember(in, made);
  };
  if (auto done = in.queue.run(write, commit); !done) return done.error();
  if (!is_first) return again;
  return created_key{std::move(made.secret), std::move(made.stored.record)};
}

result<key_record> accounts::revoke_key(std::int64_t account_id, std::string_view key_id,
                                        const audit_note* line) {
  owners& in = *owners_;
  const time_point now = in.now();
  const auto found = find_key(in, account_id, key_id);
  if (!found) return found.error();
  const key_record& key = found->record;
  if (key.revoked_at) return show(in, *found, now);
  const auto write = [&](transaction& running) {
    running.revoke_key(key.id, now);
    note_key(in, running, line, key_id);
  };
  const auto commit = [&] {
    in.key_index.revoke(found->hash);
    in.keyring.revoke(key.id, now);
    in.directory.mark_changed(key.account_id);
  };
  if (auto done = in.queue.run(write, commit); !done) return done.error();
  // Read anew: of two who revoke it at once the first has.
  const auto revoked = find_key(in, account_id, key_id);
  if (!revoked) return revoked.error();
  return show(in, *revoked, now);
}

result<balance> accounts::grant(std::int64_t account_id, credits amount, std::string_view reason) {
  owners& in = *owners_;
  if (amount.value <= 0 || amount.value > max_grant)
    return error(errc::invalid_request,
                 "a grant is of 1 to " + std::to_string(max_grant) + " credits");
  if (auto fine = check_reason(reason); !fine) return fine.error();
  const auto kept = in.residents.admit(account_id);
  if (!kept) return kept.error();
  if (auto made = in.balances.ensure_month(account_id); !made) return made.error();
  const movement_note note{.kind = "grant", .reason = reason, .at = in.now()};
  bool granted = false;
  const auto write = [&](transaction& running) {
    granted = in.balances.grant(running, account_id, amount.value, note);
  };
  balance after;
  const auto commit = [&] { after = in.balances.balance_of(account_id); };
  if (auto done = in.queue.run(write, commit); !done) return done.error();
  if (!granted) return error(errc::invalid_request, "the balance would be too large");
  return after;
}

}  // namespace freshet::account
