// A number out of text, for those who see only include/: no locale, no leading space or plus, and
// never a number that is only the beginning of what was given. The library has the same in base.
#pragma once

#include <charconv>
#include <optional>
#include <string_view>

namespace freshet::server {

/// The whole text as a number. Null where it is empty, anything else, or beyond `Number`.
template <class Number>
[[nodiscard]] std::optional<Number> parse_number(std::string_view text) noexcept {
  Number value{};
  const char* const end = text.data() + text.size();
  const auto [stopped, failure] = std::from_chars(text.data(), end, value);
  if (failure != std::errc{} || stopped != end) return std::nullopt;
  return value;
}

/// parse_number(), if the number is one of `least` to `most`.
template <class Number>
[[nodiscard]] std::optional<Number> parse_number(std::string_view text, Number least,
                                                 Number most) noexcept {
  const auto value = parse_number<Number>(text);
  return value && *value >= least && *value <= most ? value : std::nullopt;
}

}  // namespace freshet::server
