// What narrows a search beside its words: sites and a window of time, in the terms of the engines
// that can be told of them. What an engine can not be told is filtered by the pipeline, or the
// engine is left out.
#pragma once

#include <freshet/result.hpp>
#include <sources/source.hpp>
#include <string>
#include <string_view>

namespace freshet::sources {

/// What an engine takes of `site:`.
struct site_syntax {
  std::string_view engine;     ///< as it is called in refusals
  bool alternatives = true;    ///< (site:a OR site:b); else one site at most
  std::size_t max_points = 0;  ///< of a whole query; 0: as long as it gets
};

/// A written query with the sites that it is kept to, and behind them those that it is kept from,
/// as many as there is room for: the pipeline filters the rest. Errors: of left_out(), where there
/// is one site too many; invalid_request, where there is no room for the query with its sites.
[[nodiscard]] result<std::string> with_sites(std::string query, const call& call,
                                             const site_syntax& syntax);

/// A refusal because of one parameter that this source can not keep: the call goes on without it,
/// with a warning that says why. `parameter`: "since".
[[nodiscard]] error left_out(std::string_view parameter, std::string_view why);

/// The windows of time that most engines know.
enum class time_window { any, day, week, month, year };
/// The smallest that has all that `since` wants. The pages of a walk are asked for in the same one
/// for an hour: `since` is the first page's, the clock goes on.
[[nodiscard]] time_window time_window_of(const call& call) noexcept;

/// Its day in UTC: "2026-10-25".
[[nodiscard]] std::string day_of(time_point at);

}  // namespace freshet::sources
