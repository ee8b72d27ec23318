// All debts are times: a bucket that is full again after so long lacks that many intervals. So a
// server's part of a rate, whose window is as long, begins with the debt of the whole.
#include <account/rules/shared_bucket.hpp>
#include <algorithm>
#include <utility>

namespace freshet::account {
namespace {

using std::chrono::milliseconds;

/// Tokens taken ahead are for about so long; what was not used for twice that is given back.
constexpr milliseconds slot_length{50};
constexpr milliseconds idle_time{100};
/// Of the burst, all that the servers take ahead.
constexpr std::int64_t part_ahead = 8;
/// A refusal stands so long without asking: another server may have given back meanwhile.
constexpr milliseconds refusal_stands{20};
/// Tokens that were taken before Redis went away hold so long.
constexpr std::chrono::seconds holds_alone{1};

}  // namespace

void shared_bucket::use(moment now) noexcept {
  --held_;
  used_at_ = now;
  if (slot_ == moment::min() || now - slot_ >= 2 * slot_length) {
    slot_ = now;
    used_ = used_before_ = 0;
  } else if (now - slot_ >= slot_length) {
    slot_ += slot_length;
    used_before_ = used_;
    used_ = 0;
  }
  ++used_;
}

shared_bucket::duration shared_bucket::owed_at(moment now) const noexcept {
  return full_at_ <= now ? duration(0) : duration(full_at_ - now);
}

shared_bucket::verdict shared_bucket::take(const rate_rule& rule, moment now, rate_info& state) {
  const bool passes = held_ > 0;
  if (!passes && now >= refused_until_) return verdict::unknown;
  if (passes) use(now);
  const duration left = owed_at(now) - held_ * rule.interval();
  show_rate(rule, std::clamp(left, duration(0), rule.window()), state);
  return passes ? verdict::passes : verdict::refused;
}

error shared_bucket::refusal(const rate_rule& rule, moment now) const {
  return rate_refusal(rule, owed_at(now) + rule.interval() - rule.window());
}

std::optional<shared_bucket::request> shared_bucket::ask(const rate_rule& rule, int servers,
                                                         moment now, std::size_t waiting) {
  if (is_asking_) return std::nullopt;
  const std::int64_t most = rule.burst() / (part_ahead * servers);
  // One ahead would spare nobody the way.
  const std::int64_t lately = std::min(std::max(used_, used_before_), most);
  const std::int64_t ahead = lately < 2 ? 0 : lately;
  const auto wanted = static_cast<std::int64_t>(waiting);
  if (wanted == 0 && held_ * 2 >= ahead) return std::nullopt;
  if (is_alone_) {
    const duration given = alone_.full_at() <= now ? duration(0) : alone_.full_at() - now;
    owed_ += std::max(duration(0), given - owed_at(now)) / servers;
    is_alone_ = false;
  }
  request one{std::min(wanted + std::max<std::int64_t>(0, ahead - held_), rule.burst()),
              std::exchange(owed_, duration(0)), owed_at(now)};
  is_asking_ = true;
  return one;
}

void shared_bucket::hear(const rate_rule& rule, const request& asked, std::int64_t given,
                         duration owed, moment now) {
  is_asking_ = false;
  held_ += given;
  heard_at_ = used_at_ = now;
  full_at_ = now + owed;
  if (given < asked.tokens)
    refused_until_ = std::min(now + refusal_stands, full_at_ + rule.interval() - rule.window());
}

void shared_bucket::miss(const request& asked) noexcept {
  is_asking_ = false;
  owed_ += asked.owed;
}

result<void> shared_bucket::take_alone(const rate_rule& rule, int servers, moment now,
                                       rate_info& state) {
  if (held_ > 0 && now - heard_at_ < holds_alone) {
    static_cast<void>(take(rule, now, state));
    return {};
  }
  held_ = 0;
  if (!is_alone_) alone_ = rate_bucket(full_at_);
  is_alone_ = true;
  return alone_.take(rule.shared_by(servers), now, state);
}

std::int64_t shared_bucket::give_back(moment now) noexcept {
  if (held_ == 0 || now - used_at_ < idle_time) return 0;
  return std::exchange(held_, 0);
}

bool shared_bucket::is_full(moment now) const noexcept {
  return held_ == 0 && !is_asking_ && owed_ == duration(0) && full_at_ <= now &&
         alone_.is_full(now);
}

}  // namespace freshet::account
