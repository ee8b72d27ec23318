// Counting in and out, and the bucket of processor time.
#include "engine/runtime/gate.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace freshet::detail {
namespace {

/// Gates that are remembered; beyond, those that nobody uses and that owe nothing are forgotten.
constexpr std::size_t max_gates = 8'192;
/// The longest that a refusal asks a caller to wait.
constexpr double longest_wait_s = 600;

double seconds_between(gates::time from, gates::time to) {
  return std::max(0.0, std::chrono::duration<double>(to - from).count());
}

error refusal(errc code, std::string detail, double wait_s) {
  error out(code, std::move(detail));
  const auto wait = std::clamp(std::ceil(wait_s), 1.0, longest_wait_s);
  out.retry_after = std::chrono::seconds(static_cast<std::int64_t>(wait));
  return out;
}

}  // namespace

/// Bytes of one answer, until it is read.
struct gates::held_bytes {
  held_bytes(gates& of, std::uint64_t gate_key) : all(of), key(gate_key) {}
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
  if (running_ >= most_calls_) {
    return refusal(errc::overloaded, "the server has as many calls under way as it takes", 1);
  }
  if (gates_.size() >= max_gates) forget_idle(now);
  const auto [at, is_new] = gates_.try_emplace(key);
  gate& own = at->second;
  const auto most = window_s * limits.processor_share;
  if (is_new) own.processor_s = most;
  if (!is_new) own.processor_s += seconds_between(own.refilled, now) * limits.processor_share;
  own.processor_s = std::min(own.processor_s, most);
  own.refilled = std::max(own.refilled, now);
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

void gates::use(owner_id account, gate_kind kind, std::chrono::nanoseconds processor) noexcept {
  const std::lock_guard lock(mutex_);
  const auto found = gates_.find(key_of(account, kind));
  if (found == gates_.end()) return;  // it owed nothing, and nobody has called since
  found->second.processor_s -= std::chrono::duration<double>(processor).count();
}

void gates::forget_idle(time now) noexcept {
  std::erase_if(gates_, [&](const auto& each) {
    const gate& one = each.second;
    return one.calls == 0 && one.bytes == 0 && one.processor_s > 0 &&
           seconds_between(one.refilled, now) > window_s;
  });
}

}  // namespace freshet::detail
