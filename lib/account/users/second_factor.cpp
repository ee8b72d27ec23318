// Second factors: how one is shown to an authenticator, proven, asked for and lost. A secret lies
// sealed under the pepper, so that whoever has only the database makes no codes.
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
  return base::base64url(base::seal(sealing_key(all), std::to_string(account_id), secret));
}

result<std::string> users::state::secret_of(std::int64_t account_id,
                                            const stored_factor& factor) const {
  const auto sealed = base::base64url_decode(factor.sealed_secret);
  auto secret =
      sealed ? base::unseal(sealing_key(all), std::to_string(account_id), *sealed) : std::nullopt;
  if (!secret) return error(errc::storage_unavailable, "the second factor cannot be read");
  return std::move(*secret);
}

result<factor_use> users::state::check_code(const account_record& account, std::string_view code,
                                            const origin& asker, std::string_view action) {
  const auto stored = all.books->find_factor(account.id);
  if (!stored) return stored.error();
  if (!*stored || !(*stored)->is_on) return factor_use{};
  const std::string typed = plain_code(code);
  if (typed.empty()) return error(errc::second_factor_required, "send the code as `code`");
  const throttle_count counts[] = {{"code of " + account.email, codes_by_account}};
  if (auto passed = attempts_.take(counts, all.clock.steady()); !passed) return passed.error();
  const auto secret = secret_of(account.id, **stored);
  if (!secret) return secret.error();
  factor_use shown{match_code(*secret, typed, all.now(), (*stored)->last_step)};
  if (shown.step) {
    attempts_.give_back(counts);
    return shown;
  }
  // Whether it is one of them is seen when it is used up.
  constexpr std::size_t recovery_letters = recovery_code_bytes * 8 / 5;
  if (typed.size() == recovery_letters) {
    shown.recovery_code = sessions.digest("recovery", typed);
    return shown;
  }
  const audit_note failed{"anonymous", std::string(action) + ".failed", account.public_id,
                          "second factor", asker.address};
  if (auto done = run_noted(nullptr, failed, nullptr); !done) return done.error();
  return wrong_code();
}

result<second_factor> users::second_factor_of(std::int64_t account_id) const {
  const auto stored = state_->all.books->find_factor(account_id);
  if (!stored) return stored.error();
  if (!*stored || !(*stored)->is_on) return second_factor{};
  return second_factor{true, (*stored)->recovery_codes};
}

result<new_second_factor> users::begin_second_factor(const login& who, std::string_view password,
                                                     const origin& origin) {
  const account_record& account = who.account;
  const auto guess =
      state_->check_guess(account.email, account, password, origin, "second_factor.begin");
  if (!guess) return guess.error();
  const std::string secret = base::random_bytes(code_secret_bytes);
  const stored_factor fresh{state_->seal_secret(account.id, secret), false, 0, 0};
  bool free = false;
  const auto write = [&](transaction& running) {
    free = running.take_factor(account.id, {});
    if (free) running.put_factor(account.id, fresh);
  };
  if (auto done = state_->all.queue.run(write, nullptr); !done) return done.error();
  if (!free) return error(errc::invalid_request, "a second factor is on: turn it off first");
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
  std::vector<std::string> codes(recovery_codes);
  std::ranges::generate(codes, make_recovery_code);
  const audit_note line{actor_of(account), "second_factor.on", account.public_id, "",
                        origin.address};
  bool free = false;
  const auto write = [&](transaction& running) {
    free = running.take_factor(account.id, {});
    if (!free) return;
    running.put_factor(account.id, factor);
    for (const std::string& each : codes)
      running.add_recovery_code(account.id, state_->sessions.digest("recovery", plain_code(each)));
    running.remove_sessions(account.id, who.session.id);
    state_->all.note(running, line);
  };
  const auto commit = [&] {
    if (free) state_->sessions.forget_all(account.id, who.session.id);
  };
  if (auto done = state_->all.queue.run(write, commit); !done) return done.error();
  if (!free) return none_begun();
  return codes;
}

result<void> users::remove_second_factor(const login& who, std::string_view password,
                                         std::string_view code, const origin& origin) {
  const account_record& account = who.account;
  const auto guess =
      state_->check_guess(account.email, account, password, origin, "second_factor.off");
  if (!guess) return guess.error();
  const auto shown = state_->check_code(account, code, origin, "second_factor.off");
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
  return state_->run_noted([id](transaction& running) { running.remove_factor(id); }, note,
                           nullptr);
}

}  // namespace freshet::account
