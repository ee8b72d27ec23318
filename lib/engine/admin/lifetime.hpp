// How long a key lives or a replaced one still works, as callers and operators write it.
#pragma once

#include <chrono>
#include <freshet/result.hpp>
#include <optional>
#include <string_view>

namespace freshet::detail {

/// "30d" and the like, or "" for none. Error: invalid_request, naming `parameter`.
[[nodiscard]] result<std::optional<std::chrono::seconds>> parse_lifetime(
    std::string_view text, std::string_view parameter);

}  // namespace freshet::detail
