// A number out of text, by std::from_chars: no locale, no leading space or plus, and never a number
// that is only the beginning of what was given.
#pragma once

#include <charconv>
#include <optional>
#include <string_view>

namespace freshet::base {

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

/// The number that `text` begins with, which is then taken off it. Null, and nothing taken, where
/// there is none or it is beyond `Number`.
template <class Number>
[[nodiscard]] std::optional<Number> take_number(std::string_view& text) noexcept {
  Number value{};
  const auto [stopped, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc{}) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(stopped - text.data()));
  return value;
}

}  // namespace freshet::base
