// Requests to TikTok's Research API: first the client's token, then queries in JSON, one window of
// thirty days after the other.
#include <algorithm>
#include <base/number.hpp>
#include <base/url.hpp>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <sources/position.hpp>

#include "tiktok.hpp"

namespace freshet::sources::tiktok {
namespace {

using catalog::operation;
using std::chrono::days;
using std::chrono::sys_days;

constexpr std::size_t max_username = 32;
constexpr std::size_t max_native_id = 24;
constexpr std::int64_t last_cursor = 1'000'000;

constexpr std::string_view video_fields =
    "id,video_description,create_time,region_code,share_count,view_count,like_count,comment_count,"
    "music_id,hashtag_names,username,video_duration";
constexpr std::string_view user_fields =
    "display_name,bio_description,avatar_url,is_verified,follower_count,following_count,"
    "likes_count,video_count";

std::string api_url(const settings& with, std::string_view path) {
  const auto base = with.base_url.empty() ? default_api : std::string_view(with.base_url);
  const std::string version = base.ends_with("/v2") ? "" : "/v2";
  return base::join_path(base, version + std::string(path));
}

http::request post(std::string url, const boost::json::object& body) {
  http::request request;
  request.method = "POST";
  request.url = std::move(url);
  request.headers = {{"Accept", "application/json"}, {"Content-Type", "application/json"}};
  request.body = boost::json::serialize(body);
  request.repeatable = true;
  request.pace_key = "tiktok";
  return request;
}

std::string day_text(const sys_days& day) {
  const std::chrono::year_month_day date(day);
  const int number = static_cast<int>(date.year()) * 10'000 +
                     static_cast<int>(static_cast<unsigned>(date.month())) * 100 +
                     static_cast<int>(static_cast<unsigned>(date.day()));
  return std::to_string(number);
}

std::optional<sys_days> day_in(std::string_view text) {
  const auto number = base::parse_number(text, 0, 99'991'231);
  if (!number || text.size() != 8) return std::nullopt;
  const std::chrono::year_month_day date(
      std::chrono::year(*number / 10'000),
      std::chrono::month(static_cast<unsigned>(*number / 100 % 100)),
      std::chrono::day(static_cast<unsigned>(*number % 100)));
  if (!date.ok()) return std::nullopt;
  return sys_days(date);
}

boost::json::object condition(std::string_view field, std::string_view value) {
  boost::json::object one;
  one["operation"] = "EQ";
  one["field_name"] = field;
  one["field_values"] = boost::json::array{value};
  return one;
}

/// What a call looks for, as conditions that must hold, and such that must not.
boost::json::object query_of(const call& what) {
  boost::json::array all, none;
  if (what.op == operation::shortvideo_search) {
    for (const auto& term : what.q.terms)
      (term.excluded ? none : all).push_back(condition("keyword", term.text));
  } else if (what.op == operation::shortvideo_hashtags_videos) {
    all.push_back(condition("hashtag_name", what.hashtag));
  } else {
    all.push_back(condition("username", what.username));
  }
  if (!what.country.empty()) all.push_back(condition("region_code", what.country));
  // Up to five minutes; what is longer than ours is left out on our side.
  boost::json::object lengths;
  lengths["operation"] = "IN";
  lengths["field_name"] = "video_length";
  lengths["field_values"] = boost::json::array{"SHORT", "MID", "LONG"};
  all.push_back(std::move(lengths));
  boost::json::object query;
  query["and"] = std::move(all);
  if (!none.empty()) query["not"] = std::move(none);
  return query;
}

bool is_search_id(std::string_view text) { return text.empty() || is_native_id(text); }

constexpr position_codec positions{
    "TikTok", '.', value_field{&query_position::last_day, &day_text, &day_in},
    number_field{&query_position::cursor, std::int64_t{0}, last_cursor},
    text_field{&query_position::search_id, &is_search_id}};

}  // namespace

std::string query_position::text() const { return positions.text(*this); }

result<query_position> read_position(std::string_view text, const call& what) {
  return positions.read(text, {std::chrono::floor<days>(what.now), 0, {}});
}

sys_days first_day(const call& what, const query_position& at) {
  const sys_days earliest = at.last_day - (window - days{1});
  if (!what.since) return earliest;
  return std::min(at.last_day, std::max(earliest, std::chrono::floor<days>(*what.since)));
}

bool is_username(std::string_view text) noexcept {
  return !text.empty() && text.size() <= max_username &&
         std::all_of(text.begin(), text.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                  c == '_' || c == '.';
         });
}

bool is_native_id(std::string_view text) noexcept {
  return !text.empty() && text.size() <= max_native_id &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

http::request token_request(const settings& with) {
  const auto url = with.get("token_url");
  http::request request;
  request.method = "POST";
  request.url = url.empty() ? api_url(with, "/oauth/token/") : std::string(url);
  request.headers = {{"Accept", "application/json"},
                     {"Content-Type", "application/x-www-form-urlencoded"}};
  request.body = base::build_query({{"client_key", std::string(with.get("client_key"))},
                                    {"client_secret", std::string(with.get("client_secret"))},
                                    {"grant_type", "client_credentials"}});
  request.redirect_limit = 0;  // the secret belongs to this host
  request.cacheable = false;
  request.keep_for = token_kept;
  request.pace_key = "tiktok";
  return request;
}

http::request videos_request(const call& what, const settings& with, const query_position& at) {
  boost::json::object body;
  body["query"] = query_of(what);
  body["start_date"] = day_text(first_day(what, at));
  body["end_date"] = day_text(at.last_day);
  body["max_count"] = std::clamp(what.limit, 1, max_page);
  if (at.cursor > 0) body["cursor"] = at.cursor;
  if (!at.search_id.empty()) body["search_id"] = at.search_id;
  return post(api_url(with, "/research/video/query/") + "?" +
                  base::build_query({{"fields", std::string(video_fields)}}),
              body);
}

http::request user_request(const call& what, const settings& with) {
  boost::json::object body;
  body["username"] = what.username;
  return post(api_url(with, "/research/user/info/") + "?" +
                  base::build_query({{"fields", std::string(user_fields)}}),
              body);
}

result<http::request> plan_videos(const call& what, const settings& with,
                                  std::string_view position) {
  if (what.op == operation::shortvideo_profiles_videos && !is_username(what.username))
    return error(errc::not_found, "TikTok names hold letters, digits, '_' and '.' only");
  if (what.op == operation::shortvideo_hashtags_videos && what.hashtag.empty())
    return error(errc::invalid_request, "the hashtag is empty");
  if (what.op == operation::shortvideo_search && what.q.terms.empty())
    return error(errc::invalid_request, "the query has no word to search for");
  const auto at = read_position(position, what);
  if (!at) return at.error();
  return token_request(with);
}

result<http::request> plan_lookup(const call& what, const settings& with, std::string_view) {
  if (!is_username(what.username))
    return error(errc::not_found, "TikTok names hold letters, digits, '_' and '.' only");
  return token_request(with);
}

}  // namespace freshet::sources::tiktok
