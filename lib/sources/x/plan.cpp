// Requests to X's API v2. It decides without a fetch what cannot be X's, and asks for no more posts
// than are wanted: each one costs.
#include <algorithm>
#include <base/time_text.hpp>
#include <base/unicode.hpp>
#include <base/url.hpp>
#include <sources/instance.hpp>
#include <sources/item_text.hpp>
#include <sources/json_request.hpp>
#include <sources/position.hpp>
#include <sources/query_syntax.hpp>
#include <sources/search_scope.hpp>
#include <sources/x/wire.hpp>

namespace freshet::sources::x {
namespace {

constexpr std::size_t max_username = 15;
constexpr std::size_t max_id = 20;
constexpr int max_trends = 50;  // there is no further page

constexpr std::string_view user_fields =
    "created_at,description,entities,profile_banner_url,profile_image_url,protected,"
    "public_metrics,url,username,verified";
constexpr std::string_view author_fields = "name,profile_image_url,username";
constexpr std::string_view media_fields =
    "alt_text,duration_ms,height,preview_image_url,type,url,variants,width";

bool is_username(std::string_view text) { return is_name(text, max_username, "_"); }

bool is_page_token(std::string_view text) { return is_name(text, max_token, "-_"); }

error no_such_name() {
  return error(errc::not_found, "X's handles are up to 15 letters, digits and '_'");
}

http::request get(const settings& settings, std::string_view path, const query_pairs& parameters) {
  const auto base = settings.base_or(default_api);
  // The version is a part of the path; an operator may have said it already.
  const std::string version = base.ends_with("/2") ? "" : "/2";
  auto request = json_request(base, version + std::string(path), parameters);
  request.headers.push_back(
      {"Authorization", "Bearer " + std::string(settings.get("bearer_token"))});
  request.redirect_limit = 0;  // the token belongs to this host
  request.pace_key = "x";
  return request;
}

void add_fields(query_pairs& pairs, vocabulary words) {
  if (words == vocabulary::tweet) {
    pairs.emplace_back("tweet.fields",
                       "attachments,author_id,conversation_id,created_at,entities,lang,note_tweet,"
                       "possibly_sensitive,public_metrics,referenced_tweets");
    pairs.emplace_back("expansions",
                       "attachments.media_keys,author_id,referenced_tweets.id,"
                       "referenced_tweets.id.author_id");
  } else {
    pairs.emplace_back("post.fields",
                       "attachments,conversation_id,created_at,entities,lang,note_post,"
                       "possibly_sensitive,public_metrics,text");
    pairs.emplace_back("expansions", "attachments.media_keys,author_id,referenced_posts");
  }
  pairs.emplace_back("user.fields", author_fields);
  pairs.emplace_back("media.fields", media_fields);
}

std::string page_size(const call& call, int least) {
  return std::to_string(std::clamp(call.limit, least, max_page));
}

/// Seconds: the API knows no fractions.
std::string second_text(time_point at) {
  return base::format_time(std::chrono::floor<std::chrono::seconds>(at));
}

/// A word with a colon would be an operator, and one with other punctuation has to be quoted;
/// phrases and exclusions are X's too.
constexpr query_syntax search_syntax = {
    .phrases = true, .exclusions = true, .special = ":()$-.,!?'&*+/;<=>[]^`{|}~%\\"};

std::size_t length_of(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (c & 0xC0) != 0x80; }));
}

}  // namespace

bool is_native_id(std::string_view text) noexcept { return is_digits(text, max_id); }

std::optional<time_point> time_of_id(std::string_view id) noexcept {
  constexpr std::uint64_t first_timed_id = 29'700'859'247;
  constexpr std::uint64_t epoch_ms = 1'288'834'974'657;
  constexpr int low_bits = 22;
  std::uint64_t number = 0;
  if (!is_native_id(id) || id.size() == max_id) return std::nullopt;
  for (const char c : id) number = number * 10 + static_cast<std::uint64_t>(c - '0');
  if (number < first_timed_id) return std::nullopt;
  return time_point(
      std::chrono::milliseconds(static_cast<std::int64_t>((number >> low_bits) + epoch_ms)));
}

result<std::string> post_id_of(const call& call) {
  const error none(errc::not_found,
                   "not a post of X: give its id or its page, https://x.com/<user>/status/<id>");
  if (!call.native_id.empty()) {
    if (!is_native_id(call.native_id)) return none;
    return call.native_id;
  }
  const auto url = base::parse_url(call.url);
  if (!url || !url->is_http()) return none;
  std::string_view host = url->host;
  for (const std::string_view prefix : {"www.", "mobile."}) {
    if (host.starts_with(prefix)) host.remove_prefix(prefix.size());
  }
  if (host != "x.com" && host != "twitter.com") return none;
  const auto parts = path_segments(url->path);
  // user/status/1, i/status/1, i/web/status/1, with a photo behind it or not
  const std::size_t at = parts.size() > 2 && parts[1] == "web" ? 2 : 1;
  if (parts.size() < at + 2 || (parts[at] != "status" && parts[at] != "statuses")) return none;
  if (!is_native_id(parts[at + 1])) return none;
  return std::string(parts[at + 1]);
}

http::request lookup_request(const call& call, const settings& settings) {
  return get(settings, "/users/by/username/" + call.username,
             {{"user.fields", std::string(user_fields)}});
}

