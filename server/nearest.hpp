// "Did you mean": the known name closest to a mistyped one, for options, commands and endpoints.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace freshet::server {

/// The candidate closest to `word` by edit distance, or "" if none is close (more than a third of
/// the word, and more than 2, would have to change). The view is one of `candidates`.
[[nodiscard]] std::string_view nearest(std::string_view word,
                                       std::span<const std::string_view> candidates);

/// "; did you mean 'x'?", or "" if nothing is near.
[[nodiscard]] std::string did_you_mean(std::string_view word,
                                       std::span<const std::string_view> candidates);

}  // namespace freshet::server
