// An entry of the list is one text, with when it ends beside it, in milliseconds of Redis's clock;
// zero where it is over. Names of errors are told, and paths of endpoints: two versions side by
// side have different numbers.
#include "engine/sharing/shared_suspensions.hpp"

#include <array>
#include <base/number.hpp>
#include <sources/read_answer.hpp>

namespace freshet::detail {

/// Arguments: the text, for how many milliseconds, and how long the list is kept. An end is told
/// to who has not heard the beginning, too, and does nothing there.
const char* const shared_suspensions::tell_script = R"(
local clock = redis.call('TIME')
local ends = 0
if tonumber(ARGV[2]) > 0 then
  ends = tonumber(clock[1]) * 1000 + math.floor(tonumber(clock[2]) / 1000) + tonumber(ARGV[2])
end
redis.call('XADD', KEYS[1], 'MAXLEN', '~', '4096', '*', 'text', ARGV[1],
           'ends', string.format('%.0f', ends))
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return 0
)";

/// Argument: the last that was read. Gives the last that is read now, and of each one how long it
/// lasts and its text. A list whose last is older than what was read is another one: Redis has lost
/// its memory.
const char* const shared_suspensions::hear_script = R"(
local function order(id)
  local time, number = string.match(id, '(%d+)-(%d+)')
  return tonumber(time), tonumber(number)
end
local last = ARGV[1]
local newest = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', '1')[1]
if not newest or newest[1] == last then return {last} end
local newest_time, newest_number = order(newest[1])
local time, number = order(last)
if time > newest_time or (time == newest_time and number > newest_number) then last = '0-0' end
local clock = redis.call('TIME')
local now = tonumber(clock[1]) * 1000 + math.floor(tonumber(clock[2]) / 1000)
local told = {last}
local read = redis.call('XREAD', 'COUNT', '512', 'STREAMS', KEYS[1], last)
for _, each in ipairs(read and read[1][2] or {}) do
  told[1] = each[1]
  local ends = tonumber(each[2][4])
  if ends == 0 or ends > now then
    told[#told + 1] = math.max(0, ends - now)
    told[#told + 1] = each[2][2]
  end
end
return told
)";

namespace {

/// Texts that are longer are not told: no name of a host is.
constexpr std::size_t longest_text = 2'048;
constexpr int last_kind = static_cast<int>(refusal_kind::captcha);

std::string as_text(const suspension_news& what) {
  return what.source + '\n' + what.place + '\n' + what.endpoint + '\n' +
         std::to_string(static_cast<int>(what.kind)) + '\n' + std::string(describe(what.code).name);
}

std::optional<suspension_news> read_text(std::string_view text) {
  std::array<std::string_view, 5> parts;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto end = i + 1 < parts.size() ? text.find('\n') : text.size();
    if (end == std::string_view::npos) return std::nullopt;
    parts[i] = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  const auto kind = base::parse_number<int>(parts[3], 0, last_kind);
  const auto* code = find_errc(parts[4]);
  if (!kind || code == nullptr) return std::nullopt;
  return suspension_news{std::string(parts[0]),
                         std::string(parts[1]),
                         std::string(parts[2]),
                         static_cast<refusal_kind>(*kind),
                         code->code,
                         {}};
}

}  // namespace

shared_suspensions::shared_suspensions(redis::redis_link& link, places scripts, std::string key,
                                       suspensions& suspended, const base::clock& clock)
    : link_(link), scripts_(scripts), key_(std::move(key)), suspended_(suspended), clock_(clock) {
  suspended_.on_change([this](const suspension_news& what) { tell(what); });
}

void shared_suspensions::tell(const suspension_news& what) noexcept {
  if (!link_.is_here()) return;
  try {
    std::string text = as_text(what);
    if (text.size() > longest_text) return;
    constexpr std::chrono::milliseconds kept = sources::max_retry_after;
    static_cast<void>(link_.run(
        scripts_.tell,
        {key_, std::move(text), std::to_string(what.left.count()), std::to_string(kept.count())},
        nullptr));
  } catch (const std::bad_alloc&) {
    // The others find out by themselves.
  }
}

void shared_suspensions::hear() {
  if (is_hearing_) return;
  is_hearing_ = link_.run(scripts_.hear, {key_, last_}, [this](const redis::redis_reply* given) {
    is_hearing_ = false;
    if (given != nullptr) take(*given);
  });
}

void shared_suspensions::take(const redis::redis_reply& given) {
  if (given.texts.size() != given.numbers.size() + 1) return;
  const auto now = clock_.steady();
  for (std::size_t i = 0; i < given.numbers.size(); ++i) {
    auto what = read_text(given.texts[i + 1]);
    if (!what) continue;  // of another version
    what->left = std::chrono::milliseconds(given.numbers[i]);
    suspended_.hear(*what, now);
    ++heard_;
  }
  last_ = given.texts[0];
}

}  // namespace freshet::detail
