// The parts of the Dailymotion source: requests (plan), answers (read) and items. Private to its
// folder.
#pragma once

#include <base/json.hpp>
#include <cstdint>
#include <freshet/item.hpp>
#include <optional>
#include <sources/source.hpp>
#include <string>
#include <string_view>

namespace freshet::sources::dailymotion {

inline constexpr std::string_view default_api = "https://api.dailymotion.com";

/// What counts as a short video: a policy of ours. The API takes whole minutes, up to and
/// including.
inline constexpr int longest_short_s = 180;
inline constexpr int longest_short_min = longest_short_s / 60;
/// The API's bound for lists.
inline constexpr int max_page = 100;
/// No list goes beyond this many videos, whatever its total says.
inline constexpr int last_video = 1000;

/// Which fields are asked for: a field that has been withdrawn is a refusal of all.
enum class field_choice : std::uint8_t { all, without_views, safe };
/// The states of follows that ask for fewer.
inline constexpr std::string_view state_without_views = "without_views", state_safe = "safe";

/// A place in a list: a page, how many videos each page has (it must not change within a walk), and
/// how many of the page have been given. As text "2.20.7".
struct list_position {
  int page = 1;
  int size = 0;
  int given = 0;

  [[nodiscard]] std::string text() const;
};

/// Error: invalid_cursor.
[[nodiscard]] result<list_position> read_position(std::string_view text, int limit);

/// The request for a page of a list.
[[nodiscard]] result<http::request> list_request(const call& call, const settings& settings,
                                                 const list_position& position,
                                                 field_choice fields);
/// The request for the video that a call names. Error: not_found (nothing of Dailymotion's).
[[nodiscard]] result<http::request> video_request(const call& call, const settings& settings,
                                                  field_choice fields);
/// The request for the list of a video's subtitles.
[[nodiscard]] http::request subtitles_request(std::string_view id, const settings& settings);
/// The request for a creator.
[[nodiscard]] result<http::request> user_request(const call& call, const settings& settings,
                                                 field_choice fields);

plan_function plan_list, plan_lookup, plan_one;
read_function read_list, read_lookup, read_one, read_transcript;

/// Whether `text` can be an id of the API.
[[nodiscard]] bool is_native_id(std::string_view text) noexcept;
/// A video as an item; null if it is none.
[[nodiscard]] std::optional<video> read_video(const base::json::value& from);
/// A user as an item; null if it is none.
[[nodiscard]] std::optional<user> read_user(const base::json::value& from);

}  // namespace freshet::sources::dailymotion
