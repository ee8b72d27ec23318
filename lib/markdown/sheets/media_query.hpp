// What rules ask of the reader before they hold: media queries on the screens whose readers count,
// of a desk and of a phone, containers, which are taken for as wide as the screen, and what a
// browser supports.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace freshet::markdown {

/// What is seen on one of them is seen.
inline constexpr std::size_t screens = 2;
/// A bit for each.
using screen_set = std::uint8_t;
inline constexpr screen_set all_screens = (1u << screens) - 1;

/// The screens on which a list of media queries holds; "" holds everywhere.
[[nodiscard]] screen_set screens_of(std::string_view queries) noexcept;

/// What an at-rule with a block ("@media print") does to the rules inside, of those that hold
/// `outside`; null: they are no rules of the page.
[[nodiscard]] std::optional<screen_set> screens_inside(std::string_view prelude,
                                                       screen_set outside);

}  // namespace freshet::markdown
