// The replies to a post as the contract wants them: flat, in pre-order, siblings by time, cut into
// pages. Microblogs send the whole thread at once, as a tree or as a list. No recursion.
#pragma once

#include <freshet/item.hpp>
#include <freshet/result.hpp>
#include <sources/source.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace freshet::sources {

/// A reply with its place in the thread, in the source's own ids.
struct reply_entry {
  post what;
  std::string key;
  std::string parent_key;
};

/// In pre-order; siblings by created_at, oldest first, those without a time last. An entry whose
/// parent is not among the others stands at the top; one that is its own ancestor is left out.
[[nodiscard]] std::vector<post> replies_in_pre_order(std::vector<reply_entry> entries);

/// The page at `position` of replies that always come whole: at most `limit` of them. The position
/// is a place and the id before it, so that a thread which grew meanwhile goes on behind what was
/// given. Error: invalid_cursor for a position that is none of ours.
[[nodiscard]] result<listing> page_of_replies(std::vector<post> all, std::string_view position,
                                              int limit);

}  // namespace freshet::sources
