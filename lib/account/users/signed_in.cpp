// What somebody who is signed in asks for: who they are, their sessions, and the end of one.
#include <account/users/users_state.hpp>

namespace freshet::account {

result<login> users::authenticate(std::string_view session) {
  auto used = state_->sessions.use(session);
  if (!used) return used.error();
  auto account = state_->find_account(used->account_id);
  if (!account) return error(errc::not_signed_in, "sign in first");
  return login{std::move(*account), std::move(*used)};
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
  if (!hash || !account) return error(errc::not_found, "no such session");
  const audit_note line{actor_of(*account), "session.end", std::string(session_id), "",
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

}  // namespace freshet::account
