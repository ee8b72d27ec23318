// The element is the innermost one with half of the page's prose; its children go or stay whole.
#include "page_parts.hpp"

#include <algorithm>
#include <iterator>

namespace freshet::bench {

namespace {

using html::node_id;
using markdown::block_list;

constexpr std::size_t most_depth = 40;  // of an element that a selector leads to

/// Elements from below the body down to a node; empty where it is none of them.
std::vector<node_id> path_to(const html::document& page, node_id id, node_id body) {
  std::vector<node_id> path;
  for (; id != html::none && id != body; id = page.at(id).parent) path.push_back(id);
  if (id != body || path.size() > most_depth) return {};
  std::ranges::reverse(path);
  return path;
}

/// Its number among the elements beside it, from 1.
std::size_t number_of(const html::document& page, node_id id) {
  std::size_t number = 0;
  for (; id != html::none; id = page.at(id).previous) {
    number += page.at(id).type == html::node_type::element ? 1 : 0;
  }
  return number;
}

std::string nth_child(const std::string& which) { return ":nth-child(" + which + ")"; }

class part_cutter {
 public:
  part_cutter(const html::document& page, const block_list& list) : page_(page), list_(list) {
    for (const auto& one : list.blocks) {
      words_.push_back(words_.back() + one.words());
      prose_.push_back(prose_.back() + (one.is_prose() ? one.words() : 0));
    }
  }

  std::vector<std::string> cuts(const part_shape& shape) const;

 private:
  [[nodiscard]] node_id main_element() const;
  [[nodiscard]] double words_in(node_id id) const;
  [[nodiscard]] std::string middle_of(node_id id, double words) const;

  const html::document& page_;
  const block_list& list_;
  std::vector<double> words_{0}, prose_{0};  // of the blocks before each one
};

node_id part_cutter::main_element() const {
  const auto* best = &list_.boxes.front();
  for (const auto& box : list_.boxes) {
    const bool inside = box.first >= best->first && box.end <= best->end;
    if (inside && 2 * (prose_[box.end] - prose_[box.first]) >= prose_.back()) best = &box;
  }
  return best->id;
}

double part_cutter::words_in(node_id id) const {
  const auto end = page_.next_skipping_children(id, html::document::root());
  const auto at = [&](node_id node) {
    return std::ranges::lower_bound(list_.blocks, node, {}, &markdown::page_block::first) -
           list_.blocks.begin();
  };
  const auto last = end == html::none ? std::ssize(list_.blocks) : at(end);
  return words_[static_cast<std::size_t>(last)] - words_[static_cast<std::size_t>(at(id))];
}

/// The children between those that hold the first and the last words, as a part of a selector.
std::string part_cutter::middle_of(node_id id, double words) const {
  std::vector<double> children;
  for (auto child = page_.at(id).first_child; child != html::none; child = page_.at(child).next) {
    if (page_.at(child).type == html::node_type::element) children.push_back(words_in(child));
  }
  std::size_t first = 0, end = children.size();
  for (double sum = 0; first < end && sum < words / 2; ++first) sum += children[first];
  for (double sum = 0; end > first && sum < words / 2; --end) sum += children[end - 1];
  if (first == end) return {};
  return nth_child("n+" + std::to_string(first + 1)) + nth_child("-n+" + std::to_string(end));
}

std::vector<std::string> part_cutter::cuts(const part_shape& shape) const {
  if (prose_.back() == 0) return {};
  const auto path = path_to(page_, main_element(), list_.boxes.front().id);
  if (path.empty()) return {};
  std::vector<std::string> cuts;
  std::string way = "body";
  for (const auto id : path) {
    const auto here = nth_child(std::to_string(number_of(page_, id)));
    if (shape.kind == part_kind::text_alone) cuts.push_back(way + " > :not(" + here + ")");
    way += " > " + here;
  }
  if (shape.kind == part_kind::surroundings_alone) return {way};
  const auto middle = middle_of(path.back(), shape.words);
  if (!middle.empty()) cuts.push_back(way + " > " + middle);
  return cuts;
}

}  // namespace

part_shape shape_of(std::size_t page) noexcept {
  using enum part_kind;
  constexpr double words[] = {40, 80, 160, 320};
  constexpr part_kind kinds[] = {with_surroundings, text_alone, with_surroundings,
                                 surroundings_alone};
  constexpr auto sizes = std::size(words);
  return {words[page % sizes], kinds[page / sizes % std::size(kinds)]};
}

std::vector<std::string> cuts_for(const html::document& page, const block_list& list,
                                  const part_shape& shape) {
  if (list.blocks.empty()) return {};
  return part_cutter(page, list).cuts(shape);
}

}  // namespace freshet::bench
