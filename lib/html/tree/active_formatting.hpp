// The list of active formatting elements, with markers. Each entry knows whether its element is
// open, so that nothing is searched for while nothing is to be opened again.
#pragma once

#include <cstdint>
#include <html/document.hpp>
#include <vector>

namespace freshet::html {

struct formatting_entry {
  node_id element = none;  ///< none: a marker
  tag_id tag = tag_id::other;
  bool open = true;
  std::uint64_t hash = 0;  ///< of tag and attributes, whatever their order

  [[nodiscard]] bool is_marker() const noexcept { return element == none; }
};

class active_formatting {
 public:
  [[nodiscard]] std::size_t size() const noexcept { return list_.size(); }
  [[nodiscard]] const formatting_entry& operator[](std::size_t i) const noexcept {
    return list_[i];
  }
  /// Whether the last entry has to be opened again.
  [[nodiscard]] bool needs_reconstruction() const noexcept {
    return !list_.empty() && !list_.back().is_marker() && !list_.back().open;
  }
  /// Adds an element; the standard keeps at most three that are alike (its "Noah's Ark clause").
  /// False if there are too many entries already.
  [[nodiscard]] bool push(const document& document, node_id element);
  void push_marker() { list_.push_back({}); }
  void clear_to_marker();

  /// The last entry of a name behind the last marker; size() if there is none.
  [[nodiscard]] std::size_t last_of(tag_id tag) const noexcept;
  [[nodiscard]] std::size_t index_of(node_id element) const noexcept;
  void remove(std::size_t at);
  void insert(std::size_t index, const formatting_entry& one);
  /// The entry stands for another element from now on, one that is open.
  void replace(std::size_t index, node_id replacement) noexcept {
    list_[index].element = replacement;
    list_[index].open = true;
  }
  /// To be told when a formatting element leaves the stack.
  void closed(node_id element) noexcept;
  /// How many entries all walks together have looked at.
  [[nodiscard]] std::uint64_t looked_at() const noexcept { return looked_at_; }

 private:
  /// The place from the end of the first entry that `wanted` accepts; size() if there is none.
  template <class Wanted>
  [[nodiscard]] std::size_t find_back(Wanted wanted) const noexcept;

  mutable std::uint64_t looked_at_ = 0;
  std::vector<formatting_entry> list_;
};

}  // namespace freshet::html
