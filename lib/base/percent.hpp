// Percent-encoding with the character sets of WHATWG URL, section 1.3.
#pragma once

#include <base/ascii.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace freshet::base {

/// The sets, in the order of the standard. Each also has the C0 controls and all that is not ASCII.
enum class percent_set {
  control,
  fragment,
  query,
  special_query,
  path,
  userinfo,
  all_but_unreserved
};

[[nodiscard]] bool is_in(percent_set set, unsigned char byte) noexcept;
/// Appends `byte`, encoded if it is in `set`.
void append_encoded(std::string& out, char byte, percent_set set);
void append_encoded(std::string& out, std::string_view text, percent_set set);
/// The value of a hexadecimal digit; -1 if it is none.
[[nodiscard]] constexpr int hex_value(char c) noexcept {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}
/// The byte that the escape at `position` ("%2F") stands for; null if none stands there.
[[nodiscard]] constexpr std::optional<char> escape_at(std::string_view text,
                                                      std::size_t position) noexcept {
  if (text[position] != '%' || position + 2 >= text.size()) return std::nullopt;
  const int high = hex_value(text[position + 1]);
  const int low = hex_value(text[position + 2]);
  if (high < 0 || low < 0) return std::nullopt;
  return static_cast<char>(high * 16 + low);
}

}  // namespace freshet::base
