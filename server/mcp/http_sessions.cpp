// An owner's sessions are kept in the order of their use, so that what has been idle longest is
// found at the front.
#include <openssl/rand.h>

#include <algorithm>
#include <array>
#include <server/mcp/http_sessions.hpp>
#include <utility>

namespace freshet::server::mcp {
namespace {

/// How many keys are asked of at a time. At four times a second all of 10,000 have their turn
/// within five.
constexpr std::size_t keys_at_once = 512;

/// 192 bits in hexadecimal; "" if there is no randomness.
std::string make_session_id() {
  std::array<unsigned char, 24> random{};
  if (RAND_bytes(random.data(), static_cast<int>(random.size())) != 1) return {};
  constexpr std::string_view digits = "0123456789abcdef";
  std::string out;
  for (const unsigned char byte : random) {
    out += digits[byte >> 4];
    out += digits[byte & 15];
  }
  return out;
}

std::list<http_session>::iterator longest_idle(session_owner& of) {
  return std::ranges::find_if(of.sessions,
                              [](const http_session& one) { return !one.log->is_busy(); });
}

}  // namespace

http_sessions::~http_sessions() {
  for (const auto& [name, owner] : owners_) {
    for (const http_session& one : owner.sessions) {
      one.talk->close();
      one.log->close();
    }
  }
}

http_session* http_sessions::open(const std::string& owner, std::string key,
                                  std::shared_ptr<session_core> talk, bool primes,
                                  clock::time_point now) {
  std::string id = make_session_id();
  session_owner& whose = owners_.try_emplace(owner, space_).first->second;
  if (id.empty() || !make_room(whose)) return nullptr;
  auto log = std::make_shared<event_log>(primes, whose.space);
  resize(whose, [&] {
    whose.sessions.push_back({id, std::move(key), std::move(talk), std::move(log), now, &whose});
  });
  by_id_.emplace(std::move(id), std::prev(whose.sessions.end()));
  return &whose.sessions.back();
}

http_session* http_sessions::find(std::string_view id, std::string_view key,
                                  clock::time_point now) {
  const auto found = by_id_.find(std::string(id));
  if (found == by_id_.end() || found->second->key != key) return nullptr;
  if (now - found->second->last_used > limits_.idle && !found->second->log->is_busy()) {
    remove(found->second);  // the next sweep would
    return nullptr;
  }
  found->second->last_used = now;
  order& its = found->second->owner->sessions;
  its.splice(its.end(), its, found->second);
  return &*found->second;
}

void http_sessions::end(const http_session& which) {
  const auto found = by_id_.find(which.id);
  if (found != by_id_.end()) remove(found->second);
}

std::shared_ptr<body_stream> http_sessions::make_body(const http_session& of) const {
  const auto& count = of.owner->streams;
  if (*count >= limits_.streams_of_account) return nullptr;
  ++*count;
  return {new body_stream, [count](body_stream* done) {
            delete done;
            --*count;
          }};
}

void http_sessions::expire(clock::time_point now) {
  for (auto& [name, owner] : owners_) {
    order& its = owner.sessions;
    // Each is looked at once: what is busy goes to the end.
    for (std::size_t left = its.size(); left > 0; --left) {
      if (now - its.front().last_used <= limits_.idle) break;
      if (!its.front().log->is_busy()) {
        remove(its.begin());
        continue;
      }
      // Somebody listens, or a call runs: that is use.
      its.front().last_used = now;
      its.splice(its.end(), its, its.begin());
    }
  }
  forget_idle_owners();
}

void http_sessions::share_space() {
  const std::size_t half = limits_.events.bytes_of_all / 2;
  if (space_->used() <= half) return;
  std::size_t holders = 0;
  for (const auto& [name, owner] : owners_) holders += owner.space->used() > 0 ? 1 : 0;
  const std::size_t share = half / std::max<std::size_t>(holders, 1);
  for (auto& [name, owner] : owners_) {
    for (const http_session& one : owner.sessions) {
      const std::size_t used = owner.space->used();
      if (used <= share) break;
      one.log->give_up(used - share);
    }
  }
}

std::size_t http_sessions::end_revoked(const key_judge& is_good) {
  std::size_t asked = 0;
  for (std::size_t left = owners_.size(); left > 0 && asked < keys_at_once; --left) {
    auto next = owners_.upper_bound(judged_);
    if (next == owners_.end()) next = owners_.begin();
    judged_ = next->first;
    std::map<std::string, bool, std::less<>> judged;
    for (auto at = next->second.sessions.begin(); at != next->second.sessions.end();) {
      const auto one = at++;
      const auto [known, is_new] = judged.try_emplace(one->key, true);
      // Without a key nothing was checked when it was opened.
      if (is_new && !one->key.empty()) {
        known->second = is_good(one->key);
        ++asked;
      }
      if (!known->second) remove(one);
    }
  }
  return asked;
}

bool http_sessions::make_room(session_owner& for_whom) {
  if (for_whom.sessions.size() >= limits_.of_account) {
    const auto idle = longest_idle(for_whom);
    if (idle == for_whom.sessions.end()) return false;
    remove(idle);
  }
  return by_id_.size() < limits_.of_all || end_one_of_most(for_whom);
}

/// Of those who have equally many, whoever was idle for longest; of those who have fewer only what
/// is idle. A busy one ends only where its owner still has no fewer than the one that comes.
bool http_sessions::end_one_of_most(const session_owner& for_whom) {
  const auto is_older = [](order::iterator one, const std::optional<order::iterator>& other) {
    return !other || one->last_used < (*other)->last_used;
  };
  std::optional<order::iterator> idle, busy;
  std::size_t size = 0;
  for (auto at = by_size_.rbegin(); at != by_size_.rend(); ++at) {
    if (at->first != size && (idle || busy)) break;
    size = at->first;
    order& its = at->second->sessions;
    const auto candidate = longest_idle(*at->second);
    if (candidate != its.end() && is_older(candidate, idle)) idle = candidate;
    const bool has_more = size > for_whom.sessions.size() + 1;
    if (has_more && is_older(its.begin(), busy)) busy = its.begin();
  }
  const auto gone = idle ? idle : busy;
  if (!gone) return false;
  remove(*gone);
  return true;
}

void http_sessions::resize(session_owner& owner, const std::function<void()>& change) {
  by_size_.erase({owner.sessions.size(), &owner});
  change();
  if (!owner.sessions.empty()) by_size_.emplace(owner.sessions.size(), &owner);
}

void http_sessions::remove(order::iterator which) {
  which->talk->close();
  which->log->close();
  by_id_.erase(which->id);
  session_owner& whose = *which->owner;
  resize(whose, [&] { whose.sessions.erase(which); });
}

/// What is still unread counts against its owner, so he is remembered until it is gone.
void http_sessions::forget_idle_owners() {
  for (auto at = owners_.begin(); at != owners_.end();) {
    const session_owner& one = at->second;
    const bool idle = one.sessions.empty() && *one.streams == 0 && one.space->used() == 0;
    at = idle ? owners_.erase(at) : std::next(at);
  }
}

}  // namespace freshet::server::mcp
