// The comments of a thread, however a source sends them, as the contract wants them: flat, in
// pre-order, deleted ones only where something hangs below them, and cut into pages. No recursion.
#pragma once

#include <freshet/item.hpp>
#include <freshet/result.hpp>
#include <sources/source.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace freshet::sources {

/// A comment with its place in the tree, in the source's own ids.
struct thread_entry {
  comment what;  ///< complete, with depth and parent_id
  std::string key;
  std::string parent_key;  ///< "" at the top
  bool gone = false;       ///< deleted or removed: kept only above others
};

/// In pre-order; siblings keep the order in which they are given. An entry whose parent is not
/// among them, or that is its own ancestor, stands at the top.
[[nodiscard]] std::vector<comment> in_pre_order(std::vector<thread_entry> entries);

/// The page at `position` of a thread that always comes whole: at most `limit` comments. The
/// position is a place and the id before it, so that a thread which grew meanwhile goes on behind
/// what was given. Error: invalid_cursor for a position that is none of ours.
[[nodiscard]] result<listing> page_of_thread(std::vector<comment> all, std::string_view position,
                                             int limit);

}  // namespace freshet::sources
