// What plan.cpp and read.cpp of this source share: where a walk goes on.
#pragma once

#include <cstdint>
#include <freshet/result.hpp>
#include <sources/source.hpp>
#include <string>
#include <string_view>

namespace freshet::sources::mojeek {

inline constexpr std::int64_t max_given = 1000;  // the engine's own bound

/// Where a search goes on. `start` is what the page's own link to the next one says.
struct start_position {
  std::int64_t start = 1;
  std::int64_t given = 0;

  [[nodiscard]] std::string text() const;  ///< "11:10"
};
/// The position of this page; "" is the first. Error: invalid_cursor.
[[nodiscard]] result<start_position> read_position(std::string_view text);

plan_function plan_search;
read_function read_search;

}  // namespace freshet::sources::mojeek
