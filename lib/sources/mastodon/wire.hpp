// The parts of the Mastodon source: where a call goes, requests (plan), answers (read) and items.
// Private to its folder.
#pragma once

#include <base/json.hpp>
#include <freshet/item.hpp>
#include <optional>
#include <sources/instance.hpp>
#include <sources/source.hpp>
#include <sources/stream.hpp>
#include <string>
#include <string_view>

namespace freshet::sources::mastodon {

inline constexpr std::string_view default_instance = "https://mastodon.social";

/// The API's bound for lists of statuses and of accounts in a search, and of those that follow.
inline constexpr int max_page = 40;
inline constexpr int max_follows_page = 80;
/// Of trends, and where no list of them goes.
inline constexpr std::size_t max_trends_page = 20;
inline constexpr std::size_t last_trend = 1000;
/// A thread is cut for anonymous callers at 60 replies, of which some may then be withheld: from
/// here on an answer counts as cut.
inline constexpr std::size_t nearly_cut_thread = 55;

[[nodiscard]] instance configured_instance(const settings& settings);
/// Whose timeline or profile it is. Error: not_found (no name a Mastodon server can have).
[[nodiscard]] result<local_name> user_target(const call& call, const settings& settings);
/// The status that is named by id or url. Error: not_found.
[[nodiscard]] result<local_name> status_target(const call& call, const settings& settings);

/// The token that belongs to this instance, by its host in front of it ("host=token") or, without
/// one, because it is the first instance; "" if there is none.
[[nodiscard]] std::string_view token_for(const instance& instance, const settings& settings);
/// The hashtag whose timeline stands in for a text search; "" if the query has no word for one.
[[nodiscard]] std::string tag_of(const query::text_query& query);
/// Whether the query is that hashtag and nothing else.
[[nodiscard]] bool is_tag_query(const query::text_query& query);
/// Whether `text` can be an id of the API: digits, on other servers letters too.
[[nodiscard]] bool is_native_id(std::string_view text) noexcept;

/// The request for a page of an account's statuses.
[[nodiscard]] http::request statuses_request(const local_name& whose, const settings& settings,
                                             std::string_view account_id, std::string_view max_id,
                                             int limit);

/// The request for a page of those who follow an account, or whom it follows.
[[nodiscard]] http::request follows_request(const call& call, const local_name& whose,
                                            const settings& settings, std::string_view account_id,
                                            std::string_view max_id);

plan_function plan_lookup, plan_timeline, plan_search, plan_replies, plan_one, plan_users,
    plan_follows, plan_trends;
read_function read_lookup, read_timeline, read_search, read_replies, read_one, read_users,
    read_follows, read_trends;
/// The offset in a position of trends. Error: invalid_cursor.
[[nodiscard]] result<std::size_t> read_trends_position(std::string_view text);

result<http::request> plan_stream(const settings&, std::string_view cursor);
result<news> read_stream(const settings&, std::string_view message);
std::optional<http::request> plan_stream_address(const settings&);
std::string read_stream_address(const http::response&);

/// A Status as an item, of a boost the status that is boosted; null if it is none or is not public.
[[nodiscard]] std::optional<post> read_status(const base::json::value& status,
                                              const instance& instance);
/// An Account as an item; null if it is none.
[[nodiscard]] std::optional<user> read_account(const base::json::value& account,
                                               const instance& instance);

}  // namespace freshet::sources::mastodon
