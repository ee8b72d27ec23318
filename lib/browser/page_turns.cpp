// Three queues, in each of which accounts have their turns by the seconds that they had browsers.
#include <browser/options.hpp>
#include <browser/page_turns.hpp>

namespace freshet::browser {
namespace {

/// Accounts of which it is remembered how long their last pages took; beyond, all begin anew.
constexpr std::size_t most_known = 8'192;

}  // namespace

page_turns::page_turns(std::size_t browsers)
    : browsers_(browsers),
      queues_{base::place_queue(browsers), base::place_queue(browsers),
              base::place_queue(browsers)} {}

base::place_queue& page_turns::queue_of(page_lane where) noexcept {
  return queues_[static_cast<std::size_t>(where)];
}

page_lane page_turns::lane_of(base::owner_id owner) const {
  const auto found = is_slow_.find(owner);
  if (found == is_slow_.end()) return page_lane::unknown;
  if (!found->second) return page_lane::prompt;
  return are_ended() ? page_lane::slow : page_lane::unknown;
}

void page_turns::push(page_lane where, base::owner_id owner, std::uint64_t ticket) {
  queue_of(where).push(owner, ticket);
}

void page_turns::remove(page_lane where, base::owner_id owner, std::uint64_t ticket) {
  queue_of(where).remove(owner, ticket);
}

std::optional<std::uint64_t> page_turns::next(bool is_one_slow) noexcept {
  auto where = page_lane::prompt;
  if (queue_of(where).empty()) where = page_lane::unknown;
  const bool others_wait = !queue_of(where).empty();
  if (!queue_of(page_lane::slow).empty() && (!others_wait || !is_one_slow)) where = page_lane::slow;
  return queue_of(where).next();
}

void page_turns::done(page_lane where, base::owner_id owner, double seconds) noexcept {
  queue_of(where).done(owner, seconds);
}

void page_turns::note_time(base::owner_id owner, std::chrono::nanoseconds had, bool has_page) {
  if (had < turn_time && !has_page) return;
  if (is_slow_.size() >= most_known) is_slow_.clear();
  is_slow_.insert_or_assign(owner, had >= turn_time);
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
