// Answers of Bluesky's XRPC as pages of items. It follows cursors and resolved names, and it never
// shows what an author reserves for signed-in readers.
#include <algorithm>
#include <array>
#include <base/time_text.hpp>
#include <base/unicode.hpp>
#include <sources/bluesky/wire.hpp>
#include <sources/entry_list.hpp>
#include <sources/item_text.hpp>
#include <sources/post_thread.hpp>
#include <sources/read_answer.hpp>
#include <sources/token_use.hpp>

namespace freshet::sources::bluesky {
namespace {

using base::json::value;

/// Names of XRPC errors that mean that there is nothing (any more).
constexpr std::array<std::string_view, 10> gone_names = {
    "NotFound",       "ProfileNotFound", "RepoNotFound",       "AccountNotFound",
    "HandleNotFound", "AccountTakedown", "AccountDeactivated", "AccountSuspended",
    "RepoTakendown",  "RepoDeactivated"};

/// Parts of messages, lower case, that say so under the name InvalidRequest.
constexpr std::array<std::string_view, 5> gone_words = {"not found", "unable to resolve handle",
                                                        "could not find", "has been suspended",
                                                        "is deactivated"};

constexpr std::array<std::string_view, 5> auth_names = {"AuthMissing", "AuthenticationRequired",
                                                        "ExpiredToken", "InvalidToken",
                                                        "AuthFactorTokenRequired"};

template <std::size_t N>
bool contains(const std::array<std::string_view, N>& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

/// Whether a session has ended: a PDS says so with 400 and a name, others with 401.
bool refuses_token(const http::response& answer) {
  if (answer.status == 401) return true;
  if (answer.status != 400 || is_html(answer)) return false;
  const auto body = parse_body(answer);
  if (!body) return false;
  const auto name = base::view_of(base::member(*body, "error"));
  return name == "ExpiredToken" || name == "InvalidToken";
}

/// The body, or what the XRPC error means: most of them come as 400, whatever they are about.
result<json_body> read_xrpc(const http::response& answer) {
  if (answer.status >= 400 && answer.status < 500 && !is_html(answer)) {
    const auto body = parse_body(answer);
    if (body) {
      const auto name = base::view_of(base::member(*body, "error"));
      const auto message = base::to_lower_ascii(base::view_of(base::member(*body, "message")));
      const bool says_gone = std::ranges::any_of(gone_words, [&message](std::string_view words) {
        return message.find(words) != std::string::npos;
      });
      if (contains(gone_names, name) || (answer.status == 400 && says_gone))
        return answer_error(errc::not_found, "Bluesky knows no such thing", answer);
      if (contains(auth_names, name))
        return answer_error(errc::source_auth_required, "Bluesky wants a session for this", answer);
    }
  }
  return read_json(answer);
}

error refused_search(bool signed_in, const http::response& answer) {
  return answer_error(errc::source_auth_required,
                      signed_in ? "Bluesky refused the session; check "
                                  "sources.bluesky.identifier and app_password"
                                : "Bluesky searches only in a session; set "
                                  "sources.bluesky.identifier and app_password",
                      answer);
}

/// Keeps what may be shown and counts what may not.
struct shown_items {
  listing page;
  std::size_t hidden = 0;
  std::string_view what = "posts";

  void warn() {
    if (hidden == 0) return;
    page.warnings.push_back(
        std::string(what) +
        " left out because they are shown to signed-in readers only: " + std::to_string(hidden));
  }
};

void set_next(listing& page, const value& body, std::string_view position) {
  const auto cursor = base::view_of(base::member(body, "cursor"));
  if (cursor.empty() || cursor == position) return;
  const bool printable = std::ranges::all_of(cursor, [](char c) { return c >= ' ' && c <= '~'; });
  if (cursor.size() > max_cursor || !printable) {
    page.partial = true;
    page.warnings.push_back("Bluesky's cursor cannot be followed; there may be more");
    return;
  }
  page.next = std::string(cursor);
}

/// When the network saw an item of a timeline: a repost counts from the repost.
std::optional<time_point> timeline_time(const value& entry) {
  const auto& reason = base::member(entry, "reason");
  if (const auto at = seen_at(reason)) return at;
  return seen_at(base::member(entry, "post"));
}

bool is_pinned(const value& entry) {
  const auto type = base::view_of(base::member(entry, "reason", "$type"));
  return type.ends_with("#reasonPin");
}

/// The thread as a list, each node with its parent; by a stack of its own.
struct flat_thread {
  entry_list<reply_entry> entries;
  std::size_t hidden = 0, unavailable = 0, cut = 0;
};

flat_thread flatten_thread(const value& root) {
  struct open_node {
    const value* node;
    std::string_view parent;  // the nearest one that is shown
  };
  flat_thread thread;
  const auto root_uri = base::view_of(base::member(root, "post", "uri"));
  std::vector<open_node> open;
  for (const auto& reply : base::array_of(base::member(root, "replies")))
    open.push_back({&reply, root_uri});
  while (!open.empty()) {
    const auto at = open.back();
    open.pop_back();
    const auto& view = base::member(*at.node, "post");
    auto item = read_post(view);
    if (!item) {  // #notFoundPost or #blockedPost: nothing hangs below them
      ++thread.unavailable;
      continue;
    }
    const auto uri = base::view_of(base::member(view, "uri"));
    const auto& replies = base::array_of(base::member(*at.node, "replies"));
    if (replies.empty() && base::member(*at.node, "replies").is_null() &&
        base::integer_of(base::member(view, "replyCount")).value_or(0) > 0)
      ++thread.cut;
    const bool hidden = is_hidden(view);
    for (const auto& reply : replies) open.push_back({&reply, hidden ? at.parent : uri});
    if (hidden) {
      ++thread.hidden;
      continue;
    }
    if (item->parent_id.empty() && !at.parent.empty())
      item->parent_id = "bluesky:" + std::string(at.parent);
    thread.entries.push_back({std::move(*item), std::string(uri), std::string(at.parent)});
  }
  return thread;
}

result<step> read_thread(const call& call, const value& body, std::string_view position) {
  const auto& root = base::member(body, "thread");
  const auto type = base::view_of(base::member(root, "$type"));
  if (type.ends_with("#notFoundPost")) return error(errc::not_found, "Bluesky knows no such post");
  if (type.ends_with("#blockedPost"))
    return error(errc::not_found, "the post's author has blocked its readers");
  if (!base::member(root, "post").is_object())
    return error(errc::source_error, "the source's answer holds no thread");
  auto thread = flatten_thread(root);
  auto page =
      page_of_replies(replies_in_pre_order(std::move(thread.entries)), position, call.limit);
  if (!page) return page.error();
  shown_items shown{std::move(*page), thread.hidden};
  shown.warn();
  if (thread.unavailable > 0)
    shown.page.warnings.push_back("replies left out because they are deleted or blocked: " +
                                  std::to_string(thread.unavailable));
  if (thread.cut > 0) {
    shown.page.partial = true;
    shown.page.warnings.push_back("branches that Bluesky cut before their end: " +
                                  std::to_string(thread.cut));
  }
  return step(std::move(shown.page));
}

/// The post that the call names, by the DID that the state holds where it was named by a handle;
/// or what to do about the answer that resolves that handle.
struct resolved_post {
  post_address address;
  std::optional<follow> next;
};

result<resolved_post> resolve_post(const exchange& exchange, const value& body,
                                   decltype(post_request)* ask) {
  auto address = address_of(exchange.call);
  if (!address) return address.error();
  if (address->has_did()) return resolved_post{std::move(*address), {}};
  if (!exchange.state.empty()) {
    address->actor = exchange.state;
    return resolved_post{std::move(*address), {}};
  }
  const auto did = base::view_of(base::member(body, "did"));
  if (!is_did(did)) return error(errc::source_error, "the source's answer holds no DID");
  auto request = ask(exchange.settings, did, address->rkey);
  return resolved_post{std::move(*address), follow{std::move(request), std::string(did)}};
}

}  // namespace

result<step> read_lookup(const exchange& exchange) {
  const auto body = read_xrpc(exchange.answer);
  if (!body) return body.error();
  auto found = read_user(*body);
  if (!found) return error(errc::source_error, "the source's answer holds no profile");
  return page_of(std::move(*found));
}

result<step> read_timeline(const exchange& exchange) {
  const auto body = read_xrpc(exchange.answer);
  if (!body) return body.error();
  const auto& feed = base::member(*body, "feed");
  if (!is_object_list(feed)) return error(errc::source_error, "the source's answer holds no feed");
  shown_items shown;
  bool is_past = false;
  for (const auto& entry : base::array_of(feed)) {
    const auto& view = base::member(entry, "post");
    const auto& by = base::member(entry, "reason", "by");
    auto item = read_post(view);
    if (!item) continue;
    // A pinned post stands first whatever its age; everything else comes by time.
    if (exchange.call.since && !is_pinned(entry)) {
      const auto at = timeline_time(entry);
      is_past = at && *at < *exchange.call.since;
    }
    if (is_hidden(view) || (by.is_object() && is_hidden(by))) {
      ++shown.hidden;
      continue;
    }
    if (by.is_object()) item->reposted_by = read_author(by);
    shown.page.items.emplace_back(std::move(*item));
  }
  if (!is_past) set_next(shown.page, *body, exchange.position);
  shown.warn();
  return step(std::move(shown.page));
}

result<step> read_search(const exchange& exchange) {
  const auto& settings = exchange.settings;
  const auto& answer = exchange.answer;
  const bool signed_in = has_session(settings);
  const auto use = token_use_of(exchange.state);
  if (signed_in && use.has_answer && refuses_token(answer)) {
    if (auto again = renew_token(session_request(settings), use)) return step(std::move(*again));
  }
  if (answer.status == 401 || answer.status == 403) return refused_search(signed_in, answer);
  const auto body = read_xrpc(answer);
  // What is gone is the account that searches: a search itself finds nothing, at the worst.
  if (!body && signed_in && body.error().code() == errc::not_found)
    return refused_search(signed_in, answer);
  if (!body) return body.error();
  if (signed_in && !use.has_answer) {
    const auto token = base::view_of(base::member(*body, "accessJwt"));
    if (!is_token(token)) return error(errc::source_error, "the source's answer holds no session");
    return step(
        use_token(session_search_request(exchange.call, settings, exchange.position), token, use));
  }
  const auto& posts = base::member(*body, "posts");
  if (!is_object_list(posts))
    return error(errc::source_error, "the source's answer holds no posts");
  shown_items shown;
  for (const auto& view : base::array_of(posts)) {
    auto item = read_post(view);
    if (!item) continue;
    if (is_hidden(view)) {
      ++shown.hidden;
      continue;
    }
    shown.page.items.emplace_back(std::move(*item));
  }
  // A page without posts that has a cursor would be walked for ever.
  if (!base::array_of(posts).empty()) set_next(shown.page, *body, exchange.position);
  shown.warn();
  return step(std::move(shown.page));
}

result<step> read_replies(const exchange& exchange) {
  const auto body = read_xrpc(exchange.answer);
  if (!body) return body.error();
  auto whose = resolve_post(exchange, *body, thread_request);
  if (!whose) return whose.error();
  if (whose->next) return step(std::move(*whose->next));
  return read_thread(exchange.call, *body, exchange.position);
}

result<step> read_one(const exchange& exchange) {
  const auto body = read_xrpc(exchange.answer);
  if (!body) return body.error();
  auto whose = resolve_post(exchange, *body, post_request);
  if (!whose) return whose.error();
  if (whose->next) return step(std::move(*whose->next));
  const auto& posts = base::member(*body, "posts");
  if (!is_object_list(posts))
    return error(errc::source_error, "the source's answer holds no posts");
  const auto uri = post_uri(whose->address.actor, whose->address.rkey);
  for (const auto& view : base::array_of(posts)) {
    if (base::view_of(base::member(view, "uri")) != uri) continue;
    if (is_hidden(view)) {
      return error(errc::not_found, "the post's author shows it to signed-in readers only");
    }
    if (auto item = read_post(view)) return page_of(std::move(*item));
  }
  return answer_error(errc::not_found, "Bluesky knows no such post", exchange.answer);
}

result<step> read_users(const exchange& exchange) {
  const auto op = exchange.call.op;
  const auto body = read_xrpc(exchange.answer);
  if (!body) return body.error();
  const auto key = op == catalog::operation::microblog_users_search      ? "actors"
                   : op == catalog::operation::microblog_users_followers ? "followers"
                                                                         : "follows";
  const auto& users = base::member(*body, key);
  if (!is_object_list(users))
    return error(errc::source_error, "the source's answer holds no users");
  shown_items shown{{}, 0, "users"};
  for (const auto& view : base::array_of(users)) {
    auto item = read_user(view);
    if (!item) continue;
    if (is_hidden(view)) {
      ++shown.hidden;
      continue;
    }
    shown.page.items.emplace_back(std::move(*item));
  }
  if (!base::array_of(users).empty()) set_next(shown.page, *body, exchange.position);
  shown.warn();
  return step(std::move(shown.page));
}

result<step> read_trends(const exchange& exchange) {
  const auto body = read_xrpc(exchange.answer);
  if (!body) return body.error();
  const auto& trends = base::member(*body, "trends");
  if (!is_object_list(trends))
    return error(errc::source_error, "the source's answer holds no trends");
  listing page;
  for (const auto& from : base::array_of(trends)) {
    const auto topic = clean_text(base::member(from, "topic"));
    auto title = clean_text(base::member(from, "displayName"));
    if (title.empty()) title = topic;
    if (title.empty()) continue;
    trend found;
    found.id = "bluesky:trends/" + (topic.empty() ? title : topic);
    found.source = "bluesky";
    found.title = std::move(title);
    // A path on bsky.app, by its lexicon.
    const auto link = base::view_of(base::member(from, "link"));
    found.url = page_url(link.starts_with('/') ? "https://bsky.app" + std::string(link) : link);
    found.created_at = base::parse_time(base::view_of(base::member(from, "startedAt")));
    found.category = clean_text(base::member(from, "category"));
    found.metrics.posts = base::integer_of(base::member(from, "postCount"));
    page.items.emplace_back(std::move(found));
  }
  return step(std::move(page));
}

}  // namespace freshet::sources::bluesky
