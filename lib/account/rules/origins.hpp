// The origins of web pages that may use a key: what they look like, and how they are stored.
#pragma once

#include <freshet/result.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace freshet::account {

inline constexpr std::size_t max_origins_per_key = 4;

/// Each as a browser sends it: scheme://host, with a port that is not the scheme's own, nothing
/// behind. Error: invalid_request.
[[nodiscard]] result<void> check_origins(const std::vector<std::string>& origins);
/// As one text, and back.
[[nodiscard]] std::string join_origins(const std::vector<std::string>& origins);
[[nodiscard]] std::vector<std::string> split_origins(std::string_view joined);

}  // namespace freshet::account