http::request timeline_request(const call& call, const settings& settings, std::string_view user_id,
                               std::string_view token, vocabulary words) {
  query_pairs parameters = {{"max_results", page_size(call, least_of_timeline)}};
  if (call.since) parameters.emplace_back("start_time", second_text(*call.since));
  if (!token.empty()) parameters.emplace_back("pagination_token", std::string(token));
  add_fields(parameters, words);
  return get(settings, "/users/" + std::string(user_id) + "/tweets", parameters);
}

http::request follows_request(const call& call, const settings& settings, std::string_view user_id,
                              std::string_view token) {
  query_pairs parameters = {{"max_results", page_size(call, 1)},
                            {"user.fields", std::string(user_fields)}};
  if (!token.empty()) parameters.emplace_back("pagination_token", std::string(token));
  const bool followers = call.op == catalog::operation::microblog_users_followers;
  return get(settings, "/users/" + std::string(user_id) + (followers ? "/followers" : "/following"),
             parameters);
}

result<http::request> search_request(const call& call, const settings& settings,
                                     std::string_view token, vocabulary words) {
  auto text = write_query(call.q, search_syntax);
  if (text.empty()) return error(errc::invalid_request, "the query has no word to search for");
  if (length_of(text) > max_query)
    return error(errc::invalid_request, "X takes queries of up to 512 characters");
  // A repost repeats what is found anyway, and costs as much.
  std::string narrower = text + " -is:retweet";
  if (!call.lang.empty()) narrower += " lang:" + call.lang.substr(0, call.lang.find('-'));
  if (length_of(narrower) <= max_query) text = std::move(narrower);
  query_pairs parameters = {{"query", std::move(text)},
                            {"max_results", page_size(call, least_searched)}};
  if (call.since) {
    const auto earliest = call.now - search_window;
    parameters.emplace_back("start_time", second_text(std::max<time_point>(*call.since, earliest)));
  }
  if (!token.empty()) parameters.emplace_back("next_token", std::string(token));
  add_fields(parameters, words);
  return get(settings, "/tweets/search/recent", parameters);
}

time_point search_stands_until(const call& call) {
  if (!call.since) return time_point::max();
  return std::max(*call.since + search_window, call.now);
}

time_point replies_stand_until(const call& call) {
  const auto id = post_id_of(call);
  const auto written = id ? time_of_id(*id) : std::nullopt;
  const bool is_within = written && call.now <= *written + search_window;
  return is_within ? *written + search_window : time_point::max();
}

http::request replies_request(const call& call, const settings& settings, std::string_view post_id,
                              std::string_view token, vocabulary words) {
  const std::string id(post_id);
  query_pairs parameters = {{"query", "conversation_id:" + id + " OR in_reply_to_tweet_id:" + id},
                            {"max_results", page_size(call, least_searched)}};
  if (!token.empty()) parameters.emplace_back("next_token", std::string(token));
  add_fields(parameters, words);
  return get(settings, "/tweets/search/recent", parameters);
}

http::request existence_request(const settings& settings, std::string_view post_id) {
  return get(settings, "/tweets/" + std::string(post_id), {{"tweet.fields", "created_at"}});
}

http::request post_request(const settings& settings, std::string_view post_id, vocabulary words) {
  query_pairs parameters;
  add_fields(parameters, words);
  return get(settings, "/tweets/" + std::string(post_id), parameters);
}

result<http::request> plan_lookup(const call& call, const settings& settings, std::string_view) {
  if (!is_username(call.username)) return no_such_name();
  return lookup_request(call, settings);
}

result<http::request> plan_timeline(const call& call, const settings& settings,
                                    std::string_view position) {
  if (!is_username(call.username)) return no_such_name();
  if (position.empty()) return lookup_request(call, settings);
  const auto at = read_token_position(position, &is_native_id, &is_page_token, "X");
  if (!at) return at.error();
  return timeline_request(call, settings, at->list, at->token, vocabulary::tweet);
}

result<http::request> plan_search(const call& call, const settings& settings,
                                  std::string_view position) {
  if (!position.empty() && !is_page_token(position)) return foreign_position("X");
  return search_request(call, settings, position, vocabulary::tweet);
}

result<http::request> plan_replies(const call& call, const settings& settings,
                                   std::string_view position) {
  if (!position.empty() && !is_page_token(position)) return foreign_position("X");
  const auto id = post_id_of(call);
  if (!id) return id.error();
  return replies_request(call, settings, *id, position, vocabulary::tweet);
}

result<http::request> plan_one(const call& call, const settings& settings, std::string_view) {
  const auto id = post_id_of(call);
  if (!id) return id.error();
  return post_request(settings, *id, vocabulary::tweet);
}

result<http::request> plan_follows(const call& call, const settings& settings,
                                   std::string_view position) {
  if (!is_username(call.username)) return no_such_name();
  if (position.empty()) return lookup_request(call, settings);
  const auto at = read_token_position(position, &is_native_id, &is_page_token, "X");
  if (!at) return at.error();
  return follows_request(call, settings, at->list, at->token);
}

result<http::request> plan_trends(const call& call, const settings& settings,
                                  std::string_view position) {
  if (!position.empty()) return foreign_position("X");
  const auto place = place_of(call.country);
  if (place.empty()) return left_out("country", "X has no trends of this country");
  return get(
      settings, "/trends/by/woeid/" + std::string(place),
      {{"max_trends", std::to_string(max_trends)}, {"trend.fields", "trend_name,tweet_count"}});
}

}  // namespace freshet::sources::x
