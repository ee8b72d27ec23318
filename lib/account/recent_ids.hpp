// Which of many are kept in memory: those that were used last, up to a number. It knows them by
// their numbers alone, and forgets nothing by itself: whoever keeps them says who may go.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <optional>
#include <unordered_map>

namespace freshet::account {

class recent_ids {
 public:
  explicit recent_ids(std::size_t most) : most_(most) {}
  /// Adds it, or makes it the one that was used last.
  void use(std::int64_t id) {
    const auto known = places_.find(id);
    if (known != places_.end()) return order_.splice(order_.begin(), order_, known->second);
    order_.push_front(id);
    places_.emplace(id, order_.begin());
  }
  /// Takes out one of those that are too many, of which `may_go` says that it may; null if there is
  /// none. Those that may not count as used, so that they are not asked again and again.
  template <class MayGo>
  [[nodiscard]] std::optional<std::int64_t> take_excess(MayGo may_go) {
    for (std::size_t asked = 0; asked < most_asked && order_.size() > most_; ++asked) {
      const std::int64_t id = order_.back();
      if (may_go(id)) {
        order_.pop_back();
        places_.erase(id);
        return id;
      }
      order_.splice(order_.begin(), order_, std::prev(order_.end()));
    }
    return std::nullopt;
  }
  /// Takes it out, if it is there.
  void forget(std::int64_t id) {
    const auto known = places_.find(id);
    if (known == places_.end()) return;
    order_.erase(known->second);
    places_.erase(known);
  }
  [[nodiscard]] std::size_t size() const noexcept { return order_.size(); }

 private:
  /// Where many are in use there are more than there should be, until they are not.
  static constexpr std::size_t most_asked = 16;

  const std::size_t most_;
  std::list<std::int64_t> order_;  ///< that which was used last first
  std::unordered_map<std::int64_t, std::list<std::int64_t>::iterator> places_;
};

}  // namespace freshet::account
