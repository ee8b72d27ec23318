// The values of declarations taken apart: what stands between spaces and commas, and functions.
// Views into what is given.
#pragma once

#include <algorithm>
#include <array>
#include <base/ascii.hpp>
#include <base/unicode.hpp>
#include <string_view>

namespace freshet::markdown {

/// Whether two texts of CSS are the same word.
inline bool is_named(std::string_view text, std::string_view name) noexcept {
  return text.size() == name.size() && base::equals_ignoring_ascii_case(text, name);
}

inline bool is_one_of(std::string_view text,
                      std::initializer_list<std::string_view> names) noexcept {
  return std::ranges::any_of(names, [&](std::string_view name) { return is_named(text, name); });
}

inline bool begins_with(std::string_view text, std::string_view prefix) noexcept {
  return text.size() >= prefix.size() && is_named(text.substr(0, prefix.size()), prefix);
}

/// A few parts of a value, in their order; more are left out.
class value_parts {
 public:
  static constexpr std::size_t most = 32;
  void add(std::string_view part) noexcept {
    if (size_ < most) parts_[size_++] = part;
  }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
  [[nodiscard]] std::string_view operator[](std::size_t at) const noexcept { return parts_[at]; }
  /// "" where there is none.
  [[nodiscard]] std::string_view first() const noexcept { return parts_[0]; }
  [[nodiscard]] const std::string_view* begin() const noexcept { return parts_.data(); }
  [[nodiscard]] const std::string_view* end() const noexcept { return parts_.data() + size_; }

 private:
  std::array<std::string_view, most> parts_{};
  std::size_t size_ = 0;
};

/// What stands between the bytes of `separators`, those in parentheses whole; nothing is left out
/// but what is empty.
inline value_parts parts_of(std::string_view value, std::string_view separators) noexcept {
  value_parts found;
  std::size_t begin = 0, depth = 0;
  for (std::size_t at = 0; at <= value.size(); ++at) {
    const bool end = at == value.size();
    // No separator: most bytes.
    if (!end && base::is_alphanumeric(value[at])) continue;
    if (!end && value[at] == '(') ++depth;
    if (!end && value[at] == ')' && depth > 0) --depth;
    if (!end && (depth > 0 || separators.find(value[at]) == separators.npos)) continue;
    const auto part = base::trim(value.substr(begin, at - begin));
    if (!part.empty()) found.add(part);
    begin = at + 1;
  }
  return found;
}

inline constexpr std::string_view css_spaces = " \t\n\r\f";

/// "name(inside)".
struct css_function {
  std::string_view name, inside;
};
/// Of a part that is one; without a name where it is none.
inline css_function function_in(std::string_view part) noexcept {
  const auto open = part.find('(');
  if (open == part.npos || open == 0) return {};
  const auto end = part.ends_with(')') ? part.size() - 1 : part.size();
  return {part.substr(0, open), part.substr(open + 1, end - open - 1)};
}

/// The functions of a value such as "blur(0) opacity( 1% )".
inline value_parts functions_of(std::string_view value) noexcept {
  value_parts found;
  std::size_t begin = 0, depth = 0;
  for (std::size_t at = 0; at < value.size(); ++at) {
    if (value[at] == '(') ++depth;
    if (value[at] != ')' || depth == 0 || --depth > 0) continue;
    found.add(base::trim(value.substr(begin, at + 1 - begin)));
    begin = at + 1;
  }
  return found;
}

/// Where the parenthesis closes that opens at the beginning; the size of the text if it does not.
inline std::size_t end_of_parenthesis(std::string_view text) noexcept {
  std::size_t depth = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '(') ++depth;
    if (text[at] == ')' && --depth == 0) return at;
  }
  return text.size();
}

}  // namespace freshet::markdown
