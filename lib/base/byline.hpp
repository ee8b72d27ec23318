// The names in a byline: pages, feeds and interfaces of news write several people into one text,
// with words around them. Between the readers of those and the `authors` of an item; it knows
// neither. It never guesses who somebody is, and splits nothing that may be one name.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace freshet::base {

/// Names that are taken from one byline; what is beyond is no byline.
inline constexpr std::size_t max_byline_names = 50;

/// "By Ada Byron and Bo Carr in Oslo" as {"Ada Byron", "Bo Carr"}: the word that introduces them,
/// addresses of mail and places are dropped, each name stands once and in its order. A text without
/// names gives none. Requires valid UTF-8.
[[nodiscard]] std::vector<std::string> byline_names(std::string_view text);

/// What stands behind "By ", "Author: " and the like at the beginning of a text; "" where none
/// does.
[[nodiscard]] std::string_view introduced_names(std::string_view text);

}  // namespace freshet::base
