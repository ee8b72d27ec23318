// A server says how much it has used itself, not how much more: told twice, or after an answer that
// was lost, it counts once, and a Redis that has lost its memory has it again as soon as all have
// told it.
#include "engine/sharing/shared_quotas.hpp"

#include <chrono>

namespace freshet::detail {

/// Arguments: the server, the owner, whether it is a report, and for each limit its name, the
/// requests, the day by the server's clock with its begin and its end, the day and the count of
/// what the server has used, that of the owner, and the day and the count of what it has heard of
/// all. Which day it is Redis's clock says. Gives 1 for a request that may be sent, 0 for one that
/// may not, and 2 where nothing is known for certain: the memory is so young that not everybody may
/// have told what he has used. For each limit follow the day, the count, what is left of the day,
/// and whether it has room.
const char* const shared_quotas::script = R"(
local clock = redis.call('TIME')
local now = tonumber(clock[1]) * 1000 + math.floor(tonumber(clock[2]) / 1000)
local keep, young, day_length = 172800000, 2000, 86400000
local began = tonumber(redis.call('GET', KEYS[1]) or now)
redis.call('SET', KEYS[1], string.format('%.0f', began), 'PX', keep)
local server, owner, is_report = 's:' .. ARGV[1], ARGV[2], ARGV[3] == '1'
local told, taken, all_have = {1}, {}, true
for i = 4, #ARGV, 10 do
  local requests = tonumber(ARGV[i + 1])
  local day, begins, ends = tonumber(ARGV[i + 2]), tonumber(ARGV[i + 3]), tonumber(ARGV[i + 4])
  local left = ends - now
  if now >= ends then
    day, left = day + 1, left + day_length
  elseif now < begins then
    day, left = day - 1, begins - now
  end
  local key = KEYS[1] .. ':' .. ARGV[i] .. ':' .. string.format('%.0f', day)
  local own, of_owner, known = 0, 0, 0
  if tonumber(ARGV[i + 5]) == day then
    own, of_owner = tonumber(ARGV[i + 6]), tonumber(ARGV[i + 7])
  end
  if tonumber(ARGV[i + 8]) == day then known = tonumber(ARGV[i + 9]) end
  local total = tonumber(redis.call('HGET', key, 'all') or 0)
  local said = tonumber(redis.call('HGET', key, server) or 0)
  if own > said then
    total = redis.call('HINCRBY', key, 'all', own - said)
    redis.call('HSET', key, server, own)
    redis.call('PEXPIRE', key, keep)
  end
  local used = math.max(total, known)
  local has_room = used < requests
  if owner ~= '0' and has_room then
    of_owner = math.max(of_owner, tonumber(redis.call('HGET', key, 'o:' .. owner) or 0))
    has_room = of_owner < requests - used
  end
  all_have = all_have and has_room
  taken[#taken + 1] = {key, of_owner + 1}
  told[#told + 1] = day
  told[#told + 1] = used
  told[#told + 1] = left
  told[#told + 1] = has_room and 1 or 0
end
if now - began < young then told[1] = 2 end
if is_report or not all_have then
  if told[1] == 1 then told[1] = 0 end
  return told
end
if told[1] ~= 1 then return told end
for i, each in ipairs(taken) do
  redis.call('HINCRBY', each[1], 'all', 1)
  redis.call('HINCRBY', each[1], server, 1)
  if owner ~= '0' then redis.call('HSET', each[1], 'o:' .. owner, each[2]) end
  redis.call('PEXPIRE', each[1], keep)
  told[4 * i - 1] = told[4 * i - 1] + 1
end
return told
)";

namespace {

constexpr std::size_t numbers_of_limit = 4;
constexpr std::int64_t is_refused = 0, is_given = 1, is_young = 2;

std::string milliseconds_of(time_point at) {
  using std::chrono::milliseconds;
  return std::to_string(std::chrono::floor<milliseconds>(at.time_since_epoch()).count());
}

/// Null where the script says that it does not know, or something else altogether.
std::optional<http::pool_answer> read(const redis::redis_reply* given, std::size_t limits) {
  if (given == nullptr || given->numbers.size() != 1 + numbers_of_limit * limits) return {};
  const auto& numbers = given->numbers;
  if (numbers[0] != is_given && numbers[0] != is_refused) return {};
  http::pool_answer made{numbers[0] == is_given, {}};
  for (std::size_t i = 1; i < numbers.size(); i += numbers_of_limit)
    made.limits.push_back({numbers[i], numbers[i + 1], std::chrono::milliseconds(numbers[i + 2]),
                           numbers[i + 3] != 0});
  return made;
}

}  // namespace

shared_quotas::shared_quotas(redis::redis_link& link, std::size_t script_place, std::string key,
                             std::function<int()> servers)
    : link_(link), script_(script_place), key_(std::move(key)), servers_(std::move(servers)) {}

bool shared_quotas::ask(const http::pool_question& question, handler done) {
  std::vector<std::string> words{key_, question.server, std::to_string(question.owner),
                                 question.is_report ? "1" : "0"};
  for (const auto& one : question.limits) {
    words.insert(words.end(), {one.limit.name, std::to_string(one.limit.requests),
                               std::to_string(one.today.number), milliseconds_of(one.today.begin),
                               milliseconds_of(one.today.next), std::to_string(one.own.day),
                               std::to_string(one.own.used), std::to_string(one.own.of_owner),
                               std::to_string(one.known_day), std::to_string(one.known)});
  }
  const std::size_t limits = question.limits.size();
  return link_.run(script_, std::move(words),
                   [limits, done = std::move(done)](const redis::redis_reply* given) {
                     done(read(given, limits));
                   });
}

int shared_quotas::servers() {
  const std::lock_guard guard(mutex_);
  if (servers_) servers_known_ = std::max(1, servers_());
  return servers_known_;
}

void shared_quotas::on_return(std::function<void()> told) {
  const std::lock_guard guard(mutex_);
  returned_ = std::move(told);
}

void shared_quotas::look(bool is_back) {
  const auto heard = [this](const redis::redis_reply* given) {
    if (given != nullptr && !given->numbers.empty() && given->numbers[0] == is_young) tell();
  };
  static_cast<void>(link_.run(script_, {key_, "", "0", "1"}, heard));
  if (is_back) tell();
}

void shared_quotas::tell() {
  const std::lock_guard guard(mutex_);
  if (returned_) returned_();
}

void shared_quotas::leave() {
  const std::lock_guard guard(mutex_);
  servers_ = nullptr;
}

}  // namespace freshet::detail
