// The recorded exchanges behind test keys: lib/sources/<name>/sandbox.har, compiled in.
#pragma once

#include <freshet/item.hpp>
#include <string_view>
#include <vector>

namespace freshet::sources {

/// HAR 1.2 texts. Static storage.
[[nodiscard]] std::vector<std::string_view> sandbox_hars();

/// The moment at which the sandbox's clock stands: `since` counts back from here.
inline constexpr time_point sandbox_now{std::chrono::sys_days{std::chrono::year{2026} / 11 / 1} +
                                        std::chrono::hours{12}};

}  // namespace freshet::sources
