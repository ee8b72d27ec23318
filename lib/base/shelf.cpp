// Finding, putting, making room. What goes is let go of outside the lock: it may be large.
#include <algorithm>
#include <base/shelf.hpp>
#include <iterator>

namespace freshet::base {
namespace {

/// Beside name and thing: the nodes of a list, a map and a set, the thing's own count.
constexpr std::size_t entry_overhead = 256;

}  // namespace

shelf::thing shelf::find(std::string_view name) {
  const std::lock_guard lock(mutex_);
  const auto at = by_name_.find(name);
  if (at == by_name_.end()) return nullptr;
  entries& order = shares_.at(at->second->owner).order;
  order.splice(order.begin(), order, at->second);
  return at->second->what;
}

void shelf::put(std::string name, std::int64_t owner, std::size_t size, thing thing) {
  const std::size_t whole = entry_overhead + name.size() + size;
  entries gone;
  const std::lock_guard lock(mutex_);
  if (const auto at = by_name_.find(name); at != by_name_.end()) take_out(at->second, gone);
  if (whole > capacity_ / largest_shelf_share) return;
  add({std::move(name), owner, whole, std::move(thing)});
  make_room(gone);
}

void shelf::grow(std::string_view name, std::int64_t bytes) {
  entries gone;
  const std::lock_guard lock(mutex_);
  const auto at = by_name_.find(name);
  if (at == by_name_.end()) return;
  entry& grown = *at->second;
  // Unsigned: less than nothing wraps around to what it should be.
  const auto more =
      static_cast<std::size_t>(std::max(bytes, -static_cast<std::int64_t>(grown.size)));
  grown.size += more;
  resize(grown.owner, shares_.at(grown.owner).size + more);
  if (grown.size > capacity_ / largest_shelf_share) take_out(at->second, gone);
  make_room(gone);
}

void shelf::remove(std::string_view name) {
  entries gone;
  const std::lock_guard lock(mutex_);
  if (const auto at = by_name_.find(name); at != by_name_.end()) take_out(at->second, gone);
}

void shelf::remove_beginning(std::string_view beginning, std::int64_t owner) {
  entries gone;
  const std::lock_guard lock(mutex_);
  for (auto at = names_.lower_bound(beginning); at != names_.end() && at->starts_with(beginning);) {
    const auto entry = by_name_.at(*at++);
    if (entry->owner == owner) take_out(entry, gone);
  }
}

void shelf::drop() {
  decltype(shares_) dropped;
  const std::lock_guard lock(mutex_);
  by_name_.clear();
  names_.clear();
  by_size_.clear();
  dropped.swap(shares_);
  size_ = 0;
}

void shelf::add(entry&& fresh) {
  // What may fail for want of memory comes first, and leaves at most places that are empty.
  const auto [owner, size] = std::pair(fresh.owner, fresh.size);
  if (!shares_.contains(owner)) by_size_.emplace(0, owner);
  share& into = shares_[owner];
  into.order.push_front(std::move(fresh));
  try {
    by_name_.emplace(into.order.front().name, into.order.begin());
    names_.insert(into.order.front().name);
  } catch (...) {
    by_name_.erase(into.order.front().name);
    into.order.pop_front();
    throw;
  }
  resize(owner, into.size + size);
}

void shelf::resize(std::int64_t owner, std::size_t size) {
  share& of = shares_.at(owner);
  auto place = by_size_.extract({of.size, owner});
  size_ += size - of.size;
  of.size = size;
  if (size == 0) {
    shares_.erase(owner);
    return;
  }
  place.value() = {size, owner};
  by_size_.insert(std::move(place));
}

void shelf::take_out(entries::iterator entry, entries& gone) {
  names_.erase(entry->name);
  by_name_.erase(entry->name);
  share& of = shares_.at(entry->owner);
  gone.splice(gone.begin(), of.order, entry);
  resize(entry->owner, of.size - entry->size);
}

void shelf::make_room(entries& gone) {
  while (size_ > capacity_) {
    take_out(std::prev(shares_.at(by_size_.rbegin()->second).order.end()), gone);
  }
}

}  // namespace freshet::base
