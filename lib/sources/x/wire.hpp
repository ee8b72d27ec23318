// The parts of the X source: requests (plan), answers (read) and items. Private to its folder.
#pragma once

#include <base/json.hpp>
#include <freshet/item.hpp>
#include <map>
#include <optional>
#include <sources/source.hpp>
#include <string>
#include <string_view>

namespace freshet::sources::x {

inline constexpr std::string_view default_api = "https://api.x.com";

/// The API's bounds for lists: a search gives at least ten posts a page, a timeline five. Every
/// post that is returned is charged for, so no more are asked for than are wanted.
inline constexpr int least_searched = 10;
inline constexpr int least_of_timeline = 5;
inline constexpr int max_page = 100;
/// Characters of a query in the recent search.
inline constexpr std::size_t max_query = 512;
/// Characters of the token of a next page.
inline constexpr std::size_t max_token = 128;
/// By how much clocks may differ.
inline constexpr auto search_slack = std::chrono::minutes{1};
/// The recent search refuses a start_time beyond seven days.
inline constexpr auto search_window = std::chrono::days{7} - search_slack;

/// How X calls fields and expansions: "tweet" since 2020, "post" since 2026.
enum class vocabulary { tweet, post };

/// The state of a follow: which answer the next read() gets. `state_renamed` in front of one, or
/// alone, says that the names of 2026 have been asked for.
inline constexpr std::string_view state_renamed = "renamed:";
inline constexpr std::string_view state_of_user = "user:";  ///< the timeline of that id

/// Whether `text` is an id: digits. They are beyond 32 bits and kept as text.
[[nodiscard]] bool is_native_id(std::string_view text) noexcept;
/// When a post was written, from its id; null for ids from before November 2010.
[[nodiscard]] std::optional<time_point> time_of_id(std::string_view id) noexcept;
/// The post that `call` names by id or url. Error: not_found (nothing of X's).
[[nodiscard]] result<std::string> post_id_of(const call& call);

[[nodiscard]] http::request lookup_request(const call& call, const settings& settings);
[[nodiscard]] http::request timeline_request(const call& call, const settings& settings,
                                             std::string_view user_id, std::string_view token,
                                             vocabulary words);
/// The request for a page of those who follow a user, or whom the user follows.
[[nodiscard]] http::request follows_request(const call& call, const settings& settings,
                                            std::string_view user_id, std::string_view token);
/// Error: invalid_request (a query that is too long).
[[nodiscard]] result<http::request> search_request(const call& call, const settings& settings,
                                                   std::string_view token, vocabulary words);
/// The request for the replies to a post: its conversation, or what answers it directly.
[[nodiscard]] http::request replies_request(const call& call, const settings& settings,
                                            std::string_view post_id, std::string_view token,
                                            vocabulary words);
/// The request for whether there is such a post, to tell one without replies from none at all.
[[nodiscard]] http::request existence_request(const settings& settings, std::string_view post_id);
[[nodiscard]] http::request post_request(const settings& settings, std::string_view post_id,
                                         vocabulary words);

plan_function plan_lookup, plan_timeline, plan_search, plan_replies, plan_one, plan_follows,
    plan_trends;
stand_function search_stands_until, replies_stand_until;
read_function read_lookup, read_timeline, read_search, read_replies, read_one, read_follows,
    read_trends;

/// The number by which X knows a country, or the world for ""; "" where it has no trends of
/// one.
[[nodiscard]] std::string_view place_of(std::string_view country) noexcept;

/// What an answer includes beside its posts, by id or key. Views into the answer.
struct inclusions {
  std::map<std::string_view, const base::json::value*> users, posts, media;
};
[[nodiscard]] inclusions inclusions_of(const base::json::value& body);

/// A post as an item, of a repost the post that is reposted; null if it is none.
[[nodiscard]] std::optional<post> read_post(const base::json::value& value,
                                            const inclusions& inclusions);
/// A user as an item; null if it is none.
[[nodiscard]] std::optional<user> read_user(const base::json::value& from);

}  // namespace freshet::sources::x
