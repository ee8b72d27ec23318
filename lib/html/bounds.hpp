// What stands before the parser: one linear pass over the input that takes out what would make the
// tree deeper, wider or larger than its limits, because the parser behind parse() needs quadratic
// time for such inputs. It changes nothing in a page that stays within the limits.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace freshet::html {

/// Formatting elements (b, i, a, font, ...) open at the same time: each block that begins while
/// they are open repeats all of them, so this bounds how much a page can grow.
inline constexpr std::size_t max_open_formatting = 16;
/// Repeated <html> and <body> tags, whose attributes are merged into the first.
inline constexpr std::size_t max_root_tags = 8;

/// More than the largest body that is fetched.
inline constexpr std::size_t max_input_bytes = 32u << 20;

struct bounded_input {
  std::string_view text;  ///< the input itself, or `storage` if something had to be taken out
  std::string storage;
  std::vector<std::string> warnings;
};

/// `into` must stay where it is while its `text` is used.
void bound_input(std::string_view utf8, bounded_input& into);

}  // namespace freshet::html
