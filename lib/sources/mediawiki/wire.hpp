// What plan.cpp and read.cpp of this source share: where a wiki's API is, and positions.
#pragma once

#include <cstdint>
#include <freshet/result.hpp>
#include <sources/source.hpp>
#include <string>
#include <string_view>

namespace freshet::sources::mediawiki {

inline constexpr std::string_view default_base = "https://en.wikipedia.org/w";
inline constexpr std::int64_t max_offset = 10'000;  // of CirrusSearch

/// The folder that holds api.php: base_url; with /w if it has no path, and in the language asked
/// for if it is Wikipedia's default.
[[nodiscard]] std::string script_folder(const call& call, const settings& settings);

/// The offset of this page; "" is 0. Error: invalid_cursor.
[[nodiscard]] result<std::int64_t> read_position(std::string_view text);

plan_function plan_search, plan_suggest;
read_function read_search, read_suggest;

}  // namespace freshet::sources::mediawiki
