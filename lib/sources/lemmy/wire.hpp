// What plan.cpp and read.cpp of this source share: positions, the post that a call means, and the
// table of language numbers.
#pragma once

#include <cstdint>
#include <freshet/result.hpp>
#include <sources/position.hpp>
#include <sources/source.hpp>
#include <string>
#include <string_view>

namespace freshet::sources::lemmy {

inline constexpr int max_page_size = 50;      // of the API
inline constexpr int max_pages = 200;         // beyond it an instance only repeats deep table scans
inline constexpr int max_comment_depth = 50;  // deeper comments can not be written

/// The position of this page; "" is the first. Error: invalid_cursor.
[[nodiscard]] result<sized_page> read_position(std::string_view text, int limit);

/// host[:port] of the instance that is asked.
[[nodiscard]] std::string host_of_instance(const settings& settings);

/// The post that a call names: a number on the instance asked, or the address of one elsewhere
/// that the instance must look up. Both empty: none that Lemmy could know.
struct post_target {
  std::string number;
  std::string remote_url;
};
[[nodiscard]] post_target target_of(const call& call, const settings& settings);

/// The request for all comments of post `number` of the instance.
[[nodiscard]] http::request comments_request(std::string_view number, const call& call,
                                             const settings& settings);

/// The BCP 47 code of Lemmy's `language_id`; "" for 0 (undetermined) and unknown ones.
[[nodiscard]] std::string_view language_of(std::int64_t number) noexcept;

plan_function plan_search, plan_comments;
read_function read_search, read_comments;

}  // namespace freshet::sources::lemmy
