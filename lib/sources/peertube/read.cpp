// Answers of PeerTube's API as pages of items. It keeps what is short and not older than asked for,
// and goes on exactly behind the last video that it looked at.
#include <algorithm>
#include <sources/read_answer.hpp>

#include "peertube.hpp"

namespace freshet::sources::peertube {
namespace {

using base::json::value;

/// The body, or what the status means.
result<value> read_api(const http::response& answer, const instance& at) {
  if ((answer.status == 404 || answer.status == 410) && !at.configured)
    return answer_error(errc::not_found, at.host + " has nothing like that for PeerTube clients",
                        answer);
  return read_json(answer);
}

bool is_wanted(const video& item, const value& from, const call& what) {
  if (base::flag_of(base::member(from, "isLive")).value_or(false)) return false;
  if (item.duration_s && *item.duration_s > longest_short_s) return false;
  return !what.since || (item.created_at && *item.created_at >= *what.since);
}

struct read_list {
  listing page;
  std::size_t looked_at = 0;
  bool is_past = false;  ///< the last one looked at is older than `since`
};

result<read_list> read_items(const call& what, const value& body, std::string_view base_url) {
  const auto& data = base::member(body, "data");
  if (!data.is_array()) return error(errc::source_error, "the source's answer holds no videos");
  read_list list;
  const auto wanted = static_cast<std::size_t>(std::max(what.limit, 1));
  for (const auto& from : base::array_of(data)) {
    if (list.page.items.size() == wanted) break;
    ++list.looked_at;
    auto item = read_video(from, base_url);
    if (!item) continue;
    if (what.since && item->created_at) list.is_past = *item->created_at < *what.since;
    if (is_wanted(*item, from, what)) list.page.items.emplace_back(std::move(*item));
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

result<step> read_search(const call& what, const settings& with, const http::response& answer,
                         std::string_view position, std::string_view) {
  const auto at = search_instance(with);
  const auto start = read_position(position);
  if (!start) return start.error();
  const auto body = read_json(answer);
  if (!body) return body.error();
  auto list = read_items(what, *body, at.base_url);
  if (!list) return list.error();
  list->page.next = next_offset(*body, *start, list->looked_at);
  return step(std::move(list->page));
}

result<step> read_lookup(const call& what, const settings& with, const http::response& answer,
                         std::string_view, std::string_view state) {
  const auto whose = creator_target(what, with);
  if (!whose) return whose.error();
  if (answer.status == 404 && state.empty())
    return step(follow{account_request(*whose), std::string(state_account)});
  const auto body = read_api(answer, whose->at);
  if (!body) return body.error();
  auto found = read_creator(*body, whose->at.base_url);
  if (!found) return error(errc::source_error, "the source's answer holds no channel");
  listing page;
  page.items.emplace_back(std::move(*found));
  return step(std::move(page));
}

result<step> read_videos(const call& what, const settings& with, const http::response& answer,
                         std::string_view position, std::string_view state) {
  const auto whose = creator_target(what, with);
  if (!whose) return whose.error();
  const auto start = read_videos_position(position);
  if (!start) return start.error();
  const bool of_account = state == state_account || position.starts_with('a');
  if (answer.status == 404 && !of_account && position.empty())
    return step(follow{videos_request(*whose, true, 0), std::string(state_account)});
  const auto body = read_api(answer, whose->at);
  if (!body) return body.error();
  auto list = read_items(what, *body, whose->at.base_url);
  if (!list) return list.error();
  const auto next = next_offset(*body, *start, list->looked_at);
  if (!next.empty() && !list->is_past) list->page.next = (of_account ? "a" : "c") + next;
  return step(std::move(list->page));
}

}  // namespace freshet::sources::peertube
