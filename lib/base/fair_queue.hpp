// What waits for something shared, given out so that every owner gets as much of it as any other:
// next comes the first entry of the owner who was served least. Who has not been here, or comes
// back, begins at the level of those who are: nobody saves up.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>

namespace freshet::base {

/// Who uses something shared: an account's number; 0 for the engine's own.
using owner_id = std::int64_t;

/// A queue of many owners. The cost of an entry is in the unit of the caller, who says what it is
/// likely to be and, with charge(), what it was beyond. Not thread-safe.
template <class Entry>
class fair_queue {
 public:
  void push(owner_id owner, Entry entry) {
    auto& own = shares_[owner];
    own.waiting.push_back(std::move(entry));
    ++size_;
    if (own.waiting.size() > 1) return;
    own.served = std::max(own.served, level_);
    try {
      order_.insert({own.served, owner});
    } catch (...) {  // no memory: it was not taken
      own.waiting.pop_back();
      --size_;
      throw;
    }
  }

  struct taken_entry {
    owner_id owner;
    Entry entry;
  };
  /// The next, whose owner is charged `cost`; null where nothing may go on. It runs until done() is
  /// called; of an owner at most `most_running` (0: any number) do. Allocates nothing.
  std::optional<taken_entry> pop(double cost, std::size_t most_running = 0) noexcept {
    return pop_if(cost, most_running, any_entry);
  }
  /// Of those whose first entry `may` run: told the owner and the entry.
  template <class May>
  std::optional<taken_entry> pop_if(double cost, std::size_t most_running, May&& may) noexcept {
    const auto at = first_to_run(most_running, may);
    if (at == order_.end()) return std::nullopt;
    auto place = order_.extract(at);
    const auto owner = place.value().second;
    auto& own = shares_.find(owner)->second;
    level_ = std::max(level_, own.served);
    taken_entry out{owner, std::move(own.waiting.front())};
    own.waiting.pop_front();
    --size_;
    ++own.running;
    own.served += cost;
    if (!own.waiting.empty()) put_back(std::move(place), own.served);
    return out;
  }

  /// Whether pop_if() would give one.
  template <class May>
  [[nodiscard]] bool has_next(std::size_t most_running, May&& may) const noexcept {
    return first_to_run(most_running, may) != order_.end();
  }

  /// What was taken runs no more, and has cost that much beside what pop() was told; negative for
  /// less. Allocates nothing.
  void done(owner_id owner, double more = 0) noexcept {
    const auto found = shares_.find(owner);
    if (found == shares_.end()) return;  // cleared meanwhile
    auto& own = found->second;
    if (own.running > 0) --own.running;
    auto place = own.waiting.empty() ? place_type() : order_.extract({own.served, owner});
    own.served += more;
    if (!place.empty()) put_back(std::move(place), own.served);
    if (own.waiting.empty() && shares_.size() > max_idle_owners) forget_idle();
  }

  /// Takes the first entry out for which `is` holds; false if there is none.
  template <class Is>
  bool remove(owner_id owner, const Is& is) {
    const auto found = shares_.find(owner);
    if (found == shares_.end()) return false;
    auto& waiting = found->second.waiting;
    const auto at = std::ranges::find_if(waiting, is);
    if (at == waiting.end()) return false;
    waiting.erase(at);
    --size_;
    if (waiting.empty()) order_.erase({found->second.served, owner});
    return true;
  }

  /// How many would come before a further entry of `owner`, at equal costs.
  [[nodiscard]] std::size_t ahead_of(owner_id owner) const {
    const auto own = size_of(owner);
    std::size_t ahead = own;
    for (const auto& [served, other] : order_) {
      if (other != owner) ahead += std::min(shares_.at(other).waiting.size(), own + 1);
    }
    return ahead;
  }

  [[nodiscard]] std::size_t size_of(owner_id owner) const {
    const auto found = shares_.find(owner);
    return found == shares_.end() ? 0 : found->second.waiting.size();
  }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
  void clear() noexcept {
    shares_.clear();
    order_.clear();
    size_ = 0;
  }

 private:
  /// Owners without an entry that are remembered, since what they were served still counts.
  static constexpr std::size_t max_idle_owners = 1'024;

  struct owner_share {
    double served = 0;
    std::size_t running = 0;
    std::deque<Entry> waiting;
  };

  static bool any_entry(owner_id, const Entry&) noexcept { return true; }

  template <class May>
  [[nodiscard]] auto first_to_run(std::size_t most_running, May& may) const noexcept {
    return std::ranges::find_if(order_, [&](const auto& each) {
      const auto& own = shares_.find(each.second)->second;
      return (most_running == 0 || each.second == 0 || own.running < most_running) &&
             may(each.second, own.waiting.front());
    });
  }

  using place_type = typename std::set<std::pair<double, owner_id>>::node_type;
  void put_back(place_type place, double served) noexcept {
    place.value().first = served;
    order_.insert(std::move(place));
  }

  /// Those at the level have nothing to answer for; beyond twice the bound all idle ones go.
  void forget_idle() noexcept {
    const bool all = shares_.size() > 2 * max_idle_owners;
    std::erase_if(shares_, [&](const auto& each) {
      return each.second.waiting.empty() && each.second.running == 0 &&
             (all || each.second.served <= level_);
    });
  }

  std::unordered_map<owner_id, owner_share> shares_;
  std::set<std::pair<double, owner_id>> order_;  ///< the owners with something waiting
  double level_ = 0;                             ///< what the owner served last had been served
  std::size_t size_ = 0;
};

}  // namespace freshet::base
