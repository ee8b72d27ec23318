// Answers of PeerTube's API as pages of items. It keeps what is short and not older than asked for,
// and goes on exactly behind the last video that it looked at.
#include <algorithm>
#include <sources/peertube/wire.hpp>
#include <sources/read_answer.hpp>

namespace freshet::sources::peertube {
namespace {

using base::json::value;

bool is_wanted(const video& item, const value& value, const call& call) {
  if (base::flag_of(base::member(value, "isLive")).value_or(false)) return false;
  if (item.duration_s && *item.duration_s > longest_short_s) return false;
  return !call.since || (item.created_at && *item.created_at >= *call.since);
}

struct read_list {
  listing page;
  std::size_t looked_at = 0;
  bool is_past = false;  ///< the last one looked at is older than `since`
};

result<read_list> read_items(const call& call, const value& body, std::string_view base_url) {
  const auto& data = base::member(body, "data");
  if (!is_object_list(data))
    return error(errc::source_error, "the source's answer holds no videos");
  read_list list;
  const auto wanted = static_cast<std::size_t>(std::max(call.limit, 1));
  for (const auto& from : base::array_of(data)) {
    if (list.page.items.size() == wanted) break;
    ++list.looked_at;
    auto item = read_video(from, base_url);
    if (!item) continue;
    if (call.since && item->created_at) list.is_past = *item->created_at < *call.since;
    if (is_wanted(*item, from, call)) list.page.items.emplace_back(std::move(*item));
  }
  return list;
}

/// Where to go on; "" at the end.
std::string next_offset(const value& body, std::size_t start, std::size_t looked_at) {
  const auto total = base::integer_of(base::member(body, "total")).value_or(0);
  const auto next = start + looked_at;
  const bool more = looked_at > 0 && next < last_offset && std::cmp_less(next, total);
  return more ? std::to_string(next) : std::string();
}

}  // namespace

result<json_body> read_api(const http::response& answer, const instance& instance) {
  if ((answer.status == 404 || answer.status == 410) && !instance.configured)
    return answer_error(errc::not_found,
                        instance.host + " has nothing like that for PeerTube clients", answer);
  return read_json(answer);
}

result<step> read_search(const exchange& exchange) {
  const auto at = search_instance(exchange.settings);
  const auto start = read_position(exchange.position);
  if (!start) return start.error();
  const auto body = read_json(exchange.answer);
  if (!body) return body.error();
  auto list = read_items(exchange.call, *body, at.base_url);
  if (!list) return list.error();
  list->page.next = next_offset(*body, *start, list->looked_at);
  return step(std::move(list->page));
}

result<step> read_lookup(const exchange& exchange) {
  const auto whose = creator_target(exchange.call, exchange.settings);
  if (!whose) return whose.error();
  if (exchange.answer.status == 404 && exchange.state.empty())
    return step(follow{account_request(*whose), std::string(state_account)});
  const auto body = read_api(exchange.answer, whose->at);
  if (!body) return body.error();
  auto found = read_creator(*body, whose->at.base_url);
  if (!found) return error(errc::source_error, "the source's answer holds no channel");
  return page_of(std::move(*found));
}

result<step> read_videos(const exchange& exchange) {
  const auto whose = creator_target(exchange.call, exchange.settings);
  if (!whose) return whose.error();
  const auto begun = read_videos_position(exchange.position);
  if (!begun) return begun.error();
  const bool goes_on = !exchange.state.empty() && exchange.state != state_account;
  const auto start = goes_on ? read_videos_position(exchange.state) : begun;
  if (!start) return start.error();
  const bool of_account = exchange.state.starts_with('a') || exchange.position.starts_with('a');
  if (exchange.answer.status == 404 && !of_account && !goes_on && exchange.position.empty())
    return step(follow{videos_request(*whose, true, 0), std::string(state_account)});
  const auto body = read_api(exchange.answer, whose->at);
  if (!body) return body.error();
  auto list = read_items(exchange.call, *body, whose->at.base_url);
  if (!list) return list.error();
  const auto next = next_offset(*body, *start, list->looked_at);
  if (next.empty() || list->is_past) return step(std::move(list->page));
  list->page.next = (of_account ? "a" : "c") + next;
  const auto passed = *start + list->looked_at - *begun;
  if (list->page.items.empty() && passed <= longest_gap) {
    return step(follow{videos_request(*whose, of_account, *start + list->looked_at),
                       std::move(list->page.next)});
  }
  return step(std::move(list->page));
}

result<step> read_one(const exchange& exchange) {
  const auto video = video_target(exchange.call, exchange.settings);
  if (!video) return video.error();
  const auto body = read_api(exchange.answer, video->at);
  if (!body) return body.error();
  auto found = read_video(*body, video->at.base_url);
  if (!found) return error(errc::source_error, "the source's answer holds no video");
  return page_of(std::move(*found));
}

result<step> read_trends(const exchange& exchange) {
  const auto at = instance_at(exchange.settings.base_or(default_instance));
  const auto begun = read_position(exchange.position);
  if (!begun) return begun.error();
  const auto start = exchange.state.empty() ? begun : read_position(exchange.state);
  if (!start) return start.error();
  const auto body = read_api(exchange.answer, at);
  if (!body) return body.error();
  auto list = read_items(exchange.call, *body, at.base_url);
  if (!list) return list.error();
  list->page.next = next_offset(*body, *start, list->looked_at);
  const auto passed = *start + list->looked_at - *begun;
  if (list->page.items.empty() && !list->page.next.empty() && passed <= longest_gap) {
    auto request = plan_trends(exchange.call, exchange.settings, list->page.next);
    if (!request) return request.error();
    return step(follow{std::move(*request), std::move(list->page.next)});
  }
  return step(std::move(list->page));
}

}  // namespace freshet::sources::peertube
