// Of whom nothing good is known who asks for the fewest pages comes first: each account is unknown
// once, so that nobody waits there for ever. Of those who are quick that has every other turn. All
// others accounts have by the seconds that they had browsers.
#include <browser/options.hpp>
#include <browser/page_turns.hpp>

namespace freshet::browser {
namespace {

/// Accounts of which it is remembered how long their last pages took; beyond, all begin anew.
constexpr std::size_t most_known = 8'192;
/// For how long: who had a slow page is not slow for good.
constexpr std::chrono::minutes known_time{10};

}  // namespace

page_turns::page_turns(std::size_t browsers)
    : browsers_(browsers),
      queues_{base::place_queue(browsers), base::place_queue(browsers), base::place_queue(browsers),
              base::place_queue(browsers)} {}

base::place_queue& page_turns::queue_of(page_lane where) noexcept {
  return queues_[is_quick(where) ? 0 : static_cast<std::size_t>(where) - 1];
}

page_lane page_turns::lane_of(base::owner_id owner, time now) const {
  const auto found = known_.find(owner);
  if (found == known_.end() || found->second.until <= now) return page_lane::unknown;
  const page_lane where = found->second.where;
  return is_quick(where) || are_ended() ? where : page_lane::unknown;
}

void page_turns::push(page_lane where, base::owner_id owner, std::uint64_t ticket) {
  queue_of(where).push(owner, ticket);
}

void page_turns::remove(page_lane where, base::owner_id owner, std::uint64_t ticket) {
  queue_of(where).remove(owner, ticket);
}

page_lane page_turns::next_lane(std::size_t slow) noexcept {
  auto where = page_lane::prompt;
  while (where != page_lane::slow && queue_of(where).empty())
    where = static_cast<page_lane>(static_cast<std::size_t>(where) + 1);
  const bool others_wait = where != page_lane::slow;
  if (others_wait && slow == 0 && !queue_of(page_lane::slow).empty()) return page_lane::slow;
  return where;
}

std::optional<std::uint64_t> page_turns::next(std::size_t slow, time now) noexcept {
  const page_lane where = next_lane(slow);
  const bool is_last = are_ended() && slow + 1 >= browsers_;
  if (where == page_lane::slow && is_last && now < quick_until_) return std::nullopt;
  if (where == page_lane::slow) return queue_of(where).next();
  is_by_count_ = !is_quick(where) || !is_by_count_;
  return is_by_count_ ? queue_of(where).next_of_fewest() : queue_of(where).next();
}

void page_turns::done(page_lane where, base::owner_id owner, double seconds) noexcept {
  queue_of(where).done(owner, seconds);
}

void page_turns::note_time(base::owner_id owner, std::chrono::nanoseconds had, bool has_page,
                           time now) {
  if (had < first_turn_time && !has_page) return;  // it says nothing that it was left
  const page_lane before = lane_of(owner, now);
  auto where = had < first_turn_time ? page_lane::prompt : page_lane::steady;
  if (had >= turn_time || (!has_page && before == page_lane::slow)) {
    where = page_lane::slow;
  } else if (!has_page ? !is_quick(before) : before == page_lane::slow) {
    where = page_lane::again;  // who spins in turns with pages that do not gains less by them
  }
  if (is_quick(where)) note_quick(now);
  if (known_.size() >= most_known) known_.clear();
  known_.insert_or_assign(owner, memory{where, now + known_time});
}

std::chrono::milliseconds page_turns::turn_of(page_lane where, bool for_quick) const noexcept {
  if (where == page_lane::slow || !are_ended()) return std::chrono::milliseconds::max();
  const bool is_first = where == page_lane::unknown || (where == page_lane::prompt && for_quick);
  return is_first ? first_turn_time : turn_time;
}

std::optional<base::owner_id> page_turns::over_share() const noexcept {
  for (const auto& each : queues_) {
    if (const auto whose = each.over_share()) return whose;
  }
  return std::nullopt;
}

void page_turns::clear() noexcept {
  for (auto& each : queues_) each.clear();
}

}  // namespace freshet::browser
