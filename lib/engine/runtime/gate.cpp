// Counting in and out, and the buckets of time.
#include "engine/runtime/gate.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <unordered_set>

namespace freshet::detail {
namespace {

/// Gates that are remembered; beyond, those that nobody uses and that owe nothing are forgotten.
constexpr std::size_t max_gates = 8'192;
/// The longest that a refusal asks a caller to wait.
constexpr double longest_wait_s = 600;

double seconds_between(gates::time begin, gates::time end) {
  return std::max(0.0, std::chrono::duration<double>(end - begin).count());
}

error refusal(errc code, std::string detail, double wait_s) {
  error out(code, std::move(detail));
  const auto wait = std::clamp(std::ceil(wait_s), 1.0, longest_wait_s);
  out.retry_after = std::chrono::seconds(static_cast<std::int64_t>(wait));
  return out;
}

/// What is left of a share, some time later.
double saved_up(double left_s, double share, double passed_s, double window_s) {
  return std::min(left_s + passed_s * share, window_s * share);
}

}  // namespace

void gates::gate::refill(const gate_limits& limits, time now) noexcept {
  const auto passed = seconds_between(refilled, now);
  processor_s = saved_up(processor_s, limits.processor_share, passed, window_s);
  browser_s = saved_up(browser_s, limits.browser_share, passed, window_s);
  refilled = std::max(refilled, now);
}

/// Bytes of one answer, until it is read.
struct gates::held_bytes {
  held_bytes(gates& gates, std::uint64_t gate_key) : all(gates), key(gate_key) {}
  held_bytes(const held_bytes&) = delete;
  held_bytes& operator=(const held_bytes&) = delete;
  ~held_bytes() {
    if (size == 0) return;
    const std::lock_guard lock(all.mutex_);
    all.gates_.find(key)->second.bytes -= size;
  }
  gates& all;
  const std::uint64_t key;
  std::int64_t size = 0;
};

result<std::shared_ptr<gates::pass>> gates::enter(owner_id account, gate_kind kind,
                                                  const gate_limits& limits) {
  const auto now = clock_.steady();
  const auto key = key_of(account, kind);
  const std::lock_guard lock(mutex_);
  if (gates_.size() >= max_gates) forget_idle(now);
  const auto [at, is_new] = gates_.try_emplace(key);
  gate& own = at->second;
  if (is_new) own.refilled = now - std::chrono::seconds(static_cast<int>(window_s));
  own.refill(limits, now);
  if (const auto room = room_of_account(); own.calls >= room) {
    return refusal(errc::overloaded,
                   room == 0 ? "the server has as many calls under way as it takes"
                             : "the server has so many calls under way that an account has " +
                                   std::to_string(room) + " at once",
                   1);
  }
  if (own.calls >= limits.calls) {
    return refusal(errc::rate_limited,
                   "the plan allows " + std::to_string(limits.calls) + " calls at once",
                   own.call_s);
  }
  if (own.processor_s <= 0) {
    return refusal(errc::rate_limited,
                   "the calls of this account used more processor time than the plan allows",
                   -own.processor_s / limits.processor_share);
  }
  auto inside = std::make_shared<pass>(*this, key, limits, now);
  ++own.calls;
  ++running_;
  return inside;
}

std::int64_t gates::room_of_account() const noexcept {
  if (running_ >= most_calls_) return 0;
  if (running_ >= most_calls_ - most_calls_ / 4) return 1;
  constexpr std::int64_t few = 4;
  return running_ >= most_calls_ / 2 ? few : most_calls_;
}

void gates::leave(const pass& gone) noexcept {
  const auto took_s = seconds_between(gone.entered_, clock_.steady());
  const std::lock_guard lock(mutex_);
  const auto found = gates_.find(gone.key_);
  --running_;
  --found->second.calls;
  found->second.call_s += (took_s - found->second.call_s) / 8;
}

result<std::shared_ptr<const void>> gates::pass::hold_bytes(std::size_t size) {
  const auto more = static_cast<std::int64_t>(size);
  auto held = std::make_shared<held_bytes>(all_, key_);
  const std::lock_guard lock(all_.mutex_);
  gate& own = all_.gates_.find(key_)->second;
  // One answer always passes: its own bound is the fetch's.
  if (own.bytes > 0 && own.bytes + more > limits_.bytes) {
    return refusal(errc::rate_limited,
                   "the answers that this account's calls wait for exceed the plan's " +
                       std::to_string(limits_.bytes) + " bytes at once",
                   own.call_s);
  }
  own.bytes += more;
  held->size = more;
  return std::shared_ptr<const void>(std::move(held));
}

void gates::pass::use(std::chrono::nanoseconds processor) noexcept {
  const std::lock_guard lock(all_.mutex_);
  all_.gates_.find(key_)->second.processor_s -= std::chrono::duration<double>(processor).count();
}

result<void> gates::pass::may_render() {
  const auto now = all_.clock_.steady();
  const std::lock_guard lock(all_.mutex_);
  gate& own = all_.gates_.find(key_)->second;
  own.refill(limits_, now);
  if (own.browser_s > 0) return {};
  return refusal(errc::rate_limited,
                 "the pages of this account had a browser for longer than the plan allows",
                 -own.browser_s / limits_.browser_share);
}

void gates::use_browser(owner_id account, std::chrono::nanoseconds time) noexcept {
  const std::lock_guard lock(mutex_);
  const auto found = gates_.find(key_of(account, gate_kind::live));
  if (found == gates_.end()) return;
  found->second.browser_s -= std::chrono::duration<double>(time).count();
}

void gates::use(owner_id account, gate_kind kind, std::chrono::nanoseconds processor) noexcept {
  const std::lock_guard lock(mutex_);
  const auto found = gates_.find(key_of(account, kind));
  if (found == gates_.end()) return;  // it owed nothing, and nobody has called since
  found->second.processor_s -= std::chrono::duration<double>(processor).count();
}

std::size_t gates::callers() const {
  const std::lock_guard lock(mutex_);
  std::unordered_set<std::uint64_t> accounts;
  for (const auto& [key, one] : gates_) {
    if (one.calls > 0) accounts.insert(key / kinds);
  }
  return accounts.size();
}

void gates::forget_idle(time now) noexcept {
  std::erase_if(gates_, [&](const auto& each) {
    const gate& one = each.second;
    return one.calls == 0 && one.bytes == 0 && one.processor_s > 0 && one.browser_s > 0 &&
           seconds_between(one.refilled, now) > window_s;
  });
}

}  // namespace freshet::detail
