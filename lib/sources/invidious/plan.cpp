// Requests to an Invidious instance. A handle is resolved to its channel first; the API knows
// channels by their ids only.
#include <algorithm>
#include <base/ascii.hpp>
#include <base/unicode.hpp>
#include <base/url.hpp>
#include <sources/captions.hpp>
#include <sources/invidious/wire.hpp>
#include <sources/item_text.hpp>
#include <sources/json_request.hpp>
#include <sources/position.hpp>
#include <sources/query_syntax.hpp>
#include <sources/youtube_address.hpp>

namespace freshet::sources::invidious {
namespace {

using catalog::operation;

constexpr std::size_t max_native_id = 64;
constexpr std::size_t channel_id_length = 24;
constexpr std::size_t max_handle = 100;  // bytes; 30 characters of any script

bool is_id_char(char c) { return base::is_alphanumeric(c) || c == '-' || c == '_'; }
bool is_id(std::string_view text) { return is_name(text, max_native_id, "-_"); }
bool is_handle(std::string_view text) {
  return !text.empty() && text.size() <= max_handle && base::is_utf8(text) &&
         std::ranges::all_of(text, [](char c) {
           return is_id_char(c) || c == '.' || static_cast<unsigned char>(c) >= 0x80;
         });
}

http::request get(const settings& settings, std::string_view path,
                  const query_pairs& parameters = {}) {
  auto request = json_request(settings.base_url, "/api/v1" + std::string(path), parameters);
  request.pace_key = "invidious";
  return request;
}

/// The shortest of the API's spans that reaches back to `since`; "" if none does.
std::string_view span_of(const call& call) {
  using std::chrono::days;
  using std::chrono::hours;
  const auto ago = call.now - *call.since;
  if (ago <= hours{1}) return "hour";
  if (ago <= days{1}) return "today";
  if (ago <= days{7}) return "week";
  if (ago <= days{30}) return "month";
  return ago <= days{365} ? "year" : "";
}

std::string order_of(const call& call) {
  if (call.sort == "new") return "date";
  return call.sort == "top" ? "views" : "relevance";
}

/// The channel of a call, or its handle to resolve. Error: not_found.
result<http::request> creator_request(const call& call, const settings& settings,
                                      http::request (*of_channel)(const sources::settings&,
                                                                  std::string_view)) {
  if (is_channel_id(call.username)) return of_channel(settings, call.username);
  if (!is_handle(call.username)) {
    return error(errc::not_found,
                 "YouTube handles hold letters, digits, '_', '-' and '.', and channels are UC...");
  }
  return get(settings, "/resolveurl", {{"url", "https://www.youtube.com/@" + call.username}});
}

http::request first_videos(const settings& settings, std::string_view channel) {
  return tab_request(settings, {'v', std::string(channel), {}});
}

}  // namespace

bool is_continuation(std::string_view text) noexcept {
  return text.size() <= max_continuation &&
         std::ranges::all_of(text, [](char c) { return c > ' ' && c <= '~'; });
}

bool is_channel_id(std::string_view text) noexcept {
  return text.size() == channel_id_length && text.starts_with("UC") && is_id(text);
}

namespace {

std::optional<char> tab_named(std::string_view text) {
  return text == "v" || text == "s" ? std::optional(text.front()) : std::nullopt;
}

constexpr position_codec tab_positions{
    "Invidious", '/',
    value_field{&tab_position::tab, +[](const char& tab) { return std::string(1, tab); },
                &tab_named},
    text_field{&tab_position::channel, &is_channel_id},
    text_field{&tab_position::continuation, &is_continuation}};

}  // namespace

std::string tab_position::text() const { return tab_positions.text(*this); }

result<tab_position> read_tab_position(std::string_view text) {
  if (text.empty()) return foreign_position("Invidious");
  return tab_positions.read(text);
}

result<int> read_position(std::string_view text) {
  constexpr number_codec<int> pages{
      .source = "Invidious", .first = 1, .least = 2, .most = last_page};
  return pages.read(text);
}

result<std::string> video_of(const call& call, const settings& settings) {
  const auto host = instance_at(settings.base_url).host;
  std::string id;
  if (call.native_id.empty()) {
    id = youtube_video_at(call.url);
    // An instance has YouTube's paths.
    const auto url = base::parse_url(call.url);
    if (id.empty() && url && url->is_http() && host_with_port(*url) == host)
      id = youtube_video_at("https://www.youtube.com" + url->path + "?" + url->query);
  } else if (call.native_id.starts_with(host + "/")) {
    id = call.native_id.substr(host.size() + 1);
  }
  if (!is_youtube_video_id(id)) return error(errc::not_found, "this is not a video of YouTube");
  return id;
}

http::request channel_request(const settings& settings, std::string_view channel) {
  return get(settings, "/channels/" + std::string(channel));
}

http::request tab_request(const settings& settings, const tab_position& position) {
  const std::string path =
      "/channels/" + position.channel + (position.tab == 's' ? "/shorts" : "/videos");
  if (position.continuation.empty()) return get(settings, path, {{"sort_by", "newest"}});
  return get(settings, path, {{"sort_by", "newest"}, {"continuation", position.continuation}});
}

result<http::request> plan_search(const call& call, const settings& settings,
                                  std::string_view position) {
  const auto page = read_position(position);
  if (!page) return page.error();
  if (call.op == operation::shortvideo_hashtags_videos) {
    if (call.hashtag.empty()) return error(errc::invalid_request, "the hashtag is empty");
    return get(settings, "/hashtag/" + base::percent_encode(call.hashtag),
               {{"page", std::to_string(*page)}});
  }
  auto text = write_query(call.q, {.phrases = true, .exclusions = true, .special = "|:"});
  if (text.empty()) return error(errc::invalid_request, "the query has no word to search for");
  query_pairs parameters = {{"q", std::move(text)},
                            {"type", "video"},
                            {"duration", "short"},
                            {"sort", order_of(call)},
                            {"page", std::to_string(*page)}};
  if (call.since) {
    if (const auto span = span_of(call); !span.empty()) parameters.emplace_back("date", span);
  }
  if (!call.country.empty()) parameters.emplace_back("region", call.country);
  return get(settings, "/search", parameters);
}

result<http::request> plan_lookup(const call& call, const settings& settings, std::string_view) {
  return creator_request(call, settings, channel_request);
}

result<http::request> plan_videos(const call& call, const settings& settings,
                                  std::string_view position) {
  if (position.empty()) return creator_request(call, settings, first_videos);
  const auto at = read_tab_position(position);
  if (!at) return at.error();
  return tab_request(settings, *at);
}

result<http::request> plan_one(const call& call, const settings& settings, std::string_view) {
  const auto id = video_of(call, settings);
  if (!id) return id.error();
  return get(settings, "/videos/" + *id);
}

http::request captions_request(const settings& settings, std::string_view id,
                               std::string_view label) {
  auto out = get(settings, "/captions/" + std::string(id), {{"label", std::string(label)}});
  out.headers = {{"Accept", "text/vtt"}};
  out.body_limit = max_captions_bytes;
  return out;
}

result<http::request> plan_comments(const call& call, const settings& settings,
                                    std::string_view position) {
  if (!is_continuation(position)) return foreign_position("Invidious");
  const auto id = video_of(call, settings);
  if (!id) return id.error();
  query_pairs parameters = {{"sort_by", call.sort == "new" ? "new" : "top"}};
  if (!position.empty()) parameters.emplace_back("continuation", std::string(position));
  return get(settings, "/comments/" + *id, parameters);
}

result<http::request> plan_trends(const call& call, const settings& settings,
                                  std::string_view position) {
  if (!position.empty()) return foreign_position("Invidious");
  query_pairs parameters;
  if (!call.country.empty()) parameters.emplace_back("region", call.country);
  return get(settings, "/trending", parameters);
}

http::request popular_request(const settings& settings) { return get(settings, "/popular"); }

}  // namespace freshet::sources::invidious
