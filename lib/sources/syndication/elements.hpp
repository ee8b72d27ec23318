// The elements of an XML feed between xml.cpp, which gathers them, and entry.cpp, which reads them:
// flat, in document order, each with its depth below the entry (or the feed).
#pragma once

#include <algorithm>
#include <initializer_list>
#include <sources/syndication/feed.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace freshet::sources::syndication {

struct element {
  std::string name;
  std::vector<std::pair<std::string, std::string>> attributes;
  std::string text;
  std::size_t depth = 0;  ///< 1 for a child of the entry or of the feed
  bool markup = false;    ///< its text became an HTML fragment

  [[nodiscard]] std::string_view attribute(std::string_view key) const {
    for (const auto& [known, value] : attributes) {
      if (known == key) return value;
    }
    return {};
  }
};

using elements = std::vector<element>;

inline bool is_one_of(std::string_view name, std::initializer_list<std::string_view> list) {
  return std::ranges::find(list, name) != list.end();
}

/// One <item> or <entry>; its texts are taken out of the list.
[[nodiscard]] feed_entry read_entry(elements& list, bool atom);

/// What the feed says of itself: RSS has it below <channel>, Atom below the root.
void read_head(const elements& head, bool atom, feed& feed);

}  // namespace freshet::sources::syndication
