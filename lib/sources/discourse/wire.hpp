// What the parts of this source share: the topic that a call means, positions, requests of later
// steps, and the reading of what searches and topics have in common.
#pragma once

#include <base/json.hpp>
#include <freshet/item.hpp>
#include <freshet/result.hpp>
#include <optional>
#include <sources/read_answer.hpp>
#include <sources/source.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace freshet::sources::discourse {

inline constexpr std::string_view source_name = "discourse";
inline constexpr int max_search_pages = 10;           // beyond it Discourse gives the first again
inline constexpr int max_topic_pages = 1000;          // no forum lists more
inline constexpr std::size_t posts_per_request = 50;  // of a topic, by their ids

/// host[:port] of the forum that is asked.
[[nodiscard]] std::string host_of_forum(const settings& settings);

/// The category or tag that a community names on this forum; "" for all of it. Null: it is one of
/// another forum, or no name that Discourse could have.
[[nodiscard]] std::optional<std::string> category_of(const call& call, const settings& settings);

/// The page of a search at this position; "" is the first. Error: invalid_cursor.
[[nodiscard]] result<int> read_position(std::string_view text);

/// The number of the topic that a call names on this forum; "" if it is none.
[[nodiscard]] std::string topic_of(const call& call, const settings& settings);

[[nodiscard]] bool is_number(std::string_view text) noexcept;

/// GET <forum>/categories.json, for the names of categories.
[[nodiscard]] http::request categories_request(const settings& settings);
/// A page of topics: of the category with this number, of the tag `category_of()` names, or of all.
[[nodiscard]] http::request topics_request(const call& call, const settings& settings,
                                           std::string_view category, int page);
/// The page of a list of topics at this position; "" is the first, 0. Error: invalid_cursor.
[[nodiscard]] result<int> read_topics_position(std::string_view text);
/// GET <forum>/t/<topic>/posts.json with these ids of posts.
[[nodiscard]] http::request posts_request(const settings& settings, std::string_view topic,
                                          const std::vector<std::string>& ids);

/// The JSON of a good answer, or what a bad one means.
[[nodiscard]] result<json_body> read_body(const http::response& answer);
[[nodiscard]] std::string id_of(const settings& settings, std::string_view native);
/// Who wrote a post, as every list of Discourse says it.
[[nodiscard]] author author_of(const base::json::value& post, const settings& settings);
/// The likes of a post.
[[nodiscard]] count likes_of(const base::json::value& post);
/// When a post was edited; null if it was not.
[[nodiscard]] std::optional<time_point> edit_of(const base::json::value& post);

plan_function plan_search, plan_comments, plan_one, plan_community;
read_function read_search, read_comments, read_one, read_community;

}  // namespace freshet::sources::discourse
