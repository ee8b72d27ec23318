// Requests to GDELT's DOC API. It has no pages: the end of the window slides to the oldest article
// seen. Windows begin and end on the quarter hours at which GDELT publishes, so that equal calls
// make equal requests; the pipeline keeps `since` to the second.
#include <array>
#include <base/url.hpp>
#include <charconv>
#include <cstdio>
#include <sources/gdelt/wire.hpp>
#include <sources/query_syntax.hpp>

namespace freshet::sources::gdelt {

namespace {

using quarters = std::chrono::duration<std::int64_t, std::ratio<15 * 60>>;

/// How far back a search without `since` goes: what GDELT itself takes.
constexpr std::chrono::days default_reach{90};

std::chrono::sys_seconds quarter_after(time_point at) { return std::chrono::ceil<quarters>(at); }
std::chrono::sys_seconds quarter_before(time_point at) { return std::chrono::floor<quarters>(at); }

std::optional<std::chrono::sys_seconds> read_compact(std::string_view text) {
  constexpr std::size_t digits = 14;
  if (text.size() != digits) return std::nullopt;
  const auto part = [&](std::size_t at, std::size_t size) {
    int value = -1;
    const auto end = text.data() + at + size;
    const auto read = std::from_chars(text.data() + at, end, value);
    return read.ec == std::errc{} && read.ptr == end ? value : -1;
  };
  const int hour = part(8, 2), minute = part(10, 2), second = part(12, 2);
  const int year = part(0, 4), month = part(4, 2), day = part(6, 2);
  if (hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 59 ||
      year < 1970 || month < 1 || day < 1) {
    return std::nullopt;
  }
  const std::chrono::year_month_day date{std::chrono::year{year},
                                         std::chrono::month{static_cast<unsigned>(month)},
                                         std::chrono::day{static_cast<unsigned>(day)}};
  if (!date.ok()) return std::nullopt;
  return std::chrono::sys_days{date} + std::chrono::hours{hour} + std::chrono::minutes{minute} +
         std::chrono::seconds{second};
}

/// `q` with the operators for language and country.
std::string query_of(const call& what) {
  auto out = write_query(what.q, {.special = ":()<>-'.,/&!?"});
  if (const auto name = language_name(what.lang); !name.empty()) {
    out += " sourcelang:" + std::string(name);
  }
  if (const auto name = country_name(what.country); !name.empty()) {
    out += " sourcecountry:" + std::string(name);
  }
  return out;
}

}  // namespace

std::string compact(std::chrono::sys_seconds at) {
  const auto day = std::chrono::floor<std::chrono::days>(at);
  const std::chrono::year_month_day date{day};
  const std::chrono::hh_mm_ss time{at - day};
  std::array<char, 32> out{};
  std::snprintf(out.data(), out.size(), "%04d%02u%02u%02d%02d%02d", static_cast<int>(date.year()),
                static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                static_cast<int>(time.hours().count()), static_cast<int>(time.minutes().count()),
                static_cast<int>(time.seconds().count()));
  return out.data();
}

std::string search_position::text() const { return compact(until) + ":" + std::to_string(skip); }

result<search_position> read_position(std::string_view text, const call& what) {
  if (text.empty()) return search_position{quarter_after(what.now), 0};
  const auto colon = text.find(':');
  const auto until = read_compact(text.substr(0, colon));
  search_position out;
  if (until && colon != std::string_view::npos) {
    out.until = *until;
    const auto end = text.data() + text.size();
    const auto read = std::from_chars(text.data() + colon + 1, end, out.skip);
    if (read.ec == std::errc{} && read.ptr == end && out.skip <= max_records) return out;
  }
  return error(errc::invalid_cursor, "the position is not one of GDELT");
}

result<http::request> plan_search(const call& what, const settings& with,
                                  std::string_view position) {
  const auto at = read_position(position, what);
  if (!at) return at.error();
  const auto from = what.since.value_or(what.now - default_reach);
  http::request out;
  out.url = base::join_path(with.base_url, "/api/v2/doc/doc") + "?" +
            base::build_query({
                {"query", query_of(what)},
                {"mode", "ArtList"},
                {"format", "json"},
                {"maxrecords", std::to_string(max_records)},
                {"sort", "DateDesc"},
                {"startdatetime", compact(quarter_before(from))},
                {"enddatetime", compact(at->until)},
            });
  out.headers.push_back({"Accept", "application/json"});
  out.pace_key = "gdelt";
  return out;
}

}  // namespace freshet::sources::gdelt
