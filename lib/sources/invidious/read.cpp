// Answers of the Invidious API as pages of items. It keeps what is short and shown already, and
// says where a continuation is too long to be carried in a cursor.
#include <sources/captions.hpp>
#include <sources/invidious/wire.hpp>
#include <sources/item_text.hpp>
#include <sources/read_answer.hpp>

namespace freshet::sources::invidious {
namespace {

using base::json::value;

/// The body, or what the status means: 403 is how an instance says that its API is off.
result<json_body> read_api(const http::response& answer) {
  if (answer.status == 403 && !is_html(answer)) {
    return answer_error(errc::source_blocked,
                        "the instance does not answer API requests; use one of your own", answer);
  }
  return read_json(answer);
}

bool is_wanted(const video& item, const value& value) {
  const auto type = base::view_of(base::member(value, "type"));
  if (!type.empty() && type != "video" && type != "shortVideo") return false;
  for (const auto key : {"liveNow", "isUpcoming", "premium", "paid"}) {
    if (base::flag_of(base::member(value, key)).value_or(false)) return false;
  }
  return !item.duration_s || *item.duration_s <= longest_short_s;
}

/// The videos of a list, and whether the last dated one is older than `since`.
bool read_list(const value& list, const instance& instance, const call& call, listing& listing) {
  bool is_past = false;
  for (const auto& from : base::array_of(list)) {
    auto item = read_video(from, instance);
    if (!item) continue;
    if (call.since && item->created_at) is_past = *item->created_at < *call.since;
    if (is_wanted(*item, from)) listing.items.emplace_back(std::move(*item));
  }
  return is_past;
}

/// The channel that a handle was resolved to.
result<std::string> resolved(const http::response& answer) {
  if (answer.status == 400 && !is_html(answer))
    return answer_error(errc::not_found, "YouTube knows no such handle", answer);
  const auto body = read_api(answer);
  if (!body) return body.error();
  auto id = base::view_of(base::member(*body, "ucid"));
  if (id.empty()) id = base::view_of(base::member(*body, "browseId"));
  if (is_channel_id(id)) return std::string(id);
  // It says what an address leads to that is no channel's; what says nothing is no answer to that.
  if (base::view_of(base::member(*body, "pageType")).empty())
    return answer_error(errc::source_error, "the source's answer holds no channel", answer);
  return error(errc::not_found, "YouTube knows no such handle");
}

/// Whether the next answer is of the channel, or first of its handle.
bool is_resolving(const call& call, std::string_view position, std::string_view state) {
  return position.empty() && state.empty() && !is_channel_id(call.username);
}

/// Where the videos of a channel go on: their tab, then the shorts.
void set_next(listing& page, const value& body, const tab_position& position, const call& call,
              bool is_past) {
  const auto more = base::view_of(base::member(body, "continuation"));
  const bool has_some = !base::array_of(base::member(body, "videos")).empty();
  if (!more.empty() && more != position.continuation && has_some && !is_past) {
    if (is_continuation(more)) {
      page.next = tab_position{position.tab, position.channel, std::string(more)}.text();
      return;
    }
    page.partial = true;
    page.warnings.push_back(
        "Invidious's continuation is too long to be followed; there may be more");
  }
  // The shorts have no dates, so that none of them is known to be new enough.
  if (position.tab == 'v' && !call.since)
    page.next = tab_position{'s', position.channel, {}}.text();
}

}  // namespace

result<step> read_search(const exchange& exchange) {
  const auto number = read_position(exchange.position);
  if (!number) return number.error();
  const auto body = read_api(exchange.answer);
  if (!body) return body.error();
  const bool by_tag = exchange.call.op == catalog::operation::shortvideo_hashtags_videos;
  const auto& list = by_tag ? base::member(*body, "results") : *body;
  if (!is_object_list(list))
    return error(errc::source_error, "the source's answer holds no videos");
  listing page;
  read_list(list, instance_at(exchange.settings.base_url), exchange.call, page);
  if (!base::array_of(list).empty() && *number < last_page) page.next = std::to_string(*number + 1);
  return step(std::move(page));
}

result<step> read_lookup(const exchange& exchange) {
  const auto& call = exchange.call;
  if (is_resolving(call, exchange.position, exchange.state)) {
    const auto channel = resolved(exchange.answer);
    if (!channel) return channel.error();
    return step(follow{channel_request(exchange.settings, *channel),
                       std::string(state_channel) + *channel});
  }
  const auto body = read_api(exchange.answer);
  if (!body) return body.error();
  auto found = read_channel(*body, instance_at(exchange.settings.base_url));
  if (!found) return error(errc::source_error, "the source's answer holds no channel");
  if (found->handle.empty() && !is_channel_id(call.username)) found->handle = call.username;
  return page_of(std::move(*found));
}

result<step> read_videos(const exchange& exchange) {
  const auto& call = exchange.call;
  const auto state = exchange.state;
  if (is_resolving(call, exchange.position, state)) {
    const auto channel = resolved(exchange.answer);
    if (!channel) return channel.error();
    return step(follow{tab_request(exchange.settings, {'v', *channel, {}}),
                       std::string(state_channel) + *channel});
  }
  tab_position at;
  if (exchange.position.empty()) {
    at.channel = state.empty() ? call.username : std::string(state.substr(state_channel.size()));
  } else {
    auto named = read_tab_position(exchange.position);
    if (!named) return named.error();
    at = std::move(*named);
  }
  const auto body = read_api(exchange.answer);
  if (!body) return body.error();
  const auto& list = base::member(*body, "videos");
  if (!is_object_list(list))
    return error(errc::source_error, "the source's answer holds no videos");
  listing page;
  const bool is_past = read_list(list, instance_at(exchange.settings.base_url), call, page);
  set_next(page, *body, at, call, is_past);
  return step(std::move(page));
}

result<step> read_one(const exchange& exchange) {
  const auto& answer = exchange.answer;
  if (answer.status == 500 && !is_html(answer)) {
    // So it says that YouTube has no such video, or does not show it.
    const auto body = parse_body(answer);
    const auto why = body ? base::view_of(base::member(*body, "error")) : std::string_view{};
    if (why.starts_with("Video unavailable") || why.starts_with("This video"))
      return answer_error(errc::not_found, "YouTube does not show such a video", answer);
  }
  const auto body = read_api(answer);
  if (!body) return body.error();
  auto found = read_video(*body, instance_at(exchange.settings.base_url));
  if (!found) return error(errc::source_error, "the source's answer holds no video");
  return page_of(std::move(*found));
}

result<step> read_comments(const exchange& exchange) {
  const auto id = video_of(exchange.call, exchange.settings);
  if (!id) return id.error();
  const auto body = read_api(exchange.answer);
  if (!body) return body.error();
  const auto& list = base::member(*body, "comments");
  if (!is_object_list(list))
    return error(errc::source_error, "the source's answer holds no comments");
  const auto at = instance_at(exchange.settings.base_url);
  listing page;
  bool has_replies = false;
  for (const auto& from : base::array_of(list)) {
    auto item = read_comment(from, *id, at);
    if (!item) continue;
    has_replies = has_replies ||
                  base::integer_of(base::member(from, "replies", "replyCount")).value_or(0) > 0;
    page.items.emplace_back(std::move(*item));
  }
  if (has_replies) {
    page.partial = true;
    page.warnings.push_back("invidious: comments come without their replies");
  }
  const auto more = base::view_of(base::member(*body, "continuation"));
  if (more.empty() || more == exchange.position || base::array_of(list).empty())
    return step(std::move(page));
  if (is_continuation(more)) {
    page.next = more;
  } else {
    page.partial = true;
    page.warnings.push_back(
        "Invidious's continuation is too long to be followed; there may be more");
  }
  return step(std::move(page));
}

result<step> read_transcript(const exchange& exchange) {
  if (!exchange.state.empty()) {
    auto made = transcript_in(exchange.state, exchange.meter);
    return made ? transcript_of(std::move(*made), exchange) : made.error();
  }
  const auto id = video_of(exchange.call, exchange.settings);
  if (!id) return id.error();
  const auto body = read_api(exchange.answer);
  if (!body) return body.error();
  const auto found = read_video(*body, instance_at(exchange.settings.base_url));
  if (!found) return error(errc::source_error, "the source's answer holds no video");
  std::vector<caption_track> tracks;
  for (const auto& one : base::array_of(base::member(*body, "captions"))) {
    auto lang = base::view_of(base::member(one, "language_code"));
    if (lang.empty()) lang = base::view_of(base::member(one, "languageCode"));
    const auto label = base::view_of(base::member(one, "label"));
    const bool generated = label.find("auto-generated") != std::string_view::npos;
    if (!lang.empty() && !label.empty())
      tracks.push_back({language_tag(lang), generated, std::string(label)});
  }
  const auto track = chosen_track(tracks, exchange.call.lang);
  if (!track) return track.error();
  auto made = transcript_for(*found);
  made.lang = track->lang;
  made.generated = track->generated;
  return step(follow{captions_request(exchange.settings, *id, track->place), state_of(made)});
}

result<step> read_trends(const exchange& exchange) {
  const auto& answer = exchange.answer;
  constexpr std::string_view of_popular = "popular";
  const bool first = exchange.state.empty();
  // YouTube has no page of trends any more, and so newer instances have none; what their own users
  // watch is of no country.
  const bool gone = answer.status == 404 || answer.status == 410 || answer.status == 500;
  if (first && gone && !is_html(answer)) {
    if (!exchange.call.country.empty())
      return answer_error(errc::not_found, "the instance has no trends of countries", answer);
    return step(follow{popular_request(exchange.settings), std::string(of_popular)});
  }
  const auto body = read_api(answer);
  if (!body) return body.error();
  if (!is_object_list(body->root()))
    return error(errc::source_error, "the source's answer holds no videos");
  listing page;
  read_list(*body, instance_at(exchange.settings.base_url), exchange.call, page);
  return step(std::move(page));
}

}  // namespace freshet::sources::invidious
