// The parts of the TikTok source: requests (plan), answers (read) and items. Private to its folder.
#pragma once

#include <base/json.hpp>
#include <freshet/item.hpp>
#include <optional>
#include <sources/source.hpp>
#include <string>
#include <string_view>

namespace freshet::sources::tiktok {

inline constexpr std::string_view default_api = "https://open.tiktokapis.com";

/// What counts as a short video: a policy of ours.
inline constexpr int longest_short_s = 180;
/// The API's bound for lists.
inline constexpr int max_page = 100;
/// How long a client's token is given again; it lives for two hours.
inline constexpr auto token_kept = std::chrono::minutes{110};

/// A query looks at no more than thirty days; what reaches further back is asked for window by
/// window, the newest first.
inline constexpr auto window = std::chrono::days{30};
/// Windows that are looked at without `since`, and with it.
inline constexpr int windows_by_default = 3;
inline constexpr int most_windows = 13;

/// A place in a list: the last day of its window, and how far into it. As text
/// "20261101.100.7354367454467855403".
struct query_position {
  std::chrono::sys_days last_day{};
  std::int64_t cursor = 0;
  std::string search_id;

  [[nodiscard]] std::string text() const;
};
/// Error: invalid_cursor.
[[nodiscard]] result<query_position> read_position(std::string_view text, const call& call);
/// The first day of the window at a place: thirty days before, or that of `since`.
[[nodiscard]] std::chrono::sys_days first_day(const call& call, const query_position& position);

[[nodiscard]] bool is_username(std::string_view text) noexcept;
[[nodiscard]] bool is_native_id(std::string_view text) noexcept;

[[nodiscard]] http::request token_request(const settings& settings);
/// The query for a page of videos, and the look-up of a creator; without their token.
[[nodiscard]] http::request videos_request(const call& call, const settings& settings,
                                           const query_position& position);
/// The query for one video, in the days around the moment that its id holds.
[[nodiscard]] http::request video_request(std::string_view id, const settings& settings);
/// The same with what is said in it.
[[nodiscard]] http::request speech_request(std::string_view id, const settings& settings);
/// The video that a call names. Error: not_found (nothing of TikTok's).
[[nodiscard]] result<std::string> video_of(const call& call);
/// A page of a video's comments, from this one on.
[[nodiscard]] http::request comments_request(const call& call, std::string_view id,
                                             const settings& settings, std::int64_t cursor);
/// The number of a comment in a position; 0 for "". Error: invalid_cursor.
[[nodiscard]] result<std::int64_t> read_comments_position(std::string_view text);
[[nodiscard]] http::request user_request(const call& call, const settings& settings);

plan_function plan_videos, plan_lookup, plan_one, plan_comments;
stand_function day_stands_until;
read_function read_videos, read_lookup, read_one, read_comments, read_transcript;

/// A body with its long numbers as strings: ids go beyond 64 bits and must keep every digit.
[[nodiscard]] std::string with_ids_as_text(std::string_view body);
/// A video of the Research API as an item; null if it is none.
[[nodiscard]] std::optional<video> read_video(const base::json::value& from);
/// A comment of the Research API as an item; null if it is none.
[[nodiscard]] std::optional<comment> read_comment(const base::json::value& value,
                                                  std::string_view video);
/// What the Research API says of a creator, who is known by the name asked for.
[[nodiscard]] user read_user(const base::json::value& value, std::string_view username);

}  // namespace freshet::sources::tiktok
