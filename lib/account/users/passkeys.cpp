// Passkeys of people: how they are made, asked for, shown and removed. What a browser answers is
// judged in account/rules/passkey; here is to which question it may be an answer.
#include <account/users/email.hpp>
#include <account/users/users_state.hpp>
#include <algorithm>
#include <base/ids.hpp>
#include <base/invalid_parameter.hpp>

namespace freshet::account {
namespace {

error no_passkeys_here() {
  return error(errc::invalid_request,
               "browsers make no passkey for this server: server.base_url has to be https with a "
               "host's name, or http://localhost");
}

error too_many_passkeys() {
  return error(errc::invalid_request, "this passkey is known, or there are " +
                                          std::to_string(max_passkeys_per_account) +
                                          " already: remove one first");
}

error stale_question() {
  return error(errc::invalid_second_factor,
               "the passkey was asked for too long ago, or its answer was used: try again");
}

std::vector<std::string> credentials_of(const std::vector<passkey_record>& known) {
  std::vector<std::string> out;
  for (const passkey_record& each : known) out.push_back(each.credential);
  return out;
}

result<std::string> passkey_name(std::string_view name) {
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7F'; };
  if (!name.empty() && name.size() <= max_passkey_name_bytes &&
      std::ranges::none_of(name, is_control))
    return std::string(name);
  return base::invalid_parameter("/name", "invalid_format",
                                 "give a name of 1 to " + std::to_string(max_passkey_name_bytes) +
                                     " bytes, by which you know the passkey");
}

}  // namespace

std::string users::state::use_to_make(const login& who) { return "make " + who.session.id; }

std::string users::state::use_of_session(const login& who) { return "show " + who.session.id; }

std::string users::state::use_of_link(std::string_view token) const {
  return "reset " + base::base64url(base::as_text(sessions.digest("reset", token)));
}

result<passkey_question> users::state::ask(const account_record& account, const std::string& use) {
  const auto known = all.books->find_passkeys(account.id);
  if (!known) return known.error();
  if (known->empty() || site.host.empty())
    return error(errc::not_found, "the account has no passkey for this address");
  return passkey_question{challenges.make(account.id, use, all.clock.steady()), site,
                          credentials_of(*known)};
}

result<factor_use> users::state::match_passkey(const account_record& account,
                                               const std::vector<passkey_record>& known,
                                               std::string_view answer, const std::string& use) {
  const auto read = read_passkey_answer(answer, passkey_act::show, site);
  if (!read) return read.error();
  if (!challenges.take(read->challenge, account.id, use, all.clock.steady()))
    return stale_question();
  const auto found = std::ranges::find(known, read->credential, &passkey_record::credential);
  if (found == known.end())
    return error(errc::invalid_second_factor, "the account does not know this passkey");
  const auto uses = check_shown_passkey(*read, found->key, site);
  if (!uses) return uses.error();
  if (!goes_on(found->uses, *uses))
    return error(errc::invalid_second_factor,
                 "the passkey's counter went back: somebody may have copied it; remove it");
  return factor_use{std::nullopt, std::nullopt, passkey_use{found->id, *uses, all.now()}};
}

const passkey_site& users::site() const noexcept { return state_->site; }

result<passkey_question> users::begin_passkey(const login& who, std::string_view password,
                                              const factor_proof& proof, const origin& origin) {
  const account_record& account = who.account;
  if (site().host.empty()) return no_passkeys_here();
  const auto shown = state_->check_owner(who, password, proof, origin, "passkey.begin");
  if (!shown) return shown.error();
  bool proven = false;
  const auto write = [&](transaction& running) {
    proven = running.take_factor(account.id, *shown);
  };
  if (auto done = state_->all.queue.run(write, nullptr); !done) return done.error();
  if (!proven) return wrong_code();
  const auto known = state_->all.books->find_passkeys(account.id);
  if (!known) return known.error();
  if (known->size() >= max_passkeys_per_account) return too_many_passkeys();
  return passkey_question{
      state_->challenges.make(account.id, state::use_to_make(who), state_->all.clock.steady()),
      site(), credentials_of(*known)};
}

result<std::vector<std::string>> users::add_passkey(const login& who, std::string_view name,
                                                    std::string_view answer, const origin& origin) {
  const account_record& account = who.account;
  if (site().host.empty()) return no_passkeys_here();
  auto called = passkey_name(name);
  if (!called) return called.error();
  const auto read = read_passkey_answer(answer, passkey_act::make, site());
  if (!read) return read.error();
  if (!state_->challenges.take(read->challenge, account.id, state::use_to_make(who),
                               state_->all.clock.steady()))
    return stale_question();
  auto made = read_made_passkey(*read, site());
  if (!made) return made.error();
  const time_point now = state_->all.now();
  const passkey_record fresh{base::make_id("psk_", now),
                             read->credential,
                             std::move(made->key),
                             made->uses,
                             std::move(*called),
                             now,
                             std::nullopt};
  std::vector<std::string> codes = state_->make_recovery_codes();
  const audit_note line{actor_of(account), "passkey.add", fresh.id, "", origin.address};
  bool first = false, added = false;
  const auto write = [&](transaction& running) {
    first = running.take_factor(account.id, {});
    added = running.add_passkey(account.id, fresh, max_passkeys_per_account);
    if (!added) return;
    if (first) {
      state_->add_recovery_codes(running, account.id, codes);
      running.remove_sessions(account.id, who.session.id);
    }
    state_->all.note(running, line);
  };
  const auto commit = [&] {
    if (added && first) state_->sessions.forget_all(account, who.session.id);
  };
  if (auto done = state_->all.queue.run(write, commit); !done) return done.error();
  if (!added) return too_many_passkeys();
  if (!first) codes.clear();
  return codes;
}

result<void> users::remove_passkey(const login& who, std::string_view public_id,
                                   std::string_view password, const factor_proof& proof,
                                   const origin& origin) {
  const account_record& account = who.account;
  const auto shown = state_->check_owner(who, password, proof, origin, "passkey.remove");
  if (!shown) return shown.error();
  const audit_note line{actor_of(account), "passkey.remove", std::string(public_id), "",
                        origin.address};
  bool proven = false, removed = false;
  const auto write = [&](transaction& running) {
    proven = running.take_factor(account.id, *shown);
    removed = proven && running.remove_passkey(account.id, public_id);
    if (removed) state_->all.note(running, line);
  };
  if (auto done = state_->all.queue.run(write, nullptr); !done) return done.error();
  if (!proven) return wrong_code();
  if (!removed) return error(errc::not_found, "no such passkey");
  return {};
}

result<passkey_question> users::ask_for_passkey(const login& who) {
  return state_->ask(who.account, state::use_of_session(who));
}

result<passkey_question> users::ask_for_passkey(std::string_view email, std::string_view password,
                                                const origin& origin) {
  const std::string normal = normal_email(email);
  const auto account = state_->find_account(normal);
  if (!account) return account.error();
  const auto guess = state_->check_guess(normal, *account, password, origin, "sign_in");
  if (!guess) return guess.error();
  return state_->ask(**account, std::string(use_of_sign_in));
}

result<passkey_question> users::ask_for_passkey(std::string_view reset_token) {
  const auto email = state_->find_link("reset", reset_token);
  if (!email) return email.error();
  const auto account = state_->find_account(*email);
  if (!account) return account.error();
  if (!*account) return bad_link();
  return state_->ask(**account, state_->use_of_link(reset_token));
}

}  // namespace freshet::account
