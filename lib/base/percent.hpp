// Percent-encoding with the character sets of WHATWG URL, section 1.3.
#pragma once

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
[[nodiscard]] int hex_value(char c) noexcept;

}  // namespace freshet::base
