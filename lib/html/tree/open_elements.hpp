// The stack of open elements, with how many of each name are open, so that most questions about
// what is in scope are answered without a walk.
#pragma once

#include <array>
#include <cstdint>
#include <html/document.hpp>
#include <html/tree/element_traits.hpp>
#include <vector>

namespace freshet::html {

struct open_element {
  node_id id = none;
  tag_id tag = tag_id::other;
  element_space space = element_space::html;
  traits has = 0;
  std::uint8_t hash = 0;  ///< of the name, in lower case, if the tag is `other`

  [[nodiscard]] bool is(tag_id name) const noexcept {
    return tag == name && space == element_space::html;
  }
};

/// What tells most names that are no tag_id apart.
[[nodiscard]] std::uint8_t hash_of_name(std::string_view lower) noexcept;

/// The bottom is the html element. Its size is bounded by max_depth.
class open_elements {
 public:
  open_elements() { stack_.reserve(max_depth); }

  [[nodiscard]] bool empty() const noexcept { return stack_.empty(); }
  [[nodiscard]] std::size_t size() const noexcept { return stack_.size(); }
  [[nodiscard]] const open_element& operator[](std::size_t i) const noexcept { return stack_[i]; }
  [[nodiscard]] const open_element& current() const noexcept { return stack_.back(); }
  /// How many HTML elements of a name are open.
  [[nodiscard]] std::size_t count(tag_id tag) const noexcept {
    return counts_[static_cast<std::size_t>(tag)];
  }
  [[nodiscard]] bool has(tag_id tag) const noexcept { return count(tag) > 0; }
  /// Whether an element may be open whose name is no tag_id and has this hash.
  [[nodiscard]] bool may_have_other(std::uint8_t hash) const noexcept {
    return counts_of_others_[hash] > 0;
  }

  void push(const open_element& one);
  void pop();
  void insert(std::size_t index, const open_element& one);
  void remove(std::size_t at);
  void replace(std::size_t index, node_id replacement) noexcept { stack_[index].id = replacement; }

  /// Where an element is; size() if it is not open.
  [[nodiscard]] std::size_t index_of(node_id id) const noexcept;
  /// Where the last HTML element of a name is; size() if none is open.
  [[nodiscard]] std::size_t last_index_of(tag_id tag) const noexcept;
  /// Whether an HTML element of that name is open above every element with one of `ends`.
  [[nodiscard]] bool has_in(traits ends, tag_id tag) const noexcept;
  [[nodiscard]] bool has_heading_in_scope() const noexcept;
  /// The first special element above the one at `at`; size() if there is none.
  [[nodiscard]] std::size_t topmost_special_above(std::size_t at) const noexcept;
  /// The last item of a list, one of two names, with nothing special above it but address, div and
  /// p; size() if there is none.
  [[nodiscard]] std::size_t last_item(tag_id tag, tag_id other) const noexcept;
  /// Counts entries that somebody else has looked at.
  void count_looks(std::size_t entries) const noexcept { looked_at_ += entries; }
  [[nodiscard]] bool has_in_scope(tag_id tag) const noexcept { return has_in(scope_end, tag); }
  [[nodiscard]] bool has_in_table_scope(tag_id tag) const noexcept {
    return has_in(table_scope_end, tag);
  }
  /// Whether the element at `at` is in scope.
  [[nodiscard]] bool is_in_scope(std::size_t at) const noexcept;
  /// How many entries all walks together have looked at.
  [[nodiscard]] std::uint64_t looked_at() const noexcept { return looked_at_; }

 private:
  /// The place from the top down of the first entry that `wanted` accepts; size() if there is none.
  template <class Wanted>
  [[nodiscard]] std::size_t find_down(Wanted wanted) const noexcept;

  std::vector<open_element> stack_;
  mutable std::uint64_t looked_at_ = 0;
  void count_in(const open_element& one) noexcept;
  void count_out(const open_element& one) noexcept;

  std::array<std::uint16_t, static_cast<std::size_t>(tag_id::count)> counts_{};
  std::array<std::uint16_t, 256> counts_of_others_{};
};

}  // namespace freshet::html
