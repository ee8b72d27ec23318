// What plan.cpp and read.cpp of this source share: where a walk goes on.
#pragma once

#include <cstdint>
#include <freshet/result.hpp>
#include <sources/source.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace freshet::sources::duckduckgo {

inline constexpr std::int64_t max_given = 1000;  // nobody's results go further
inline constexpr std::size_t max_fields = 24;    // of the form

/// Where a search goes on: the hidden form at the end of a page, which is all that DuckDuckGo
/// itself sends for the next one. Its `q` is left out, for the call has it.
struct form_position {
  std::int64_t given = 0;  ///< results so far
  std::vector<std::pair<std::string, std::string>> fields;

  /// "10:s=10&vqd=..."; "" for the first page.
  [[nodiscard]] std::string text() const;
  /// How many of the engine's results come before this page.
  [[nodiscard]] std::int64_t offset() const noexcept;
};
/// The position of this page. Error: invalid_cursor; a page after the first has a vqd.
[[nodiscard]] result<form_position> read_position(std::string_view text);

inline constexpr std::string_view default_base = "https://html.duckduckgo.com";
inline constexpr std::string_view suggest_base = "https://duckduckgo.com";

/// The engine's name of a region: "de-de"; "wt-wt" for all of them.
[[nodiscard]] std::string_view region_of(const call& call);

plan_function plan_search, plan_suggest;
read_function read_search, read_suggest;

}  // namespace freshet::sources::duckduckgo
