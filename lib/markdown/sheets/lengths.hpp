// Numbers and lengths of CSS, what calc() and its kin come to, too. Layout is not computed: what is
// a share of something is one of what the caller says.
#pragma once

#include <optional>
#include <string_view>

namespace freshet::markdown {

/// What units that are shares of something come to, in pixels.
struct length_units {
  double font_px = 16;
  double percent_px = 0.16;
  double screen_percent_px = 3.6;  ///< 1vw; 1vh where `screen_percent_high_px` is not said
  double screen_percent_high_px = 6;
};

/// A number, percentage or length, of which numbers stay as they are; null for what is none.
[[nodiscard]] std::optional<double> quantity_of(std::string_view value,
                                                const length_units& units) noexcept;

/// Pixels; null where it cannot be known without a layout.
[[nodiscard]] std::optional<double> length_of(std::string_view value, double font_px) noexcept;

/// A number or a percentage as a share of one: "0.5", "50%", "calc(1 / 2)".
[[nodiscard]] std::optional<double> share_of(std::string_view value) noexcept;

/// Whether a value is written as a length: what has no unit is 0.
[[nodiscard]] bool is_length(std::string_view value) noexcept;

}  // namespace freshet::markdown
