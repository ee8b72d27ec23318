// How elements behave while they are open, as far as counting open elements needs it.
#pragma once

#include <cstdint>
#include <string_view>

namespace freshet::html {

/// How an element behaves while it is open.
enum trait : std::uint16_t {
  void_element = 1 << 0,  ///< never has content
  raw_text = 1 << 1,      ///< its content is text up to its end tag
  formatting = 1 << 2,    ///< is opened again in the next block
  block = 1 << 3,         ///< closes an open p
  implied_end = 1 << 4,   ///< may be closed by what follows
  table_part = 1 << 5,    ///< tr, td, ...: closes everything up to its table
  foreign_root = 1 << 6,  ///< svg, math
  svg_html = 1 << 7,      ///< inside it HTML's rules hold again, if it is SVG's
  math_html = 1 << 11,    ///< the same, if it is MathML's
  breakout = 1 << 8,      ///< ends foreign content
  root_tag = 1 << 9,      ///< html, body, head: nothing nests
  scope = 1 << 10,        ///< end tags do not reach beyond it
};

/// The traits of an element by its name in lower case; 0 for one without any.
[[nodiscard]] std::uint16_t traits_of(std::string_view name) noexcept;

}  // namespace freshet::html
