// The one script is GCRA: a key holds when its bucket is full again, in microseconds since 2026 by
// Redis's clock, and goes when it is. Whoever asks says what it knows, for a Redis that has lost
// its memory, and what it gave while Redis was away.
#include <account/keys/shared_rates.hpp>
#include <algorithm>
#include <cstdio>
#include <new>

namespace freshet::account {
namespace {

/// Buckets that are full are forgotten when there are more than these, or twice as many as were
/// left the last time.
constexpr std::size_t few_entries = 20'000;
/// More calls of a bucket do not wait for one answer, whatever its burst.
constexpr std::size_t most_waiting = 10'000;

/// Gives how many tokens were taken, and after how many microseconds the bucket is full again. A
/// number below zero gives so many back. Times are small enough for what a double holds exactly,
/// and a ten-thousandth of a token is none.
constexpr const char* gcra = R"(
local clock = redis.call('TIME')
local now = (tonumber(clock[1]) - 1767225600) * 1000000 + tonumber(clock[2])
local interval, burst, tokens = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local owed, known = tonumber(ARGV[4]), tonumber(ARGV[5])
local window = interval * burst
local at = tonumber(redis.call('GET', KEYS[1]) or now + known)
at = math.max(now, math.min(at, now + window))
at = math.min(at + owed, now + window)
local given = math.min(tokens, math.floor((now + window - at) / interval + 0.0001))
at = math.max(now, at + given * interval)
if at > now then
  redis.call('SET', KEYS[1], string.format('%.3f', at),
             'PX', string.format('%.0f', math.ceil((at - now) / 1000)))
else
  redis.call('DEL', KEYS[1])
end
return {given, math.ceil(at - now)}
)";

std::string microseconds(std::chrono::nanoseconds time) {
  char text[32];
  const auto count = static_cast<long long>(time.count());
  std::snprintf(text, sizeof text, "%lld.%03lld", count / 1000, count % 1000);
  return text;
}

/// Live and test keys have buckets of their own.
std::int64_t id_of(std::int64_t account_id, key_mode mode) {
  return 2 * account_id + (mode == key_mode::live ? 0 : 1);
}

}  // namespace

shared_rates::shared_rates(shared_rates_options options)
    : options_(std::move(options)),
      many_entries_(few_entries),
      link_({options_.where, options_.timeout, {gcra}, options_.changed, [this] {
               return give_idle_back();
             }}) {
  link_.start();
}

shared_rates::~shared_rates() { link_.stop(); }

shared_rates::figures shared_rates::count() const {
  figures now{link_.count(), 0};
  const std::lock_guard guard(mutex_);
  now.alone = alone_;
  return now;
}

std::size_t shared_rates::size() const {
  const std::lock_guard guard(mutex_);
  return entries_.size();
}

shared_rates::entry& shared_rates::entry_of(std::int64_t id) {
  if (entries_.size() >= many_entries_) {
    const auto now = options_.clock->steady();
    std::erase_if(entries_, [now](const auto& one) {
      return one.second.bucket.is_full(now) && one.second.waiting.empty();
    });
    many_entries_ = std::max(few_entries, 2 * entries_.size());
  }
  return entries_[id];
}

std::optional<result<void>> shared_rates::take(std::int64_t account_id, key_mode mode,
                                               const rate_rule& rule, rate_info& state,
                                               handler done) {
  using verdict = shared_bucket::verdict;
  const std::int64_t id = id_of(account_id, mode);
  const auto now = options_.clock->steady();
  const std::lock_guard guard(mutex_);
  entry& one = entry_of(id);
  one.rule = rule;
  if (link_.is_here()) {
    // Nobody goes before those who wait.
    const verdict judged =
        one.waiting.empty() ? one.bucket.take(rule, now, state) : verdict::unknown;
    if (judged == verdict::refused) return one.bucket.refusal(rule, now);
    if (judged == verdict::passes) {
      static_cast<void>(ask(id, one));  // ahead
      return result<void>();
    }
    const auto most = static_cast<std::size_t>(rule.burst());
    if (one.waiting.size() >= std::min(most, most_waiting)) {
      // Those who wait take all that there can be.
      show_rate(rule, rule.window(), state);
      return rate_refusal(rule, rule.interval());
    }
    one.waiting.push_back(std::move(done));
    if (one.bucket.is_asking() || ask(id, one)) return std::nullopt;
    one.waiting.pop_back();
  }
  ++alone_;
  return one.bucket.take_alone(rule, options_.servers(), now, state);
}

