// What transforms leave of an element, and what is so far off that no screen shows it. Layout is
// not computed.
#pragma once

#include <array>
#include <markdown/sheets/lengths.hpp>
#include <markdown/sheets/value_text.hpp>
#include <string_view>

namespace freshet::markdown {

/// Of an element with no font size of its own.
inline constexpr double own_font_px = 16;
/// A text moved so far is off the screen.
inline constexpr double off_screen_px = -900;

/// By so many pixels, or by the whole width or height of any screen. What is a share of something
/// else is not known.
[[nodiscard]] bool is_off_screen(std::string_view length) noexcept;
/// The same to the other side, or by all of what it stands in.
[[nodiscard]] bool is_beyond(std::string_view length) noexcept;

/// So far to the right that nobody scrolls there: beyond two screens, or by the whole of one.
[[nodiscard]] bool is_far_right(std::string_view length) noexcept;
/// So far down that nobody scrolls there: pages are long, but not so long.
[[nodiscard]] bool is_far_down(std::string_view length) noexcept;
/// By a transform that only moves.
[[nodiscard]] bool is_moved_far_right(std::string_view transform) noexcept;

/// The numbers of a function, or of a value without one: angles in degrees.
struct value_numbers {
  std::array<double, 16> of{};
  std::size_t count = 0;
};
[[nodiscard]] value_numbers numbers_in(const value_parts& parts) noexcept;

/// What both leave of one, by the side of which they leave less.
[[nodiscard]] double scale_of(std::string_view transform, std::string_view scale) noexcept;
/// "scale: 0", "scale: 1 0".
[[nodiscard]] bool is_scaled_to_nothing(std::string_view scale) noexcept;
/// "rotate: x 90deg", "rotate: 1 0 0 90deg".
[[nodiscard]] bool is_turned_away(std::string_view rotate) noexcept;
/// Turned round, so that its back is seen: "rotateY(180deg)", "rotate: x 180deg".
[[nodiscard]] bool is_turned_over(std::string_view transform, std::string_view rotate) noexcept;
/// "translate: -9999px", "translate: 0 -100vh".
[[nodiscard]] bool is_moved_away(std::string_view translate) noexcept;
/// By any of the functions of "transform".
[[nodiscard]] bool is_shrunk_or_moved_away(std::string_view transform) noexcept;
/// Put at the beginning of a path that is off the screen: "path('M-9999 0')".
[[nodiscard]] bool is_put_away(std::string_view offset_path) noexcept;

}  // namespace freshet::markdown
