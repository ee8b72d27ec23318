// Whether a browser takes a list of selectors: for one that it does not know it drops the whole
// rule.
#pragma once

#include <string_view>

namespace freshet::markdown {

/// By its signs and by the names of pseudo-classes and pseudo-elements; what else may be wrong with
/// it is not looked at. In :is() and :where() anything may stand.
[[nodiscard]] bool is_valid_list(std::string_view selectors) noexcept;

}  // namespace freshet::markdown
