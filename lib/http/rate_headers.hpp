// What an answer says about when to come back, in the many forms that sources use. It reads headers
// only and decides nothing.
#pragma once

#include <chrono>
#include <http/message.hpp>
#include <optional>

namespace freshet::http {

/// No server keeps us away for longer than this, whatever it says.
inline constexpr std::chrono::seconds longest_wait{3600};

/// Retry-After: delta seconds or an HTTP date; null if absent or unreadable. At most longest_wait.
[[nodiscard]] std::optional<std::chrono::milliseconds> retry_after(const headers& fields,
                                                                   time_point now);

/// How long until a used-up quota is filled again: RateLimit-Remaining/-Reset with the prefixes
/// "", "X-" and spelled Rate-Limit, several windows separated by commas, and the structured
/// `RateLimit: "default";r=0;t=30`. A reset is delta seconds, epoch seconds or milliseconds, or a
/// date. Null while something remains, or if the answer does not say. At most longest_wait.
[[nodiscard]] std::optional<std::chrono::milliseconds> quota_wait(const headers& fields,
                                                                  time_point now);

}  // namespace freshet::http
