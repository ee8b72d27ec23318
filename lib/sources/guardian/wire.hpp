// What plan.cpp and read.cpp of this source share: positions, and how long a refusal lasts.
#pragma once

#include <freshet/result.hpp>
#include <sources/position.hpp>
#include <sources/source.hpp>
#include <string_view>

namespace freshet::sources::guardian {

inline constexpr int max_page_size = 200;  // of the API
inline constexpr int max_pages = 1000;     // nobody reads further; a page number is not unbounded

/// The position of this page; "" is the first. Error: invalid_cursor.
[[nodiscard]] result<sized_page> read_position(std::string_view text, int limit);

/// How long a refused caller has to wait: an hour once the day's calls are used up, else a minute;
/// zero if it was not refused. Headers say how much is left, but not until when.
[[nodiscard]] std::chrono::milliseconds refusal_wait(const http::response& answer);

plan_function plan_search, plan_headlines;
read_function read_search, read_headlines;

}  // namespace freshet::sources::guardian
