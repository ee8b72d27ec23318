// GCRA in whole nanoseconds: exact under any interleaving, since no floating point accumulates.
#include <account/rules/rate_limit.hpp>
#include <algorithm>
#include <cmath>

namespace freshet::account {
namespace {

using std::chrono::nanoseconds;

constexpr double longest_window_s = 10.0 * 365 * 86'400;

std::int64_t whole_seconds_up(nanoseconds time) noexcept {
  return std::chrono::ceil<std::chrono::seconds>(time).count();
}

}  // namespace

result<rate_rule> rate_rule::from(const plan& of) {
  const double window_s = static_cast<double>(of.burst) / of.rate;
  if (!std::isfinite(of.rate) || of.rate <= 0 || of.burst < 1 || window_s > longest_window_s)
    return error(errc::invalid_configuration,
                 "plans." + of.name + ": rate must be above 0 and burst at least 1");
  rate_rule rule;
  rule.interval_ = nanoseconds(std::max<std::int64_t>(1, std::llround(1e9 / of.rate)));
  rule.burst_ = of.burst;
  return rule;
}

rate_rule rate_rule::shared_by(int servers) const noexcept {
  rate_rule part = *this;
  part.interval_ *= servers;
  part.burst_ = (burst_ + servers - 1) / servers;
  return part;
}

void show_rate(const rate_rule& rule, nanoseconds owed, rate_info& state) {
  state.limit = rule.burst();
  state.remaining = (rule.window() - owed) / rule.interval();
  state.reset_s = whole_seconds_up(owed);
  state.window_s = std::max<std::int64_t>(1, whole_seconds_up(rule.window()));
}

error rate_refusal(const rate_rule& rule, nanoseconds wait) {
  const auto window_s = std::max<std::int64_t>(1, whole_seconds_up(rule.window()));
  error refused(errc::rate_limited, "the plan allows " + std::to_string(rule.burst()) +
                                        " requests in " + std::to_string(window_s) + " s");
  refused.retry_after = std::chrono::seconds(std::max<std::int64_t>(1, whole_seconds_up(wait)));
  return refused;
}

result<void> rate_bucket::take(const rate_rule& rule, std::chrono::steady_clock::time_point now,
                               rate_info& state) {
  const nanoseconds window = rule.window();
  // A debt beyond one window can only come from a rule that changed or a clock that was replaced:
  // it must not lock the caller out.
  full_at_ = std::clamp(full_at_, now, now + window);
  const nanoseconds debt = full_at_ - now;
  const bool passes = debt + rule.interval() <= window;
  if (passes) full_at_ += rule.interval();

  show_rate(rule, full_at_ - now, state);
  if (passes) return {};
  return rate_refusal(rule, debt + rule.interval() - window);
}

}  // namespace freshet::account
