// Answers of the YouTube Data API: a list of ids becomes a request for their details, and those
// become items. A used-up quota comes as 403, as a wrong key does; the reason tells them apart.
#include <algorithm>
#include <array>
#include <base/unicode.hpp>
#include <sources/read_answer.hpp>
#include <sources/youtube/wire.hpp>
#include <sources/youtube_address.hpp>

namespace freshet::sources::youtube {
namespace {

using base::json::value;

constexpr std::array<std::string_view, 3> quota_reasons = {"quotaExceeded", "dailyLimitExceeded",
                                                           "dailyLimitExceededUnreg"};
constexpr std::array<std::string_view, 2> rate_reasons = {"rateLimitExceeded",
                                                          "userRateLimitExceeded"};
constexpr std::chrono::seconds rate_window{60};
/// Of one comment; what a source claims beyond it does not count.
constexpr std::int64_t max_counted_replies = 1'000'000;

template <std::size_t N>
bool contains(const std::array<std::string_view, N>& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

bool names_the_key(const value& failure, std::string_view reason) {
  if (reason == "keyInvalid" || reason == "keyExpired") return true;
  for (const auto& one : base::array_of(base::member(failure, "details"))) {
    if (base::view_of(base::member(one, "reason")).starts_with("API_KEY_")) return true;
  }
  return base::view_of(base::member(failure, "message")).starts_with("API key ");
}

std::string_view reason_in(const value& body) {
  const auto& reasons = base::array_of(base::member(body, "error", "errors"));
  return reasons.empty() ? std::string_view{}
                         : base::view_of(base::member(reasons.front(), "reason"));
}

/// The body, or what its error or the status means.
result<json_body> read_api(const http::response& answer, const call& call) {
  if (answer.status < 400 || is_html(answer)) return read_json(answer);
  const auto body = parse_body(answer);
  if (!body) return read_json(answer);
  const auto& failure = base::member(*body, "error");
  const auto reason = reason_in(*body);
  if (contains(quota_reasons, reason)) {
    auto failed =
        answer_error(errc::source_unavailable, "the day's quota at YouTube is used up", answer);
    failed.retry_after = std::min(until_quota_reset(call.now), max_retry_after);
    return failed;
  }
  if (contains(rate_reasons, reason)) {
    auto failed = answer_error(errc::source_unavailable, "YouTube's rate limit is reached", answer);
    if (!failed.retry_after) failed.retry_after = rate_window;
    return failed;
  }
  if (names_the_key(failure, reason) || answer.status == 403) {
    return answer_error(errc::source_auth_required,
                        "YouTube refused the key; check sources.youtube.api_key and that the "
                        "Data API is enabled for it",
                        answer);
  }
  if (answer.status == 404)
    return answer_error(errc::not_found, "YouTube knows no such thing", answer);
  return read_json(answer);
}

/// The uploads of a channel that has none do not exist.
bool is_no_playlist(const http::response& answer) {
  if (answer.status != 404 || is_html(answer)) return false;
  const auto body = parse_body(answer);
  return body && reason_in(*body) == "playlistNotFound";
}

std::string next_token(const value& body) {
  const auto token = base::view_of(base::member(body, "nextPageToken"));
  return is_page_token(token) ? std::string(token) : std::string();
}

/// The ids in a page of search results or of a playlist.
std::vector<std::string> video_ids(const value& body) {
  std::vector<std::string> ids;
  for (const auto& one : base::array_of(base::member(body, "items"))) {
    for (const auto& at :
         {&base::member(one, "id", "videoId"), &base::member(one, "contentDetails", "videoId"),
          &base::member(one, "snippet", "resourceId", "videoId")}) {
      const auto id = base::view_of(*at);
      if (!is_youtube_video_id(id)) continue;
      if (ids.size() < max_page) ids.emplace_back(id);
      break;
    }
  }
  return ids;
}

bool is_wanted(const video& item, const value& value, const call& call) {
  const auto live = base::view_of(base::member(value, "snippet", "liveBroadcastContent"));
  if (live == "live" || live == "upcoming") return false;
  if (item.duration_s && *item.duration_s > longest_short_s) return false;
  if (call.op != catalog::operation::shortvideo_hashtags_videos) return true;
  // A search for "#tag" finds the word too.
  const auto wanted = base::fold(call.hashtag);
  const auto tags = hashtags_in(item.title + "\n" + item.text);
  return std::ranges::any_of(
      tags, [&wanted](const std::string& tag) { return base::fold(tag) == wanted; });
}

/// The videos of an answer, and whether the last one is older than `since`.
result<bool> read_details(const value& body, const call& call, listing& listing) {
  const auto& items = base::member(body, "items");
  if (!is_object_list(items))
    return error(errc::source_error, "the source's answer holds no videos");
  bool is_past = false;
  for (const auto& from : base::array_of(items)) {
    auto item = read_video(from);
    if (!item) continue;
    if (call.since && item->created_at) is_past = *item->created_at < *call.since;
    if (is_wanted(*item, from, call)) listing.items.emplace_back(std::move(*item));
  }
  return is_past;
}

/// The one channel of an answer; an answer without items is how YouTube says that there is none.
result<const value*> channel_in(const value& body) {
  const auto& items = base::member(body, "items");
  if (!items.is_null() && !is_object_list(items))
    return error(errc::source_error, "the source's answer holds no channel");
  if (items.is_null() && !base::member(body, "pageInfo").is_object())
    return error(errc::source_error, "the source's answer holds no channel");
  if (base::array_of(items).empty()) return error(errc::not_found, "YouTube knows no such channel");
  return &base::array_of(items).front();
}

}  // namespace

result<step> read_search(const exchange& exchange) {
  const auto body = read_api(exchange.answer, exchange.call);
  if (!body) return body.error();
  listing page;
  if (exchange.state.starts_with(state_details)) {
    const auto read = read_details(*body, exchange.call, page);
    if (!read) return read.error();
    page.next = std::string(exchange.state.substr(state_details.size()));
    return step(std::move(page));
  }
  if (!is_object_list(base::member(*body, "items")))
    return error(errc::source_error, "the source's answer holds no videos");
  const auto ids = video_ids(*body);
  if (ids.empty()) return step(std::move(page));
  return step(follow{details_request(exchange.settings, ids),
                     std::string(state_details) + next_token(*body)});
}

result<step> read_lookup(const exchange& exchange) {
  const auto body = read_api(exchange.answer, exchange.call);
  if (!body) return body.error();
  const auto channel = channel_in(*body);
  if (!channel) return channel.error();
  auto found = read_channel(**channel);
  if (!found) return error(errc::source_error, "the source's answer holds no channel");
  return page_of(std::move(*found));
}

result<step> read_videos(const exchange& exchange) {
  const auto position = exchange.position;
  listing page;
  const bool of_uploads = !position.empty() || exchange.state.starts_with(state_uploads);
  if (exchange.state.starts_with(state_uploads) && is_no_playlist(exchange.answer))
    return step(std::move(page));
  const auto body = read_api(exchange.answer, exchange.call);
  if (!body) return body.error();
  if (exchange.state.starts_with(state_details)) {
    const auto is_past = read_details(*body, exchange.call, page);
    if (!is_past) return is_past.error();
    if (!*is_past) page.next = std::string(exchange.state.substr(state_details.size()));
    return step(std::move(page));
  }
  if (!of_uploads) {
    const auto channel = channel_in(*body);
    if (!channel) return channel.error();
    const auto playlist =
        base::view_of(base::member(**channel, "contentDetails", "relatedPlaylists", "uploads"));
    if (!is_playlist_id(playlist))
      return error(errc::source_error, "the source's answer holds no uploads");
    return step(follow{uploads_request(exchange.settings, {std::string(playlist), {}}),
                       std::string(state_uploads).append(playlist)});
  }
  if (!is_object_list(base::member(*body, "items")))
    return error(errc::source_error, "the source's answer holds no uploads");
  const auto playlist = position.empty() ? exchange.state.substr(state_uploads.size())
                                         : position.substr(0, position.find('/'));
  const auto token = next_token(*body);
  const auto next =
      token.empty() ? std::string() : token_position{std::string(playlist), token}.text();
  const auto ids = video_ids(*body);
  if (ids.empty()) {
    page.next = next;
    return step(std::move(page));
  }
  return step(follow{details_request(exchange.settings, ids), std::string(state_details) + next});
}

result<step> read_one(const exchange& exchange) {
  const auto id = video_of(exchange.call);
  if (!id) return id.error();
  const auto body = read_api(exchange.answer, exchange.call);
  if (!body) return body.error();
  const auto& items = base::member(*body, "items");
  if (!is_object_list(items))
    return error(errc::source_error, "the source's answer holds no videos");
  for (const auto& from : base::array_of(items)) {
    if (base::view_of(base::member(from, "id")) != *id) continue;
    if (auto item = read_video(from)) return page_of(std::move(*item));
  }
  return answer_error(errc::not_found, "YouTube knows no such video", exchange.answer);
}

result<step> read_comments(const exchange& exchange) {
  const auto id = video_of(exchange.call);
  if (!id) return id.error();
  if (exchange.answer.status == 403 && !is_html(exchange.answer)) {
    const auto said = parse_body(exchange.answer);
    if (said && reason_in(*said) == "commentsDisabled")
      return answer_error(errc::not_found, "the video has its comments switched off",
                          exchange.answer);
  }
  const auto body = read_api(exchange.answer, exchange.call);
  if (!body) return body.error();
  const auto& threads = base::member(*body, "items");
  if (!is_object_list(threads))
    return error(errc::source_error, "the source's answer holds no comments");
  listing page;
  std::int64_t missing = 0;
  for (const auto& thread : base::array_of(threads)) {
    auto top = read_comment(base::member(thread, "snippet", "topLevelComment"), *id);
    if (!top) continue;
    const auto parent = top->id;
    page.items.emplace_back(std::move(*top));
    std::int64_t given = 0;
    for (const auto& one : base::array_of(base::member(thread, "replies", "comments"))) {
      auto reply = read_comment(one, *id);
      if (!reply) continue;
      reply->parent_id = parent;
      reply->depth = 1;
      page.items.emplace_back(std::move(*reply));
      ++given;
    }
    const auto all =
        base::integer_of(base::member(thread, "snippet", "totalReplyCount")).value_or(0);
    missing += std::clamp<std::int64_t>(all - given, 0, max_counted_replies);
  }
  if (missing > 0) {
    page.partial = true;
    page.warnings.push_back("youtube: replies that do not come with their comments: " +
                            std::to_string(missing));
  }
  if (!base::array_of(threads).empty()) page.next = next_token(*body);
  if (page.next == exchange.position) page.next.clear();
  return step(std::move(page));
}

result<step> read_trends(const exchange& exchange) {
  const auto body = read_api(exchange.answer, exchange.call);
  if (!body) return body.error();
  listing page;
  const auto read = read_details(*body, exchange.call, page);
  if (!read) return read.error();
  page.next = next_token(*body);
  if (page.next == exchange.position) page.next.clear();
  if (!page.items.empty() || page.next.empty()) return step(std::move(page));
  // A page of long videos only: the next one, as long as steps are left.
  auto request = plan_trends(exchange.call, exchange.settings, page.next);
  if (!request) return request.error();
  return step(follow{std::move(*request), std::move(page.next)});
}

}  // namespace freshet::sources::youtube
