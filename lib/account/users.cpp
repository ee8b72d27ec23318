// Signing up, signing in, and setting passwords. What an address without an account is told, and
// how long that takes, is the same as for one that has one: the same hashing, the same kind of
// commit.
#include <account/email.hpp>
#include <account/password.hpp>
#include <account/users_state.hpp>
#include <base/ids.hpp>
#include <base/invalid_parameter.hpp>

namespace freshet::account {
namespace {

error bad_email() {
  return base::invalid_parameter("/email", "invalid_format",
                                 "give an e-mail address such as you@example.org");
}

error bad_link() {
  return error(errc::invalid_token, "the link was used, has expired or was mistyped");
}

error wrong_password() {
  return error(errc::invalid_credentials, "the address or the password is wrong");
}

std::string make_token() { return base::base64url(base::random_bytes(token_bytes)); }

result<std::string> mail_address(std::string_view email) {
  std::string normal = normal_email(email);
  if (!is_mail_address(normal)) return bad_email();
  return normal;
}

}  // namespace

users::users(std::unique_ptr<state> inside) : state_(std::move(inside)) {}
users::~users() = default;

result<std::unique_ptr<users>> users::open(accounts& of, users_options options) {
  auto inside = std::make_unique<state>(*of.state_, options);
  auto nobody = hash_password(base::random_bytes(token_bytes));
  if (!nobody) return nobody.error();
  inside->no_password = std::move(*nobody);
  {
    const std::lock_guard guard(of.state_->writer.mutex);
    if (auto done = inside->open(); !done) return done.error();
  }
  return std::unique_ptr<users>(new users(std::move(inside)));
}

std::optional<account_record> users::state::find_account(std::string_view normal) const {
  const std::lock_guard guard(accounts.mutex);
  const auto found = accounts.accounts_by_email.find(std::string(normal));
  if (found == accounts.accounts_by_email.end()) return std::nullopt;
  return accounts.accounts_by_id.at(found->second).record;
}

std::optional<account_record> users::state::find_account(std::int64_t id) const {
  const std::lock_guard guard(accounts.mutex);
  const account_entry* const found = accounts.find_account(id);
  if (found == nullptr || found->record.deleted_at) return std::nullopt;
  return found->record;
}

result<std::string> users::state::password_of(std::int64_t account_id) const {
  database& reader = accounts.lookups();
  const std::lock_guard guard(reader.mutex);
  statement query(reader, "query", "SELECT password FROM accounts WHERE id=?");
  const sqlite_code code = query.bind(account_id).step();
  if (code == sqlite_done) return std::string();
  if (code != sqlite_row) return storage_failure();
  return std::string(query.text(0));
}

result<users::state::link> users::state::find_link(std::string_view purpose,
                                                   std::string_view token) const {
  const base::sha256_digest hash = digest(purpose, token);
  database& reader = accounts.lookups();
  const std::lock_guard guard(reader.mutex);
  statement query(reader, "query",
                  "SELECT email, password FROM tokens WHERE hash=? AND purpose=? AND expires_at>?");
  query.bind_blob(base::as_text(hash)).bind(purpose).bind(to_ms(now()));
  const sqlite_code code = query.step();
  if (code == sqlite_done) return bad_link();
  if (code != sqlite_row) return storage_failure();
  return link{std::string(query.text(0)), std::string(query.text(1))};
}

sqlite_code users::state::insert_token(std::string_view purpose, const std::string& token,
                                       std::string_view email, std::string_view password,
                                       std::chrono::seconds lifetime) {
  statement expired(accounts.writer, "token", "DELETE FROM tokens WHERE expires_at<=?");
  if (const auto code = expired.bind(to_ms(now())).run(); code != sqlite_ok) return code;
  const base::sha256_digest hash = digest(purpose, token);
  statement insert(accounts.writer, "token",
                   "INSERT INTO tokens (hash, purpose, email, password, expires_at) "
                   "VALUES (?,?,?,?,?)");
  insert.bind_blob(base::as_text(hash)).bind(purpose).bind(email).bind(password);
  return insert.bind(to_ms(now() + lifetime)).run();
}

sqlite_code users::state::delete_tokens(std::string_view email) {
  statement erase(accounts.writer, "token", "DELETE FROM tokens WHERE email=?");
  return erase.bind(email).run();
}

result<void> users::state::take_mail_token(std::string_view email, const origin& from) {
  const auto at = accounts.options.clock->steady();
  const std::string address = "mail " + network_of(from.address);
  if (auto passed = attempts.take(address, mails_by_address, at); !passed) return passed;
  // Counted whether the address is known or not, so that the refusal tells nothing.
  auto passed = attempts.take("mail to " + std::string(email), mails_by_account, at);
  if (!passed) attempts.give_back(address, mails_by_address);
  return passed;
}

result<std::optional<std::string>> users::begin_sign_up(std::string_view email,
                                                        std::string_view password,
                                                        const origin& from) {
  const auto address = mail_address(email);
  if (!address) return address.error();
  if (auto fine = check_password(password, *address, "password"); !fine) return fine.error();
  if (auto taken = state_->take_mail_token(*address, from); !taken) return taken.error();
  const auto hash = hash_password(password);
  if (!hash) return hash.error();
  const bool known = state_->find_account(*address).has_value();
  const std::string token = make_token();
  const audit_note note{"anonymous", "sign_up.request", "", known ? "the address is known" : "",
                        from.address};
  const auto write = [&](batch&) {
    const sqlite_code code =
        known ? sqlite_ok : state_->insert_token("verify", token, *address, *hash, verify_lifetime);
    return code == sqlite_ok ? state_->note(note) : code;
  };
  if (auto done = state_->accounts.run(write, nullptr); !done) return done.error();
  return known ? std::optional<std::string>() : std::optional(token);
}

result<opened_session> users::confirm_sign_up(std::string_view token, std::string_view plan,
                                              const origin& from,
                                              std::string_view current_session) {
  const auto link = state_->find_link("verify", token);
  if (!link) return link.error();
  accounts_state& accounts = state_->accounts;
  account_record record;
  record.email = link->email;
  record.plan = plan;
  record.created_at = state_->now();
  record.verified_at = record.created_at;
  record.public_id = base::make_id("acc_", record.created_at);
  if (accounts.configured_plan(record.plan) == nullptr)
    return error(errc::internal, "there is no plan '" + record.plan + "'");
  state::new_session session;
  const base::sha256_digest previous = state_->digest("session", current_session);
  bool exists = false;
  const auto write = [&](batch&) {
    // Made meanwhile, by another link of the same address or by the operator.
    exists = accounts.accounts_by_email.contains(record.email);
    sqlite_code code = state_->delete_tokens(record.email);
    if (exists || code != sqlite_ok) return code;
    code = accounts.insert_account(record, link->password);
    if (code != sqlite_ok) return code;
    session = state_->make_session(record.id, from);
    if (code = state_->insert_session(session); code != sqlite_ok) return code;
    if (code = state_->delete_session(previous); code != sqlite_ok) return code;
    return state_->note({actor_of(record), "sign_up", record.public_id, "", from.address});
  };
  const auto commit = [&] {
    if (exists) return;
    accounts.remember_account(record);
    state_->remember_session(session);
    state_->forget_session(previous);
  };
  if (auto done = accounts.run(write, commit); !done) return done.error();
  if (exists) return bad_link();
  return opened_session{std::move(session.token), std::move(record)};
}

result<users::state::guess> users::state::check_guess(std::string_view name,
                                                      const std::optional<account_record>& of,
                                                      std::string_view password, const origin& from,
                                                      std::string_view action) {
  const std::string network = network_of(from.address);
  const std::string by_address = "guess from " + network;
  const std::string by_account = "guess of " + std::string(name);
  const std::string by_pair = by_account + " from " + network;
  const auto at = accounts.options.clock->steady();
  const bool at_home = of && knows_address(of->id, network);
  if (auto passed = attempts.take(by_address, guesses_by_address, at); !passed)
    return passed.error();
  auto passed = attempts.take(by_pair, guesses_by_pair, at);
  if (passed && !at_home) {
    passed = attempts.take(by_account, guesses_by_account, at);
    if (!passed) attempts.give_back(by_pair, guesses_by_pair);
  }
  if (!passed) {
    attempts.give_back(by_address, guesses_by_address);
    return passed.error();
  }
  const auto give_back = [&] {
    attempts.give_back(by_address, guesses_by_address);
    attempts.give_back(by_pair, guesses_by_pair);
    if (!at_home) attempts.give_back(by_account, guesses_by_account);
  };
  // Read for an unknown address too: id 0 is nobody's.
  auto stored = password_of(of ? of->id : 0);
  const bool guessable = stored && !stored->empty();
  const auto verdict = verify_password(guessable ? *stored : no_password, password);
  if (!stored || !verdict) {
    give_back();
    return stored ? verdict.error() : stored.error();
  }
  if (guessable && verdict->matches) {
    give_back();
    return guess{std::move(*stored), verdict->outdated};
  }
  const audit_note failed{"anonymous", std::string(action) + ".failed", of ? of->public_id : "",
                          of ? "" : "unknown address", from.address};
  if (auto done = accounts.run([&](batch&) { return note(failed); }, nullptr); !done)
    return done.error();
  return wrong_password();
}

result<opened_session> users::sign_in(std::string_view email, std::string_view password,
                                      const origin& from, std::string_view current_session) {
  const std::string normal = normal_email(email);
  if (normal.empty()) return bad_email();
  const auto account = state_->find_account(normal);
  const auto guess = state_->check_guess(normal, account, password, from, "sign_in");
  if (!guess) return guess.error();
  std::string fresh;
  if (guess->outdated) {
    auto hash = hash_password(password);
    if (!hash) return hash.error();
    fresh = std::move(*hash);
  }
  state::new_session session = state_->make_session(account->id, from);
  const base::sha256_digest previous = state_->digest("session", current_session);
  const audit_note note{actor_of(*account), "sign_in", session.record.id, "", from.address};
  bool still = false;
  const auto write = [&](batch&) {
    // The password may have been changed, or the account deleted, while it was checked.
    statement same(state_->accounts.writer, "query",
                   "SELECT 1 FROM accounts WHERE id=? AND password=?");
    sqlite_code code = same.bind(account->id).bind(guess->hash).step();
    still = code == sqlite_row;
    if (!still) return code == sqlite_done ? sqlite_ok : code;
    if (!fresh.empty()) {
      statement update(state_->accounts.writer, "account",
                       "UPDATE accounts SET password=? WHERE id=?");
      if (code = update.bind(fresh).bind(account->id).run(); code != sqlite_ok) return code;
    }
    if (code = state_->delete_session(previous); code != sqlite_ok) return code;
    if (code = state_->insert_session(session); code != sqlite_ok) return code;
    return state_->note(note);
  };
  const auto commit = [&] {
    if (!still) return;
    state_->forget_session(previous);
    state_->remember_session(session);
  };
  if (auto done = state_->accounts.run(write, commit); !done) return done.error();
  if (!still) return wrong_password();
  return opened_session{std::move(session.token), *account};
}

result<std::optional<std::string>> users::begin_reset(std::string_view email, const origin& from) {
  const auto address = mail_address(email);
  if (!address) return address.error();
  if (auto taken = state_->take_mail_token(*address, from); !taken) return taken.error();
  const auto account = state_->find_account(*address);
  const std::string token = make_token();
  const audit_note note{"anonymous", "reset.request", account ? account->public_id : "",
                        account ? "" : "unknown address", from.address};
  const auto write = [&](batch&) {
    const sqlite_code code =
        account ? state_->insert_token("reset", token, *address, "", reset_lifetime) : sqlite_ok;
    return code == sqlite_ok ? state_->note(note) : code;
  };
  if (auto done = state_->accounts.run(write, nullptr); !done) return done.error();
  return account ? std::optional(token) : std::optional<std::string>();
}

result<std::string> users::make_link(std::string_view email, const audit_note& note) {
  const auto account = state_->find_account(normal_email(email));
  if (!account) return error(errc::not_found, "no such account");
  const std::string token = make_token();
  const auto write = [&](batch&) {
    const sqlite_code code =
        state_->insert_token("reset", token, account->email, "", reset_lifetime);
    return code == sqlite_ok ? state_->note(note) : code;
  };
  if (auto done = state_->accounts.run(write, nullptr); !done) return done.error();
  return token;
}

result<opened_session> users::state::set_password(const account_record& of, std::string_view hash,
                                                  const origin& from, std::string_view action) {
  const new_session session = make_session(of.id, from);
  const audit_note entry{actor_of(of), std::string(action), of.public_id, "", from.address};
  account_record after = of;
  if (!after.verified_at) after.verified_at = now();
  bool alive = false;
  const auto write = [&](batch&) {
    // The database is asked, not the memory: the same batch may have deleted the account before.
    statement update(accounts.writer, "account",
                     "UPDATE accounts SET password=?, verified_at=? WHERE id=? AND deleted_at IS "
                     "NULL RETURNING id");
    sqlite_code code = update.bind(hash).bind(to_ms(*after.verified_at)).bind(of.id).step();
    alive = code == sqlite_row;
    if (!alive) return code == sqlite_done ? sqlite_ok : code;
    if (code = delete_sessions(of.id); code != sqlite_ok) return code;
    if (code = delete_tokens(of.email); code != sqlite_ok) return code;
    if (code = insert_session(session); code != sqlite_ok) return code;
    return note(entry);
  };
  const auto commit = [&] {
    if (!alive) return;
    accounts.accounts_by_id.at(of.id).record.verified_at = after.verified_at;
    forget_sessions(of.id);
    remember_session(session);
  };
  if (auto done = accounts.run(write, commit); !done) return done.error();
  if (!alive) return bad_link();
  attempts.forget("guess of " + of.email);
  attempts.forget("guess of " + of.email + " from " + network_of(from.address));
  return opened_session{session.token, after};
}

result<opened_session> users::confirm_reset(std::string_view token, std::string_view password,
                                            const origin& from) {
  const auto link = state_->find_link("reset", token);
  if (!link) return link.error();
  const auto account = state_->find_account(link->email);
  if (!account) return bad_link();
  if (auto fine = check_password(password, account->email, "password"); !fine) return fine.error();
  const auto hash = hash_password(password);
  if (!hash) return hash.error();
  // Taken out first, alone: of two who use it at once one finds it gone.
  const base::sha256_digest digest = state_->digest("reset", token);
  bool taken = false;
  const auto write = [&](batch&) {
    statement take(state_->accounts.writer, "token",
                   "DELETE FROM tokens WHERE hash=? RETURNING id");
    const sqlite_code code = take.bind_blob(base::as_text(digest)).step();
    taken = code == sqlite_row;
    return code == sqlite_row || code == sqlite_done ? sqlite_ok : code;
  };
  if (auto done = state_->accounts.run(write, nullptr); !done) return done.error();
  if (!taken) return bad_link();
  return state_->set_password(*account, *hash, from, "password.reset");
}

result<opened_session> users::change_password(const login& who, std::string_view current_password,
                                              std::string_view new_password, const origin& from) {
  if (auto fine = check_password(new_password, who.account.email, "new_password"); !fine)
    return fine.error();
  const auto guess = state_->check_guess(who.account.email, who.account, current_password, from,
                                         "password.change");
  if (!guess) return guess.error();
  const auto hash = hash_password(new_password);
  if (!hash) return hash.error();
  return state_->set_password(who.account, *hash, from, "password.change");
}

}  // namespace freshet::account
