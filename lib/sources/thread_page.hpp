// One page of a thread that always comes whole, whatever its entries are. Private to
// comment_tree.cpp and post_thread.cpp; it neither orders nor drops anything.
#pragma once

#include <algorithm>
#include <limits>
#include <sources/position.hpp>
#include <sources/source.hpp>
#include <utility>

namespace freshet::sources {

/// Where a page of a thread begins, and the id before it: a thread that grew meanwhile goes on
/// behind what was given.
struct thread_position {
  std::size_t begin = 0;
  std::string before;
};

/// At most `limit` of `all` from `position` on. Sources with ids that hold a colon have another
/// `separator`. Error: invalid_cursor.
template <class Entry>
result<listing> thread_page(std::vector<Entry> all, std::string_view position, int limit,
                            char separator) {
  const position_codec positions{
      "this thread", separator,
      number_field{&thread_position::begin, std::size_t{0},
                   std::numeric_limits<std::size_t>::max()},
      text_field{&thread_position::before, +[](std::string_view) { return true; }}};
  const auto at = positions.read(position);
  if (!at) return at.error();
  auto begin = at->begin;
  if (!position.empty()) {
    const auto last = std::ranges::find(all, at->before, &Entry::id);
    if (last != all.end()) begin = static_cast<std::size_t>(last - all.begin()) + 1;
  }
  begin = std::min(begin, all.size());
  const auto end =
      begin + std::min(all.size() - begin, static_cast<std::size_t>(std::max(limit, 1)));
  listing out;
  for (auto i = begin; i < end; ++i) out.items.emplace_back(std::move(all[i]));
  if (begin == end || end == all.size()) return out;
  thread_position next{end, common(out.items.back()).id};
  out.next = positions.text(next);
  if (out.next.size() > max_position_size) {
    next.before.clear();
    out.next = positions.text(next);
  }
  return out;
}

}  // namespace freshet::sources
