// Signing up, signing in, and setting passwords. What an address without an account is told, and
// how long that takes, is the same as for one that has one: the same hashing, the same kind of
// commit.
#include <account/kept_mails.hpp>
#include <account/users/email.hpp>
#include <account/users/password.hpp>
#include <account/users/users_state.hpp>
#include <base/ids.hpp>
#include <base/invalid_parameter.hpp>

namespace freshet::account {
namespace {

error bad_email() {
  return base::invalid_parameter("/email", "invalid_format",
                                 "give an e-mail address such as you@example.org");
}

/// What is kept of the mail that goes with a link, if one does.
std::optional<stored_mail> mail_of(const owners& all, const link_mail* mail, std::string_view token,
                                   std::string_view known_as) {
  if (mail == nullptr || !mail->text) return std::nullopt;
  return seal_mail(all, mail->text(token, known_as));
}

std::string make_token() { return base::base64url(base::random_bytes(token_bytes)); }

result<std::string> mail_address(std::string_view email) {
  std::string normal = normal_email(email);
  if (!is_mail_address(normal)) return bad_email();
  return normal;
}

}  // namespace

users::users(std::unique_ptr<state> opened) : state_(std::move(opened)) {}
users::~users() = default;

result<std::unique_ptr<users>> users::open(accounts& accounts, users_options options) {
  auto opened = std::make_unique<state>(accounts.inside(), options);
  if (auto done = opened->open(); !done) return done.error();
  return std::unique_ptr<users>(new users(std::move(opened)));
}

result<sign_up_request> users::begin_sign_up(std::string_view email, const origin& origin,
                                             link_mail* mail) {
  const auto address = mail_address(email);
  if (!address) return address.error();
  if (auto taken = state_->take_mail_token("sign-up", *address, origin); !taken)
    return taken.error();
  const auto account = state_->find_account_of_mailbox(*address);
  if (!account) return account.error();
  const bool known = account->has_value();
  const std::string token = make_token();
  const audit_note note{std::string(stranger), "sign_up.request", "",
                        known ? "its mailbox has an account" : "", origin.address};
  const auto kept = known ? mail_of(state_->all, mail, {}, (*account)->email)
                          : mail_of(state_->all, mail, token, {});
  const auto write = [&](transaction& running) {
    if (!known) state_->add_link(running, "verify", token, *address);
    if (kept) running.keep_mail(*kept);
  };
  if (auto done = state_->run_noted(write, note, nullptr); !done) return done.error();
  if (kept) mail->id = kept->id;
  if (known) return sign_up_request{std::nullopt, (*account)->email};
  return sign_up_request{token, {}};
}

result<opened_session> users::confirm_sign_up(std::string_view token, std::string_view password,
                                              std::string_view plan, const origin& origin,
                                              std::string_view current_session) {
  const auto email = state_->find_link("verify", token);
  if (!email) return email.error();
  if (auto fine = check_password(password, *email, "password"); !fine) return fine.error();
  const auto hash = hash_password(password, state_->password_memory_kib);
  if (!hash) return hash.error();
  owners& in = state_->all;
  account_record record;
  record.email = *email;
  record.plan = plan;
  record.created_at = in.now();
  record.verified_at = record.created_at;
  record.public_id = base::make_id("acc_", record.created_at);
  if (in.plans.find(record.plan) == nullptr)
    return error(errc::internal, "there is no plan '" + record.plan + "'");
  const std::string mailbox = mailbox_of(record.email);
  new_session session;
  const base::sha256_digest previous = state_->sessions.digest(current_session);
  bool exists = false;
  const auto write = [&](transaction& running) {
    // Made meanwhile, by another link of the same mailbox or by the operator.
    exists = running.has_mailbox(mailbox);
    running.remove_links(record.email);
    if (exists) return;
    record.id = running.add_account(record, mailbox, *hash);
    session = state_->sessions.make(record.id, origin);
    state_->sessions.add(running, session);
    running.remove_session(previous);
    state_->all.note(running, {actor_of(record), "sign_up", record.public_id, "", origin.address});
  };
  const auto commit = [&] {
    if (exists) return;
    in.add_account(record);
    state_->sessions.remember(session);
    state_->sessions.forget(previous);
  };
  if (auto done = in.queue.run(write, commit); !done) return done.error();
  if (exists) return bad_link();
  return opened_session{std::move(session.token), std::move(record)};
}

result<opened_session> users::sign_in(std::string_view email, std::string_view password,
                                      const origin& origin, std::string_view current_session,
                                      const factor_proof& proof) {
  const std::string normal = normal_email(email);
  if (normal.empty()) return bad_email();
  const auto found = state_->find_account(normal);
  if (!found) return found.error();
  const std::optional<account_record>& account = *found;
  const auto guess = state_->check_guess(normal, account, password, origin, "sign_in");
  if (!guess) return guess.error();
  const auto shown =
      state_->check_proof(*account, proof, std::string(use_of_sign_in), origin, "sign_in");
  if (!shown) return shown.error();
  if (auto taken = state_->take_change(account->id); !taken) return taken.error();
  std::string fresh;
  if (guess->outdated) {
    auto hash = hash_password(password, state_->password_memory_kib);
    if (!hash) return hash.error();
    fresh = std::move(*hash);
  }
  const new_session session = state_->sessions.make(account->id, origin);
  const base::sha256_digest previous = state_->sessions.digest(current_session);
  const audit_note line{actor_of(*account), "sign_in", session.record.id, "", origin.address};
  bool still = false, proven = false;
  const auto write = [&](transaction& running) {
    // The password may have been changed, or the account deleted, while it was checked.
    still = running.has_password(account->id, guess->hash);
    proven = still && running.take_factor(account->id, *shown);
    if (!proven) return;
    if (!fresh.empty()) running.put_password(account->id, fresh);
    running.remove_session(previous);
    state_->sessions.add(running, session);
    state_->all.note(running, line);
  };
  const auto commit = [&] {
    if (!proven) return;
    state_->sessions.forget(previous);
    state_->sessions.remember(session);
  };
  if (auto done = state_->all.queue.run(write, commit); !done) return done.error();
  if (!still) return wrong_password();
  if (!proven) return wrong_code();
  return opened_session{session.token, *account};
}

result<std::optional<std::string>> users::begin_reset(std::string_view email, const origin& origin,
                                                      link_mail* mail) {
  const auto address = mail_address(email);
  if (!address) return address.error();
  if (auto taken = state_->take_mail_token("reset", *address, origin); !taken) return taken.error();
  const auto found = state_->find_account(*address);
  if (!found) return found.error();
  const std::optional<account_record>& account = *found;
  const std::string token = make_token();
  const audit_note note{std::string(stranger), "reset.request", account ? account->public_id : "",
                        account ? "" : "unknown address", origin.address};
  const auto kept = account ? mail_of(state_->all, mail, token, {}) : std::nullopt;
  const auto write = [&](transaction& running) {
    if (account) state_->add_link(running, "reset", token, *address);
    if (kept) running.keep_mail(*kept);
  };
  if (auto done = state_->run_noted(write, note, nullptr); !done) return done.error();
  if (kept) mail->id = kept->id;
  return account ? std::optional(token) : std::optional<std::string>();
}

result<std::string> users::make_link(std::string_view email, const audit_note& note) {
  const auto found = state_->find_account(normal_email(email));
  if (!found) return found.error();
  const std::optional<account_record>& account = *found;
  if (!account) return error(errc::not_found, "no such account");
  const std::string token = make_token();
  const auto write = [&](transaction& running) {
    state_->add_link(running, "reset", token, account->email);
  };
  if (auto done = state_->run_noted(write, note, nullptr); !done) return done.error();
  return token;
}

result<opened_session> users::confirm_reset(std::string_view token, std::string_view password,
                                            const origin& origin, const factor_proof& proof) {
  const auto email = state_->find_link("reset", token);
  if (!email) return email.error();
  const auto found = state_->find_account(*email);
  if (!found) return found.error();
  const std::optional<account_record>& account = *found;
  if (!account) return bad_link();
  if (auto fine = check_password(password, account->email, "password"); !fine) return fine.error();
  const auto shown =
      state_->check_proof(*account, proof, state_->use_of_link(token), origin, "password.reset");
  if (!shown) return shown.error();
  const auto hash = hash_password(password, state_->password_memory_kib);
  if (!hash) return hash.error();
  // Taken out first, alone: of two who use it at once one finds it gone.
  const base::sha256_digest digest = state_->sessions.digest("reset", token);
  bool taken = false;
  const auto write = [&](transaction& running) { taken = running.take_link(digest); };
  if (auto done = state_->all.queue.run(write, nullptr); !done) return done.error();
  if (!taken) return bad_link();
  return state_->set_password(*account, *hash, *shown, origin, "password.reset");
}

result<void> users::check_link(std::string_view purpose, std::string_view token,
                               const origin& origin) {
  if (auto taken = state_->take_link_look(origin); !taken) return taken.error();
  const auto email = state_->find_link(purpose, token);
  if (!email) return email.error();
  // One makes an account, which may have come to be otherwise, the other changes one.
  const bool makes = purpose == "verify";
  const auto account =
      makes ? state_->find_account_of_mailbox(*email) : state_->find_account(*email);
  if (!account) return account.error();
  if (account->has_value() == makes) return bad_link();
  return {};
}

result<opened_session> users::change_password(const login& who, std::string_view current_password,
                                              std::string_view new_password, const origin& origin) {
  if (auto fine = check_password(new_password, who.account.email, "new_password"); !fine)
    return fine.error();
  const auto guess = state_->check_guess(who.account.email, who.account, current_password, origin,
                                         "password.change");
  if (!guess) return guess.error();
  const auto hash = hash_password(new_password, state_->password_memory_kib);
  if (!hash) return hash.error();
  return state_->set_password(who.account, *hash, std::nullopt, origin, "password.change");
}

}  // namespace freshet::account
