// The parts of the YouTube source: requests (plan), answers (read) and items. Private to its
// folder.
#pragma once

#include <base/json.hpp>
#include <freshet/item.hpp>
#include <optional>
#include <sources/position.hpp>
#include <sources/source.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace freshet::sources::youtube {

inline constexpr std::string_view default_api = "https://www.googleapis.com";

/// What counts as a short video: a policy of ours. The API knows "short" as less than four minutes.
inline constexpr int longest_short_s = 180;
/// The API's bound for lists, and for the ids that are asked for at once.
inline constexpr int max_page = 50;
/// The same for comments; each comes with five of its replies at most.
inline constexpr int max_threads = 100;

/// The state of a follow: which answer the next read() gets, and behind the mark where the list
/// goes on (a search), or whose uploads they are and where they go on.
inline constexpr std::string_view state_uploads = "uploads:";
inline constexpr std::string_view state_details = "details:";

[[nodiscard]] bool is_channel_id(std::string_view text) noexcept;
[[nodiscard]] bool is_playlist_id(std::string_view text) noexcept;
[[nodiscard]] bool is_page_token(std::string_view text) noexcept;

/// A place in somebody's uploads: the playlist, and the token of a page of it. Error:
/// invalid_cursor.
[[nodiscard]] result<token_position> read_uploads_position(std::string_view text);

/// The video that a call names. Error: not_found (nothing of YouTube's).
[[nodiscard]] result<std::string> video_of(const call& call);

[[nodiscard]] http::request uploads_request(const settings& settings,
                                            const token_position& position);
[[nodiscard]] http::request details_request(const settings& settings,
                                            const std::vector<std::string>& ids);

plan_function plan_search, plan_lookup, plan_videos, plan_one, plan_comments, plan_trends;
read_function read_search, read_lookup, read_videos, read_one, read_comments, read_trends;

/// An ISO 8601 duration in seconds ("PT1M5S"); null if it is none.
[[nodiscard]] std::optional<double> read_duration(std::string_view text) noexcept;
/// The hashtags in a text, without their #.
[[nodiscard]] std::vector<std::string> hashtags_in(std::string_view text);
/// How long the daily quota stays used up: until midnight in California.
[[nodiscard]] std::chrono::seconds until_quota_reset(time_point now);

/// A video resource as an item; null if it is none.
[[nodiscard]] std::optional<video> read_video(const base::json::value& from);
/// A comment resource as an item of this video; null if it is none.
[[nodiscard]] std::optional<comment> read_comment(const base::json::value& value,
                                                  std::string_view video);
/// A channel resource as an item; null if it is none.
[[nodiscard]] std::optional<user> read_channel(const base::json::value& from);

}  // namespace freshet::sources::youtube
