// Lemmy's posts and comments as items, from version 0.17 (no zone in its times)
// to 1.0, which has other names for times, addresses and counts. What was
// removed or deleted is left out, except a comment that others hang below. Threads are put into
// pages elsewhere (thread.cpp).
#include <algorithm>
#include <base/json.hpp>
#include <base/number.hpp>
#include <base/time_text.hpp>
#include <base/unicode.hpp>
#include <base/url.hpp>
#include <cmath>
#include <set>
#include <sources/comment_tree.hpp>
#include <sources/instance.hpp>
#include <sources/item_text.hpp>
#include <sources/lemmy/wire.hpp>
#include <sources/marked_text.hpp>
#include <sources/read_answer.hpp>

namespace freshet::sources::lemmy {

namespace {

using base::member;
using base::json::value;

constexpr std::string_view source_name = "lemmy";

/// What Lemmy's error words mean. Only those are listed that are no mere source_error.
constexpr struct {
  std::string_view word;
  errc code;
} error_words[] = {
    {"couldnt_find_post", errc::not_found},
    {"couldnt_find_community", errc::not_found},
    {"couldnt_find_object", errc::not_found},
    {"couldnt_find_comment", errc::not_found},
    {"not_found", errc::not_found},
    {"no_id_given", errc::not_found},
    {"rate_limit_error", errc::source_unavailable},
    {"too_many_requests", errc::source_unavailable},
    {"not_logged_in", errc::source_auth_required},
    {"incorrect_login", errc::source_auth_required},
    {"instance_is_private", errc::source_auth_required},
};

constexpr std::chrono::seconds rate_limit_pause{60};

}  // namespace

result<json_body> read_body(const http::response& answer) {
  auto body = read_json_of_any_status(answer);
  const auto word = body ? base::view_of(member(*body, "error")) : std::string_view{};
  for (const auto& one : error_words) {
    if (one.word != word) continue;
    auto failure = answer_error(one.code, "the instance answered with an error", answer);
    if (one.code == errc::source_unavailable && !failure.retry_after) {
      failure.retry_after = rate_limit_pause;
    }
    return failure;
  }
  if (auto failure = check_status(answer)) return std::move(*failure);
  if (!word.empty()) {
    return answer_error(errc::source_error, "the instance answered with an error", answer);
  }
  return body;
}

std::string id_of(const std::string& host, std::string_view number) {
  return std::string(source_name) + ":" + host + "/" + std::string(number);
}

const value& counts_of(const value& view, const value& counts) noexcept {
  const auto& beside = member(view, "counts");
  return beside.is_object() ? beside : counts;
}

namespace {

/// The address of an actor, by its name before 1.0 or since.
std::string_view address_of(const value& actor) {
  const auto before = base::view_of(member(actor, "actor_id"));
  return before.empty() ? base::view_of(member(actor, "ap_id")) : before;
}

/// The moment at which something was published.
std::optional<time_point> moment_of(const value& what) {
  const auto before = base::view_of(member(what, "published"));
  return base::parse_time(before.empty() ? base::view_of(member(what, "published_at")) : before);
}

/// When a post or a comment was edited, in both names.
std::optional<time_point> edit_of(const value& what) {
  const auto before = base::view_of(member(what, "updated"));
  const auto text = before.empty() ? base::view_of(member(what, "updated_at")) : before;
  return edit_time(moment_of(what), base::parse_time(text));
}

/// name@host, the host being that of an actor's address.
std::string at_host(const value& actor) {
  const auto name = clean_name(member(actor, "name"));
  const auto url = base::parse_url(address_of(actor));
  if (name.empty() || !url || url->host.empty()) return name;
  return name + "@" + host_with_port(*url);
}

author author_of(const value& creator, const std::string& host) {
  author out;
  const auto number = base::text_of(member(creator, "id"));
  if (!number.empty()) out.id = id_of(host, number);
  out.handle = at_host(creator);
  out.display_name = clean_name(member(creator, "display_name"));
  out.url = page_url(address_of(creator));
  out.avatar_url = file_url(base::view_of(member(creator, "avatar")));
  return out;
}

bool is_gone(const value& what) {
  return base::flag_of(member(what, "removed")).value_or(false) ||
         base::flag_of(member(what, "deleted")).value_or(false);
}

std::string lang_of(const value& what) {
  return std::string(language_of(base::integer_of(member(what, "language_id")).value_or(0)));
}

bool is_image(const value& post, std::string_view address) {
  const auto type = base::view_of(member(post, "url_content_type"));
  if (!type.empty()) return type.starts_with("image/");
  const auto url = base::parse_url(address);
  if (!url) return false;
  const auto path = base::to_lower_ascii(url->path);
  constexpr std::string_view endings[] = {".jpg", ".jpeg", ".png", ".gif", ".webp", ".avif"};
  return std::ranges::any_of(endings,
                             [&](std::string_view ending) { return path.ends_with(ending); });
}

void add_media(const value& view, forum_post& out) {
  const auto& post = member(view, "post");
  const auto& size = member(view, "image_details");
  const auto thumbnail = file_url(base::view_of(member(post, "thumbnail_url")));
  const auto video = file_url(base::view_of(member(post, "embed_video_url")));
  const auto link = file_url(base::view_of(member(post, "url")));
  const auto alt = clean_text(member(post, "alt_text"));
  if (!link.empty() && is_image(post, link)) {
    out.media.push_back({"image",
                         link,
                         thumbnail,
                         alt,
                         base::integer_of(member(size, "width")),
                         base::integer_of(member(size, "height")),
                         {}});
  } else if (!video.empty()) {
    out.media.push_back({"video", video, thumbnail, alt, {}, {}, {}});
  } else if (!thumbnail.empty()) {
    out.media.push_back({"image", thumbnail, thumbnail, alt, {}, {}, {}});
  }
}

forum_post post_of(const value& view, const std::string& host) {
  forum_post out;
  const auto& post = member(view, "post");
  const auto& counts = counts_of(view, post);
  const auto& community = member(view, "community");
  const auto number = base::text_of(member(post, "id"));
  out.id = id_of(host, number);
  out.source = source_name;
  out.url = page_url(base::view_of(member(post, "ap_id")));
  out.title = clean_text(member(post, "name"));
  out.lang = lang_of(post);
  out.created_at = moment_of(post);
  out.edited_at = edit_of(post);
  out.author = author_of(member(view, "creator"), host);
  add_media(view, out);
  read_marked_text(base::view_of(member(post, "body")), out.url, out);
  out.community = at_host(community);
  out.link_url = page_url(base::view_of(member(post, "url")));
  out.metrics.score = base::integer_of(member(counts, "score"));
  out.metrics.comments = base::integer_of(member(counts, "comments"));
  const auto up = base::integer_of(member(counts, "upvotes"));
  const auto down = base::integer_of(member(counts, "downvotes"));
  if (up && down && *up >= 0 && *down >= 0) {
    const auto all = static_cast<double>(*up) + static_cast<double>(*down);
    // Four digits: more say nothing, and readers of JSON differ in the last of seventeen.
    if (all > 0) out.metrics.upvote_ratio = std::round(1e4 * static_cast<double>(*up) / all) / 1e4;
  }
  const auto nsfw = base::flag_of(member(post, "nsfw"));
  const auto nsfw_place = base::flag_of(member(community, "nsfw"));
  if (nsfw || nsfw_place) out.sensitive = nsfw.value_or(false) || nsfw_place.value_or(false);
  return out;
}

/// The ids along a comment's path "0.17.42", without the leading 0.
std::vector<std::string_view> path_of(const value& comment) {
  std::vector<std::string_view> out;
  std::string_view rest = base::view_of(member(comment, "path"));
  while (!rest.empty()) {
    const auto dot = rest.find('.');
    const auto part = rest.substr(0, dot);
    if (!part.empty() && !(out.empty() && part == "0")) out.push_back(part);
    rest = dot == std::string_view::npos ? std::string_view{} : rest.substr(dot + 1);
  }
  return out;
}

thread_entry entry_of(const value& view, const std::string& host) {
  thread_entry out;
  const auto& comment = member(view, "comment");
  const auto path = path_of(comment);
  out.key = base::text_of(member(comment, "id"));
  out.gone = is_gone(comment);
  auto& what = out.what;
  what.id = id_of(host, out.key);
  what.source = source_name;
  what.url = page_url(base::view_of(member(comment, "ap_id")));
  // What is relative is so to where its author wrote it.
  if (!out.gone) read_marked_text(base::view_of(member(comment, "content")), what.url, what);
  what.lang = lang_of(comment);
  what.created_at = moment_of(comment);
  if (!out.gone) what.edited_at = edit_of(comment);
  if (!out.gone) what.author = author_of(member(view, "creator"), host);
  what.metrics.score = base::integer_of(member(counts_of(view, comment), "score"));
  const auto post = base::text_of(member(comment, "post_id"));
  if (!post.empty()) what.post_id = id_of(host, post);
  if (path.size() > 1) {
    what.parent_id = id_of(host, path[path.size() - 2]);
    what.depth = static_cast<std::int64_t>(path.size()) - 1;
  }
  return out;
}

/// The interface that an instance of this version is searched by.
std::string_view interface_of(std::string_view version) {
  const auto major = base::parse_number<int>(version.substr(0, version.find('.')));
  return major.value_or(0) >= 1 ? new_interface : old_interface;
}

result<step> follow_to_search(const exchange& exchange) {
  auto site = read_body(exchange.answer);
  if (!site) return site.error();
  const auto interface = interface_of(base::view_of(member(*site, "version")));
  const auto at = read_position("", exchange.call.limit);
  if (!at) return at.error();
  return step(follow{search_request(exchange.call, exchange.settings, *at, interface),
                     std::string(interface)});
}

/// Whether a post stands in the community that was asked for: a name alone is
/// one of the instance.
bool is_in_community(const call& call, const value& community, const std::string& host) {
  if (call.community.empty() || call.community == "all") return true;
  const auto at = call.community.find('@');
  const auto name = call.community.substr(0, at);
  if (!base::equals_ignoring_ascii_case(base::view_of(member(community, "name")), name)) {
    return false;
  }
  const auto url = base::parse_url(address_of(community));
  const auto home = url ? host_with_port(*url) : std::string();
  const auto wanted = at == std::string::npos ? host : call.community.substr(at + 1);
  const auto is_local = base::flag_of(member(community, "local"));
  const bool is_own = wanted == host && is_local.value_or(home == host);
  return is_own || base::equals_ignoring_ascii_case(home, wanted);
}

}  // namespace

std::vector<thread_entry> entries_of(const value& views, const std::string& host) {
  std::vector<thread_entry> out;
  std::set<std::string, std::less<>> known;
  for (const auto& view : base::array_of(views)) {
    if (base::integer_of(member(view, "comment", "id"))) {
      known.insert(base::text_of(member(view, "comment", "id")));
    }
  }
  for (const auto& view : base::array_of(views)) {
    if (!base::integer_of(member(view, "comment", "id"))) continue;
    auto entry = entry_of(view, host);
    auto path = path_of(member(view, "comment"));
    if (!path.empty()) path.pop_back();
    while (!path.empty() && !known.contains(path.back())) path.pop_back();
    entry.parent_key = path.empty() ? "" : std::string(path.back());
    out.push_back(std::move(entry));
  }
  return out;
}

result<step> read_search(const exchange& exchange) {
  const auto& call = exchange.call;
  if (exchange.position.empty() && exchange.state.empty()) return follow_to_search(exchange);
  auto at = read_position(exchange.position, call.limit);
  if (!at) return at.error();
  const bool is_new = exchange.state == new_interface || !at->cursor.empty();
  auto body = read_body(exchange.answer);
  if (!body) return body.error();
  const auto& list = member(*body, is_new ? "items" : "posts");
  if (!is_object_list(list)) return no_list_of(is_new ? "items" : "posts", exchange.answer);
  const auto host = host_of_instance(exchange.settings);
  const auto& posts = base::array_of(list);
  listing out;
  bool fresh = !call.since || posts.empty() || !comes_by_age(call);
  for (const auto& view : posts) {
    const auto& post = member(view, "post");
    if (!base::integer_of(member(post, "id")) || is_gone(post)) continue;
    auto item = post_of(view, host);
    if (call.since && (!item.created_at || *item.created_at >= *call.since)) fresh = true;
    if (!is_in_community(call, member(view, "community"), host)) continue;
    out.items.emplace_back(std::move(item));
  }
  // Sorted by age: a page that is wholly too old ends the walk (a pinned post alone does not).
  if (!fresh) return step(std::move(out));
  if (is_new) {
    if (!posts.empty()) out.next = cursor_position(base::view_of(member(*body, "next_page")));
  } else if (posts.size() >= static_cast<std::size_t>(at->old_page.size) &&
             at->old_page.page < max_pages) {
    out.next = sized_page{at->old_page.page + 1, at->old_page.size}.text();
  }
  return step(std::move(out));
}

result<step> read_one(const exchange& exchange) {
  const auto body = read_body(exchange.answer);
  if (!body) return body.error();
  const auto target = target_of(exchange.call, exchange.settings);
  const bool looked_up = target.number.empty();
  const auto& view = member(*body, looked_up ? "post" : "post_view");
  const auto& post = member(view, "post");
  const auto number = base::integer_of(member(post, "id"));
  if (!number && looked_up) {
    return answer_error(errc::not_found, "the instance does not know this post", exchange.answer);
  }
  if (!number) return answer_error(errc::source_error, "the answer holds no post", exchange.answer);
  const bool is_other = !looked_up && std::to_string(*number) != target.number;
  if (is_other || is_gone(post)) {
    return answer_error(errc::not_found, "the post is not there (any more)", exchange.answer);
  }
  return page_of(post_of(view, host_of_instance(exchange.settings)));
}

result<step> read_community(const exchange& exchange) { return read_search(exchange); }

}  // namespace freshet::sources::lemmy
