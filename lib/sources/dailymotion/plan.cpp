// Requests to Dailymotion's legacy API. Fields are named one by one: the API gives little by itself
// and refuses a request for a field that it does not know.
#include <algorithm>
#include <base/url.hpp>
#include <sources/dailymotion/wire.hpp>
#include <sources/instance.hpp>
#include <sources/item_text.hpp>
#include <sources/json_request.hpp>
#include <sources/position.hpp>
#include <sources/query_syntax.hpp>

namespace freshet::sources::dailymotion {
namespace {

using catalog::operation;

constexpr std::string_view video_fields =
    "id,title,description,url,duration,created_time,language,tags,owner.id,owner.username,"
    "owner.screenname,owner.url,owner.avatar_240_url,thumbnail_360_url,views_total,likes_total,"
    "comments_total";
/// All but the one that is deprecated since March 2026.
constexpr std::string_view fields_without_views =
    "id,title,description,url,duration,created_time,language,tags,owner.id,owner.username,"
    "owner.screenname,owner.url,owner.avatar_240_url,thumbnail_360_url,likes_total,"
    "comments_total";
/// Those without which a video is none.
constexpr std::string_view safe_fields =
    "id,title,description,url,duration,created_time,owner.id,owner.screenname,thumbnail_360_url";
constexpr std::string_view user_fields =
    "id,username,screenname,description,url,avatar_720_url,cover_250_url,followers_total,"
    "following_total,videos_total,created_time,verified";
constexpr std::string_view safe_user_fields = "id,screenname,description,url,created_time";

constexpr std::size_t max_name = 128;

bool is_creator(std::string_view text) {
  return is_name(text, max_name, "_-.") && text.front() != '.';
}

std::string_view fields_of(field_choice fields) {
  if (fields == field_choice::all) return video_fields;
  return fields == field_choice::without_views ? fields_without_views : safe_fields;
}

/// The id that a call names; "" if it is none of Dailymotion's.
std::string video_in(const call& call) {
  if (!call.native_id.empty()) return is_native_id(call.native_id) ? call.native_id : "";
  const auto url = base::parse_url(call.url);
  if (!url || !url->is_http()) return {};
  const auto parts = path_segments(url->path);
  std::string_view id;
  if (url->host == "dai.ly" && parts.size() == 1) id = parts[0];
  if (url->host == "dailymotion.com" || url->host.ends_with(".dailymotion.com")) {
    const auto at = std::ranges::find(parts, "video");
    if (at != parts.end() && at + 1 != parts.end()) id = at[1];
  }
  // Older addresses have the title behind it.
  id = id.substr(0, id.find('_'));
  return is_native_id(id) ? std::string(id) : std::string();
}

error no_such_name() {
  return error(errc::not_found, "Dailymotion names hold letters, digits, '_', '-' and '.' only");
}

http::request get(const settings& settings, std::string_view path, const query_pairs& parameters) {
  auto request = json_request(settings.base_or(default_api), path, parameters);
  request.pace_key = "dailymotion";
  return request;
}

constexpr position_codec positions{"Dailymotion", '.',
                                   number_field{&list_position::page, 1, last_video},
                                   number_field{&list_position::size, 1, max_page},
                                   number_field{&list_position::given, 0, max_page}};

}  // namespace

std::string list_position::text() const { return positions.text(*this); }

result<list_position> read_position(std::string_view text, int limit) {
  return positions.read(text, {.size = std::clamp(limit, 1, max_page)});
}

result<http::request> list_request(const call& call, const settings& settings,
                                   const list_position& position, field_choice fields) {
  query_pairs parameters;
  std::string path = "/videos";
  std::string_view sort = "recent";
  if (call.op == operation::shortvideo_search) {
    // There is no operator for phrases: their words are sought, the pipeline looks closer.
    auto text = write_query(call.q, {.phrases = false, .exclusions = false, .special = {}});
    if (text.empty()) return error(errc::invalid_request, "the query has no word to search for");
    parameters.emplace_back("search", std::move(text));
    if (call.sort != "new") sort = call.sort == "top" ? "visited" : "relevance";
  } else if (call.op == operation::shortvideo_trends) {
    sort = "trending";
  } else if (call.op == operation::shortvideo_hashtags_videos) {
    if (call.hashtag.empty()) return error(errc::invalid_request, "the hashtag is empty");
    parameters.emplace_back("tags", call.hashtag);
  } else {
    if (!is_creator(call.username)) return no_such_name();
    path = "/user/" + base::percent_encode(call.username) + "/videos";
  }
  parameters.emplace_back("fields", fields_of(fields));
  parameters.emplace_back("sort", sort);
  parameters.emplace_back("shorter_than", std::to_string(longest_short_min));
  parameters.emplace_back("page", std::to_string(position.page));
  parameters.emplace_back("limit", std::to_string(position.size));
  if (call.since) {
    // One second earlier: "after" may leave the moment itself out.
    const auto seconds = std::chrono::floor<std::chrono::seconds>(call.since->time_since_epoch());
    parameters.emplace_back("created_after", std::to_string(seconds.count() - 1));
  }
  if (!call.lang.empty())
    parameters.emplace_back("languages", call.lang.substr(0, call.lang.find('-')));
  if (!call.country.empty()) parameters.emplace_back("country", call.country);
  return get(settings, path, parameters);
}

result<http::request> plan_list(const call& call, const settings& settings,
                                std::string_view position) {
  const auto at = read_position(position, call.limit);
  if (!at) return at.error();
  return list_request(call, settings, *at, field_choice::all);
}

result<http::request> user_request(const call& call, const settings& settings,
                                   field_choice fields) {
  if (!is_creator(call.username)) return no_such_name();
  const bool all = fields == field_choice::all;
  return get(settings, "/user/" + base::percent_encode(call.username),
             {{"fields", std::string(all ? user_fields : safe_user_fields)}});
}

result<http::request> plan_lookup(const call& call, const settings& settings, std::string_view) {
  return user_request(call, settings, field_choice::all);
}

result<http::request> video_request(const call& call, const settings& settings,
                                    field_choice fields) {
  const auto id = video_in(call);
  if (id.empty()) return error(errc::not_found, "this is not a video of Dailymotion");
  return get(settings, "/video/" + id, {{"fields", std::string(fields_of(fields))}});
}

http::request subtitles_request(std::string_view id, const settings& settings) {
  return get(settings, "/video/" + std::string(id) + "/subtitles",
             {{"fields", "id,language,format,url"}});
}

result<http::request> plan_one(const call& call, const settings& settings, std::string_view) {
  return video_request(call, settings, field_choice::all);
}

}  // namespace freshet::sources::dailymotion
