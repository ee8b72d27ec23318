// Requests to GDELT's DOC API. It has no pages: the end of the window slides to the oldest article
// seen. Windows begin and end on the quarter hours at which GDELT publishes, so that equal calls
// make equal requests; the pipeline keeps `since` to the second.
#include <array>
#include <base/number.hpp>
#include <cstdio>
#include <sources/gdelt/wire.hpp>
#include <sources/json_request.hpp>
#include <sources/position.hpp>
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
    return base::parse_number<int>(text.substr(at, size)).value_or(-1);
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
std::string query_of(const call& call) {
  auto out = write_query(call.q, {.special = ":()<>-'.,/&!?"});
  if (const auto name = language_name(call.lang); !name.empty()) {
    out += " sourcelang:" + name;
  }
  if (const auto name = country_name(call.country); !name.empty()) {
    out += " sourcecountry:" + name;
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

namespace {

constexpr position_codec positions{
    "GDELT", ':',
    value_field{&window_position::until,
                +[](const std::chrono::sys_seconds& at) { return compact(at); }, &read_compact},
    number_field{&window_position::skip, std::size_t{0}, max_records}};

}  // namespace

std::string window_position::text() const { return positions.text(*this); }

result<window_position> read_position(std::string_view text, const call& call) {
  return positions.read(text, {quarter_after(call.now), 0});
}

time_point quarter_stands_until(const call& call) { return quarter_after(call.now); }

result<http::request> plan_search(const call& call, const settings& settings,
                                  std::string_view position) {
  const auto at = read_position(position, call);
  if (!at) return at.error();
  const auto from = call.since.value_or(call.now - default_reach);
  auto out = json_request(settings.base_url, "/api/v2/doc/doc",
                          {
                              {"query", query_of(call)},
                              {"mode", "ArtList"},
                              {"format", "json"},
                              {"maxrecords", std::to_string(max_records)},
                              {"sort", "DateDesc"},
                              {"startdatetime", compact(quarter_before(from))},
                              {"enddatetime", compact(at->until)},
                          });
  out.pace_key = "gdelt";
  return out;
}

}  // namespace freshet::sources::gdelt
