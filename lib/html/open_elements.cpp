// Walks over the stack of open elements, from its top.
#include <html/open_elements.hpp>

namespace freshet::html {

namespace {

bool is_html(const open_element& one) noexcept { return one.space == element_space::html; }

}  // namespace

void open_elements::push(const open_element& one) {
  stack_.push_back(one);
  if (is_html(one)) ++counts_[static_cast<std::size_t>(one.tag)];
}

void open_elements::pop() {
  if (is_html(stack_.back())) --counts_[static_cast<std::size_t>(stack_.back().tag)];
  stack_.pop_back();
}

void open_elements::insert(std::size_t at, const open_element& one) {
  stack_.insert(stack_.begin() + static_cast<std::ptrdiff_t>(at), one);
  if (is_html(one)) ++counts_[static_cast<std::size_t>(one.tag)];
}

void open_elements::remove(std::size_t at) {
  if (is_html(stack_[at])) --counts_[static_cast<std::size_t>(stack_[at].tag)];
  stack_.erase(stack_.begin() + static_cast<std::ptrdiff_t>(at));
}

template <class Wanted>
std::size_t open_elements::find_down(Wanted wanted) const noexcept {
  for (std::size_t i = stack_.size(); i-- > 0;) {
    if (!wanted(stack_[i])) continue;
    looked_at_ += stack_.size() - i;
    return i;
  }
  looked_at_ += stack_.size();
  return stack_.size();
}

std::size_t open_elements::index_of(node_id id) const noexcept {
  return find_down([id](const open_element& one) { return one.id == id; });
}

std::size_t open_elements::last_index_of(tag_id tag) const noexcept {
  if (!has(tag)) return stack_.size();
  return find_down([tag](const open_element& one) { return one.is(tag); });
}

bool open_elements::has_in(traits ends, tag_id tag) const noexcept {
  if (!has(tag)) return false;
  const std::size_t at =
      find_down([&](const open_element& one) { return one.is(tag) || (one.has & ends) != 0; });
  return at < stack_.size() && stack_[at].is(tag);
}

bool open_elements::has_heading_in_scope() const noexcept {
  const std::size_t at =
      find_down([](const open_element& one) { return (one.has & (heading | scope_end)) != 0; });
  return at < stack_.size() && (stack_[at].has & heading) != 0;
}

bool open_elements::is_in_scope(std::size_t at) const noexcept {
  if (at >= stack_.size()) return false;
  const std::size_t end = find_down(
      [&](const open_element& one) { return (one.has & scope_end) != 0 || &one == &stack_[at]; });
  return end == at;
}

std::size_t open_elements::topmost_special_above(std::size_t at) const noexcept {
  std::size_t found = at + 1;
  while (found < stack_.size() && (stack_[found].has & special) == 0) ++found;
  looked_at_ += found - at;
  return found;
}

std::size_t open_elements::last_item(tag_id tag, tag_id other) const noexcept {
  if (!has(tag) && !has(other)) return stack_.size();
  const std::size_t at = find_down([&](const open_element& one) {
    const bool transparent = one.is(tag_id::address) || one.is(tag_id::div) || one.is(tag_id::p);
    return one.is(tag) || one.is(other) || ((one.has & special) != 0 && !transparent);
  });
  const bool found = at < stack_.size() && (stack_[at].is(tag) || stack_[at].is(other));
  return found ? at : stack_.size();
}

}  // namespace freshet::html
