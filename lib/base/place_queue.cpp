// A fair queue of tickets, with what its owners have at the moment.
#include <algorithm>
#include <base/place_queue.hpp>
#include <utility>

namespace freshet::base {
namespace {

/// What work is taken to cost until it is known, in seconds of a place.
constexpr double usual_seconds = 1;

}  // namespace

void place_queue::push(owner_id owner, std::uint64_t ticket) {
  running_.try_emplace(owner, 0);  // here, so that next() needs no memory
  waiting_.emplace(ticket, owner);
  order_.push(owner, ticket);
}

std::optional<std::uint64_t> place_queue::next() noexcept {
  auto taken = order_.pop(usual_seconds, most_of_one_);
  // Only one who has as many already waits: nobody is there to mind.
  if (!taken) taken = order_.pop(usual_seconds);
  return take(std::move(taken));
}

std::optional<std::uint64_t> place_queue::next_within_share() noexcept {
  return take(order_.pop(usual_seconds, most_of_one_));
}

std::optional<std::uint64_t> place_queue::next_of_fewest() noexcept {
  std::optional<owner_id> whose;
  std::pair<std::size_t, std::size_t> fewest;
  for (const auto& [ticket, owner] : waiting_) {
    const std::size_t running = running_.find(owner)->second;
    const std::pair count(order_.size_of(owner) + running, running);
    if (whose && count >= fewest) continue;
    whose = owner;
    fewest = count;
  }
  return take(order_.pop_if(
      usual_seconds, 0, [&](owner_id owner, std::uint64_t) noexcept { return owner == whose; }));
}

std::optional<std::uint64_t> place_queue::take(
    std::optional<fair_queue<std::uint64_t>::taken_entry> taken) noexcept {
  if (!taken) return std::nullopt;
  waiting_.erase(taken->entry);
  ++running_.find(taken->owner)->second;
  return taken->entry;
}

void place_queue::done(owner_id owner, double seconds) noexcept {
  order_.done(owner, seconds - usual_seconds);
  const auto found = running_.find(owner);
  if (found == running_.end()) return;
  if (found->second > 0) --found->second;
  if (found->second == 0 && order_.size_of(owner) == 0) running_.erase(found);
}

void place_queue::remove(owner_id owner, std::uint64_t ticket) {
  if (!order_.remove(owner, [&](std::uint64_t each) { return each == ticket; })) return;
  waiting_.erase(ticket);
  const auto found = running_.find(owner);
  if (found != running_.end() && found->second == 0 && order_.size_of(owner) == 0) {
    running_.erase(found);
  }
}

std::optional<owner_id> place_queue::over_share() const noexcept {
  for (const auto& [owner, count] : running_) {
    const bool others_wait = order_.size() > order_.size_of(owner);
    if (owner != 0 && count > most_of_one_ && others_wait) return owner;
  }
  return std::nullopt;
}

std::optional<std::uint64_t> place_queue::displaced_by(owner_id owner) const noexcept {
  owner_id heaviest = owner;
  for (const auto& each : running_) {
    if (order_.size_of(each.first) > order_.size_of(heaviest)) heaviest = each.first;
  }
  if (order_.size_of(heaviest) <= order_.size_of(owner) + 1) return std::nullopt;
  const auto newest = std::find_if(waiting_.rbegin(), waiting_.rend(),
                                   [&](const auto& each) { return each.second == heaviest; });
  if (newest == waiting_.rend()) return std::nullopt;
  return newest->first;
}

void place_queue::clear() noexcept {
  order_.clear();
  waiting_.clear();
  running_.clear();
}

}  // namespace freshet::base
