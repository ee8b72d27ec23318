// An item on its way from where it was read to where it is written. What was read may be kept and
// read by others at the same time, so it is not copied, and a call that changes an item changes a
// copy of its own.
#pragma once

#include <concepts>
#include <freshet/item.hpp>
#include <memory>
#include <utility>

namespace freshet::detail {

/// A value. To move it costs next to nothing; a copy never changes with it.
class shared_item {
 public:
  shared_item() = default;
  /// An item of this call alone.
  shared_item(item own) : own_(std::make_shared<item>(std::move(own))), shown_(own_) {}
  template <class Kind>
  requires(std::constructible_from<item, Kind> && !std::same_as<std::decay_t<Kind>, item> &&
           !std::same_as<std::decay_t<Kind>, shared_item>) shared_item(Kind&& own)
      : shared_item(item(std::forward<Kind>(own))) {}
  /// One of a list; `sole`: nobody else will ever read that list, so it may be changed in place.
  template <class List>
  shared_item(const std::shared_ptr<const List>& list, const item& one, bool sole)
      : own_(sole ? std::shared_ptr<item>(list, const_cast<item*>(&one)) : nullptr),
        shown_(list, &one) {}

  shared_item(const shared_item& other) : shown_(other.shown_) {
    if (other.own_) shown_ = own_ = std::make_shared<item>(other.get());
  }
  shared_item& operator=(const shared_item& other) { return *this = shared_item(other); }
  shared_item(shared_item&&) noexcept = default;
  shared_item& operator=(shared_item&&) noexcept = default;
  ~shared_item() = default;

  [[nodiscard]] const item& get() const noexcept { return *shown_; }
  operator const item&() const noexcept { return *shown_; }
  /// The item, to change it.
  [[nodiscard]] item& change() {
    if (!own_) shown_ = own_ = std::make_shared<item>(*shown_);
    return *own_;
  }

 private:
  std::shared_ptr<item> own_;
  std::shared_ptr<const item> shown_;
};

}  // namespace freshet::detail
