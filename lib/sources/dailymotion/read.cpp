// Answers of Dailymotion's legacy API as pages of items. It keeps what is short and not older than
// asked for, and it says where the API's own end cuts a list.
#include <algorithm>
#include <sources/captions.hpp>
#include <sources/dailymotion/wire.hpp>
#include <sources/item_text.hpp>
#include <sources/read_answer.hpp>

namespace freshet::sources::dailymotion {
namespace {

using base::json::value;

std::string_view error_type(const value& body) {
  return base::view_of(base::member(body, "error", "type"));
}

/// The body, or what the error in it or the status means.
result<json_body> read_api(const http::response& answer) {
  if (answer.status >= 400 && !is_html(answer)) {
    const auto body = parse_body(answer);
    const auto type = body ? error_type(*body) : std::string_view{};
    if (type == "not_found")
      return answer_error(errc::not_found, "Dailymotion knows no such thing", answer);
    if (type == "access_forbidden" || type == "insufficient_scope" || type == "invalid_token")
      return answer_error(errc::source_auth_required, "Dailymotion wants a login for this", answer);
  }
  return read_json(answer);
}

/// Whether a field that was asked for is no longer known.
bool is_field_refused(const http::response& answer) {
  if (answer.status != 400 || is_html(answer)) return false;
  const auto body = parse_body(answer);
  return body && error_type(*body) == "invalid_parameter";
}

/// What is asked for after a refusal, with fewer fields; null after the last one.
struct fewer_fields {
  field_choice fields;
  std::string_view state;
};
std::optional<fewer_fields> after_refusal(const exchange& exchange) {
  if (exchange.state == state_safe || !is_field_refused(exchange.answer)) return std::nullopt;
  if (exchange.state.empty()) return fewer_fields{field_choice::without_views, state_without_views};
  return fewer_fields{field_choice::safe, state_safe};
}

bool is_wanted(const video& item, const call& call) {
  if (item.duration_s && *item.duration_s > longest_short_s) return false;
  return !call.since || (item.created_at && *item.created_at >= *call.since);
}

}  // namespace

result<step> read_list(const exchange& exchange) {
  const auto at = read_position(exchange.position, exchange.call.limit);
  if (!at) return at.error();
  if (const auto fewer = after_refusal(exchange)) {
    auto again = list_request(exchange.call, exchange.settings, *at, fewer->fields);
    if (!again) return again.error();
    return step(follow{std::move(*again), std::string(fewer->state)});
  }
  const auto body = read_api(exchange.answer);
  if (!body) return body.error();
  const auto& list = base::member(*body, "list");
  if (!is_object_list(list))
    return error(errc::source_error, "the source's answer holds no videos");

  const auto& videos = base::array_of(list);
  const auto wanted = static_cast<std::size_t>(std::max(exchange.call.limit, 1));
  listing page;
  auto i = std::min(static_cast<std::size_t>(at->given), videos.size());
  for (; i < videos.size() && page.items.size() < wanted; ++i) {
    auto item = read_video(videos[i]);
    if (item && is_wanted(*item, exchange.call)) page.items.emplace_back(std::move(*item));
  }
  const bool has_more = base::flag_of(base::member(*body, "has_more")).value_or(false);
  if (i < videos.size()) {
    page.next = list_position{at->page, at->size, static_cast<int>(i)}.text();
  } else if (has_more && !videos.empty()) {
    if ((at->page + 1) * at->size <= last_video) {
      page.next = list_position{at->page + 1, at->size, 0}.text();
    } else {
      page.partial = true;
      page.warnings.push_back("Dailymotion ends every list at 1000 videos; there are more");
    }
  }
  return step(std::move(page));
}

result<step> read_lookup(const exchange& exchange) {
  if (exchange.state.empty() && is_field_refused(exchange.answer)) {
    auto again = user_request(exchange.call, exchange.settings, field_choice::safe);
    if (!again) return again.error();
    return step(follow{std::move(*again), std::string(state_safe)});
  }
  const auto body = read_api(exchange.answer);
  if (!body) return body.error();
  auto found = read_user(*body);
  if (!found) return error(errc::source_error, "the source's answer holds no user");
  return page_of(std::move(*found));
}

result<step> read_one(const exchange& exchange) {
  if (const auto fewer = after_refusal(exchange)) {
    auto again = video_request(exchange.call, exchange.settings, fewer->fields);
    if (!again) return again.error();
    return step(follow{std::move(*again), std::string(fewer->state)});
  }
  const auto body = read_api(exchange.answer);
  if (!body) return body.error();
  auto found = read_video(*body);
  if (!found) return error(errc::source_error, "the source's answer holds no video");
  return page_of(std::move(*found));
}

result<step> read_transcript(const exchange& exchange) {
  // Steps: the video, perhaps again with fewer fields; the list of its subtitles; a file.
  constexpr std::string_view of_list = "l ", of_file = "f ";
  const auto state = exchange.state;
  if (state.starts_with(of_file)) {
    auto made = transcript_in(state.substr(of_file.size()), exchange.meter);
    return made ? transcript_of(std::move(*made), exchange) : made.error();
  }
  if (!state.starts_with(of_list)) {
    auto found = read_one(exchange);
    if (!found || std::holds_alternative<follow>(*found)) return found;
    const auto& item = std::get<video>(std::get<listing>(*found).items.front());
    const auto id = std::string_view(item.id).substr(item.id.find(':') + 1);
    return step(follow{subtitles_request(id, exchange.settings),
                       std::string(of_list) + state_of(transcript_for(item))});
  }
  auto made = transcript_in(state.substr(of_list.size()), exchange.meter);
  if (!made) return made.error();
  const auto body = read_api(exchange.answer);
  if (!body) return body.error();
  const auto& list = base::member(*body, "list");
  if (!is_object_list(list)) return no_list_of("subtitles", exchange.answer);
  std::vector<caption_track> tracks;
  for (const auto& one : base::array_of(list)) {
    auto lang = language_tag(base::view_of(base::member(one, "language")));
    auto address = file_url(base::view_of(base::member(one, "url")));
    if (!lang.empty() && !address.empty())
      tracks.push_back({std::move(lang), false, std::move(address)});
  }
  const auto track = chosen_track(tracks, exchange.call.lang);
  if (!track) return track.error();
  made->lang = track->lang;
  auto request = captions_file_request(track->place);
  request.pace_key = "dailymotion";
  return step(follow{std::move(request), std::string(of_file) + state_of(*made)});
}

}  // namespace freshet::sources::dailymotion
