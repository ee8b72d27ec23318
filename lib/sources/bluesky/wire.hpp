// The parts of the Bluesky source: requests (plan), answers (read) and items. Private to its
// folder.
#pragma once

#include <base/json.hpp>
#include <freshet/item.hpp>
#include <optional>
#include <sources/source.hpp>
#include <sources/stream.hpp>
#include <string>
#include <string_view>

namespace freshet::sources::bluesky {

inline constexpr std::string_view public_appview = "https://public.api.bsky.app";
/// The host that answers searches without a session, as far as any does.
inline constexpr std::string_view search_appview = "https://api.bsky.app";
inline constexpr std::string_view default_pds = "https://bsky.social";

inline constexpr std::string_view post_collection = "app.bsky.feed.post";

/// The lexicons' bound for lists.
inline constexpr int max_page = 100;
/// Of trends, which have no further page.
inline constexpr int max_trends = 25;
/// Levels of a thread that are asked for. Each is two levels of JSON, which base::max_json_depth
/// bounds.
inline constexpr int max_thread_depth = 200;
/// Upstream cursors longer than this are not followed: a position has 512 bytes.
inline constexpr std::size_t max_cursor = 480;

/// How long a session's token is given again; it lives for two hours.
inline constexpr auto session_kept = std::chrono::minutes{110};

/// A post as a caller names it: at://actor/app.bsky.feed.post/rkey, or its page on bsky.app.
struct post_address {
  std::string actor;  ///< a DID or a handle
  std::string rkey;

  [[nodiscard]] bool has_did() const { return actor.starts_with("did:"); }
};

/// Whether `text` can be a handle (a host name with a dot in it) or a DID.
[[nodiscard]] bool is_handle(std::string_view text) noexcept;
[[nodiscard]] bool is_did(std::string_view text) noexcept;
/// Adds a picture or a video, if it has an address, with what its embed says of it: alternative
/// text, width and height.
void add_media(const base::json::value& embed, std::string_view type, std::string_view url,
               std::string_view preview_url, post& post);
/// The post that `call` names by id or url. Error: not_found (nothing of Bluesky's).
[[nodiscard]] result<post_address> address_of(const call& call);

[[nodiscard]] bool has_session(const settings& settings);
/// The requests for a post with its thread, and for the post alone, once its author's DID is known.
[[nodiscard]] http::request thread_request(const settings& settings, std::string_view did,
                                           std::string_view rkey);
[[nodiscard]] http::request post_request(const settings& settings, std::string_view did,
                                         std::string_view rkey);
/// "at://<did>/app.bsky.feed.post/<rkey>"
[[nodiscard]] std::string post_uri(std::string_view did, std::string_view rkey);
/// The request for a session, and the search through the PDS that holds the account; without the
/// session's token.
[[nodiscard]] http::request session_request(const settings& settings);
[[nodiscard]] http::request session_search_request(const call& call, const settings& settings,
                                                   std::string_view position);

plan_function plan_lookup, plan_timeline, plan_search, plan_replies, plan_one, plan_users,
    plan_follows, plan_trends;
read_function read_lookup, read_timeline, read_search, read_replies, read_one, read_users,
    read_trends;

result<http::request> plan_stream(const settings&, std::string_view cursor);
result<news> read_stream(const settings&, std::string_view message);

/// A postView as an item; null if it is none.
[[nodiscard]] std::optional<post> read_post(const base::json::value& view);
/// A profileViewDetailed as an item; null if it is none.
[[nodiscard]] std::optional<user> read_user(const base::json::value& view);
/// A profileViewBasic as an author.
[[nodiscard]] author read_author(const base::json::value& view);
/// Whether the author (or a moderator) asks that this post or profile be shown to signed-in
/// readers only, or not at all.
[[nodiscard]] bool is_hidden(const base::json::value& view);
/// When the network saw a post or a repost: what timelines are ordered by.
[[nodiscard]] std::optional<time_point> seen_at(const base::json::value& view);

}  // namespace freshet::sources::bluesky
