// The parts of the Invidious source: requests (plan), answers (read) and items. Private to its
// folder.
#pragma once

#include <base/json.hpp>
#include <freshet/item.hpp>
#include <optional>
#include <sources/instance.hpp>
#include <sources/source.hpp>
#include <string>
#include <string_view>

namespace freshet::sources::invidious {

/// What counts as a short video: a policy of ours. "short" to the API is less than four minutes.
inline constexpr int longest_short_s = 180;
/// Pages of a search that are asked for.
inline constexpr int last_page = 50;
/// Continuations longer than this are not followed: a position has 512 bytes.
inline constexpr std::size_t max_continuation = 480;

/// The state of a follow: whose channel the next answer is about.
inline constexpr std::string_view state_channel = "channel:";

/// A place in a creator's videos: the tab, the channel, and the continuation of the API. As text
/// "v/UC.../token": first the videos, which are dated, then the shorts, which are not.
struct tab_position {
  char tab = 'v';  ///< 'v' videos, 's' shorts
  std::string channel;
  std::string continuation;

  [[nodiscard]] std::string text() const;
};
/// Error: invalid_cursor.
[[nodiscard]] result<tab_position> read_tab_position(std::string_view text);
/// The page of a search; 1 for "". Error: invalid_cursor.
[[nodiscard]] result<int> read_position(std::string_view text);

[[nodiscard]] bool is_channel_id(std::string_view text) noexcept;
/// Whether a continuation can be carried in a position; "" can.
[[nodiscard]] bool is_continuation(std::string_view text) noexcept;
/// The video of YouTube that a call names, by its address there or an id of this instance. Error:
/// not_found.
[[nodiscard]] result<std::string> video_of(const call& call, const settings& settings);

[[nodiscard]] http::request channel_request(const settings& settings, std::string_view channel);
[[nodiscard]] http::request tab_request(const settings& settings, const tab_position& position);

/// The request for the captions of a video that have this label.
[[nodiscard]] http::request captions_request(const settings& settings, std::string_view id,
                                             std::string_view label);

plan_function plan_search, plan_lookup, plan_videos, plan_one, plan_comments, plan_trends;
read_function read_search, read_lookup, read_videos, read_one, read_comments, read_transcript,
    read_trends;

/// The request for what an instance's own users watch.
[[nodiscard]] http::request popular_request(const settings& settings);

/// A VideoObject as an item; null if it is none.
[[nodiscard]] std::optional<video> read_video(const base::json::value& value,
                                              const instance& instance);
/// A comment on this video as an item; null if it is none.
[[nodiscard]] std::optional<comment> read_comment(const base::json::value& value,
                                                  std::string_view video, const instance& instance);
/// A channel as an item; null if it is none.
[[nodiscard]] std::optional<user> read_channel(const base::json::value& value,
                                               const instance& instance);

}  // namespace freshet::sources::invidious
