// The hits of a search as forum posts: each is a topic with an excerpt of its first post. Names of
// categories come from a second answer; without it the posts are given without their community.
#include <algorithm>
#include <base/json.hpp>
#include <base/text_hash.hpp>
#include <base/time_text.hpp>
#include <base/unicode.hpp>
#include <base/url.hpp>
#include <boost/json/serialize.hpp>
#include <map>
#include <sources/discourse/wire.hpp>
#include <sources/item_text.hpp>
#include <sources/read_answer.hpp>
#include <sources/rich_text.hpp>
#include <unordered_map>

namespace freshet::sources::discourse {

namespace {

using base::member;
using base::json::value;

constexpr std::string_view avatar_pixels = "120";
constexpr std::int64_t like_action = 2;
constexpr std::chrono::seconds overload_pause{60};
/// A body with these error types wants a login.
constexpr std::string_view wants_login[] = {"invalid_access", "not_logged_in"};

using names = std::map<std::string, std::string, std::less<>>;  ///< slugs of categories by number

void add_names(const value& list, names& names) {
  for (const auto& one : base::array_of(list)) {
    const auto number = base::text_of(member(one, "id"));
    auto slug = clean_name(member(one, "slug"));
    if (is_number(number) && !slug.empty()) names.emplace(number, std::move(slug));
  }
}

/// The names as the state of a step, and back.
std::string text_of(const names& all) {
  base::json::object out;
  for (const auto& [number, slug] : all) out[number] = slug;
  return base::json::serialize(out);
}

names names_in(std::string_view text, base::meter* counted) {
  names out;
  const auto parsed = json_body::parse(text, counted);
  if (!parsed) return out;
  for (const auto& [number, slug] : base::object_of(*parsed))
    out.emplace(number, base::text_of(slug));
  return out;
}

/// Null if the forum does not say.
std::optional<names> categories_of(const http::response& answer) {
  const auto body = read_body(answer);
  if (!body || !member(*body, "category_list", "categories").is_array()) return std::nullopt;
  names out;
  const auto& list = member(*body, "category_list", "categories");
  add_names(list, out);
  for (const auto& one : base::array_of(list)) add_names(member(one, "subcategory_list"), out);
  return out;
}

std::map<std::string, const value*, std::less<>> topics_of(const value& body) {
  std::map<std::string, const value*, std::less<>> out;
  for (const auto& one : base::array_of(member(body, "topics"))) {
    out.emplace(base::text_of(member(one, "id")), &one);
  }
  return out;
}

void add_tags(const value& topic, forum_post& post) {
  for (const auto& tag : base::array_of(member(topic, "tags"))) {
    add_once(post.tags, clean_text(tag.is_object() ? member(tag, "name") : tag));
  }
}

forum_post post_of(const value& hit, const value& topic, const settings& settings,
                   const names& categories) {
  forum_post out;
  const auto number = base::text_of(member(topic, "id"));
  out.id = id_of(settings, number);
  out.source = source_name;
  const auto slug = base::text_of(member(topic, "slug"));
  const auto folder = slug.empty() ? "/t/" : "/t/" + base::percent_encode(slug) + "/";
  out.url = page_url(base::join_path(settings.base_url, folder + number));
  out.title = clean_text(member(topic, "title"));
  if (out.title.empty()) out.title = clean_html(base::view_of(member(topic, "fancy_title")));
  // Of a post, of a hit, of a topic in a list.
  for (const auto key : {"cooked", "blurb", "excerpt"}) {
    const auto html = base::view_of(member(hit, key));
    if (html.empty()) continue;
    read_rich_text(html, settings.base_url, out);
    break;
  }
  out.created_at = base::parse_time(base::view_of(member(hit, "created_at")));
  if (!out.created_at) {
    out.created_at = base::parse_time(base::view_of(member(topic, "created_at")));
  }
  out.edited_at = edit_of(hit);
  out.author = author_of(hit, settings);
  out.metrics.score = likes_of(hit);
  if (const auto posts = base::integer_of(member(topic, "posts_count")); posts && *posts > 0) {
    out.metrics.comments = *posts - 1;
  }
  out.metrics.views = base::integer_of(member(topic, "views"));
  const auto category = categories.find(base::text_of(member(topic, "category_id")));
  if (category != categories.end()) {
    out.community = category->second + "@" + host_of_forum(settings);
  }
  out.link_url = page_url(base::view_of(member(topic, "featured_link")));
  add_tags(topic, out);
  return out;
}

/// The first post of a topic; null if the topic's answer does not hold it.
const value* first_post_of(const value& topic) {
  for (const auto& one : base::array_of(member(topic, "post_stream", "posts"))) {
    if (base::integer_of(member(one, "post_number")) == 1) return &one;
  }
  return nullptr;
}

/// The users who stand beside a list of topics, by their numbers: every topic asks for one, so that
/// each is read once.
using user_list = std::unordered_map<std::string, author, base::text_hash>;

user_list users_by_number(const value& users, const settings& settings) {
  user_list out;
  for (const auto& one : base::array_of(users))
    out.emplace(base::text_of(member(one, "id")), author_of(one, settings));
  return out;
}

/// Who began a topic.
author beginner_of(const value& topic, const user_list& users) {
  // Of several the first one began, in whatever language that is said.
  const auto& posters = base::array_of(member(topic, "posters"));
  if (posters.empty()) return {};
  const auto wanted = base::text_of(member(posters.front(), "user_id"));
  const auto found = users.find(wanted);
  return wanted.empty() || found == users.end() ? author() : found->second;
}

void warn_of_names(const settings& settings, listing& listing) {
  listing.partial = true;
  listing.warnings.push_back("discourse: " + host_of_forum(settings) +
                             " does not name its categories; posts come without their community");
}

}  // namespace

result<json_body> read_body(const http::response& answer) {
  auto body = read_json_of_any_status(answer);
  const auto type = body ? base::view_of(member(*body, "error_type")) : std::string_view{};
  for (const auto one : wants_login) {
    if (type == one) {
      return answer_error(errc::source_auth_required, "the forum shows this to members only",
                          answer);
    }
  }
  if (type == "rate_limit" || answer.status == 429) {
    auto failure =
        answer_error(errc::source_unavailable, "the forum's rate limit is reached", answer);
    const auto wait = body ? base::integer_of(member(*body, "extras", "wait_seconds")) : count{};
    if (!failure.retry_after && wait && *wait > 0) {
      failure.retry_after = std::min(std::chrono::seconds{*wait}, max_retry_after);
    }
    return failure;
  }
  if (type == "not_found") {
    return answer_error(errc::not_found, "the forum knows no such thing", answer);
  }
  if (auto failure = check_status(answer)) return std::move(*failure);
  if (!type.empty()) {
    return answer_error(errc::source_error, "the forum answered with an error", answer);
  }
  return body;
}

std::string id_of(const settings& settings, std::string_view native) {
  return std::string(source_name) + ":" + host_of_forum(settings) + "/" + std::string(native);
}

author author_of(const value& post, const settings& settings) {
  author out;
  out.handle = clean_name(member(post, "username"));
  out.display_name = clean_name(member(post, "name"));
  if (out.handle.empty()) return out;
  const auto escaped = base::percent_encode(out.handle);
  out.id = id_of(settings, "u/" + escaped);
  out.url = page_url(base::join_path(settings.base_url, "/u/" + escaped));
  auto avatar = base::text_of(member(post, "avatar_template"));
  constexpr std::string_view size = "{size}";
  if (const auto at = avatar.find(size); at != std::string::npos) {
    avatar.replace(at, size.size(), avatar_pixels);
  }
  if (!avatar.empty() && avatar.size() <= max_address_bytes) {
    const auto resolved = base::resolve_url(settings.base_url + "/", avatar);
    out.avatar_url = file_url(resolved);
  }
  return out;
}

std::optional<time_point> edit_of(const value& post) {
  // A post changes, to the forum, also when it is moved or drawn anew.
  if (base::integer_of(member(post, "version")).value_or(1) <= 1) return std::nullopt;
  return edit_time(base::parse_time(base::view_of(member(post, "created_at"))),
                   base::parse_time(base::view_of(member(post, "updated_at"))));
}

count likes_of(const value& post) {
  for (const auto& one : base::array_of(member(post, "actions_summary"))) {
    if (base::integer_of(member(one, "id")) == like_action) {
      return base::integer_of(member(one, "count")).value_or(0);
    }
  }
  if (const auto likes = base::integer_of(member(post, "like_count"))) return likes;
  // A summary lists only what somebody did.
  return member(post, "actions_summary").is_array() ? count{0} : count{};
}

result<step> read_search(const exchange& exchange) {
  const auto& answer = exchange.answer;
  const auto page = read_position(exchange.position);
  if (!page) return page.error();
  const bool named = !exchange.state.empty();
  const auto body = named ? json_body::parse(exchange.state, exchange.meter) : read_body(answer);
  if (!body) return body.error();
  const auto& found = member(*body, "grouped_search_result");
  const auto& hits = member(*body, "posts");
  if (const auto why = base::view_of(member(found, "error")); !why.empty()) {
    // What a forum says, in its language and with an empty list, when it has no power to search.
    auto failure = answer_error(errc::source_unavailable, "the forum does not search now", answer);
    failure.source_text = std::string(base::prefix(why, max_source_text));
    if (!failure.retry_after) failure.retry_after = overload_pause;
    return failure;
  }
  if (hits.is_null() ? !found.is_object() : !is_object_list(hits))
    return no_list_of("posts", answer);
  const auto& told = member(*body, "topics");
  if (!told.is_null() && !is_object_list(told)) return no_list_of("topics", answer);
  auto topics = topics_of(*body);
  if (!named && !topics.empty()) {
    return step(follow{categories_request(exchange.settings), base::json::serialize(*body)});
  }
  const auto categories = named ? categories_of(answer) : names{};
  const auto known = categories.value_or(names{});
  listing out;
  if (!categories) warn_of_names(exchange.settings, out);
  for (const auto& hit : base::array_of(hits)) {
    const auto topic = topics.find(base::text_of(member(hit, "topic_id")));
    const bool first = base::integer_of(member(hit, "post_number")).value_or(1) == 1;
    if (topic == topics.end() || !is_number(topic->first) || !first) continue;
    out.items.emplace_back(post_of(hit, *topic->second, exchange.settings, known));
    // A topic has one first post, however often an answer names it.
    topics.erase(topic);
  }
  const bool more = base::flag_of(member(found, "more_full_page_results")).value_or(false);
  if (more && !base::array_of(hits).empty()) {
    if (*page < max_search_pages) {
      out.next = std::to_string(*page + 1);
    } else {
      out.partial = true;
      out.warnings.push_back("discourse: a search of " + host_of_forum(exchange.settings) +
                             " ends at page " + std::to_string(max_search_pages));
    }
  }
  return step(std::move(out));
}

result<step> read_community(const exchange& exchange) {
  const auto& call = exchange.call;
  const auto& settings = exchange.settings;
  const auto page = read_topics_position(exchange.position);
  if (!page) return page.error();
  if (exchange.state.empty()) {
    const auto body = read_body(exchange.answer);
    if (!body) return body.error();
    const auto known = categories_of(exchange.answer);
    if (!known) return no_list_of("categories", exchange.answer);
    const auto wanted = category_of(call, settings).value_or("");
    const auto found = std::ranges::find_if(*known, [&](const auto& one) {
      return base::equals_ignoring_ascii_case(one.second, wanted);
    });
    const auto number = found == known->end() ? std::string() : found->first;
    return step(follow{topics_request(call, settings, number, *page), text_of(*known)});
  }
  const auto body = read_body(exchange.answer);
  if (!body) return body.error();
  const auto& list = member(*body, "topic_list");
  if (!is_object_list(member(list, "topics"))) return no_list_of("topics", exchange.answer);
  const auto known = names_in(exchange.state, exchange.meter);
  const auto users = users_by_number(member(*body, "users"), settings);
  const auto& topics = base::array_of(member(list, "topics"));
  listing out;
  bool is_past = call.since && call.sort == "new" && !topics.empty();
  for (const auto& topic : topics) {
    if (!is_number(base::text_of(member(topic, "id")))) continue;
    auto item = post_of(topic, topic, settings, known);
    item.author = beginner_of(topic, users);
    if (!call.since || !item.created_at || *item.created_at >= *call.since) is_past = false;
    out.items.emplace_back(std::move(item));
  }
  const bool more = !base::view_of(member(list, "more_topics_url")).empty() && !topics.empty();
  if (more && !is_past && *page < max_topic_pages) out.next = std::to_string(*page + 1);
  return step(std::move(out));
}

result<step> read_one(const exchange& exchange) {
  const auto& settings = exchange.settings;
  const bool named = !exchange.state.empty();
  const auto body =
      named ? json_body::parse(exchange.state, exchange.meter) : read_body(exchange.answer);
  if (!body) return body.error();
  const auto* first = first_post_of(*body);
  if (!is_number(base::text_of(member(*body, "id"))) || first == nullptr) {
    return answer_error(errc::source_error, "the answer holds no topic", exchange.answer);
  }
  if (!named) return step(follow{categories_request(settings), base::json::serialize(*body)});
  const auto categories = categories_of(exchange.answer);
  listing out;
  if (!categories) warn_of_names(settings, out);
  out.items.emplace_back(post_of(*first, *body, settings, categories.value_or(names{})));
  return step(std::move(out));
}

}  // namespace freshet::sources::discourse
