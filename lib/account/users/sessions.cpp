// Sessions: how they begin, how long they live, and how they end. Every request of a page asks for
// one, so that they are looked up in memory; nothing here hashes a password.
#include <arpa/inet.h>
#include <account/users/sessions.hpp>
#include <algorithm>
#include <base/ids.hpp>
#include <limits>

namespace freshet::account {
namespace {

constexpr std::size_t max_user_agent_size = 200;
constexpr std::size_t max_address_size = 64;
/// How far behind the disk may be about a session's last use.
constexpr std::chrono::seconds touch_interval{60};
/// Sessions that have ended by themselves go when another begins, at most this often.
constexpr std::chrono::hours session_purge_interval{1};
/// So often are sessions read again that change while they are read.
constexpr int most_rereads_of_sessions = 50;
/// Networks that are remembered: of each account, and accounts.
constexpr std::size_t homes_of_account = 8, accounts_with_homes = 100'000, most_networks = 100'000;

/// Where owners were is read of so many lines of the audit log at the start, so many at a time.
constexpr std::size_t most_lines_of_homes = 50'000;
constexpr int lines_at_once = 5'000;

/// Whether a line says that a session began, and whether its password was new.
struct session_beginning {
  bool is_one = false, is_with_new_password = false;
};
session_beginning beginning_of(std::string_view action) {
  if (action == "password.reset" || action == "password.change") return {true, true};
  return {action == "sign_in" || action == "sign_up", false};
}

/// Of an IPv6 address so many bytes, in hex; any other text as it is.
std::string first_bytes(std::string_view address, std::size_t size) {
  in6_addr bytes{};
  const std::string text(address);
  if (::inet_pton(AF_INET6, text.c_str(), &bytes) != 1 || IN6_IS_ADDR_V4MAPPED(&bytes)) return text;
  return base::hex({reinterpret_cast<const char*>(bytes.s6_addr), size});
}

}  // namespace

std::string network_of(std::string_view address) { return first_bytes(address, 8); }

std::string site_of(std::string_view address) { return first_bytes(address, 6); }

std::string actor_of(const account_record& who) { return "account:" + who.public_id; }

base::sha256_digest sessions::digest(std::string_view use, std::string_view token) const {
  return base::hmac_sha256(owners_.books->pepper(), std::string(use) + ":" + std::string(token));
}

bool sessions::is_alive(const session_record& session, time_point now) const {
  return now < session.last_used_at + options_.session_idle &&
         now < session.created_at + options_.session_lifetime;
}

bool sessions::is_purge_due(const new_session& made) const noexcept {
  return made.record.created_at - last_purge_ >= session_purge_interval ||
         made.record.created_at < last_purge_;
}

result<void> sessions::load() {
  const time_point now = owners_.now();
  auto done = owners_.books->read_sessions(
      0, [&](const base::sha256_digest& hash, const session_record& one) {
        if (!is_alive(one, now)) return;
        entries_.emplace(hash, entry{one, one.last_used_at});
        add_home(one);
      });
  if (done) load_past_homes();
  return done;
}

/// A session is gone in a day or sooner, and its owner is at home all the same. Without the log
/// nobody is kept out who was not before.
void sessions::load_past_homes() {
  std::int64_t before = std::numeric_limits<std::int64_t>::max();
  for (std::size_t seen = 0; seen < most_lines_of_homes; seen += lines_at_once) {
    const auto lines = owners_.books->read_audit(before, lines_at_once);
    if (!lines) return;
    for (const audit_entry& line : *lines) add_past_home(line);
    if (lines->size() < lines_at_once) return;
    before = lines->back().id;
  }
}

void sessions::add_past_home(const audit_entry& line) {
  const session_beginning began = beginning_of(line.action);
  if (!began.is_one) return;
  std::string network = network_of(line.address);
  add_network(network);
  past_homes& own = past_homes_[line.actor];
  if (own.is_whole) return;
  if (std::ranges::find(own.networks, network) == own.networks.end())
    own.networks.push_back(std::move(network));
  own.is_whole = began.is_with_new_password || own.networks.size() == homes_of_account;
}

new_session sessions::make(std::int64_t account_id, const origin& asker) const {
  new_session made;
  made.token = base::base64url(base::random_bytes(token_bytes));
  made.hash = digest(made.token);
  const time_point at = owners_.now();
  made.record = {base::make_id("ses_", at),
                 account_id,
                 at,
                 at,
                 asker.address.substr(0, max_address_size),
                 asker.user_agent.substr(0, max_user_agent_size)};
  return made;
}

void sessions::add(transaction& running, const new_session& made) const {
  const time_point at = made.record.created_at;
  if (is_purge_due(made))
    running.remove_expired_sessions(at - options_.session_idle, at - options_.session_lifetime);
  running.add_session(made.record, made.hash, max_sessions_per_account - 1);
}

void sessions::remember(const new_session& made) {
  const std::lock_guard guard(mutex_);
  ++changes_;
  const time_point at = made.record.created_at;
  if (is_purge_due(made)) {
    std::erase_if(entries_, [&](const auto& one) { return !is_alive(one.second.record, at); });
    last_purge_ = at;
  }
  std::vector<std::pair<time_point, base::sha256_digest>> own;
  for (const auto& [hash, one] : entries_)
    if (one.record.account_id == made.record.account_id)
      own.emplace_back(one.record.last_used_at, hash);
  std::sort(own.begin(), own.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  for (std::size_t i = max_sessions_per_account - 1; i < own.size(); ++i)
    entries_.erase(own[i].second);
  entries_.emplace(made.hash, entry{made.record, at});
  add_home(made.record);
}

void sessions::add_home(const session_record& session) {
  if (homes_.size() >= accounts_with_homes && !homes_.contains(session.account_id)) {
    homes_.erase(homes_.begin());
  }
  auto& own = homes_[session.account_id];
  std::string network = network_of(session.address);
  add_network(network);
  std::erase(own, network);
  if (own.size() == homes_of_account) own.erase(own.begin());
  own.push_back(std::move(network));
}

void sessions::add_network(const std::string& network) {
  if (networks_.size() >= most_networks) networks_.erase(networks_.begin());
  networks_.insert(network);
}

void sessions::forget(const base::sha256_digest& hash) {
  const std::lock_guard guard(mutex_);
  ++changes_;
  entries_.erase(hash);
}

void sessions::forget_all(const account_record& account, std::string_view kept) {
  const std::lock_guard guard(mutex_);
  ++changes_;
  std::erase_if(entries_, [&](const auto& one) {
    return one.second.record.account_id == account.id && one.second.record.id != kept;
  });
  if (!kept.empty()) return;
  homes_.erase(account.id);  // with the password that they knew
  past_homes_.erase(actor_of(account));
}

void sessions::reread(std::int64_t account_id) {
  for (int tries = 0; tries < most_rereads_of_sessions; ++tries) {
    std::uint64_t before = 0;
    {
      const std::lock_guard guard(mutex_);
      before = changes_;
    }
    const time_point now = owners_.now();
    entry_map found;
    const auto take = [&](const base::sha256_digest& hash, const session_record& one) {
      if (is_alive(one, now)) found.emplace(hash, entry{one, one.last_used_at});
    };
    if (!owners_.books->read_sessions(account_id, take)) return;
    const std::lock_guard guard(mutex_);
    if (changes_ != before) continue;
    for (auto& [hash, one] : found) {
      const auto known = entries_.find(hash);
      if (known == entries_.end()) continue;
      time_point& used_at = one.record.last_used_at;
      used_at = std::max(used_at, known->second.record.last_used_at);
    }
    std::erase_if(entries_, [&](const auto& one) {
      return account_id == 0 || one.second.record.account_id == account_id;
    });
    entries_.merge(found);
    return;
  }
}

result<session_record> sessions::use(std::string_view session) {
  const error refused(errc::not_signed_in, "sign in first");
  if (session.empty()) return refused;
  const base::sha256_digest hash = digest(session);
  const time_point at = owners_.now();
  session_record used;
  bool touch = false;
  {
    const std::lock_guard guard(mutex_);
    const auto found = entries_.find(hash);
    if (found == entries_.end()) return refused;
    entry& one = found->second;
    if (!is_alive(one.record, at)) {
      entries_.erase(found);
      return error(errc::not_signed_in, "the session has ended: sign in again");
    }
    one.record.last_used_at = std::max(one.record.last_used_at, at);
    touch = at - one.stored_at >= touch_interval;
    if (touch) one.stored_at = at;
    used = one.record;
  }
  if (!touch) return used;
  const auto guard = owners_.queue.lock();
  // Nobody waits for it, and nothing is lost if it fails.
  owners_.queue.post(std::make_unique<plain_work>(
      [id = used.id, at](transaction& running) { running.touch_session(id, at); }));
  return used;
}

std::vector<session_record> sessions::list(std::int64_t account_id) const {
  std::vector<session_record> own;
  const time_point at = owners_.now();
  {
    const std::lock_guard guard(mutex_);
    for (const auto& [hash, one] : entries_)
      if (one.record.account_id == account_id && is_alive(one.record, at))
        own.push_back(one.record);
  }
  std::sort(own.begin(), own.end(), [](const session_record& a, const session_record& b) {
    return std::tie(b.last_used_at, b.id) < std::tie(a.last_used_at, a.id);
  });
  return own;
}

std::optional<base::sha256_digest> sessions::find(std::int64_t account_id,
                                                  std::string_view session_id) const {
  const std::lock_guard guard(mutex_);
  for (const auto& [hash, one] : entries_)
    if (one.record.id == session_id && one.record.account_id == account_id) return hash;
  return std::nullopt;
}

bool sessions::knows_network(std::string_view network) const {
  const std::lock_guard guard(mutex_);
  return networks_.contains(std::string(network));
}

bool sessions::knows_network(const account_record& account, std::string_view network) const {
  const time_point at = owners_.now();
  const std::string actor = actor_of(account);
  const std::lock_guard guard(mutex_);
  const auto homes = homes_.find(account.id);
  if (homes != homes_.end() && std::ranges::find(homes->second, network) != homes->second.end()) {
    return true;
  }
  if (const auto past = past_homes_.find(actor); past != past_homes_.end()) {
    const auto& networks = past->second.networks;
    if (std::ranges::find(networks, network) != networks.end()) return true;
  }
  return std::any_of(entries_.begin(), entries_.end(), [&](const auto& one) {
    const session_record& record = one.second.record;
    return record.account_id == account.id && is_alive(record, at) &&
           network_of(record.address) == network;
  });
}

}  // namespace freshet::account