std::vector<std::string> shared_rates::words(std::int64_t id, const rate_rule& rule,
                                             const shared_bucket::request& asked) const {
  return {options_.prefix + std::to_string(id / 2) + (id % 2 == 0 ? ":live" : ":test"),
          microseconds(rule.interval()),
          std::to_string(rule.burst()),
          std::to_string(asked.tokens),
          microseconds(asked.owed),
          microseconds(asked.known)};
}

bool shared_rates::ask(std::int64_t id, entry& one) {
  const auto asked =
      one.bucket.ask(one.rule, options_.servers(), options_.clock->steady(), one.waiting.size());
  if (!asked) return true;
  try {
    const auto heard = [this, id, asked = *asked](const redis::redis_reply* given) {
      hear(id, asked, given);
    };
    if (link_.run(0, words(id, one.rule, *asked), heard)) return true;
  } catch (const std::bad_alloc&) {
    // As if it were away.
  }
  one.bucket.miss(*asked);
  return false;
}

void shared_rates::hear(std::int64_t id, const shared_bucket::request& asked,
                        const redis::redis_reply* given) {
  bool is_alone = given == nullptr || given->numbers.size() != 2;
  {
    const std::lock_guard guard(mutex_);
    entry& one = entries_.at(id);  // it is asking
    if (is_alone) {
      one.bucket.miss(asked);
    } else {
      one.bucket.hear(one.rule, asked, given->numbers[0],
                      std::chrono::microseconds(given->numbers[1]), options_.clock->steady());
      try {
        holding_.insert(id);
      } catch (const std::bad_alloc&) {
        // What is not used is not given back then, and comes again with time.
      }
    }
  }
  while (auto one = judge_next(id, is_alone)) one->done(one->passes, one->state);
}

std::optional<shared_rates::verdict> shared_rates::judge_next(std::int64_t id, bool& is_alone) {
  const std::lock_guard guard(mutex_);
  const auto found = entries_.find(id);
  if (found == entries_.end() || found->second.waiting.empty()) return std::nullopt;
  entry& kept = found->second;
  const auto now = options_.clock->steady();
  verdict one;
  try {
    if (!is_alone) {
      const auto judged = kept.bucket.take(kept.rule, now, one.state);
      if (judged == shared_bucket::verdict::unknown) {
        if (kept.bucket.is_asking() || ask(id, kept)) return std::nullopt;
        is_alone = true;
      } else if (judged == shared_bucket::verdict::refused) {
        one.passes = kept.bucket.refusal(kept.rule, now);
      }
    }
    if (is_alone) {
      ++alone_;
      one.passes = kept.bucket.take_alone(kept.rule, options_.servers(), now, one.state);
    }
  } catch (const std::bad_alloc&) {
    one.passes = error(errc::overloaded);
  }
  one.done = std::move(kept.waiting.front());
  kept.waiting.pop_front();
  return one;
}

void shared_rates::give_back(std::int64_t id, entry& one) {
  const std::int64_t idle = one.bucket.give_back(options_.clock->steady());
  if (idle == 0) return;
  const auto heard = [this, id](const redis::redis_reply* given) {
    if (given == nullptr || given->numbers.size() != 2) return;
    const std::lock_guard guard(mutex_);
    if (const auto found = entries_.find(id); found != entries_.end())
      found->second.bucket.show(std::chrono::microseconds(given->numbers[1]),
                                options_.clock->steady());
  };
  try {
    // Where that fails they are lost, and come again with time.
    static_cast<void>(link_.run(0, words(id, one.rule, {-idle, {}, {}}), heard));
  } catch (const std::bad_alloc&) {
    return;
  }
}

bool shared_rates::give_idle_back() {
  const std::lock_guard guard(mutex_);
  std::erase_if(holding_, [this](std::int64_t id) {
    const auto found = entries_.find(id);
    if (found == entries_.end()) return true;
    give_back(id, found->second);
    return found->second.bucket.held() == 0;
  });
  return !holding_.empty();
}

}  // namespace freshet::account
