// The one table of endpoints: routes, parameters, bounds, prices, which sources are asked, and the
// schemas of what they answer. Validation, OpenAPI, routes, command-line help, the tools of MCP and
// the bindings read it. To add one: a row in endpoints.cpp, an operation below, and the sources
// that serve it.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace freshet::catalog {

/// What an endpoint does, for the sources and the pipeline.
enum class operation : std::uint8_t {
  all_search,
  microblog_users_lookup,
  microblog_users_posts,
  microblog_users_search,
  microblog_users_followers,
  microblog_users_following,
  microblog_search,
  microblog_posts_lookup,
  microblog_posts_replies,
  microblog_trends,
  web_serp_search,
  web_serp_images_search,
  web_serp_videos_search,
  web_serp_suggest,
  scrape_markdown,
  scrape_map,
  scrape_extract,
  forum_search,
  forum_communities_posts,
  forum_posts_lookup,
  forum_posts_comments,
  shortvideo_search,
  shortvideo_trends,
  shortvideo_videos_lookup,
  shortvideo_videos_comments,
  shortvideo_videos_transcript,
  shortvideo_hashtags_videos,
  shortvideo_profiles_lookup,
  shortvideo_profiles_videos,
  news_search,
  news_headlines,
  account_show,
  account_usage,
  account_ledger,
  account_ledger_verify,
  account_keys_list,
  account_keys_create,
  account_keys_rotate,
  account_keys_revoke,
  account_requests_list,
  account_requests_show,
  account_alerts_show,
  account_alerts_update,
  account_alerts_test,
};

enum class value_type : std::uint8_t { string, integer, boolean, string_list, object };

/// What a string must look like, beyond its length.
enum class value_format : std::uint8_t {
  plain,
  q,
  since,
  url,
  handle,
  item_id,
  cursor,
  ledger_head,
  hashtag,
  community,
  language,
  country,
  domain,
  name,
  source,
  css_selector,
  timezone,
  key_id,
  request_id,
  call_status,
};

struct parameter {
  std::string_view name;
  value_type type = value_type::string;
  value_format format = value_format::plain;
  bool required = false;
  std::int64_t min = 0;  ///< of an integer's value, a string's code points, a list's elements
  std::int64_t max = 0;  ///< or of an object's bytes as JSON
  std::string_view fallback{};  ///< the default as text, a list's joined by commas; "" for none
  std::span<const std::string_view> choices{};  ///< allowed values; empty: any
  std::string_view doc;
  std::string_view example;  ///< as it stands in JSON, without the quotes of a string
  /// Of an object: all that it may have; empty: whoever reads it judges what is in it.
  std::span<const parameter> members{};
};

/// The JSON type of an item's field.
enum class field_type : std::uint8_t {
  string,
  time,
  uri,
  integer,
  number,
  boolean,
  string_list,
  object,
  object_list,
  any,  ///< whatever JSON there is
};

struct field {
  std::string_view name;
  field_type type = field_type::string;
  bool nullable = true;
  std::string_view doc;
  std::span<const field> fields{};  ///< of an object or of each object in a list
};

/// The schema of one kind of item. `fields` are the common ones followed by its own.
struct object_schema {
  std::string_view name;  ///< the value of `object`
  std::string_view doc;
  std::span<const field> common;
  std::span<const field> own;
};

enum class answer_shape : std::uint8_t { lookup, list };
/// Which of an endpoint's sources a call asks.
enum class ask_mode : std::uint8_t {
  all,     ///< every one, merged: searches
  any_one  ///< the first that has it, in the order of preference: lookups, threads, timelines
};
enum class scope : std::uint8_t { read, account };

/// What a call does beside answering.
struct side_effects {
  bool changes = false;        ///< something that stays
  bool destroys = false;       ///< takes away what there was
  bool is_idempotent = false;  ///< the same call again changes nothing more
};

struct endpoint {
  operation op;
  std::string_view platform{};  ///< the first part of the path; "account" for the account calls
  std::string_view path;        ///< "microblog/users/lookup"
  std::string_view summary;     ///< one line
  std::string_view doc;         ///< Markdown
  answer_shape shape = answer_shape::list;
  ask_mode asks = ask_mode::any_one;
  const object_schema* answer = nullptr;  ///< null: `parts` say it
  /// The operations whose answers this one joins, one a platform; it costs what those of them cost
  /// that gave something, `credits` at most. Empty: it is one of its own.
  std::span<const operation> parts{};
  std::int64_t credits = 0;         ///< the default price; configuration may change it
  std::int64_t render_credits = 0;  ///< added when a browser rendered the page
  catalog::scope scope = scope::read;
  side_effects effects{};
  std::span<const parameter> own{};     ///< its own parameters
  std::span<const parameter> common{};  ///< those of every list or every call
  /// One of these must be given ("id or url"); empty: no such rule.
  std::span<const std::string_view> one_of{};
};

/// Every endpoint, in the order of the documentation. Static storage.
[[nodiscard]] std::span<const endpoint> endpoints() noexcept;
/// Every object that can be in `data`.
[[nodiscard]] std::span<const object_schema* const> object_schemas() noexcept;
/// The endpoint at "microblog/search"; null if none.
[[nodiscard]] const endpoint* find_endpoint(std::string_view path) noexcept;
[[nodiscard]] const endpoint& find_endpoint(operation op) noexcept;
/// The known path nearest to an unknown one; "" if none is near.
[[nodiscard]] std::string_view nearest_path(std::string_view path);

/// The parameter of that name, the endpoint's own or a common one; null if it takes none.
[[nodiscard]] const parameter* find_parameter(const endpoint& endpoint,
                                              std::string_view name) noexcept;
/// What an item of its answers may be: one, but where it joins several operations.
[[nodiscard]] std::vector<const object_schema*> answers_of(const endpoint& of);
/// The keys of an item of its answers that `fields` may name, those that every item has first, none
/// twice.
[[nodiscard]] std::vector<std::string_view> item_keys(const endpoint& of);
/// The schema whose `object` is `name`; null if none.
[[nodiscard]] const object_schema* find_object_schema(std::string_view name) noexcept;

/// A group of endpoints, for the documentation.
struct platform_info {
  std::string_view name;  ///< "microblog"
  std::string_view doc;
};
/// Every platform, in the order of the documentation. Static storage.
[[nodiscard]] std::span<const platform_info> platforms() noexcept;

/// Fields that several objects share, under the name that the description gives them ("Author").
struct shared_fields {
  std::string_view name;
  std::string_view doc;
  std::span<const field> fields;
};
[[nodiscard]] std::span<const shared_fields> shared_objects() noexcept;

/// The key of an item that is there only where `fields` names it.
inline constexpr std::string_view provenance_key = "provenance";

/// How long one element of a list may be, in code points.
inline constexpr std::int64_t max_element_length = 256;

}  // namespace freshet::catalog
