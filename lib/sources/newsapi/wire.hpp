// What plan.cpp and read.cpp of this source share: positions, and the request without a beginning
// that a plan with a short memory makes necessary.
#pragma once

#include <freshet/result.hpp>
#include <sources/source.hpp>
#include <string>
#include <string_view>

namespace freshet::sources::newsapi {

inline constexpr int max_page_size = 100;  // of the API
inline constexpr int max_pages = 1000;     // nobody reads further; a page number is not unbounded

/// Where a search goes on.
struct article_position {
  int page = 1;
  int size = 20;
  bool any_age = false;  ///< without `from`: the plan refused it as too far in the past

  [[nodiscard]] std::string text() const;
};
/// The position of this page; "" is the first. Error: invalid_cursor.
[[nodiscard]] result<article_position> read_position(std::string_view text, int limit);

[[nodiscard]] http::request search_request(const call& call, const settings& settings,
                                           const article_position& position);

/// How long a refused caller has to wait; zero if it was not refused. The answer does not say.
[[nodiscard]] std::chrono::milliseconds refusal_wait(const http::response& answer);

plan_function plan_search, plan_headlines;
read_function read_search, read_headlines;

}  // namespace freshet::sources::newsapi
