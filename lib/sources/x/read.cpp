// Answers of X's API v2 as pages of items. An answer of 200 may hold problems instead of data, a
// list without results has no data at all, and a used-up month looks like a full window.
#include <base/url.hpp>
#include <sources/entry_list.hpp>
#include <sources/item_text.hpp>
#include <sources/position.hpp>
#include <sources/post_thread.hpp>
#include <sources/read_answer.hpp>
#include <sources/x/wire.hpp>

namespace freshet::sources::x {
namespace {

using base::json::value;

constexpr std::string_view state_of_post = "post";

/// What one of the problems beside or instead of data means.
error problem_error(const value& problem, const http::response& answer) {
  const auto type = base::view_of(base::member(problem, "type"));
  if (type.ends_with("/resource-not-found") || type.ends_with("/resource-unavailable") ||
      type.ends_with("/disallowed-resource"))
    return answer_error(errc::not_found, "X knows no such thing", answer);
  if (type.ends_with("/not-authorized-for-resource"))
    return answer_error(errc::source_auth_required, "X shows this to its followers only", answer);
  return answer_error(errc::source_error, "X answered with a problem", answer);
}

/// The body, or what the status means.
result<json_body> read_api(const http::response& answer) {
  if (!is_html(answer) && (answer.status == 403 || answer.status == 429)) {
    const auto body = parse_body(answer);
    if (answer.status == 403) {
      return answer_error(errc::source_auth_required,
                          "X refused the token; check sources.x.bearer_token and its project",
                          answer);
    }
    const auto type = body ? base::view_of(base::member(*body, "type")) : std::string_view{};
    if (type.ends_with("/usage-capped")) {
      auto failed =
          answer_error(errc::source_unavailable, "the month's cap at X is used up", answer);
      // The window's headers say nothing of the month.
      failed.retry_after = max_retry_after;
      return failed;
    }
  }
  return read_json(answer);
}

/// Whether X no longer knows the names of 2020.
bool is_renamed(const http::response& answer) {
  if (answer.status != 400 || is_html(answer)) return false;
  const auto body = parse_body(answer);
  if (!body) return false;
  for (const auto& one : base::array_of(base::member(*body, "errors"))) {
    const auto& wrong = base::member(one, "parameters");
    if (!base::member(wrong, "tweet.fields").is_null() ||
        !base::member(wrong, "expansions").is_null())
      return true;
  }
  return false;
}

/// The data of a list; an empty one where there are no results. Error: problems without data.
result<const base::json::array*> list_of(const value& body, const http::response& answer) {
  static const base::json::array none;
  const auto& data = base::member(body, "data");
  if (is_object_list(data)) return &data.get_array();
  const auto& problems = base::array_of(base::member(body, "errors"));
  if (!problems.empty()) return problem_error(problems.front(), answer);
  const bool says_none =
      base::member(body, "errors").is_array() ||
      base::integer_of(base::member(body, "meta", "result_count")).value_or(-1) == 0;
  if (!data.is_null() || !says_none)
    return error(errc::source_error, "the source's answer holds no list");
  return &none;
}

std::string next_token(const value& body) {
  const auto token = base::view_of(base::member(body, "meta", "next_token"));
  return is_name(token, max_token, "-_") ? std::string(token) : std::string();
}

/// A page of posts in the order in which they came; `next` is the bare token.
result<listing> posts_of(const http::response& answer) {
  const auto body = read_api(answer);
  if (!body) return body.error();
  const auto list = list_of(*body, answer);
  if (!list) return list.error();
  const auto beside = inclusions_of(*body);
  listing page;
  for (const auto& one : **list) {
    if (auto item = read_post(one, beside)) page.items.emplace_back(std::move(*item));
  }
  page.next = next_token(*body);
  return page;
}

/// What is left of a state behind a mark that it may begin with.
bool take_mark(std::string_view& state, std::string_view mark) {
  if (!state.starts_with(mark)) return false;
  state.remove_prefix(mark.size());
  return true;
}

void warn_of_window(listing& page, std::string_view text) {
  page.partial = true;
  page.warnings.push_back("X searches the last seven days only; older " + std::string(text) +
                          " cannot be found");
}

std::string renamed(std::string_view state) { return std::string(state_renamed).append(state); }

/// The answer to the request for one post, or why it holds none.
result<json_body> read_post_body(const http::response& answer) {
  auto body = read_api(answer);
  if (!body || base::member(*body, "data").is_object()) return body;
  const auto& problems = base::array_of(base::member(*body, "errors"));
  if (!problems.empty()) return problem_error(problems.front(), answer);
  return error(errc::source_error, "the source's answer holds no post");
}

/// The first page of a conversation was empty: is there such a post?
result<step> read_whether_post(const call& call, std::string_view id,
                               const http::response& answer) {
  const auto body = read_post_body(answer);
  if (!body) return body.error();
  listing page;
  const auto written = time_of_id(id);
  if (!written || *written < call.now - search_window) warn_of_window(page, "replies");
  return step(std::move(page));
}

}  // namespace

result<step> read_lookup(const exchange& exchange) {
  const auto body = read_api(exchange.answer);
  if (!body) return body.error();
  auto found = read_user(base::member(*body, "data"));
  if (!found) {
    const auto& problems = base::array_of(base::member(*body, "errors"));
    if (!problems.empty()) return problem_error(problems.front(), exchange.answer);
    return error(errc::source_error, "the source's answer holds no user");
  }
  return page_of(std::move(*found));
}

namespace {

/// The id of the user that was looked up by name.
result<std::string> user_id_in(const exchange& exchange) {
  const auto whose = read_lookup(exchange);
  if (!whose) return whose.error();
  return common(std::get<listing>(*whose).items.front()).id.substr(2);
}

}  // namespace

result<step> read_timeline(const exchange& exchange) {
  auto state = exchange.state;
  const bool is_new = take_mark(state, state_renamed);
  if (exchange.position.empty() && state.empty()) {
    const auto id = user_id_in(exchange);
    if (!id) return id.error();
    return step(
        follow{timeline_request(exchange.call, exchange.settings, *id, "", vocabulary::tweet),
               std::string(state_of_user) + *id});
  }
  const auto slash = exchange.position.find('/');
  const std::string id(exchange.position.empty() ? state.substr(state_of_user.size())
                                                 : exchange.position.substr(0, slash));
  if (!is_new && is_renamed(exchange.answer)) {
    const auto token =
        exchange.position.empty() ? exchange.position : exchange.position.substr(slash + 1);
    return step(
        follow{timeline_request(exchange.call, exchange.settings, id, token, vocabulary::post),
               renamed(state)});
  }
  auto page = posts_of(exchange.answer);
  if (!page) return page.error();
  if (!page->next.empty()) page->next = token_position{id, page->next}.text();
  return step(std::move(*page));
}

result<step> read_search(const exchange& exchange) {
  const auto& call = exchange.call;
  if (exchange.state.empty() && is_renamed(exchange.answer)) {
    auto again = search_request(call, exchange.settings, exchange.position, vocabulary::post);
    if (!again) return again.error();
    return step(follow{std::move(*again), renamed({})});
  }
  auto page = posts_of(exchange.answer);
  if (!page) return page.error();
  // Who asks for seven days gets them: what the slack takes from them is not worth a word.
  if (call.since && *call.since < call.now - search_window - 2 * search_slack)
    warn_of_window(*page, "posts");
  return step(std::move(*page));
}

result<step> read_replies(const exchange& exchange) {
  const auto& call = exchange.call;
  const auto position = exchange.position;
  const auto id = post_id_of(call);
  if (!id) return id.error();
  if (exchange.state == state_of_post) return read_whether_post(call, *id, exchange.answer);
  if (exchange.state.empty() && is_renamed(exchange.answer)) {
    return step(follow{replies_request(call, exchange.settings, *id, position, vocabulary::post),
                       renamed({})});
  }
  const auto body = read_api(exchange.answer);
  if (!body) return body.error();
  const auto list = list_of(*body, exchange.answer);
  if (!list) return list.error();
  const auto beside = inclusions_of(*body);
  entry_list<reply_entry> entries;
  bool is_within = false;  // a conversation that began elsewhere
  for (const auto& one : **list) {
    auto item = read_post(one, beside);
    if (!item) continue;
    if (item->id == "x:" + *id || !item->reposted_by.id.empty()) {
      entries.weigh(*item);
      continue;
    }
    is_within =
        is_within || (!item->conversation_id.empty() && item->conversation_id != "x:" + *id);
    auto parent = item->parent_id.empty() ? std::string() : item->parent_id.substr(2);
    auto key = item->id.substr(2);
    entries.push_back({std::move(*item), std::move(key), std::move(parent)});
  }
  listing page;
  page.next = next_token(*body);
  if (position.empty() && entries.empty() && page.next.empty())
    return step(follow{existence_request(exchange.settings, *id), std::string(state_of_post)});
  for (auto& one : replies_in_pre_order(std::move(entries)))
    page.items.emplace_back(std::move(one));
  const auto written = time_of_id(*id);
  if (!written || *written < call.now - search_window) warn_of_window(page, "replies");
  if (is_within) {
    page.partial = true;
    page.warnings.push_back("X gives the direct replies to a post that is a reply itself");
  }
  if (!position.empty() || !page.next.empty())
    page.warnings.push_back("X gives a long conversation newest first, each page as a tree");
  return step(std::move(page));
}

result<step> read_one(const exchange& exchange) {
  if (exchange.state.empty() && is_renamed(exchange.answer)) {
    const auto id = post_id_of(exchange.call);
    if (!id) return id.error();
    return step(follow{post_request(exchange.settings, *id, vocabulary::post), renamed({})});
  }
  const auto body = read_post_body(exchange.answer);
  if (!body) return body.error();
  auto found = read_post(base::member(*body, "data"), inclusions_of(*body));
  if (!found) return error(errc::source_error, "the source's answer holds no post");
  return page_of(std::move(*found));
}

result<step> read_follows(const exchange& exchange) {
  if (exchange.position.empty() && exchange.state.empty()) {
    const auto id = user_id_in(exchange);
    if (!id) return id.error();
    return step(follow{follows_request(exchange.call, exchange.settings, *id, ""),
                       std::string(state_of_user) + *id});
  }
  const auto body = read_api(exchange.answer);
  if (!body) return body.error();
  const auto list = list_of(*body, exchange.answer);
  if (!list) return list.error();
  listing page;
  for (const auto& one : **list) {
    if (auto item = read_user(one)) page.items.emplace_back(std::move(*item));
  }
  const std::string id(exchange.position.empty()
                           ? exchange.state.substr(state_of_user.size())
                           : exchange.position.substr(0, exchange.position.find('/')));
  auto token = next_token(*body);
  if (!token.empty()) page.next = token_position{id, std::move(token)}.text();
  return step(std::move(page));
}

result<step> read_trends(const exchange& exchange) {
  const auto body = read_api(exchange.answer);
  if (!body) return body.error();
  const auto list = list_of(*body, exchange.answer);
  if (!list) return list.error();
  listing page;
  for (const auto& one : **list) {
    auto name = clean_name(base::member(one, "trend_name"));
    if (name.empty()) continue;
    trend found;
    found.id = "x:trends/" + name;
    found.source = "x";
    found.url = page_url("https://x.com/search?q=" + base::percent_encode(name));
    if (name.starts_with('#') && name.size() > 1) found.tags.push_back(name.substr(1));
    const auto& posts = base::member(one, "post_count");
    found.metrics.posts =
        base::integer_of(posts.is_null() ? base::member(one, "tweet_count") : posts);
    found.title = std::move(name);
    page.items.emplace_back(std::move(found));
  }
  return step(std::move(page));
}

}  // namespace freshet::sources::x
