// What this server has used is in its own file, too: a pool that has lost its memory is told it
// again by everybody, and whatever is told twice counts once.
#include <algorithm>
#include <http/daily_quotas.hpp>
#include <iterator>
#include <memory>
#include <new>
#include <utility>

namespace freshet::http {

using std::chrono::milliseconds;

daily_quotas::daily_quotas(std::string path, quota_counter::log_function log,
                           const base::clock& clock, scheduler& loop, quota_pool* pool)
    : own_(std::move(path), std::move(log)), clock_(clock), loop_(loop), pool_(pool) {
  if (pool_ == nullptr) return;
  pool_->on_return([this] {
    try {
      loop_.post([this] { report(); });
    } catch (const std::bad_alloc&) {
      // It is told with the next request.
    }
  });
}

daily_quotas::~daily_quotas() {
  if (pool_ != nullptr) pool_->on_return(nullptr);
}

void daily_quotas::take(std::span<const daily_limit> limits, const question& asked, handler done) {
  if (pool_ == nullptr) return done(own_.take(limits, {asked.url, asked.owner}, clock_.now()));
  const auto one = std::make_shared<pending_take>();
  std::ranges::copy_if(limits, std::back_inserter(one->limits),
                       [&](const daily_limit& limit) { return falls_under(limit, asked.url); });
  if (one->limits.empty()) return done(std::nullopt);
  one->owner = asked.owner;
  one->done = std::move(done);
  if (!ask(one)) one->done(take_alone(*one));
}

pooled_limit daily_quotas::known_of(const daily_limit& limit, base::owner_id owner) const {
  pooled_limit made{limit, day_of(clock_.now(), limit.starts), own_.counted(limit.name, owner)};
  if (const auto found = heard_.find(limit.name); found != heard_.end()) {
    made.known_day = found->second.day;
    made.known = found->second.used;
  }
  return made;
}

bool daily_quotas::ask(const std::shared_ptr<pending_take>& one) {
  pool_question asked{own_.server(), one->owner, false, {}};
  for (const daily_limit& limit : one->limits) asked.limits.push_back(known_of(limit, one->owner));
  return pool_->ask(asked, [this, one](std::optional<pool_answer> answer) {
    try {
      loop_.post([this, one, answer = std::move(answer)] { hear(*one, answer); });
    } catch (const std::bad_alloc&) {
      // Whoever waits for it has a deadline.
    }
  });
}

void daily_quotas::hear(const pending_take& one, const std::optional<pool_answer>& answer) {
  if (!answer) return one.done(take_alone(one));
  wait until;
  for (std::size_t i = 0; i < one.limits.size(); ++i) {
    const auto& said = answer->limits[i];
    learn(one.limits[i], said);
    if (answer->is_given) own_.count(one.limits[i], one.owner, said.day);
    if (!said.has_room) until = std::max({until.value_or(said.left), said.left, milliseconds{1}});
  }
  if (!answer->is_given && !until) until = milliseconds{1};
  one.done(until);
}

void daily_quotas::learn(const daily_limit& limit, const pool_answer::state& said) {
  heard_count& known = heard_[limit.name];
  known.limit = limit;
  // Answers come in the order in which they were asked for.
  known.used = said.day == known.day ? std::max(known.used, said.used) : said.used;
  known.day = said.day;
  known.alone = 0;
}

/// Of what all had left when this server heard it last its share, less what it has used since; of a
/// day of which it has heard nothing its share of the whole, less what it has used itself.
bool daily_quotas::has_room_alone(const daily_limit& limit, base::owner_id owner,
                                  std::int64_t today) const {
  const std::int64_t servers = std::max(1, pool_->servers());
  auto own = own_.counted(limit.name, owner);
  if (own.day != today) own = {today};
  const auto found = heard_.find(limit.name);
  const bool is_heard = found != heard_.end() && found->second.day == today;
  const std::int64_t used = is_heard ? found->second.used : 0;
  const std::int64_t since = is_heard ? found->second.alone : own.used;
  const std::int64_t left = limit.requests - used - since * servers;
  if (since >= (limit.requests - used) / servers) return false;
  return owner == 0 || own.of_owner < left;
}

daily_quotas::wait daily_quotas::take_alone(const pending_take& one) {
  ++alone_;
  const time_point now = clock_.now();
  wait until;
  for (const daily_limit& limit : one.limits) {
    const day_of_quota today = day_of(now, limit.starts);
    if (has_room_alone(limit, one.owner, today.number)) continue;
    const auto left = today.next - now;
    until =
        std::max(until.value_or(milliseconds{1}), std::chrono::duration_cast<milliseconds>(left));
  }
  if (until) return until;
  for (const daily_limit& limit : one.limits) {
    const std::int64_t today = day_of(now, limit.starts).number;
    own_.count(limit, one.owner, today);
    heard_count& known = heard_[limit.name];
    known.limit = limit;
    if (known.day == today) ++known.alone;
  }
  return std::nullopt;
}

void daily_quotas::report() {
  pool_question used{own_.server(), 0, true, {}};
  for (const auto& [name, known] : heard_) used.limits.push_back(known_of(known.limit, 0));
  static_cast<void>(pool_->ask(used, [](const std::optional<pool_answer>&) {}));
}

}  // namespace freshet::http
