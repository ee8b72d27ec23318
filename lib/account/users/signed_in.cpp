// What somebody who is signed in asks for: who they are, their sessions, the end of one and of the
// account; then operators and the audit log. The books of a deleted account stay under its number,
// which names nobody; everything that says whose it was goes.
#include <account/users/email.hpp>
#include <account/users/users_state.hpp>
#include <algorithm>

namespace freshet::account {
namespace {

constexpr int max_entries_at_once = 500;

}  // namespace

result<login> users::authenticate(std::string_view session) {
  auto used = state_->sessions.use(session);
  if (!used) return used.error();
  auto account = state_->find_account(used->account_id);
  if (!account) return account.error();
  if (!*account) return error(errc::not_signed_in, "sign in first");
  return login{std::move(**account), std::move(*used)};
}

bool users::knows(const origin& asker) const {
  return state_->sessions.knows_network(network_of(asker.address));
}

std::string users::csrf_token(std::string_view session) const {
  return base::base64url(base::as_text(state_->sessions.digest("csrf", session)));
}

std::vector<session_record> users::sessions_of(std::int64_t account_id) const {
  return state_->sessions.list(account_id);
}

result<void> users::end_session(std::int64_t account_id, std::string_view session_id,
                                const origin& origin) {
  const auto hash = state_->sessions.find(account_id, session_id);
  const auto account = state_->find_account(account_id);
  if (!account) return account.error();
  if (!hash || !*account) return error(errc::not_found, "no such session");
  const audit_note line{actor_of(**account), "session.end", std::string(session_id), "",
                        origin.address};
  return state_->run_noted([&](transaction& running) { running.remove_session(*hash); }, line,
                           [&] { state_->sessions.forget(*hash); });
}

result<void> users::sign_out(std::string_view session, const origin& origin) {
  const auto who = authenticate(session);
  if (!who) return {};
  const base::sha256_digest hash = state_->sessions.digest(session);
  const audit_note line{actor_of(who->account), "sign_out", who->session.id, "", origin.address};
  return state_->run_noted([&](transaction& running) { running.remove_session(hash); }, line,
                           [&] { state_->sessions.forget(hash); });
}

result<void> users::erase(const login& who, std::string_view password, const origin& origin) {
  const account_record& account = who.account;
  const auto guess =
      state_->check_guess(account.email, account, password, origin, "account.delete");
  if (!guess) return guess.error();
  owners& in = state_->all;
  const time_point at = in.now();
  const base::sha256_digest mark = in.past_grants.mark_of(account.email);
  const audit_note line{actor_of(account), "account.delete", account.public_id, "", origin.address};
  const auto kept = in.residents.admit(account.id);
  if (!kept) return kept.error();
  month_index month = no_month;
  std::vector<base::sha256_digest> keys;
  const auto write = [&](transaction& running) {
    {
      const auto lock = in.queue.lock();
      month = in.balances.month_of_account(account.id);
    }
    running.forget_person(account, mark, month, at);
    keys = running.key_hashes(account.id);
  };
  const auto commit = [&] {
    in.directory.remove_person(account.id, at);
    for (const base::sha256_digest& key : keys) {
      if (const auto known = in.key_index.find(key)) in.keyring.remove_person(known->id, at);
      in.key_index.revoke(key);
    }
    in.past_grants.put(mark, month);
    state_->sessions.forget_all(account, {});
  };
  return state_->run_noted(write, line, commit);
}

result<account_record> users::set_operator(std::string_view email, bool is_operator,
                                           const audit_note& note) {
  auto found = state_->find_account(normal_email(email));
  if (!found) return found.error();
  std::optional<account_record>& account = *found;
  if (!account) return error(errc::not_found, "no such account");
  const auto write = [&](transaction& running) { running.put_operator(account->id, is_operator); };
  const auto commit = [&] { state_->all.directory.set_operator(account->id, is_operator); };
  if (auto done = state_->run_noted(write, note, commit); !done) return done.error();
  account->is_operator = is_operator;
  return *account;
}

result<void> users::take_change(const login& who) { return state_->take_change(who.account.id); }

result<void> users::record(const audit_note& what) {
  return state_->run_noted(nullptr, what, nullptr);
}

result<std::vector<audit_entry>> users::audit(std::int64_t before_id, int limit) const {
  const std::int64_t before = before_id > 0 ? before_id : std::numeric_limits<std::int64_t>::max();
  return state_->all.books->read_audit(before, std::clamp(limit, 1, max_entries_at_once));
}

std::string users::email_of(std::string_view public_id) const {
  const auto found = state_->all.books->find_account_by_public_id(public_id);
  return found && *found ? (*found)->record.email : std::string();
}

}  // namespace freshet::account
