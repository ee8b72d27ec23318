// Kept in the order of their use, so that what has been idle longest is found at the front.
#include <openssl/rand.h>

#include <algorithm>
#include <array>
#include <server/mcp/http_sessions.hpp>
#include <utility>

namespace freshet::server::mcp {
namespace {

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

}  // namespace

http_sessions::~http_sessions() {
  for (const http_session& one : sessions_) {
    one.talk->close();
    one.log->close();
  }
}

http_session* http_sessions::open(std::string key, std::shared_ptr<session_core> talk, bool primes,
                                  clock::time_point now) {
  std::string id = make_session_id();
  if (id.empty() || !make_room(key)) return nullptr;
  ++of_key_[key];
  auto log = std::make_shared<event_log>(primes, limits_.events, kept_bytes_);
  sessions_.push_back({id, std::move(key), std::move(talk), std::move(log), now});
  by_id_.emplace(std::move(id), std::prev(sessions_.end()));
  return &sessions_.back();
}

http_session* http_sessions::find(std::string_view id, std::string_view key,
                                  clock::time_point now) {
  const auto found = by_id_.find(std::string(id));
  if (found == by_id_.end() || found->second->key != key) return nullptr;
  found->second->last_used = now;
  sessions_.splice(sessions_.end(), sessions_, found->second);
  return &*found->second;
}

void http_sessions::end(const http_session& which) {
  const auto found = by_id_.find(which.id);
  if (found != by_id_.end()) remove(found->second);
}

void http_sessions::expire(clock::time_point now) {
  while (!sessions_.empty() && now - sessions_.front().last_used > limits_.idle) {
    if (!sessions_.front().log->is_busy()) {
      remove(sessions_.begin());
      continue;
    }
    // Somebody listens, or a call runs: that is use.
    sessions_.front().last_used = now;
    sessions_.splice(sessions_.end(), sessions_, sessions_.begin());
  }
}

bool http_sessions::make_room(const std::string& key) {
  const auto count = of_key_.find(key);
  if (count != of_key_.end() && count->second >= limits_.of_one_key) {
    const auto idle = std::find_if(sessions_.begin(), sessions_.end(), [&](const auto& one) {
      return one.key == key && !one.log->is_busy();
    });
    if (idle == sessions_.end()) return false;
    remove(idle);
  }
  return sessions_.size() < limits_.of_all;
}

void http_sessions::remove(order::iterator which) {
  const auto count = of_key_.find(which->key);
  if (--count->second == 0) of_key_.erase(count);
  which->talk->close();
  which->log->close();
  by_id_.erase(which->id);
  sessions_.erase(which);
}

}  // namespace freshet::server::mcp
