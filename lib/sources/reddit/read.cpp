// The first steps of every call, and searches. A refused token is asked for anew, once; what a
// status or a redirect means on Reddit is said here.
#include <algorithm>
#include <base/json.hpp>
#include <base/unicode.hpp>
#include <base/url.hpp>
#include <sources/item_text.hpp>
#include <sources/read_answer.hpp>
#include <sources/reddit/wire.hpp>

namespace freshet::sources::reddit {

namespace {

using base::member;
using base::json::value;

/// Between where the token stands and what is known, in a state.
constexpr char divider = '\n';

bool leads_to_search_for_communities(const http::response& answer) {
  const auto target =
      base::resolve_url(answer.final_url, http::find_header(answer.headers, "location"));
  const auto here = base::parse_url(answer.final_url);
  const auto there = base::parse_url(target);
  return (there && there->path.starts_with("/subreddits/search")) ||
         (here && here->path.starts_with("/subreddits/search"));
}

/// The listing that a call is after; or what comes first: its token, or that anew.
struct api_step {
  std::optional<follow> next;
  std::optional<json_body> body;
};

/// `ask` is the request that the token is for.
result<api_step> read_listing(const exchange& exchange, const http::request& ask) {
  const auto now = read_state(exchange.state);
  if (!now.token.has_answer) {
    const auto token = read_token(exchange.answer);
    if (!token) return token.error();
    return api_step{with_token(ask, *token, now.token, ""), {}};
  }
  if (exchange.answer.status == 401) {
    if (auto again = renew_token(token_request(exchange.settings), now.token))
      return api_step{std::move(*again), {}};
  }
  auto body = read_api(exchange.answer);
  if (!body) return body.error();
  if (!is_object_list(member(*body, "data", "children"))) {
    return answer_error(errc::source_error, "the answer holds no listing", exchange.answer);
  }
  return api_step{{}, std::move(*body)};
}

}  // namespace

bool is_past(const call& call, const listing& page) {
  // A search for what is new since is by age by itself.
  const bool by_age = call.sort.empty() || call.sort == "new";
  if (!call.since || !by_age || page.items.empty()) return false;
  return std::ranges::all_of(page.items, [&](const item& any) {
    const auto& at = common(any).created_at;
    return at && *at < *call.since;
  });
}

call_state read_state(std::string_view state) {
  const auto end = state.find(divider);
  call_state out;
  out.token = token_use_of(state.substr(0, end));
  if (end != std::string_view::npos) out.known = state.substr(end + 1);
  return out;
}

follow with_token(http::request asked, std::string_view token, const token_use& now,
                  std::string_view known) {
  auto out = use_token(std::move(asked), token, now);
  out.request.headers.push_back({"Accept", "application/json"});
  out.state += divider;
  out.state += known;
  return out;
}

result<std::string> read_token(const http::response& answer) {
  if (answer.status == 400 || answer.status == 403) {
    if (!is_html(answer)) {
      return answer_error(errc::source_auth_required, "Reddit refuses the application", answer);
    }
  }
  const auto body = read_json(answer);
  if (!body) return body.error();
  auto token = base::text_of(member(*body, "access_token"));
  if (is_token(token)) return token;
  const bool refused = member(*body, "error").is_string();
  return answer_error(refused ? errc::source_auth_required : errc::source_error,
                      "Reddit gives no token", answer);
}

result<json_body> read_api(const http::response& answer) {
  if (answer.status >= 300 && answer.status < 400) {
    if (leads_to_search_for_communities(answer)) {
      return answer_error(errc::not_found, "there is no such community", answer);
    }
    return answer_error(errc::source_error, "Reddit sent us elsewhere", answer);
  }
  if ((answer.status == 400 || answer.status == 403) && !is_html(answer)) {
    const auto body = parse_body(answer);
    const auto reason = body ? base::view_of(member(*body, "reason")) : std::string_view{};
    if (reason == "USER_DOESNT_EXIST") {
      return answer_error(errc::not_found, "there is no such user", answer);
    }
    if (answer.status == 403 && reason != "blocked") {
      return answer_error(errc::source_auth_required, "Reddit does not show this to an application",
                          answer);
    }
  }
  if (answer.status >= 200 && answer.status < 300 && is_html(answer)) {
    if (leads_to_search_for_communities(answer)) {
      return answer_error(errc::not_found, "there is no such community", answer);
    }
    return answer_error(errc::source_blocked, "Reddit answered with a web page", answer);
  }
  return read_json(answer);
}

namespace {

/// A page of posts, which `ask` asks for.
result<step> read_posts(const exchange& exchange, decltype(search_request)* ask) {
  const auto& call = exchange.call;
  const auto& settings = exchange.settings;
  const auto position = exchange.position;
  if (!has_application(settings)) {
    auto page = read_search_feed(call, exchange.answer, position);
    if (!page) return page.error();
    return step(std::move(*page));
  }
  auto read = read_listing(exchange, ask(call, settings, position));
  if (!read) return read.error();
  if (read->next) return step(std::move(*read->next));
  const auto& data = member(*read->body, "data");
  listing out;
  for (const auto& child : base::array_of(member(data, "children"))) {
    if (base::view_of(member(child, "kind")) != "t3") continue;
    if (auto post = read_post(member(child, "data"))) out.items.emplace_back(std::move(*post));
  }
  const auto after = base::view_of(member(data, "after"));
  const bool goes_on = !number_in(after, "t3").empty() && after != position;
  if (goes_on && !is_past(call, out)) out.next = after;
  return step(std::move(out));
}

}  // namespace

result<step> read_search(const exchange& exchange) { return read_posts(exchange, search_request); }

result<step> read_community(const exchange& exchange) {
  return read_posts(exchange, community_request);
}

result<step> read_one(const exchange& exchange) {
  const auto& call = exchange.call;
  if (!has_application(exchange.settings)) {
    auto page = read_post_feed(call, exchange.answer);
    if (!page) return page.error();
    return step(std::move(*page));
  }
  auto read = read_listing(exchange, post_request(call, exchange.settings));
  if (!read) return read.error();
  if (read->next) return step(std::move(*read->next));
  const auto id = id_of(post_of(call));
  for (const auto& child : base::array_of(member(*read->body, "data", "children"))) {
    if (base::view_of(member(child, "kind")) != "t3") continue;
    auto post = read_post(member(child, "data"));
    if (post && post->id == id) return page_of(std::move(*post));
  }
  return answer_error(errc::not_found, "Reddit knows no such post", exchange.answer);
}

}  // namespace freshet::sources::reddit
