// What stands under a key begins with a letter: A, an answer, with when it was kept, how old it was
// then and how old it may become; L, the lease of a token; N, none that may be kept.
#include "engine/sharing/shared_answers.hpp"

#include <algorithm>

namespace freshet::detail {

/// Arguments: a token, how long its lease lasts, and the age that is accepted, below zero for as
/// long as the answer lives. An answer that is too old for who asks makes room for his lease.
const char* const shared_answers::find_script = R"(
local clock = redis.call('TIME')
local now = tonumber(clock[1]) * 1000 + math.floor(tonumber(clock[2]) / 1000)
local there = redis.call('GET', KEYS[1])
local kind = there and string.sub(there, 1, 1)
if kind == 'L' then return {2} end
if kind == 'N' then return {3} end
if kind == 'A' then
  local since, age, lifetime, is_strict, begins =
      string.match(string.sub(there, 1, 80), '^A(%d+):(%d+):(%d+):(%d):()')
  local held = math.max(0, now - tonumber(since))
  age = tonumber(age) + held
  local accepted = tonumber(ARGV[3])
  local is_fresh = age < tonumber(lifetime)
  if accepted >= 0 then is_fresh = age < accepted + 1000 and (is_fresh or is_strict == '0') end
  if is_fresh then return {0, age, held, string.sub(there, begins)} end
end
redis.call('SET', KEYS[1], 'L' .. ARGV[1], 'PX', ARGV[2])
return {1}
)";

/// Arguments: the answer's bytes, its age, its lifetime, whether it is strict, and for how long it
/// is kept.
const char* const shared_answers::keep_script = R"(
local clock = redis.call('TIME')
local now = tonumber(clock[1]) * 1000 + math.floor(tonumber(clock[2]) / 1000)
redis.call('SET', KEYS[1], 'A' .. string.format('%.0f', now) .. ':' .. ARGV[2] .. ':' .. ARGV[3] ..
           ':' .. ARGV[4] .. ':' .. ARGV[1], 'PX', ARGV[5])
return 0
)";

/// Arguments: the token, and for how long it is said that there is none; 0 for not at all.
const char* const shared_answers::leave_script = R"(
if redis.call('GET', KEYS[1]) ~= 'L' .. ARGV[1] then return 0 end
if ARGV[2] == '0' then
  redis.call('DEL', KEYS[1])
else
  redis.call('SET', KEYS[1], 'N', 'PX', ARGV[2])
end
return 1
)";

namespace {

/// Whose owner is gone another one fetches after that; and so long nobody waits for what may not be
/// kept.
constexpr std::chrono::milliseconds lease_time{2'000}, unfit_time{5'000};

/// Of answers that are given to Redis at once: beyond, they are not kept, and what is short comes
/// through in its time.
constexpr std::size_t most_under_way = 4u << 20;

std::string as_number(std::chrono::milliseconds time) {
  return std::to_string(std::max<std::int64_t>(0, time.count()));
}

std::optional<http::pooled_answer> read_found(const redis::redis_reply* given) {
  using state = http::pooled_answer::state;
  if (given == nullptr || given->numbers.empty()) return std::nullopt;
  http::pooled_answer made;
  switch (given->numbers[0]) {
    case 0:
      if (given->numbers.size() != 3 || given->texts.size() != 1) return std::nullopt;
      made.is = state::kept;
      made.age = std::chrono::milliseconds(given->numbers[1]);
      made.held = std::chrono::milliseconds(given->numbers[2]);
      made.bytes = given->texts[0];
      return made;
    case 1:
      made.is = state::ours;
      return made;
    case 2:
      made.is = state::taken;
      return made;
    default:
      return made;
  }
}

}  // namespace

shared_answers::shared_answers(redis::redis_link& link, places scripts, std::string prefix,
                               std::size_t max_bytes)
    : link_(link), scripts_(scripts), prefix_(std::move(prefix)), max_bytes_(max_bytes) {}

bool shared_answers::find(const http::answer_question& question, handler done) {
  if (max_bytes_ == 0) return false;
  using std::chrono::milliseconds;
  const milliseconds accepted =
      question.max_age ? milliseconds(*question.max_age) : milliseconds(-1);
  return link_.run(
      scripts_.find,
      {prefix_ + question.key, question.token, as_number(lease_time),
       std::to_string(accepted.count())},
      [done = std::move(done)](const redis::redis_reply* given) { done(read_found(given)); });
}

void shared_answers::keep(http::answer_to_keep what) {
  const std::size_t bytes = what.bytes.size();
  if (under_way_.fetch_add(bytes) + bytes > most_under_way) {
    under_way_ -= bytes;
    return;
  }
  const bool is_told =
      link_.run(scripts_.keep,
                {prefix_ + what.key, std::move(what.bytes), as_number(what.age),
                 as_number(what.lifetime), what.is_strict ? "1" : "0", as_number(what.kept_for)},
                [this, bytes](const redis::redis_reply*) { under_way_ -= bytes; });
  if (is_told) {
    ++kept_;
  } else {
    under_way_ -= bytes;
  }
}

void shared_answers::leave(const std::string& key, const std::string& token, bool is_unfit) {
  // Where that fails the lease ends by itself.
  static_cast<void>(link_.run(
      scripts_.leave, {prefix_ + key, token, is_unfit ? as_number(unfit_time) : "0"}, nullptr));
}

}  // namespace freshet::detail
