// Requests to the YouTube Data API. A list gives ids, and one request more their details; the
// uploads of a channel are a playlist, which costs a hundredth of a search.
#include <algorithm>
#include <base/ascii.hpp>
#include <base/time_text.hpp>
#include <base/unicode.hpp>
#include <sources/item_text.hpp>
#include <sources/json_request.hpp>
#include <sources/query_syntax.hpp>
#include <sources/youtube/wire.hpp>
#include <sources/youtube_address.hpp>

namespace freshet::sources::youtube {
namespace {

using catalog::operation;

constexpr std::size_t max_native_id = 64;
constexpr std::size_t channel_id_length = 24;
constexpr std::size_t max_token = 480;
constexpr std::size_t max_handle = 100;  // bytes; 30 characters of any script
constexpr std::string_view api_path = "/youtube/v3";

bool is_id_char(char c) { return base::is_alphanumeric(c) || c == '-' || c == '_'; }
bool is_id(std::string_view text) { return is_name(text, max_native_id, "-_"); }

/// Letters of any script, digits, and '_', '-', '.', '·'.
bool is_handle(std::string_view text) {
  return !text.empty() && text.size() <= max_handle && base::is_utf8(text) &&
         std::ranges::all_of(text, [](char c) {
           return is_id_char(c) || c == '.' || static_cast<unsigned char>(c) >= 0x80;
         });
}

http::request get(const settings& settings, std::string_view method, query_pairs parameters) {
  const auto base = settings.base_or(default_api);
  const std::string path(base.ends_with(api_path) ? "" : api_path);
  // The key is a secret: it stands last, and recordings replace it.
  parameters.emplace_back("key", std::string(settings.get("api_key")));
  auto request = json_request(base, path + "/" + std::string(method), parameters);
  request.redirect_limit = 0;
  request.pace_key = "youtube";
  return request;
}

result<http::request> channel_request(const call& call, const settings& settings,
                                      std::string_view parts) {
  query_pairs parameters = {{"part", std::string(parts)}};
  if (is_channel_id(call.username)) {
    parameters.emplace_back("id", call.username);
  } else if (is_handle(call.username)) {
    parameters.emplace_back("forHandle", "@" + call.username);
  } else {
    return error(errc::not_found,
                 "YouTube handles hold letters, digits, '_', '-' and '.', and channels are UC...");
  }
  return get(settings, "channels", std::move(parameters));
}

}  // namespace

bool is_playlist_id(std::string_view text) noexcept { return is_id(text); }
bool is_channel_id(std::string_view text) noexcept {
  return text.size() == channel_id_length && text.starts_with("UC") && is_id(text);
}
bool is_page_token(std::string_view text) noexcept {
  return !text.empty() && text.size() <= max_token &&
         std::ranges::all_of(text, [](char c) { return is_id_char(c) || c == '='; });
}

result<std::string> video_of(const call& call) {
  auto id = call.native_id.empty() ? youtube_video_at(call.url) : call.native_id;
  if (!is_youtube_video_id(id)) return error(errc::not_found, "this is not a video of YouTube");
  return id;
}

result<token_position> read_uploads_position(std::string_view text) {
  return read_token_position(text, &is_playlist_id, &is_page_token, "YouTube");
}

http::request uploads_request(const settings& settings, const token_position& position) {
  // Long videos are left out on our side, so a page is as large as the API allows.
  query_pairs parameters = {{"part", "contentDetails"},
                            {"playlistId", position.list},
                            {"maxResults", std::to_string(max_page)}};
  if (!position.token.empty()) parameters.emplace_back("pageToken", position.token);
  return get(settings, "playlistItems", std::move(parameters));
}

http::request details_request(const settings& settings, const std::vector<std::string>& ids) {
  std::string joined;
  for (const auto& id : ids) joined += (joined.empty() ? "" : ",") + id;
  return get(settings, "videos",
             {{"part", "snippet,contentDetails,statistics"}, {"id", std::move(joined)}});
}

namespace {

std::string order_of(const call& call) {
  if (call.op == operation::shortvideo_hashtags_videos || call.sort == "new") return "date";
  return call.sort == "top" ? "viewCount" : "relevance";
}

}  // namespace

result<http::request> plan_search(const call& call, const settings& settings,
                                  std::string_view position) {
  if (!position.empty() && !is_page_token(position)) return foreign_position("YouTube");
  const bool by_tag = call.op == operation::shortvideo_hashtags_videos;
  // '|' is "or"; a word with it is quoted.
  auto text = by_tag ? "#" + call.hashtag
                     : write_query(call.q, {.phrases = true, .exclusions = true, .special = "|"});
  if (text.size() <= (by_tag ? 1U : 0U))
    return error(errc::invalid_request, "there is no word to search for");
  query_pairs parameters = {{"part", "snippet"},
                            {"type", "video"},
                            {"videoDuration", "short"},
                            {"q", std::move(text)},
                            {"order", order_of(call)},
                            {"maxResults", std::to_string(std::clamp(call.limit, 1, max_page))}};
  if (call.since) {
    const auto second = std::chrono::floor<std::chrono::seconds>(*call.since);
    parameters.emplace_back("publishedAfter", base::format_time(second));
  }
  if (!call.lang.empty())
    parameters.emplace_back("relevanceLanguage", call.lang.substr(0, call.lang.find('-')));
  if (!call.country.empty()) parameters.emplace_back("regionCode", call.country);
  if (!position.empty()) parameters.emplace_back("pageToken", std::string(position));
  return get(settings, "search", std::move(parameters));
}

result<http::request> plan_lookup(const call& call, const settings& settings, std::string_view) {
  return channel_request(call, settings, "snippet,statistics,brandingSettings");
}

result<http::request> plan_videos(const call& call, const settings& settings,
                                  std::string_view position) {
  if (position.empty()) return channel_request(call, settings, "contentDetails");
  const auto at = read_uploads_position(position);
  if (!at) return at.error();
  return uploads_request(settings, *at);
}

result<http::request> plan_one(const call& call, const settings& settings, std::string_view) {
  const auto id = video_of(call);
  if (!id) return id.error();
  return details_request(settings, {*id});
}

result<http::request> plan_comments(const call& call, const settings& settings,
                                    std::string_view position) {
  if (!position.empty() && !is_page_token(position)) return foreign_position("YouTube");
  const auto id = video_of(call);
  if (!id) return id.error();
  query_pairs parameters = {{"part", "snippet,replies"},
                            {"videoId", *id},
                            {"order", call.sort == "new" ? "time" : "relevance"},
                            {"textFormat", "plainText"},
                            {"maxResults", std::to_string(std::clamp(call.limit, 1, max_threads))}};
  if (!position.empty()) parameters.emplace_back("pageToken", std::string(position));
  return get(settings, "commentThreads", std::move(parameters));
}

result<http::request> plan_trends(const call& call, const settings& settings,
                                  std::string_view position) {
  if (!position.empty() && !is_page_token(position)) return foreign_position("YouTube");
  // Long videos are left out on our side, so a page is as large as the API allows.
  query_pairs parameters = {{"part", "snippet,contentDetails,statistics"},
                            {"chart", "mostPopular"},
                            {"maxResults", std::to_string(max_page)}};
  if (!call.country.empty()) parameters.emplace_back("regionCode", call.country);
  if (!position.empty()) parameters.emplace_back("pageToken", std::string(position));
  return get(settings, "videos", std::move(parameters));
}

}  // namespace freshet::sources::youtube
