// Which values a browser takes: one that it does not take leaves the value before it as it was.
#pragma once

#include <markdown/sheets/declarations.hpp>
#include <string_view>

namespace freshet::markdown {

/// "inherit", "unset" and the others that every property has.
[[nodiscard]] bool is_global_value(std::string_view value) noexcept;

/// Whether a value is one of its property, as far as this is known; what waits for custom
/// properties always is.
[[nodiscard]] bool is_valid(const declaration& one) noexcept;

/// Whether a value of "background" is one.
[[nodiscard]] bool is_background(std::string_view value) noexcept;

/// Whether a browser knows a declaration: what "@supports" asks.
[[nodiscard]] bool is_supported(std::string_view name, std::string_view value) noexcept;

}  // namespace freshet::markdown
