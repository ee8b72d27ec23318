// What the parts of this source share: which of its two faces is asked, the post that a call means,
// the requests, and the reading of what searches and threads have in common.
#pragma once

#include <base/json.hpp>
#include <freshet/item.hpp>
#include <freshet/result.hpp>
#include <optional>
#include <sources/read_answer.hpp>
#include <sources/source.hpp>
#include <sources/token_use.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace freshet::sources::reddit {

inline constexpr std::string_view source_name = "reddit";
inline constexpr std::string_view site_url = "https://www.reddit.com";
inline constexpr int max_page_size = 100;                 // of the API
inline constexpr std::size_t children_per_request = 100;  // of morechildren
inline constexpr int comments_per_request = 500;          // of a thread's first answer

/// What stands in place of an author or a text that is gone.
inline constexpr std::string_view deleted = "[deleted]", removed = "[removed]";

/// Whether an application is configured: the API is asked, else the feeds.
[[nodiscard]] bool has_application(const settings& settings);

/// The name of a community on Reddit; "" for everywhere. Null: Reddit can have no such one.
[[nodiscard]] std::optional<std::string> community_of(const call& call);
/// The number (base 36) of the post that a call names; "" if it is none of Reddit.
[[nodiscard]] std::string post_of(const call& call);
/// Whether `text` can be a number of Reddit's: base 36.
[[nodiscard]] bool is_number(std::string_view text) noexcept;
/// The number in a fullname of this kind ("t3_5d7oj4"); "" if it is none.
[[nodiscard]] std::string_view number_in(std::string_view fullname, std::string_view kind);

/// Whether a position is one of ours: "" or the fullname of a post.
[[nodiscard]] result<void> check_position(std::string_view position);

/// The request for a token of the application, kept from call to call.
[[nodiscard]] http::request token_request(const settings& settings);
/// The token in the answer to it.
[[nodiscard]] result<std::string> read_token(const http::response& answer);

[[nodiscard]] http::request search_request(const call& call, const settings& settings,
                                           std::string_view position);
/// The posts of a community, or of all, in the order of the call.
[[nodiscard]] http::request community_request(const call& call, const settings& settings,
                                              std::string_view position);
[[nodiscard]] http::request comments_request(const call& call, const settings& settings);
/// The request for the post that a call names, without its comments as far as that can be.
[[nodiscard]] http::request post_request(const call& call, const settings& settings);
/// What hangs below one comment that the first answer broke off at.
[[nodiscard]] http::request branch_request(const call& call, const settings& settings,
                                           std::string_view comment);
/// The comments that a stub ("load more comments") stands for.
[[nodiscard]] http::request children_request(const call& call, const settings& settings,
                                             const std::vector<std::string>& children);

/// A state of these steps: where the token stands, and what is known so far.
struct call_state {
  token_use token;
  std::string known;  ///< of thread.cpp; "" for a search
};
[[nodiscard]] call_state read_state(std::string_view state);
/// `asked` with the token, and what is known for its answer.
[[nodiscard]] follow with_token(http::request asked, std::string_view token, const token_use& now,
                                std::string_view known);

/// The JSON of an answer of the API, or what a bad one means.
[[nodiscard]] result<json_body> read_api(const http::response& answer);

/// Whether a page that comes by age is wholly older than `since`, and so the last: searches with it
/// come so, and the newest of a community.
[[nodiscard]] bool is_past(const call& call, const listing& page);

[[nodiscard]] std::string id_of(std::string_view number);
[[nodiscard]] author author_of(std::string_view name);
/// A link (kind t3) as an item; null if it is none.
[[nodiscard]] std::optional<forum_post> read_post(const base::json::value& data);

/// The feeds of a search, of a post's comments, and the post in front of these.
[[nodiscard]] result<listing> read_search_feed(const call& call, const http::response& answer,
                                               std::string_view position);
[[nodiscard]] result<listing> read_comments_feed(const call& call, const http::response& answer,
                                                 std::string_view position);
[[nodiscard]] result<listing> read_post_feed(const call& call, const http::response& answer);

plan_function plan_search, plan_comments, plan_one, plan_community;
read_function read_search, read_comments, read_one, read_community;

}  // namespace freshet::sources::reddit
