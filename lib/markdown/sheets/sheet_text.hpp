// The text of style sheets taken apart: blocks, selectors, and the names in them. Views into what
// is given.
#pragma once

#include <algorithm>
#include <array>
#include <base/ascii.hpp>
#include <base/byte_row.hpp>
#include <base/percent.hpp>
#include <base/unicode.hpp>
#include <bit>
#include <string>
#include <string_view>

namespace freshet::markdown {

inline bool holds_byte(std::string_view text, char c) noexcept { return text.find(c) != text.npos; }

/// A set of bytes.
class byte_set {
 public:
  constexpr explicit byte_set(std::string_view bytes) noexcept {
    for (const char c : bytes) has_[static_cast<unsigned char>(c)] = true;
  }
  [[nodiscard]] bool has(char c) const noexcept { return has_[static_cast<unsigned char>(c)]; }
  /// The first of them from `position` on; the size of the text if there is none.
  [[nodiscard]] std::size_t next_in(std::string_view text, std::size_t position) const noexcept {
    while (position < text.size() && !has_[static_cast<unsigned char>(text[position])]) ++position;
    return position;
  }

 private:
  std::array<bool, 256> has_{};
};

/// The first of some bytes from `position` on, where they are rare; the size of the text if there
/// is none.
template <char... Wanted>
[[nodiscard]] std::size_t next_of(std::string_view text, std::size_t position) noexcept {
  for (; position + base::row_size <= text.size(); position += base::row_size) {
    const auto row = base::row_at(text.data() + position);
    const auto found = base::bits_of(((row == Wanted) | ...));
    if (found != 0) return position + static_cast<std::size_t>(std::countr_zero(found));
  }
  while (position < text.size() && ((text[position] != Wanted) && ...)) ++position;
  return position;
}

/// The quote that closes the string which begins at `position`, or where its line ends without one.
inline std::size_t end_of_string(std::string_view text, std::size_t position) noexcept {
  const char quote = text[position];
  for (++position; position < text.size(); ++position) {
    const char c = text[position];
    if (c == quote || c == '\n') return position;
    if (c == '\\') ++position;
  }
  return text.size();
}

/// Where the block that opens before `position` is closed; strings and comments are stepped over.
inline std::size_t end_of_block(std::string_view sheet, std::size_t position) noexcept {
  static constexpr byte_set marks("\"'/{}\\");
  // Most blocks hold nothing of that kind, and memchr is faster than any loop.
  const auto first = std::min(sheet.find('}', position), sheet.size());
  const auto plain = sheet.substr(position, first - position);
  if (!holds_byte(plain, '{') && !holds_byte(plain, '"') && !holds_byte(plain, '\'') &&
      !holds_byte(plain, '/') && !plain.ends_with('\\')) {
    return first;
  }
  std::size_t depth = 1;
  for (; (position = marks.next_in(sheet, position)) < sheet.size(); ++position) {
    const char c = sheet[position];
    if (c == '\\') {
      ++position;
    } else if (c == '"' || c == '\'') {
      position = end_of_string(sheet, position);
    } else if (c == '/') {
      if (sheet.substr(position, 2) != "/*") continue;
      position = sheet.find("*/", position + 2);
      if (position == sheet.npos) return sheet.size();
      ++position;
    } else if (c == '{') {
      ++depth;
    } else if (--depth == 0) {
      return position;
    }
  }
  return sheet.size();
}

inline bool is_name_byte(char c) noexcept {
  return base::is_alphanumeric(c) || c == '-' || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}

/// Calls `action` for every class and id in selectors, with its sign.
template <class With>
void each_name(std::string_view selectors, With action) {
  for (std::size_t at = 0; at < selectors.size(); ++at) {
    if (selectors[at] != '.' && selectors[at] != '#') continue;
    auto end = at + 1;
    while (end < selectors.size() && is_name_byte(selectors[end])) ++end;
    if (end > at + 1) action(selectors.substr(at, end - at));
    at = end - 1;
  }
}

/// The last compound of a selector.
inline std::string_view subject_of(std::string_view selector) noexcept {
  static constexpr byte_set marks(" >+~\n\t\r\f()[]");
  std::size_t depth = 0;
  for (auto at = selector.size(); at-- > 0;) {
    const char c = selector[at];
    if (!marks.has(c)) continue;
    if (c == ')' || c == ']') {
      ++depth;
    } else if (c == '(' || c == '[') {
      depth -= depth > 0 ? 1 : 0;
    } else if (depth == 0) {
      return selector.substr(at + 1);
    }
  }
  return selector;
}

/// The class with which a selector begins, as it is meant; "" where that takes more than to leave
/// backslashes out.
inline std::string first_class_of(std::string_view selector) {
  std::string name;
  if (!selector.starts_with('.')) return name;
  for (std::size_t at = 1; at < selector.size(); ++at) {
    if (selector[at] == '\\') {
      if (++at == selector.size() || base::hex_value(selector[at]) >= 0) return {};
    } else if (!is_name_byte(selector[at])) {
      break;
    }
    name += selector[at];
  }
  return name;
}

/// Whether it asks for a state that no element has at rest, or for no element at all.
inline bool is_never_at_rest(std::string_view subject) noexcept {
  const auto at = subject.find(':');
  if (at == subject.npos) return false;
  if (subject.find("::") != subject.npos) return true;
  if (holds_byte(subject, '(')) return false;
  return std::ranges::any_of(
      std::initializer_list<std::string_view>{":hover", ":focus", ":active", ":before", ":after"},
      [&](std::string_view one) { return subject.find(one, at) != subject.npos; });
}

/// Calls `action` for every selector of a list.
template <class With>
void each_selector(std::string_view list, With action) {
  if (!holds_byte(list, ',')) return action(base::trim(list));
  static constexpr byte_set marks(",()[]");
  std::size_t begin = 0, depth = 0;
  for (std::size_t at = 0; (at = marks.next_in(list, at)) < list.size(); ++at) {
    const char c = list[at];
    if (c == '(' || c == '[') {
      ++depth;
    } else if (c != ',') {
      depth -= depth > 0 ? 1 : 0;
    } else if (depth == 0) {
      action(base::trim(list.substr(begin, at - begin)));
      begin = at + 1;
    }
  }
  action(base::trim(list.substr(begin)));
}

/// Calls `action` for every word of a class attribute.
template <class With>
void each_class(std::string_view classes, With action) {
  std::size_t at = 0;
  const auto is_space = [](char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f';
  };
  while (at < classes.size()) {
    while (at < classes.size() && is_space(classes[at])) ++at;
    const auto begin = at;
    while (at < classes.size() && !is_space(classes[at])) ++at;
    if (at > begin) action(classes.substr(begin, at - begin));
  }
}

}  // namespace freshet::markdown
