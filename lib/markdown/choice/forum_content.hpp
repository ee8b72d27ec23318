// The way of choosing for threads: of every post its author, its date and its text, in the order of
// the page. What else stands in or between posts is for moving about and for reacting.
#pragma once

#include <markdown/choice/content.hpp>

namespace freshet::markdown {

/// The posts of a page: the elements that hold their texts, in document order.
[[nodiscard]] std::vector<html::node_id> post_bodies(const page_tree& tree);

/// Chooses the posts of a thread whose invisible parts are dropped. `found` is false if there are
/// none; nothing is dropped then.
[[nodiscard]] content choose_posts(page_tree& tree);

}  // namespace freshet::markdown
