// What plan.cpp and read.cpp of this source share.
#pragma once

#include <freshet/result.hpp>
#include <sources/source.hpp>
#include <string_view>

namespace freshet::sources::tavily {

inline constexpr int max_results = 20;  // of one search; there is no second page

/// The API's name of a country: "germany"; "" if it has none.
[[nodiscard]] std::string_view country_name(std::string_view code);

plan_function plan_search;
read_function read_search;

}  // namespace freshet::sources::tavily
