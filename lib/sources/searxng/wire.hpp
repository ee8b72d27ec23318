// What plan.cpp and read.cpp of this source share: positions.
#pragma once

#include <cstdint>
#include <freshet/result.hpp>
#include <sources/source.hpp>
#include <string>
#include <string_view>

namespace freshet::sources::searxng {

inline constexpr int max_pages = 50;                  // no engine behind an instance goes further
inline constexpr std::int64_t max_given = 1'000'000;  // of results in one walk

/// Where a search goes on. Pages have no fixed size, so the ranks so far are carried along.
struct search_position {
  int page = 1;
  std::int64_t given = 0;

  [[nodiscard]] std::string text() const;
};
/// The position of this page; "" is the first. Error: invalid_cursor.
[[nodiscard]] result<search_position> read_position(std::string_view text);

result<http::request> plan_search(const call&, const settings&, std::string_view position);
result<step> read_search(const call&, const settings&, const http::response&,
                         std::string_view position, std::string_view state);

}  // namespace freshet::sources::searxng
