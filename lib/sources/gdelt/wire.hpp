// What plan.cpp and read.cpp of this source share: positions, the form of its times, and its names
// of languages and countries.
#pragma once

#include <freshet/result.hpp>
#include <sources/source.hpp>
#include <string>
#include <string_view>

namespace freshet::sources::gdelt {

inline constexpr std::size_t max_records = 250;  // of one answer
inline constexpr std::chrono::seconds pause{6};  // GDELT asks for 5 and bans who is early
/// How long it is left alone after a 429, which says that its search is saturated, whoever asks: it
/// comes to first requests, too, and asking on lengthens it.
inline constexpr std::chrono::seconds overload_pause{600};
/// A search takes a few seconds; a 429 comes after thirteen.
inline constexpr std::chrono::seconds answer_time{12};

/// Where a search goes on: articles up to `until`, of which `skip` are known already.
struct window_position {
  std::chrono::sys_seconds until;
  std::size_t skip = 0;

  [[nodiscard]] std::string text() const;
};
/// The position of this page; "" begins at the end of the quarter of an hour that runs. Error:
/// invalid_cursor.
[[nodiscard]] result<window_position> read_position(std::string_view text, const call& call);

/// 20261101120000
[[nodiscard]] std::string compact(std::chrono::sys_seconds at);

/// The BCP 47 code of "Portuguese", the ISO 3166-1 code of "United States"; "" if unknown.
[[nodiscard]] std::string_view language_code(std::string_view name);
[[nodiscard]] std::string_view country_code(std::string_view name);
/// What the operators sourcelang: and sourcecountry: take for a code; "" if unknown.
[[nodiscard]] std::string language_name(std::string_view tag);
[[nodiscard]] std::string country_name(std::string_view code);

/// A title as GDELT sends it, with the spaces between its tokens that were not there taken out.
[[nodiscard]] std::string untokenised(std::string_view title);

plan_function plan_search;
stand_function quarter_stands_until;
read_function read_search;

}  // namespace freshet::sources::gdelt
