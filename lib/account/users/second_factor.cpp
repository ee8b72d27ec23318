// Second factors: how they are asked for and lost, and codes by time: how they are shown to an
// authenticator and proven. A secret lies sealed under the pepper, so that whoever has only the
// database makes no codes.
#include <account/rules/one_time_code.hpp>
#include <account/users/email.hpp>
#include <account/users/users_state.hpp>
#include <algorithm>
#include <base/ascii.hpp>
#include <base/sealing.hpp>

namespace freshet::account {
namespace {

constexpr std::string_view service = "Freshet";
constexpr std::size_t recovery_code_bytes = 10;  // 80 bits: nobody guesses one
constexpr std::size_t recovery_group = 4;

base::sha256_digest sealing_key(const owners& in) {
  return base::hmac_sha256(in.books->pepper(), "second factors");
}

/// As people write it down: abcd-efgh-ijkl-mnop.
std::string make_recovery_code() {
  std::string out;
  const std::string letters = base32(base::random_bytes(recovery_code_bytes));
  for (std::size_t i = 0; i < letters.size(); ++i) {
    if (i > 0 && i % recovery_group == 0) out += '-';
    out += base::lower(letters[i]);
  }
  return out;
}

/// What people type, without what they put between: digits, or the letters of a recovery code.
std::string plain_code(std::string_view typed) {
  std::string out;
  for (const char c : typed)
    if (c != ' ' && c != '-') out += base::lower(c);
  return out;
}

error none_begun() { return error(errc::invalid_request, "no second factor was begun"); }

}  // namespace

error wrong_code() {
  return error(errc::invalid_second_factor, "the code is not the one of now, or was used before");
}

std::string users::state::seal_secret(std::int64_t account_id, std::string_view secret) const {
  return base::seal_text(sealing_key(all), std::to_string(account_id), secret);
}

result<std::string> users::state::secret_of(std::int64_t account_id,
                                            const stored_factor& factor) const {
  auto secret =
      base::unseal_text(sealing_key(all), std::to_string(account_id), factor.sealed_secret);
  if (!secret) return error(errc::storage_unavailable, "the second factor cannot be read");
  return std::move(*secret);
}

std::vector<std::string> users::state::make_recovery_codes() const {
  std::vector<std::string> codes(recovery_codes);
  std::ranges::generate(codes, make_recovery_code);
  return codes;
}

void users::state::add_recovery_codes(transaction& running, std::int64_t account_id,
                                      const std::vector<std::string>& codes) const {
  for (const std::string& each : codes)
    running.add_recovery_code(account_id, sessions.digest("recovery", plain_code(each)));
}

result<factor_use> users::state::check_proof(const account_record& account,
                                             const factor_proof& proof, const std::string& use,
                                             const origin& asker, std::string_view action) {
  const auto stored = all.books->find_factor(account.id);
  if (!stored) return stored.error();
  const auto passkeys = all.books->find_passkeys(account.id);
  if (!passkeys) return passkeys.error();
  const bool has_codes = *stored && (*stored)->is_on;
  if (!has_codes && passkeys->empty()) return factor_use{};
  const std::string typed = plain_code(proof.code);
  if (typed.empty() && proof.passkey.empty())
    return error(errc::second_factor_required,
                 passkeys->empty() ? "send the code as `code`"
                                   : "send a passkey's answer as `passkey`, or a code as `code`");
  // Whoever has the password alone uses up none of the tries of who reads the mail or is signed in.
  const std::string way = use.substr(0, use.find(' '));
  const throttle_count counts[] = {
      {"code of " + account.email + (use == use_of_sign_in ? "" : " to " + way), codes_by_account}};
  if (auto passed = attempts_.take(counts, all.clock.steady()); !passed) return passed.error();
  auto shown = proof.passkey.empty()
                   ? match_code(account, has_codes ? *stored : std::nullopt, typed)
                   : match_passkey(account, *passkeys, proof.passkey, use);
  if (shown && !shown->recovery_code) attempts_.give_back(counts);
  if (shown || shown.error().code() != errc::invalid_second_factor) return shown;
  const audit_note failed{std::string(stranger), std::string(action) + ".failed", account.public_id,
                          proof.passkey.empty() ? "second factor" : "passkey", asker.address};
  if (auto done = run_noted(nullptr, failed, nullptr); !done) return done.error();
  return shown;
}

result<factor_use> users::state::check_owner(const login& who, std::string_view password,
                                             const factor_proof& proof, const origin& asker,
                                             std::string_view action) {
  const account_record& account = who.account;
  const auto guess = check_guess(account.email, account, password, asker, action);
  if (!guess) return guess.error();
  return check_proof(account, proof, use_of_session(who), asker, action);
}

result<factor_use> users::state::match_code(const account_record& account,
                                            const std::optional<stored_factor>& codes,
                                            std::string_view typed) const {
  if (codes) {
    const auto secret = secret_of(account.id, *codes);
    if (!secret) return secret.error();
    if (const auto step = account::match_code(*secret, typed, all.now(), codes->last_step))
      return factor_use{step};
  }
  // Whether it is one of them is seen when it is used up.
  constexpr std::size_t recovery_letters = recovery_code_bytes * 8 / 5;
  if (typed.size() != recovery_letters) return wrong_code();
  return factor_use{std::nullopt, sessions.digest("recovery", typed)};
}

result<second_factor> users::second_factor_of(std::int64_t account_id) const {
  const auto stored = state_->all.books->find_factor(account_id);
  if (!stored) return stored.error();
  auto passkeys = state_->all.books->find_passkeys(account_id);
  if (!passkeys) return passkeys.error();
  const auto codes = state_->all.books->count_recovery_codes(account_id);
  if (!codes) return codes.error();
  return second_factor{*stored && (*stored)->is_on, std::move(*passkeys), *codes};
}

result<new_second_factor> users::begin_second_factor(const login& who, std::string_view password,
                                                     const origin& origin,
                                                     const factor_proof& proof) {
  const account_record& account = who.account;
  const auto guess =
      state_->check_guess(account.email, account, password, origin, "second_factor.begin");
  if (!guess) return guess.error();
  const auto stored = state_->all.books->find_factor(account.id);
  if (!stored) return stored.error();
  const error is_on(errc::invalid_request, "a second factor is on: turn it off first");
  if (*stored && (*stored)->is_on) return is_on;
  const auto shown = state_->check_proof(account, proof, state::use_of_session(who), origin,
                                         "second_factor.begin");
  if (!shown) return shown.error();
  const std::string secret = base::random_bytes(code_secret_bytes);
  const stored_factor fresh{state_->seal_secret(account.id, secret), false, 0};
  bool free = false, proven = false;
  const auto write = [&](transaction& running) {
    free = !running.has_codes(account.id);
    proven = free && running.take_factor(account.id, *shown);
    if (proven) running.put_factor(account.id, fresh);
  };
  if (auto done = state_->all.queue.run(write, nullptr); !done) return done.error();
  if (!free) return is_on;
  if (!proven) return wrong_code();
  return new_second_factor{base32(secret), authenticator_uri(service, account.email, secret)};
}

result<std::vector<std::string>> users::confirm_second_factor(const login& who,
                                                              std::string_view code,
                                                              const origin& origin) {
  const account_record& account = who.account;
  auto stored = state_->all.books->find_factor(account.id);
  if (!stored) return stored.error();
  if (!*stored || (*stored)->is_on) return none_begun();
  stored_factor factor = std::move(**stored);
  const auto secret = state_->secret_of(account.id, factor);
  if (!secret) return secret.error();
  const auto step = match_code(*secret, plain_code(code), state_->all.now(), factor.last_step);
  // The secret is known to who asks: there is nothing to guess.
  if (!step) return wrong_code();
  factor.is_on = true;
  factor.last_step = *step;
  std::vector<std::string> codes = state_->make_recovery_codes();
  const audit_note line{actor_of(account), "second_factor.on", account.public_id, "",
                        origin.address};
  bool free = false, first = false;
  const auto write = [&](transaction& running) {
    free = !running.has_codes(account.id);
    if (!free) return;
    first = running.take_factor(account.id, {});
    running.put_factor(account.id, factor);
    if (first) {
      state_->add_recovery_codes(running, account.id, codes);
      running.remove_sessions(account.id, who.session.id);
    }
    state_->all.note(running, line);
  };
  const auto commit = [&] {
    if (first) state_->sessions.forget_all(account, who.session.id);
  };
  if (auto done = state_->all.queue.run(write, commit); !done) return done.error();
  if (!free) return none_begun();
  if (!first) codes.clear();
  return codes;
}

result<void> users::remove_second_factor(const login& who, std::string_view password,
                                         const factor_proof& proof, const origin& origin) {
  const account_record& account = who.account;
  const auto shown = state_->check_owner(who, password, proof, origin, "second_factor.off");
  if (!shown) return shown.error();
  const audit_note line{actor_of(account), "second_factor.off", account.public_id, "",
                        origin.address};
  bool proven = false;
  const auto write = [&](transaction& running) {
    proven = running.take_factor(account.id, *shown);
    if (!proven) return;
    running.remove_factor(account.id);
    state_->all.note(running, line);
  };
  if (auto done = state_->all.queue.run(write, nullptr); !done) return done.error();
  if (!proven) return wrong_code();
  return {};
}

result<void> users::drop_second_factor(std::string_view email, const audit_note& note) {
  const auto found = state_->find_account(normal_email(email));
  if (!found) return found.error();
  if (!*found) return error(errc::not_found, "no such account");
  const auto id = (*found)->id;
  return state_->run_noted([id](transaction& running) { running.remove_factors(id); }, note,
                           nullptr);
}

}  // namespace freshet::account
