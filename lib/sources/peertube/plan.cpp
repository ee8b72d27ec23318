// Requests to PeerTube's API and to the index that speaks it too. It asks for short, public, safe
// videos only, and decides without a fetch what no instance can have.
#include <algorithm>
#include <base/time_text.hpp>
#include <base/url.hpp>
#include <sources/item_text.hpp>
#include <sources/json_request.hpp>
#include <sources/peertube/wire.hpp>
#include <sources/position.hpp>
#include <sources/query_syntax.hpp>
#include <sources/search_scope.hpp>

namespace freshet::sources::peertube {
namespace {

constexpr std::size_t max_name = 128;

bool is_creator(std::string_view text) {
  return is_name(text, max_name, "_-.") && text.front() != '.';
}

http::request get(const instance& instance, std::string_view path,
                  const query_pairs& parameters = {}) {
  auto request = json_request(instance.base_url, path, parameters);
  request.pace_key = pace_of(instance, "peertube");
  return request;
}

/// What search and hashtag lists have in common, after what they look for.
result<http::request> video_search(const call& call, const settings& settings,
                                   std::string_view position, query_pairs parameters,
                                   std::string_view sort) {
  const auto start = read_position(position);
  if (!start) return start.error();
  parameters.emplace_back("start", std::to_string(*start));
  parameters.emplace_back("count", std::to_string(std::clamp(call.limit, 1, max_page)));
  parameters.emplace_back("durationMax", std::to_string(longest_short_s));
  parameters.emplace_back("isLive", "false");
  parameters.emplace_back("nsfw", "false");
  parameters.emplace_back("sort", sort);
  if (call.since) parameters.emplace_back("startDate", base::format_time(*call.since));
  if (!call.lang.empty())
    parameters.emplace_back("languageOneOf", call.lang.substr(0, call.lang.find('-')));
  return get(search_instance(settings), "/api/v1/search/videos", parameters);
}

/// The id in a page's path: /w/<id>, /videos/watch/<id>, /videos/embed/<id>; "" if it is none.
std::string_view video_in(const std::vector<std::string_view>& parts) {
  std::string_view id;
  if (parts.size() >= 2 && parts[0] == "w" && parts[1] != "p") id = parts[1];
  if (parts.size() >= 3 && parts[0] == "videos" && (parts[1] == "watch" || parts[1] == "embed"))
    id = parts[2];
  // Sites of other kinds have short names there.
  constexpr std::size_t shortest_id = 20;
  return is_uuid(id) && id.size() >= shortest_id ? id : std::string_view{};
}

}  // namespace

instance search_instance(const settings& settings) {
  auto url = settings.get("search_url");
  while (url.ends_with('/')) url.remove_suffix(1);
  return instance_at(url.empty() ? default_search : url);
}

result<local_name> creator_target(const call& call, const settings& settings) {
  const std::string_view handle = call.username;
  const auto at = handle.find('@');
  const auto name = handle.substr(0, at);
  const auto configured = instance_at(settings.base_or(default_instance));
  std::optional<instance> where = configured;
  if (at != std::string_view::npos) where = instance_named(handle.substr(at + 1), configured);
  if (!where || !is_creator(name))
    return error(errc::not_found, "PeerTube handles are name or name@host");
  return local_name{std::move(*where), std::string(name)};
}

result<local_name> video_target(const call& call, const settings& settings) {
  std::string host;
  std::string_view id;
  std::optional<base::url> url;
  if (call.native_id.empty()) {
    url = base::parse_url(call.url);
    if (url && url->is_http()) {
      host = host_with_port(*url);
      id = video_in(path_segments(url->path));
    }
  } else {
    const auto slash = std::min(call.native_id.find('/'), call.native_id.size() - 1);
    host = call.native_id.substr(0, slash);
    id = std::string_view(call.native_id).substr(slash + 1);
  }
  auto where = instance_named(host, instance_at(settings.base_or(default_instance)));
  if (!where || !is_uuid(id)) {
    return error(errc::not_found,
                 "not a video of PeerTube: give <host>/<id> or its page, https://<host>/w/<id>");
  }
  return local_name{std::move(*where), std::string(id)};
}

result<std::size_t> read_position(std::string_view text) {
  constexpr number_codec<std::size_t> offsets{
      .source = "PeerTube", .first = 0, .least = 0, .most = last_offset};
  return offsets.read(text);
}

result<std::size_t> read_videos_position(std::string_view text) {
  if (text.empty()) return std::size_t{0};
  const bool has_kind = text.front() == 'c' || text.front() == 'a';
  // A kind without an offset would be the first page, which "" says.
  if (!has_kind || text.size() == 1) return foreign_position("PeerTube");
  return read_position(text.substr(1));
}

http::request account_request(const local_name& whose) {
  return get(whose.at, "/api/v1/accounts/" + base::percent_encode(whose.name));
}

http::request videos_request(const local_name& whose, bool of_account, std::size_t start) {
  const std::string kind = of_account ? "accounts/" : "video-channels/";
  // Long videos are left out on our side, so a page is as large as the API allows.
  return get(whose.at, "/api/v1/" + kind + base::percent_encode(whose.name) + "/videos",
             {{"start", std::to_string(start)},
              {"count", std::to_string(max_page)},
              {"isLive", "false"},
              {"nsfw", "false"},
              {"sort", "-publishedAt"}});
}

result<http::request> plan_search(const call& call, const settings& settings,
                                  std::string_view position) {
  auto text = write_query(call.q, {.phrases = true, .exclusions = false, .special = {}});
  if (text.empty()) return error(errc::invalid_request, "the query has no word to search for");
  const std::string_view order = call.sort == "new"   ? "-publishedAt"
                                 : call.sort == "top" ? "-views"
                                                      : "-match";
  return video_search(call, settings, position, {{"search", std::move(text)}}, order);
}

result<http::request> plan_hashtag(const call& call, const settings& settings,
                                   std::string_view position) {
  if (call.hashtag.empty()) return error(errc::invalid_request, "the hashtag is empty");
  return video_search(call, settings, position, {{"tagsOneOf", call.hashtag}}, "-publishedAt");
}

result<http::request> plan_lookup(const call& call, const settings& settings, std::string_view) {
  const auto whose = creator_target(call, settings);
  if (!whose) return whose.error();
  return get(whose->at, "/api/v1/video-channels/" + base::percent_encode(whose->name));
}

result<http::request> plan_videos(const call& call, const settings& settings,
                                  std::string_view position) {
  const auto whose = creator_target(call, settings);
  if (!whose) return whose.error();
  const auto start = read_videos_position(position);
  if (!start) return start.error();
  return videos_request(*whose, position.starts_with('a'), *start);
}

result<http::request> plan_one(const call& call, const settings& settings, std::string_view) {
  const auto video = video_target(call, settings);
  if (!video) return video.error();
  return get(video->at, "/api/v1/videos/" + video->name);
}

http::request threads_request(const call& call, const local_name& video, std::size_t start) {
  const std::string_view sort = call.sort == "new" ? "-createdAt" : "-totalReplies";
  return get(video.at, "/api/v1/videos/" + video.name + "/comment-threads",
             {{"start", std::to_string(start)},
              {"count", std::to_string(std::clamp(call.limit, 1, max_trees))},
              {"sort", std::string(sort)}});
}

http::request tree_request(const local_name& video, std::string_view thread) {
  return get(video.at, "/api/v1/videos/" + video.name + "/comment-threads/" + std::string(thread));
}

http::request captions_request(const local_name& video) {
  return get(video.at, "/api/v1/videos/" + video.name + "/captions");
}

result<http::request> plan_transcript(const call& call, const settings& settings,
                                      std::string_view position) {
  // The video itself says its title, and its one id.
  return plan_one(call, settings, position);
}

result<http::request> plan_comments(const call& call, const settings& settings,
                                    std::string_view position) {
  const auto video = video_target(call, settings);
  if (!video) return video.error();
  const auto start = read_position(position);
  if (!start) return start.error();
  return threads_request(call, *video, *start);
}

result<http::request> plan_trends(const call& call, const settings& settings,
                                  std::string_view position) {
  const auto start = read_position(position);
  if (!start) return start.error();
  if (!call.country.empty())
    return left_out("country", "a PeerTube instance does not tell countries apart");
  return get(instance_at(settings.base_or(default_instance)), "/api/v1/videos",
             {{"start", std::to_string(*start)},
              {"count", std::to_string(max_page)},
              {"isLive", "false"},
              {"nsfw", "false"},
              {"sort", "-trending"}});
}

}  // namespace freshet::sources::peertube
