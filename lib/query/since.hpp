// The `since` grammar: <number><unit>, units m, h, d, w.
#pragma once

#include <chrono>
#include <freshet/result.hpp>
#include <string_view>

namespace freshet::query {

/// Reads "24h" or "7d". Error: invalid_request with a parameter_error at "/since", naming what is
/// wrong (unknown unit, number out of 1..9999, over 3650 days).
[[nodiscard]] result<std::chrono::seconds> parse_since(std::string_view text);

}  // namespace freshet::query
