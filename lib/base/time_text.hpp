// Moments as text: the one form we write (RFC 3339, UTC, Z; mail has its own) and the many forms
// that sources and HTTP send.
#pragma once

#include <freshet/item.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace freshet::base {

/// RFC 3339 with Z; milliseconds only when there are some: "2026-11-21T03:40:00Z".
[[nodiscard]] std::string format_time(time_point at);

/// RFC 5322, for mail, in UTC: "Sat, 21 Nov 2026 03:40:00 +0000".
[[nodiscard]] std::string format_mail_date(time_point at);

/// Reads RFC 3339 / ISO 8601 (a missing zone means UTC, any number of fraction digits, a date
/// alone), RFC 822/2822 dates as feeds have them (two-digit years, zone names, missing seconds),
/// and the compact 20260101T120000Z of GDELT. Null for anything else, and for years outside
/// 1970..9999.
[[nodiscard]] std::optional<time_point> parse_time(std::string_view text);

/// Seconds since 1970, as many APIs give it.
[[nodiscard]] std::optional<time_point> from_unix_seconds(double unix_seconds);

}  // namespace freshet::base
