// Reading Cache-Control, Expires, Age, Date and Last-Modified.
#include <algorithm>
#include <base/time_text.hpp>
#include <base/unicode.hpp>
#include <charconv>
#include <http/freshness.hpp>

namespace freshet::http {
namespace {

using std::chrono::floor;
using std::chrono::seconds;

constexpr seconds longest_age{std::int64_t{1} << 31};  ///< what RFC 9111, 1.2.2 asks for
constexpr int heuristic_divisor = 10;

std::optional<seconds> read_delta(std::string_view text) noexcept {
  if (text.size() >= 2 && text.front() == '"' && text.back() == '"') {
    text = text.substr(1, text.size() - 2);
  }
  std::int64_t value = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status == std::errc::result_out_of_range) return longest_age;
  if (status != std::errc() || end != text.data() + text.size() || value < 0) return std::nullopt;
  return std::min(seconds(value), longest_age);
}

void read_directive(std::string_view text, cache_directives& out) {
  const auto equals = text.find('=');
  const std::string name = base::to_lower_ascii(base::trim(text.substr(0, equals)));
  if (name == "no-store") out.no_store = true;
  if (name == "no-cache") out.no_cache = true;
  if (name == "must-revalidate") out.must_revalidate = true;
  if (name == "public") out.is_public = true;
  if (name != "max-age") return;
  const std::string_view value =
      equals == std::string_view::npos ? std::string_view() : base::trim(text.substr(equals + 1));
  const seconds read = read_delta(value).value_or(seconds(0));
  out.max_age = out.max_age ? std::min(*out.max_age, read) : read;
}

}  // namespace

cache_directives read_cache_control(const headers& in) {
  cache_directives out;
  for (const header& each : in) {
    if (!base::equals_ignoring_ascii_case(each.name, "Cache-Control")) continue;
    std::string_view rest = each.value;
    while (!rest.empty()) {
      // A comma inside quotes does not divide: no-cache="a, b".
      std::size_t end = 0;
      for (bool quoted = false; end < rest.size() && (quoted || rest[end] != ','); ++end) {
        if (rest[end] == '"') quoted = !quoted;
      }
      read_directive(rest.substr(0, end), out);
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }
  return out;
}

std::chrono::seconds freshness_lifetime(const response& response, time_point received) {
  if (const auto said = read_cache_control(response.headers).max_age) return *said;
  const time_point date =
      base::parse_time(find_header(response.headers, "Date")).value_or(received);
  const std::string_view expires = find_header(response.headers, "Expires");
  if (!expires.empty()) {
    const auto at = base::parse_time(expires);  // "0" and the like: already expired
    return at ? std::max(floor<seconds>(*at - date), seconds(0)) : seconds(0);
  }
  const auto modified = base::parse_time(find_header(response.headers, "Last-Modified"));
  if (!modified || *modified > date) return seconds(0);
  return std::min(floor<seconds>(date - *modified) / heuristic_divisor, heuristic_cap);
}

bool takes_kept_answers(const request& what) {
  // With these the caller asks for something that a kept answer may not be.
  constexpr std::string_view preconditions[] = {"If-Match", "If-Unmodified-Since", "If-Range",
                                                "Range"};
  if (what.method != "GET" || !what.cacheable || !what.body.empty()) return false;
  if (std::ranges::any_of(preconditions, [&](std::string_view name) {
        return !find_header(what.headers, name).empty();
      })) {
    return false;
  }
  const cache_directives asked = read_cache_control(what.headers);
  return !asked.no_store && !asked.no_cache;
}

bool is_personal(const request& asked, const cache_directives& said) {
  return !find_header(asked.headers, "Authorization").empty() && !said.is_public;
}

bool is_redirected(const request& asked, const response& got) {
  return got.final_url != asked.url && !got.final_url.empty();
}

std::chrono::seconds freshness_lifetime(const request& asked, const response& response,
                                        time_point received) {
  return is_redirected(asked, response) ? seconds(0) : freshness_lifetime(response, received);
}

std::chrono::seconds age_on_arrival(const headers& fields, time_point received) {
  const seconds said = read_delta(find_header(fields, "Age")).value_or(seconds(0));
  const auto date = base::parse_time(find_header(fields, "Date"));
  const seconds apparent = date ? floor<seconds>(received - *date) : seconds(0);
  return std::clamp(std::max(said, apparent), seconds(0), longest_age);
}

bool is_cacheable_status(const response& of) {
  switch (of.status) {
    case 200:
    case 203:
      return true;
    case 204:
    case 300:
    case 301:
    case 308:
    case 404:
    case 410:
      return read_cache_control(of.headers).max_age.has_value() ||
             !find_header(of.headers, "Expires").empty();
    default:
      return false;
  }
}

}  // namespace freshet::http
