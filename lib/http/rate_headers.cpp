// The dialects: IETF drafts (three headers, later one structured field), GitHub's X-RateLimit with
// epoch seconds, Reddit's floats and deltas, Mastodon's ISO dates, Brave's lists of windows.
#include <algorithm>
#include <base/number.hpp>
#include <base/time_text.hpp>
#include <base/unicode.hpp>
#include <cmath>
#include <http/rate_headers.hpp>
#include <string>
#include <vector>

namespace freshet::http {
namespace {

using std::chrono::milliseconds;

/// A "number of seconds" beyond this is a moment: no server means 30 years from now.
constexpr double least_epoch_seconds = 1e9;
constexpr double least_epoch_milliseconds = 1e12;

constexpr std::string_view dialects[] = {"ratelimit-", "x-ratelimit-", "x-rate-limit-",
                                         "rate-limit-"};

std::optional<double> read_number(std::string_view text) noexcept {
  text = base::trim(text);
  const auto out = base::take_number<double>(text);
  if (!out || !std::isfinite(*out)) return std::nullopt;
  // "30", "30.5" and "30;w=60", but not "30 Nov".
  return text.empty() || text.front() == ';' ? out : std::nullopt;
}

milliseconds bounded(double seconds) noexcept {
  const double most = static_cast<double>(longest_wait.count());
  return milliseconds(static_cast<std::int64_t>(std::clamp(seconds, 0.0, most) * 1000.0));
}

std::optional<milliseconds> until(std::optional<time_point> moment, time_point now) noexcept {
  if (!moment) return std::nullopt;
  return std::clamp<milliseconds>(*moment - now, milliseconds(0), longest_wait);
}

std::optional<milliseconds> read_reset(std::string_view text, time_point now) {
  const std::optional<double> number = read_number(text);
  if (!number) return until(base::parse_time(base::trim(text)), now);
  if (*number < least_epoch_seconds) return bounded(*number);
  const double unix_seconds = *number < least_epoch_milliseconds ? *number : *number / 1000;
  return until(base::from_unix_seconds(unix_seconds), now);
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> out;
  while (true) {
    const auto end = text.find(separator);
    out.push_back(base::trim(text.substr(0, end)));
    if (end == std::string_view::npos) return out;
    text.remove_prefix(end + 1);
  }
}

/// Remaining and reset, window by window: "0, 1980" and "1, 1419704".
std::optional<milliseconds> wait_of(std::string_view remaining, std::string_view reset,
                                    time_point now) {
  if (remaining.empty() || reset.empty()) return std::nullopt;
  const std::vector<std::string_view> lefts = split(remaining, ',');
  // An HTTP date has a comma of its own.
  const std::vector<std::string_view> resets =
      lefts.size() == 1 ? std::vector<std::string_view>{reset} : split(reset, ',');
  std::optional<milliseconds> longest;
  for (std::size_t i = 0; i < lefts.size() && i < resets.size(); ++i) {
    const std::optional<double> left = read_number(lefts[i]);
    if (!left || *left >= 1) continue;  // 0.4 of a request is none
    longest = std::max(longest, read_reset(resets[i], now));
  }
  return longest;
}

/// `"default";r=0;t=30, "day";r=9;t=4000`
std::optional<milliseconds> structured_wait(std::string_view field) {
  std::optional<milliseconds> longest;
  for (const std::string_view item : split(field, ',')) {
    std::optional<double> left, seconds;
    for (const std::string_view parameter : split(item, ';')) {
      if (parameter.starts_with("r=")) left = read_number(parameter.substr(2));
      if (parameter.starts_with("t=")) seconds = read_number(parameter.substr(2));
    }
    if (left && seconds && *left < 1) longest = std::max(longest, std::optional(bounded(*seconds)));
  }
  return longest;
}

}  // namespace

std::optional<milliseconds> retry_after(const headers& fields, time_point now) {
  const std::string_view value = find_header(fields, "Retry-After");
  if (value.empty()) return std::nullopt;
  return read_reset(value, now);
}

std::optional<milliseconds> quota_wait(const headers& fields, time_point now) {
  std::optional<milliseconds> longest = structured_wait(find_header(fields, "RateLimit"));
  for (const std::string_view dialect : dialects) {
    const std::string name(dialect);
    longest = std::max(longest, wait_of(find_header(fields, name + "remaining"),
                                        find_header(fields, name + "reset"), now));
  }
  return longest;
}

}  // namespace freshet::http
