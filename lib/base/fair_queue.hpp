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
    auto& share = shares_[owner];
    if (share.waiting.empty()) {
      share.served = std::max(share.served, level_);
      order_.insert({share.served, owner});
    }
    share.waiting.push_back(std::move(entry));
    ++size_;
  }

  struct taken {
    owner_id owner;
    Entry entry;
  };
  /// The next, whose owner is charged `cost`; null where nothing waits.
  std::optional<taken> pop(double cost) {
    if (order_.empty()) return std::nullopt;
    const auto [served, owner] = *order_.begin();
    order_.erase(order_.begin());
    level_ = served;
    auto& share = shares_.at(owner);
    taken out{owner, std::move(share.waiting.front())};
    share.waiting.pop_front();
    --size_;
    share.served += cost;
    if (!share.waiting.empty()) order_.insert({share.served, owner});
    if (share.waiting.empty() && shares_.size() > max_idle_owners) forget_idle();
    return out;
  }

  /// What an entry cost beside what pop() was told; negative for less.
  void charge(owner_id owner, double more) {
    const auto found = shares_.find(owner);
    if (found == shares_.end()) return;
    auto& share = found->second;
    const bool waits = !share.waiting.empty();
    if (waits) order_.erase({share.served, owner});
    share.served += more;
    if (waits) order_.insert({share.served, owner});
  }

  /// Takes the first entry out for which `is` holds; false if there is none.
  template <class Is>
  bool remove(owner_id owner, const Is& is) {
    const auto found = shares_.find(owner);
    if (found == shares_.end()) return false;
    auto& waiting = found->second.waiting;
    const auto at = std::find_if(waiting.begin(), waiting.end(), is);
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

  struct share {
    double served = 0;
    std::deque<Entry> waiting;
  };

  /// Those at the level have nothing to answer for; beyond twice the bound all idle ones go.
  void forget_idle() {
    const bool all = shares_.size() > 2 * max_idle_owners;
    std::erase_if(shares_, [&](const auto& each) {
      return each.second.waiting.empty() && (all || each.second.served <= level_);
    });
  }

  std::unordered_map<owner_id, share> shares_;
  std::set<std::pair<double, owner_id>> order_;  ///< the owners with something waiting
  double level_ = 0;                             ///< what the owner served last had been served
  std::size_t size_ = 0;
};

}  // namespace freshet::base
