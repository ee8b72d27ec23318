// The parts of the PeerTube source: where a call goes, requests (plan), answers (read) and items.
// Private to its folder.
#pragma once

#include <base/json.hpp>
#include <freshet/item.hpp>
#include <optional>
#include <sources/instance.hpp>
#include <sources/read_answer.hpp>
#include <sources/source.hpp>
#include <string_view>

namespace freshet::sources::peertube {

/// Framasoft's index over the public instances.
inline constexpr std::string_view default_search = "https://sepiasearch.org";
/// The instance that is asked for a handle without a host.
inline constexpr std::string_view default_instance = "https://framatube.org";

/// What counts as a short video: a policy of ours, for no instance has such a flag.
inline constexpr int longest_short_s = 180;
/// The API's bound for lists.
inline constexpr int max_page = 100;
/// Threads of a video that are asked for at once. Each that has replies takes a request more, and
/// so the steps of a page are bounded.
inline constexpr int max_trees = 20;
/// Where no list goes: positions beyond it are refused.
inline constexpr std::size_t last_offset = 1'000'000;

/// The state of a follow: the name is no channel's, so it is asked for as an account's.
inline constexpr std::string_view state_account = "account";
/// How many videos in a row a page may pass over, for they are all too long, before it is given
/// as it is. Each page of the API is a follow, whose state is the position of that page.
inline constexpr std::size_t longest_gap = 4 * static_cast<std::size_t>(max_page);

/// Error: not_found (no name PeerTube can have).
[[nodiscard]] result<local_name> creator_target(const call& call, const settings& settings);
/// The video that a call names, at the instance that has it. Error: not_found.
[[nodiscard]] result<local_name> video_target(const call& call, const settings& settings);
/// The index that is searched. Paths in its answers belong to other hosts.
[[nodiscard]] instance search_instance(const settings& settings);

[[nodiscard]] http::request account_request(const local_name& whose);
[[nodiscard]] http::request videos_request(const local_name& whose, bool of_account,
                                           std::size_t start);
/// The offset in a position: "20"; that of a creator's videos has the kind of creator in front,
/// without a separator: "c20" (a channel), "a20" (an account). Error: invalid_cursor.
[[nodiscard]] result<std::size_t> read_position(std::string_view text);
[[nodiscard]] result<std::size_t> read_videos_position(std::string_view text);

/// The request for a page of the threads under a video, and for one of them with its replies.
[[nodiscard]] http::request threads_request(const call& call, const local_name& video,
                                            std::size_t start);
[[nodiscard]] http::request tree_request(const local_name& video, std::string_view thread);

/// The request for the list of a video's captions.
[[nodiscard]] http::request captions_request(const local_name& video);

plan_function plan_search, plan_hashtag, plan_lookup, plan_videos, plan_one, plan_comments,
    plan_transcript, plan_trends;
read_function read_search, read_lookup, read_videos, read_one, read_comments, read_transcript,
    read_trends;

/// Whether `text` can be a video's id: a UUID, or the short form of one.
[[nodiscard]] bool is_uuid(std::string_view text) noexcept;
/// The body, or what the status means.
[[nodiscard]] result<json_body> read_api(const http::response& answer, const instance& instance);
/// A video as an item; null if it is none. `base_url`: the server whose answer holds it.
[[nodiscard]] std::optional<video> read_video(const base::json::value& value,
                                              std::string_view base_url);
/// Who is told of as a channel or an account; `base_url` as for a video.
[[nodiscard]] author read_author(const base::json::value& creator, std::string_view base_url);
/// A channel or an account as an item; null if it is none.
[[nodiscard]] std::optional<user> read_creator(const base::json::value& value,
                                               std::string_view base_url);

}  // namespace freshet::sources::peertube
