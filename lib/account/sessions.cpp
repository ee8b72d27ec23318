// Sessions: how they begin, how long they live, and how they end. Every request of a page asks for
// one, so that they are looked up in memory; nothing here hashes a password.
#include <arpa/inet.h>
#include <account/users_state.hpp>
#include <algorithm>
#include <base/ids.hpp>
#include <cstring>

namespace freshet::account {
namespace {

constexpr std::size_t max_user_agent_size = 200;
constexpr std::size_t max_address_size = 64;
/// How far behind the disk may be about a session's last use.
constexpr std::chrono::seconds touch_interval{60};
/// Sessions that have ended by themselves go when another begins, at most this often.
constexpr std::chrono::hours purge_interval{1};

/// Writes when a session was last used. Nobody waits for it, and nothing is lost if it fails.
class touch_work final : public work {
 public:
  touch_work(std::string id, time_point at) : id_(std::move(id)), at_(at) {}
  sqlite_code write(batch& in) override {
    statement update(in.state().writer, "session",
                     "UPDATE sessions SET last_used_at=? WHERE public_id=?");
    return update.bind(to_ms(at_)).bind(id_).run();
  }
  void conclude(accounts_state&, bool) override {}
  void tell(bool) override {}

 private:
  std::string id_;
  time_point at_;
};

}  // namespace

std::string network_of(std::string_view address) {
  in6_addr bytes{};
  constexpr std::size_t network_bytes = 8;
  const std::string text(address);
  if (::inet_pton(AF_INET6, text.c_str(), &bytes) != 1 || IN6_IS_ADDR_V4MAPPED(&bytes)) return text;
  return base::hex({reinterpret_cast<const char*>(bytes.s6_addr), network_bytes});
}

std::string actor_of(const account_record& who) { return "account:" + who.public_id; }

base::sha256_digest users::state::digest(std::string_view use, std::string_view token) const {
  return base::hmac_sha256(accounts.pepper, std::string(use) + ":" + std::string(token));
}

bool users::state::is_alive(const session_record& of, time_point at) const {
  return at < of.last_used_at + options.session_idle &&
         at < of.created_at + options.session_lifetime;
}

users::state::new_session users::state::make_session(std::int64_t account_id,
                                                     const origin& from) const {
  new_session made;
  made.token = base::base64url(base::random_bytes(token_bytes));
  made.hash = digest("session", made.token);
  const time_point at = now();
  made.record = {base::make_id("ses_", at),
                 account_id,
                 at,
                 at,
                 from.address.substr(0, max_address_size),
                 from.user_agent.substr(0, max_user_agent_size)};
  return made;
}

bool users::state::is_purge_due(const new_session& made) const noexcept {
  return made.record.created_at - last_purge >= purge_interval ||
         made.record.created_at < last_purge;
}

sqlite_code users::state::insert_session(const new_session& made) {
  if (is_purge_due(made)) {
    statement expired(accounts.writer, "session",
                      "DELETE FROM sessions WHERE last_used_at<=? OR created_at<=?");
    const time_point at = made.record.created_at;
    expired.bind(to_ms(at - options.session_idle)).bind(to_ms(at - options.session_lifetime));
    if (const sqlite_code code = expired.run(); code != sqlite_ok) return code;
  }
  statement crowd(accounts.writer, "session",
                  "DELETE FROM sessions WHERE account_id=?1 AND id NOT IN (SELECT id FROM sessions "
                  "WHERE account_id=?1 ORDER BY last_used_at DESC LIMIT ?2)");
  crowd.bind(made.record.account_id).bind(static_cast<std::int64_t>(max_sessions_per_account - 1));
  if (const sqlite_code code = crowd.run(); code != sqlite_ok) return code;
  statement insert(accounts.writer, "session",
                   "INSERT INTO sessions (public_id, account_id, hash, created_at, last_used_at, "
                   "address, user_agent) VALUES (?,?,?,?,?,?,?)");
  const session_record& record = made.record;
  insert.bind(record.id).bind(record.account_id).bind_blob(base::as_text(made.hash));
  insert.bind(to_ms(record.created_at)).bind(to_ms(record.last_used_at));
  return insert.bind(record.address).bind(record.user_agent).run();
}

sqlite_code users::state::delete_session(const base::sha256_digest& hash) {
  statement erase(accounts.writer, "session", "DELETE FROM sessions WHERE hash=?");
  return erase.bind_blob(base::as_text(hash)).run();
}

sqlite_code users::state::delete_sessions(std::int64_t account_id) {
  statement erase(accounts.writer, "session", "DELETE FROM sessions WHERE account_id=?");
  return erase.bind(account_id).run();
}

void users::state::remember_session(const new_session& made) {
  const std::lock_guard guard(mutex);
  const time_point at = made.record.created_at;
  if (is_purge_due(made)) {
    std::erase_if(sessions, [&](const auto& one) { return !is_alive(one.second.record, at); });
    last_purge = at;
  }
  std::vector<std::pair<time_point, base::sha256_digest>> own;
  for (const auto& [hash, entry] : sessions)
    if (entry.record.account_id == made.record.account_id)
      own.emplace_back(entry.record.last_used_at, hash);
  std::sort(own.begin(), own.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  for (std::size_t i = max_sessions_per_account - 1; i < own.size(); ++i)
    sessions.erase(own[i].second);
  sessions.emplace(made.hash, session_entry{made.record, at});
}

void users::state::forget_session(const base::sha256_digest& hash) {
  const std::lock_guard guard(mutex);
  sessions.erase(hash);
}

void users::state::forget_sessions(std::int64_t account_id) {
  const std::lock_guard guard(mutex);
  std::erase_if(sessions,
                [&](const auto& one) { return one.second.record.account_id == account_id; });
}

bool users::state::knows_address(std::int64_t account_id, std::string_view network) const {
  const time_point at = now();
  const std::lock_guard guard(mutex);
  return std::any_of(sessions.begin(), sessions.end(), [&](const auto& one) {
    const session_record& record = one.second.record;
    return record.account_id == account_id && is_alive(record, at) &&
           network_of(record.address) == network;
  });
}

result<void> users::state::open() {
  const time_point at = now();
  statement all(accounts.writer, "query",
                "SELECT public_id, account_id, hash, created_at, last_used_at, address, user_agent "
                "FROM sessions");
  sqlite_code code = all.step();
  for (; code == sqlite_row; code = all.step()) {
    session_entry entry;
    entry.record = {std::string(all.text(0)), all.integer(1),           from_ms(all.integer(3)),
                    from_ms(all.integer(4)),  std::string(all.text(5)), std::string(all.text(6))};
    entry.stored_at = entry.record.last_used_at;
    if (is_alive(entry.record, at))
      sessions.emplace(base::as_digest(all.text(2)), std::move(entry));
  }
  if (code != sqlite_done) return accounts.writer.last_error("reading the sessions");
  return {};
}

result<login> users::authenticate(std::string_view session) {
  const error refused(errc::not_signed_in, "sign in first");
  if (session.empty()) return refused;
  const base::sha256_digest hash = state_->digest("session", session);
  const time_point at = state_->now();
  login who;
  bool touch = false;
  {
    const std::lock_guard guard(state_->mutex);
    const auto found = state_->sessions.find(hash);
    if (found == state_->sessions.end()) return refused;
    session_entry& entry = found->second;
    if (!state_->is_alive(entry.record, at)) {
      state_->sessions.erase(found);
      return error(errc::not_signed_in, "the session has ended: sign in again");
    }
    entry.record.last_used_at = std::max(entry.record.last_used_at, at);
    touch = at - entry.stored_at >= touch_interval;
    if (touch) entry.stored_at = at;
    who.session = entry.record;
  }
  accounts_state& accounts = state_->accounts;
  const std::lock_guard guard(accounts.mutex);
  const account_entry* const account = accounts.find_account(who.session.account_id);
  if (account == nullptr || account->record.deleted_at) return refused;
  who.account = account->record;
  if (touch) accounts.post(std::make_unique<touch_work>(who.session.id, at));
  return who;
}

std::string users::csrf_token(std::string_view session) const {
  return base::base64url(base::as_text(state_->digest("csrf", session)));
}

std::vector<session_record> users::sessions_of(std::int64_t account_id) const {
  std::vector<session_record> own;
  const time_point at = state_->now();
  {
    const std::lock_guard guard(state_->mutex);
    for (const auto& [hash, entry] : state_->sessions)
      if (entry.record.account_id == account_id && state_->is_alive(entry.record, at))
        own.push_back(entry.record);
  }
  std::sort(own.begin(), own.end(), [](const session_record& a, const session_record& b) {
    return std::tie(b.last_used_at, b.id) < std::tie(a.last_used_at, a.id);
  });
  return own;
}

result<void> users::end_session(std::int64_t account_id, std::string_view session_id,
                                const origin& from) {
  std::optional<base::sha256_digest> hash;
  {
    const std::lock_guard guard(state_->mutex);
    for (const auto& [of, entry] : state_->sessions)
      if (entry.record.id == session_id && entry.record.account_id == account_id) hash = of;
  }
  const auto account = state_->find_account(account_id);
  if (!hash || !account) return error(errc::not_found, "no such session");
  const audit_note note{actor_of(*account), "session.end", std::string(session_id), "",
                        from.address};
  const auto write = [&](batch&) {
    const sqlite_code code = state_->delete_session(*hash);
    return code == sqlite_ok ? state_->note(note) : code;
  };
  return state_->accounts.run(write, [&] { state_->forget_session(*hash); });
}

result<void> users::sign_out(std::string_view session, const origin& from) {
  const auto who = authenticate(session);
  if (!who) return {};
  const base::sha256_digest hash = state_->digest("session", session);
  const audit_note note{actor_of(who->account), "sign_out", who->session.id, "", from.address};
  const auto write = [&](batch&) {
    const sqlite_code code = state_->delete_session(hash);
    return code == sqlite_ok ? state_->note(note) : code;
  };
  return state_->accounts.run(write, [&] { state_->forget_session(hash); });
}

}  // namespace freshet::account
