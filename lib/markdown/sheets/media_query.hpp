// What rules ask of the reader before they hold: media queries on the screens whose readers count,
// of a desk and of a phone, containers, which are taken for as wide as the screen, and what a
// browser supports.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
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

/// Whether a condition holds on a screen that asks for sizes, media, what is supported and styles:
/// "style(--a: b) and (width > 1px)". `holds_style` is told what stands in "style()".
[[nodiscard]] bool holds_condition(std::string_view condition, std::size_t screen,
                                   const std::function<bool(std::string_view)>& holds_style);

/// The condition behind the name that a container is asked for by: "card style(--a: b)".
struct container_query {
  std::string_view name, condition;
};
[[nodiscard]] container_query container_query_of(std::string_view prelude) noexcept;

}  // namespace freshet::markdown
