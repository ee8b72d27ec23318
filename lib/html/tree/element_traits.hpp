// How elements behave while they are open: the sets of names that the standard's tree construction
// refers to again and again.
#pragma once

#include <array>
#include <cstdint>
#include <html/document.hpp>
#include <html/tag.hpp>

namespace freshet::html {

/// A set of traits. Bits.
using traits = std::uint16_t;

inline constexpr traits special = 1 << 0;                 ///< the standard's "special" category
inline constexpr traits scope_end = 1 << 1;               ///< end tags do not reach beyond it
inline constexpr traits list_scope_end = 1 << 2;          ///< ... nor those of list items
inline constexpr traits button_scope_end = 1 << 3;        ///< ... nor implied ones of p
inline constexpr traits table_scope_end = 1 << 4;         ///< ... nor those of the parts of a table
inline constexpr traits implied_end = 1 << 5;             ///< its end tag may be left out
inline constexpr traits implied_end_thoroughly = 1 << 6;  ///< ... when a template ends
inline constexpr traits formatting = 1 << 7;              ///< is opened again in the next block
inline constexpr traits heading = 1 << 8;
inline constexpr traits breakout = 1 << 9;  ///< ends foreign content
inline constexpr traits foster = 1 << 10;   ///< what is no part of a table goes before it
inline constexpr traits text_integration = 1
                                           << 11;  ///< MathML's mi, mo, ...: HTML's rules for text
inline constexpr traits html_integration = 1 << 12;  ///< HTML's rules hold inside

/// The traits of HTML elements, by tag_id.
extern const std::array<traits, static_cast<std::size_t>(tag_id::count)> html_traits;

/// The traits of an element. MathML's annotation-xml may have html_integration on top of them.
[[nodiscard]] traits traits_of(tag_id tag, element_space space) noexcept;

}  // namespace freshet::html
