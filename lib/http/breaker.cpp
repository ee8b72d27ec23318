// Closed, open and half-open, over a window of ten slots.
#include <algorithm>
#include <http/breaker.hpp>

namespace freshet::http {
namespace {

constexpr int max_doublings = 16;
constexpr double jitter_share = 0.4;  ///< the open time varies from -20 % to +20 %

}  // namespace

std::optional<breaker::wait> breaker::refusal(time now) const noexcept {
  if (!open_) return std::nullopt;
  if (now < until_) return std::chrono::ceil<wait>(until_ - now);
  if (probing_) return limits_.probe_wait;
  return std::nullopt;
}

breaker::pass breaker::try_pass(time now) noexcept {
  if (refusal(now)) return pass::no;
  if (!open_) return pass::yes;
  probing_ = true;
  return pass::probe;
}

breaker::slot& breaker::slot_at(time now) noexcept {
  const auto length = limits_.window / static_cast<int>(slots);
  const std::int64_t period = now.time_since_epoch() / std::max<wait>(length, wait(1));
  slot& out = counts_[static_cast<std::size_t>(period) % slots];
  if (out.period != period) out = {period, 0, 0};
  return out;
}

void breaker::succeeded(time now, pass way) noexcept {
  if (way == pass::probe) {
    open_ = probing_ = false;
    failed_probes_ = 0;
    counts_ = {};
  } else if (!open_) {
    ++slot_at(now).total;
  }
}

bool breaker::failed(time now, pass way, double jitter) noexcept {
  if (way == pass::probe) {
    probing_ = false;
    ++failed_probes_;
    open(now, jitter);
    return false;
  }
  if (open_) return false;  // it was let through before the breaker opened
  slot& current = slot_at(now);
  ++current.total;
  ++current.failures;
  int failures = 0, total = 0;
  for (const slot& each : counts_) {
    if (each.period <= current.period - static_cast<std::int64_t>(slots)) continue;
    failures += each.failures;
    total += each.total;
  }
  if (total < limits_.minimum_volume || failures < limits_.failure_ratio * total) return false;
  failed_probes_ = 0;
  open(now, jitter);
  return true;
}

void breaker::open(time now, double jitter) noexcept {
  const int doublings = std::min(failed_probes_, max_doublings);
  const wait length = std::min(limits_.open_for * (1 << doublings), limits_.open_cap);
  const double factor = 1 - jitter_share / 2 + jitter_share * jitter;
  until_ = now + wait(static_cast<std::int64_t>(static_cast<double>(length.count()) * factor));
  open_ = true;
}

void breaker::abandoned(pass as) noexcept {
  if (as == pass::probe) probing_ = false;
}

bool breaker::is_idle(time now) const noexcept {
  // One that nobody has tried for long has nothing to say either.
  if (open_) return !probing_ && now - until_ > limits_.open_cap;
  const auto length = std::max<wait>(limits_.window / static_cast<int>(slots), wait(1));
  const std::int64_t oldest = now.time_since_epoch() / length - static_cast<std::int64_t>(slots);
  return std::ranges::all_of(counts_, [&](const slot& each) { return each.period <= oldest; });
}

}  // namespace freshet::http
