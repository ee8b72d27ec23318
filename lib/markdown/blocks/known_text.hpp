// Whether a block's words stand in a text that is known already: JSON-LD often holds the body of an
// article. Compared by hashes of windows of letters, so that markup and spaces do not matter.
#pragma once

#include <markdown/tree/tree.hpp>
#include <optional>
#include <string_view>
#include <unordered_set>

namespace freshet::markdown {

class known_text {
 public:
  known_text(const page_tree& tree, std::string_view text);

  [[nodiscard]] bool empty() const noexcept { return windows_.empty(); }
  /// The share of the text from one text node to another that is known; null if it is too short.
  [[nodiscard]] std::optional<double> share_of(html::node_id first, html::node_id last) const;

 private:
  const page_tree& tree_;
  std::unordered_set<std::uint64_t> windows_;
};

/// The share of one text that stands in another; 0 where it is too short to tell.
[[nodiscard]] double share_found(std::string_view text, std::string_view words);

}  // namespace freshet::markdown
