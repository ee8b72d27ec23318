// The `since` grammar. It turns a text into a length of time, and leaves "since when" to the
// caller.
#include <algorithm>
#include <base/invalid_parameter.hpp>
#include <base/number.hpp>
#include <query/since.hpp>
#include <string>

namespace freshet::query {
namespace {

constexpr std::size_t max_digits = 4;  // 1 to 9999
constexpr std::chrono::days max_since{3650};
constexpr std::size_t max_quoted = 32;  // of the caller's text in a message, in bytes

/// The caller's text for a message: short, and only if it is plain.
std::string quoted(std::string_view text) {
  for (const char c : text) {
    if (c < 0x20 || c > 0x7E) return "the value";
  }
  if (text.size() > max_quoted) return "'" + std::string(text.substr(0, max_quoted)) + "...'";
  return "'" + std::string(text) + "'";
}

/// The length of a unit; zero if there is none of that name.
std::chrono::seconds length_of(std::string_view unit) noexcept {
  if (unit == "m") return std::chrono::minutes{1};
  if (unit == "h") return std::chrono::hours{1};
  if (unit == "d") return std::chrono::days{1};
  if (unit == "w") return std::chrono::weeks{1};
  return std::chrono::seconds{0};
}

}  // namespace

result<std::chrono::seconds> parse_since(std::string_view text) {
  constexpr std::string_view expected = "expected <number><unit>, such as 24h or 7d";
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  if (digits == 0) {
    const std::string what = text.empty() ? "it is empty" : quoted(text) + " has no number";
    return base::invalid_parameter("/since", "invalid_format", what + "; " + std::string(expected));
  }
  const std::string_view unit = text.substr(digits);
  if (unit.empty()) {
    return base::invalid_parameter("/since", "invalid_format",
                                   quoted(text) + " has no unit; use m, h, d or w");
  }
  const std::chrono::seconds one = length_of(unit);
  if (one.count() == 0) {
    return base::invalid_parameter("/since", "invalid_format",
                                   quoted(text) + " has an unknown unit; use m, h, d or w");
  }
  const int number =
      digits <= max_digits ? base::parse_number<int>(text.substr(0, digits)).value_or(0) : 0;
  if (number == 0) {
    return base::invalid_parameter("/since", "out_of_bounds",
                                   quoted(text) + " is out of bounds; the number is 1 to 9999");
  }
  if (one * number > max_since) {
    return base::invalid_parameter("/since", "out_of_bounds",
                                   quoted(text) + " is longer than 3650 days");
  }
  return one * number;
}

}  // namespace freshet::query
