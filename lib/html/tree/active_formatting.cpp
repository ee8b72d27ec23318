// Which formatting elements are alike, and how many may be remembered.
#include <algorithm>
#include <base/hash_spread.hpp>
#include <functional>
#include <html/limits.hpp>
#include <html/tree/active_formatting.hpp>

namespace freshet::html {

namespace {

std::uint64_t hash_of(const document& document, node_id element) noexcept {
  const std::hash<std::string_view> hash;
  const node& one = document.at(element);
  const attribute* const attributes = document.attributes_begin(element);
  std::uint64_t sum = static_cast<std::uint64_t>(one.tag) + one.attribute_count * base::hash_spread;
  for (std::uint32_t i = 0; i < one.attribute_count; ++i) {
    const std::uint64_t name = hash(attributes[i].name);
    sum += (name ^ hash(attributes[i].value) * base::hash_spread) * base::hash_spread;
  }
  return sum;
}

/// Asked only of elements with the same hash, so that it costs next to nothing in all.
bool alike(const document& document, node_id a, node_id b) {
  const node& left = document.at(a);
  const node& right = document.at(b);
  if (left.tag != right.tag || left.attribute_count != right.attribute_count) return false;
  const attribute* const attributes = document.attributes_begin(a);
  return std::all_of(attributes, attributes + left.attribute_count, [&](const attribute& one) {
    return document.has_attribute(b, one.name) && document.attribute_of(b, one.name) == one.value;
  });
}

}  // namespace

bool active_formatting::push(const document& document, node_id element) {
  constexpr int most_alike = 3;
  formatting_entry fresh;
  fresh.element = element;
  fresh.tag = document.at(element).tag;
  fresh.hash = hash_of(document, element);
  int found = 0;
  std::size_t earliest = 0;
  std::size_t since_marker = 0;
  for (std::size_t i = list_.size(); i-- > 0 && !list_[i].is_marker(); ++since_marker) {
    ++looked_at_;
    if (list_[i].hash != fresh.hash || !alike(document, list_[i].element, element)) continue;
    earliest = i;
    ++found;
  }
  if (found >= most_alike) {
    remove(earliest);
    --since_marker;
  }
  if (since_marker >= max_open_formatting) return false;
  list_.push_back(fresh);
  return true;
}

void active_formatting::clear_to_marker() {
  while (!list_.empty()) {
    const bool marker = list_.back().is_marker();
    list_.pop_back();
    if (marker) return;
  }
}

template <class Wanted>
std::size_t active_formatting::find_back(Wanted wanted) const noexcept {
  for (std::size_t i = list_.size(); i-- > 0;) {
    if (!wanted(list_[i])) continue;
    looked_at_ += list_.size() - i;
    return i;
  }
  looked_at_ += list_.size();
  return list_.size();
}

std::size_t active_formatting::last_of(tag_id tag) const noexcept {
  const std::size_t at =
      find_back([tag](const formatting_entry& one) { return one.is_marker() || one.tag == tag; });
  return at < list_.size() && !list_[at].is_marker() ? at : list_.size();
}

std::size_t active_formatting::index_of(node_id element) const noexcept {
  return find_back([element](const formatting_entry& one) { return one.element == element; });
}

void active_formatting::remove(std::size_t at) {
  list_.erase(list_.begin() + static_cast<std::ptrdiff_t>(at));
}

void active_formatting::insert(std::size_t index, const formatting_entry& one) {
  list_.insert(list_.begin() + static_cast<std::ptrdiff_t>(index), one);
}

void active_formatting::closed(node_id element) noexcept {
  const std::size_t at = index_of(element);
  if (at < list_.size()) list_[at].open = false;
}

}  // namespace freshet::html
