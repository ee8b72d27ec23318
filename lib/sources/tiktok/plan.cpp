// Requests to TikTok's Research API: first the client's token, then queries in JSON, one window of
// thirty days after the other.
#include <algorithm>
#include <base/number.hpp>
#include <base/url.hpp>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <sources/instance.hpp>
#include <sources/item_text.hpp>
#include <sources/json_request.hpp>
#include <sources/position.hpp>
#include <sources/search_scope.hpp>
#include <sources/tiktok/wire.hpp>

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
constexpr std::string_view comment_fields =
    "id,video_id,text,like_count,reply_count,parent_comment_id,create_time";
/// The API gives the first thousand comments of a video.
constexpr std::int64_t last_comment = 1000;
constexpr std::string_view user_fields =
    "display_name,bio_description,avatar_url,is_verified,follower_count,following_count,"
    "likes_count,video_count";

std::string api_url(const settings& settings, std::string_view path) {
  const auto base = settings.base_or(default_api);
  const std::string version = base.ends_with("/v2") ? "" : "/v2";
  return base::join_path(base, version + std::string(path));
}

http::request post(std::string_view url, const boost::json::object& body) {
  auto request = json_post(url, "", body);
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
boost::json::object query_of(const call& call) {
  boost::json::array all, none;
  if (call.op == operation::shortvideo_search) {
    for (const auto& term : call.q.terms)
      (term.excluded ? none : all).push_back(condition("keyword", term.text));
  } else if (call.op == operation::shortvideo_hashtags_videos) {
    all.push_back(condition("hashtag_name", call.hashtag));
  } else {
    all.push_back(condition("username", call.username));
  }
  if (!call.country.empty()) all.push_back(condition("region_code", call.country));
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

/// The day on which a video's id was made: its upper half counts seconds. Null for what is no such
/// number.
std::optional<sys_days> day_of_id(std::string_view id) {
  constexpr int id_bits = 32;
  const auto number = base::parse_number<std::uint64_t>(id);
  if (!number) return std::nullopt;
  const std::chrono::sys_seconds made{std::chrono::seconds{*number >> id_bits}};
  return std::chrono::floor<days>(made);
}

bool is_search_id(std::string_view text) { return text.empty() || is_native_id(text); }

constexpr position_codec positions{
    "TikTok", '.', value_field{&query_position::last_day, &day_text, &day_in},
    number_field{&query_position::cursor, std::int64_t{0}, last_cursor},
    text_field{&query_position::search_id, &is_search_id}};

}  // namespace

std::string query_position::text() const { return positions.text(*this); }

result<query_position> read_position(std::string_view text, const call& call) {
  return positions.read(text, {std::chrono::floor<days>(call.now), 0, {}});
}

time_point day_stands_until(const call& call) {
  return std::chrono::floor<days>(call.now) + days{1};
}

sys_days first_day(const call& call, const query_position& position) {
  const sys_days earliest = position.last_day - (window - days{1});
  if (!call.since) return earliest;
  return std::min(position.last_day, std::max(earliest, std::chrono::floor<days>(*call.since)));
}

bool is_username(std::string_view text) noexcept { return is_name(text, max_username, "_."); }

bool is_native_id(std::string_view text) noexcept { return is_digits(text, max_native_id); }

http::request token_request(const settings& settings) {
  const auto url = settings.get("token_url");
  http::request request;
  request.method = "POST";
  request.url = url.empty() ? api_url(settings, "/oauth/token/") : std::string(url);
  request.headers = {{"Accept", "application/json"},
                     {"Content-Type", "application/x-www-form-urlencoded"}};
  request.body = base::build_query({{"client_key", std::string(settings.get("client_key"))},
                                    {"client_secret", std::string(settings.get("client_secret"))},
                                    {"grant_type", "client_credentials"}});
  request.redirect_limit = 0;  // the secret belongs to this host
  request.cacheable = false;
  request.keep_for = token_kept;
  request.pace_key = "tiktok";
  return request;
}

http::request videos_request(const call& call, const settings& settings,
                             const query_position& position) {
  boost::json::object body;
  body["query"] = query_of(call);
  body["start_date"] = day_text(first_day(call, position));
  body["end_date"] = day_text(position.last_day);
  body["max_count"] = std::clamp(call.limit, 1, max_page);
  if (position.cursor > 0) body["cursor"] = position.cursor;
  if (!position.search_id.empty()) body["search_id"] = position.search_id;
  return post(api_url(settings, "/research/video/query/") + "?" +
                  base::build_query({{"fields", std::string(video_fields)}}),
              body);
}

result<std::string> video_of(const call& call) {
  auto id = call.native_id;
  if (id.empty()) {
    const auto url = base::parse_url(call.url);
    const auto parts = url ? path_segments(url->path) : std::vector<std::string_view>{};
    const bool is_here =
        url && url->is_http() && (url->host == "tiktok.com" || url->host.ends_with(".tiktok.com"));
    // @name/video/<id> or embed/v2/<id>; short addresses say nothing without being asked for.
    const bool is_page = parts.size() >= 3 && parts[0].starts_with('@') && parts[1] == "video";
    const bool is_player = parts.size() >= 3 && parts[0] == "embed" && parts[1] == "v2";
    if (is_here && (is_page || is_player)) id = parts[2];
  }
  if (!is_native_id(id) || !day_of_id(id))
    return error(errc::not_found, "this is not a video of TikTok");
  return id;
}

namespace {

http::request one_video_request(std::string_view id, const settings& settings,
                                std::string_view fields) {
  const auto written = day_of_id(id).value_or(sys_days{});
  boost::json::object query;
  query["and"] = boost::json::array{condition("video_id", id)};
  boost::json::object body;
  body["query"] = std::move(query);
  // The id is made when the upload begins; the video is dated when it is shown.
  body["start_date"] = day_text(written - days{1});
  body["end_date"] = day_text(written + window - days{2});
  body["max_count"] = 1;
  return post(api_url(settings, "/research/video/query/") + "?" +
                  base::build_query({{"fields", std::string(fields)}}),
              body);
}

}  // namespace

http::request video_request(std::string_view id, const settings& settings) {
  return one_video_request(id, settings, video_fields);
}

http::request speech_request(std::string_view id, const settings& settings) {
  return one_video_request(id, settings, std::string(video_fields) + ",voice_to_text");
}

result<std::int64_t> read_comments_position(std::string_view text) {
  constexpr number_codec<std::int64_t> comments{
      .source = "TikTok", .first = 0, .least = 1, .most = last_comment};
  return comments.read(text);
}

http::request comments_request(const call& call, std::string_view id, const settings& settings,
                               std::int64_t cursor) {
  boost::json::object body;
  body["video_id"] = id;
  body["max_count"] = std::clamp(call.limit, 1, max_page);
  body["cursor"] = cursor;
  return post(api_url(settings, "/research/video/comment/list/") + "?" +
                  base::build_query({{"fields", std::string(comment_fields)}}),
              body);
}

http::request user_request(const call& call, const settings& settings) {
  boost::json::object body;
  body["username"] = call.username;
  return post(api_url(settings, "/research/user/info/") + "?" +
                  base::build_query({{"fields", std::string(user_fields)}}),
              body);
}

result<http::request> plan_videos(const call& call, const settings& settings,
                                  std::string_view position) {
  if (call.op == operation::shortvideo_profiles_videos && !is_username(call.username))
    return error(errc::not_found, "TikTok names hold letters, digits, '_' and '.' only");
  if (call.op == operation::shortvideo_hashtags_videos && call.hashtag.empty())
    return error(errc::invalid_request, "the hashtag is empty");
  if (call.op == operation::shortvideo_search && call.q.terms.empty())
    return error(errc::invalid_request, "the query has no word to search for");
  if (call.sort == "top" || call.sort == "relevance")
    return left_out("sort", "TikTok's Research API gives the newest first");
  const auto at = read_position(position, call);
  if (!at) return at.error();
  return token_request(settings);
}

result<http::request> plan_one(const call& call, const settings& settings, std::string_view) {
  const auto id = video_of(call);
  if (!id) return id.error();
  return token_request(settings);
}

result<http::request> plan_comments(const call& call, const settings& settings,
                                    std::string_view position) {
  if (auto at = read_comments_position(position); !at) return at.error();
  return plan_one(call, settings, {});
}

result<http::request> plan_lookup(const call& call, const settings& settings, std::string_view) {
  if (!is_username(call.username))
    return error(errc::not_found, "TikTok names hold letters, digits, '_' and '.' only");
  return token_request(settings);
}

}  // namespace freshet::sources::tiktok
