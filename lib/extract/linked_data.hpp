// JSON-LD as pages have it in their scripts, which is not always JSON: what stands around it for
// old browsers is taken off, and what generators get wrong is set right where that is plain.
#pragma once

#include <base/json.hpp>
#include <html/document.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace freshet::extract {

/// Bytes of one script that are read.
inline constexpr std::size_t max_script_bytes = 4u << 20;
inline constexpr std::size_t max_scripts = 200;

/// The values of a page's scripts of JSON-LD, an array's elements each by itself, in order. A
/// script that cannot be read is left out, and counted in `broken`.
[[nodiscard]] std::vector<base::json::value> read_linked_data(const html::document& page,
                                                              int& broken);

}  // namespace freshet::extract
