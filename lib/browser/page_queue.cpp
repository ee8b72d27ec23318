// A fair queue of tickets, with what its owners have at the moment.
#include <algorithm>
#include <browser/page_queue.hpp>

namespace freshet::browser {
namespace {

/// What a page is taken to cost until it is known, in seconds of a browser.
constexpr double usual_seconds = 1;

}  // namespace

void page_queue::push(base::owner_id owner, std::uint64_t ticket) {
  running_.try_emplace(owner, 0);  // here, so that next() needs no memory
  waiting_.emplace(ticket, owner);
  order_.push(owner, ticket);
}

std::optional<std::uint64_t> page_queue::next() noexcept {
  auto taken = order_.pop(usual_seconds, most_of_one_);
  // Only one who has as many already waits: nobody is there to mind.
  if (!taken) taken = order_.pop(usual_seconds);
  if (!taken) return std::nullopt;
  waiting_.erase(taken->entry);
  ++running_.find(taken->owner)->second;
  return taken->entry;
}

void page_queue::done(base::owner_id owner, double seconds) noexcept {
  order_.done(owner, seconds - usual_seconds);
  const auto found = running_.find(owner);
  if (found == running_.end()) return;
  if (found->second > 0) --found->second;
  if (found->second == 0 && order_.size_of(owner) == 0) running_.erase(found);
}

void page_queue::remove(base::owner_id owner, std::uint64_t ticket) {
  if (!order_.remove(owner, [&](std::uint64_t each) { return each == ticket; })) return;
  waiting_.erase(ticket);
  const auto found = running_.find(owner);
  if (found != running_.end() && found->second == 0 && order_.size_of(owner) == 0) {
    running_.erase(found);
  }
}

std::optional<base::owner_id> page_queue::over_share() const noexcept {
  for (const auto& [owner, count] : running_) {
    const bool others_wait = order_.size() > order_.size_of(owner);
    if (owner != 0 && count > most_of_one_ && others_wait) return owner;
  }
  return std::nullopt;
}

std::optional<std::uint64_t> page_queue::displaced_by(base::owner_id owner) const noexcept {
  base::owner_id heaviest = owner;
  for (const auto& each : running_) {
    if (order_.size_of(each.first) > order_.size_of(heaviest)) heaviest = each.first;
  }
  if (order_.size_of(heaviest) <= order_.size_of(owner) + 1) return std::nullopt;
  const auto newest = std::find_if(waiting_.rbegin(), waiting_.rend(),
                                   [&](const auto& each) { return each.second == heaviest; });
  if (newest == waiting_.rend()) return std::nullopt;
  return newest->first;
}

void page_queue::clear() noexcept {
  order_.clear();
  waiting_.clear();
  running_.clear();
}

}  // namespace freshet::browser
