// The text of style sheets taken apart: blocks, selectors, and the names in them. Views into what
// is given.
#pragma once

#include <algorithm>
#include <base/ascii.hpp>
#include <base/unicode.hpp>
#include <string_view>

namespace freshet::markdown {

/// Where the block that opens before `at` is closed; strings and comments are stepped over.
inline std::size_t end_of_block(std::string_view sheet, std::size_t at) noexcept {
  std::size_t depth = 1;
  for (; at < sheet.size(); ++at) {
    const char c = sheet[at];
    if (c == '"' || c == '\'') {
      const auto end = sheet.find(c, at + 1);
      if (end == sheet.npos) return sheet.size();
      at = end;
    } else if (c == '/' && sheet.substr(at, 2) == "/*") {
      const auto end = sheet.find("*/", at + 2);
      if (end == sheet.npos) return sheet.size();
      at = end + 1;
    } else if (c == '{') {
      ++depth;
    } else if (c == '}' && --depth == 0) {
      return at;
    }
  }
  return sheet.size();
}

inline bool is_name_byte(char c) noexcept {
  return base::is_alphanumeric(c) || c == '-' || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}

}  // namespace freshet::markdown
