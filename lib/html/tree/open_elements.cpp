// Walks over the stack of open elements, from its top.
#include <html/tree/open_elements.hpp>

namespace freshet::html {

namespace {

bool is_html(const open_element& one) noexcept { return one.space == element_space::html; }

}  // namespace

std::uint8_t hash_of_name(std::string_view lower) noexcept {
  constexpr std::size_t most_hashed = 32;
  auto sum = static_cast<std::uint32_t>(lower.size());
  for (const char c : lower.substr(0, most_hashed)) {
    sum = (sum ^ static_cast<unsigned char>(c)) * 16777619u;
  }
  return static_cast<std::uint8_t>(sum >> 24);
}

void open_elements::count_in(const open_element& one) noexcept {
  if (is_html(one)) ++counts_[static_cast<std::size_t>(one.tag)];
  if (one.tag == tag_id::other) ++counts_of_others_[one.hash];
}

void open_elements::count_out(const open_element& one) noexcept {
  if (is_html(one)) --counts_[static_cast<std::size_t>(one.tag)];
  if (one.tag == tag_id::other) --counts_of_others_[one.hash];
}

void open_elements::push(const open_element& one) {
  stack_.push_back(one);
  count_in(one);
}

void open_elements::pop() {
  count_out(stack_.back());
  stack_.pop_back();
}

void open_elements::insert(std::size_t index, const open_element& one) {
  stack_.insert(stack_.begin() + static_cast<std::ptrdiff_t>(index), one);
  count_in(one);
}

void open_elements::remove(std::size_t at) {
  count_out(stack_[at]);
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
