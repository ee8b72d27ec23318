// What the parser allows a page to ask of it. Reaching a limit cuts the tree there, is remembered,
// and becomes one warning a kind; parsing itself never fails.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace freshet::html {

/// More than the largest body that is fetched.
inline constexpr std::size_t max_input_bytes = 32u << 20;
/// Formatting elements (b, i, a, font, ...) open since the last cell or object: each block that
/// begins while they are open repeats all of them, so this bounds how much a page can grow.
inline constexpr std::size_t max_open_formatting = 16;
/// Names of elements are cut to this length; attributes with a longer name are dropped.
inline constexpr std::size_t max_name_bytes = 4096;
/// Levels kept free below max_depth, for what the parser opens by itself: the parts of a table, and
/// formatting that is opened again.
inline constexpr std::size_t reserved_depth = 4 + max_open_formatting;

enum class limit : std::uint8_t { input, depth, nodes, formatting, attributes, names };

/// Which limits were reached.
class reached_limits {
 public:
  void note(limit which) noexcept { bits_ |= 1u << static_cast<unsigned>(which); }
  void add_warnings(std::vector<std::string>& to) const;

 private:
  std::uint32_t bits_ = 0;
};

}  // namespace freshet::html
