// Hits and item trees of Algolia's index as forum posts and comments. Highlights are ignored; a
// deleted comment stays only where others hang below it.
#include <algorithm>
#include <base/json.hpp>
#include <base/time_text.hpp>
#include <base/url.hpp>
#include <html/document.hpp>
#include <sources/comment_tree.hpp>
#include <sources/entry_list.hpp>
#include <sources/hackernews/wire.hpp>
#include <sources/item_text.hpp>
#include <sources/read_answer.hpp>

namespace freshet::sources::hackernews {

namespace {

using base::member;
using base::json::value;

constexpr std::string_view source_name = "hackernews";
constexpr std::string_view site_url = "https://news.ycombinator.com/";
/// Tags of the index that say something of a post, rather than repeat its id or author.
constexpr std::string_view telling_tags[] = {"ask_hn", "show_hn", "job", "poll", "front_page"};

std::string id_of(std::string_view number) {
  return std::string(source_name) + ":" + std::string(number);
}

std::string url_of(std::string_view number) {
  return std::string(site_url) + "item?id=" + std::string(number);
}

author author_of(const value& name) {
  author out;
  out.handle = clean_name(name);
  if (out.handle.empty()) return out;
  out.id = id_of(out.handle);
  out.url = std::string(site_url) + "user?id=" + base::percent_encode(out.handle);
  return out;
}

std::optional<time_point> time_of(const value& from) {
  if (const auto seconds = base::number_of(member(from, "created_at_i"))) {
    if (const auto at = base::from_unix_seconds(*seconds)) return at;
  }
  return base::parse_time(base::view_of(member(from, "created_at")));
}

void set_text(item_common& item, std::string_view html) {
  auto read = clean_html_with_links(html);
  item.text = std::move(read.text);
  for (const auto& link : read.links) add_once(item.links, file_url(link));
}

/// What hits and items have in common.
forum_post post_numbered(std::string_view number, const value& value) {
  forum_post out;
  out.id = id_of(number);
  out.source = source_name;
  out.url = url_of(number);
  out.created_at = time_of(value);
  out.author = author_of(member(value, "author"));
  out.metrics.score = base::integer_of(member(value, "points"));
  out.community = source_name;
  out.sensitive = false;
  return out;
}

forum_post post_of(const value& hit) {
  auto out = post_numbered(base::text_of(member(hit, "objectID")), hit);
  const auto title = base::view_of(member(hit, "title"));
  out.title = clean_text(title.empty() ? base::view_of(member(hit, "story_title")) : title);
  const auto text = base::view_of(member(hit, "story_text"));
  set_text(out, text.empty() ? base::view_of(member(hit, "comment_text")) : text);
  out.metrics.comments = base::integer_of(member(hit, "num_comments"));
  const auto link = base::view_of(member(hit, "url"));
  out.link_url = page_url(link.empty() ? base::view_of(member(hit, "story_url")) : link);
  for (const auto& tag : base::array_of(member(hit, "_tags"))) {
    const auto name = base::view_of(tag);
    if (std::ranges::find(telling_tags, name) != std::end(telling_tags)) {
      add_once(out.tags, std::string(name));
    }
  }
  return out;
}

/// The position after this page; "" at the end of what Algolia will give.
std::string after(const call& call, const hit_position& position, const value& answer,
                  std::size_t hits, std::optional<std::int64_t> last) {
  if (hits == 0) return "";
  const auto pages = base::integer_of(member(answer, "nbPages")).value_or(0);
  auto next = position;
  next.page = position.page + 1;
  if (next.page < pages && (next.page + 1) * position.size <= max_hits_per_query)
    return next.text();
  // The newest first: behind the last hit of this window there may be a further window.
  const auto found = base::integer_of(member(answer, "nbHits")).value_or(0);
  const bool cut = found > next.page * position.size ||
                   (position.page + 1) * position.size >= max_hits_per_query;
  if (!comes_by_date(call) || !cut || !last || (position.before && *last >= *position.before))
    return "";
  next.page = 0;
  next.before = last;
  return next.text();
}

/// One node of an item's tree, still to be visited.
struct waiting_node {
  const value* node;
  std::string parent_key;
  std::int64_t depth;
};

/// `id`: the node's; as a number, for a text may have any length of zeros.
thread_entry entry_of(const waiting_node& node, std::int64_t id, const std::string& post_id) {
  thread_entry out;
  const auto number = std::to_string(id);
  out.key = number;
  out.parent_key = node.parent_key;
  auto& comment = out.what;
  comment.id = id_of(number);
  comment.source = source_name;
  comment.url = url_of(number);
  set_text(comment, base::view_of(member(*node.node, "text")));
  comment.created_at = time_of(*node.node);
  comment.author = author_of(member(*node.node, "author"));
  comment.metrics.score = base::integer_of(member(*node.node, "points"));
  comment.post_id = post_id;
  if (!node.parent_key.empty()) comment.parent_id = id_of(node.parent_key);
  comment.depth = node.depth;
  out.gone = comment.text.empty() && comment.author.handle.empty();
  return out;
}

entry_list<thread_entry> entries_of(const value& root, const std::string& post_id) {
  entry_list<thread_entry> out;
  std::vector<waiting_node> waiting;
  const auto push = [&](const value& node, const std::string& key, std::int64_t depth) {
    const auto& children = base::array_of(member(node, "children"));
    for (auto child = children.rbegin(); child != children.rend(); ++child) {
      waiting.push_back({&*child, key, depth});
    }
  };
  push(root, "", 0);
  while (!waiting.empty()) {
    const auto at = waiting.back();
    waiting.pop_back();
    const auto id = base::integer_of(member(*at.node, "id"));
    if (!id) continue;
    out.push_back(entry_of(at, *id, post_id));
    push(*at.node, out.back().key, at.depth + 1);
  }
  return out;
}

void sort_siblings(std::vector<thread_entry>& entries, std::string_view order) {
  if (order != "new" && order != "old") return;
  const bool newest = order == "new";
  std::ranges::stable_sort(entries, [&](const auto& a, const auto& b) {
    const auto x = a.what.created_at.value_or(time_point{});
    const auto y = b.what.created_at.value_or(time_point{});
    return newest ? y < x : x < y;
  });
}

/// The post at the top of an item's tree. Its tags are not in it: they are told by what makes them.
forum_post post_at_top(const value& root) {
  auto out = post_numbered(base::text_of(member(root, "id")), root);
  out.title = clean_text(member(root, "title"));
  set_text(out, base::view_of(member(root, "text")));
  out.link_url = page_url(base::view_of(member(root, "url")));
  const auto entries = entries_of(root, out.id);
  out.metrics.comments = std::ranges::count(entries, false, &thread_entry::gone);
  const auto type = base::view_of(member(root, "type"));
  if (type == "job" || type == "poll") add_once(out.tags, std::string(type));
  if (out.title.starts_with("Ask HN")) add_once(out.tags, "ask_hn");
  if (out.title.starts_with("Show HN")) add_once(out.tags, "show_hn");
  return out;
}

/// An item with what hangs below it.
result<json_body> read_item(const http::response& answer) {
  auto body = read_json(answer);
  if (!body) return body;
  if (!base::integer_of(member(*body, "id")) || !is_object_list(member(*body, "children"))) {
    return answer_error(errc::source_error, "the answer holds no item with comments", answer);
  }
  return body;
}

}  // namespace

result<step> read_search(const exchange& exchange) {
  auto at = read_position(exchange.position, exchange.call);
  if (!at) return at.error();
  auto body = read_json(exchange.answer);
  if (!body) return body.error();
  if (!is_object_list(member(*body, "hits"))) return no_list_of("hits", exchange.answer);
  listing out;
  std::optional<std::int64_t> last;
  const auto& hits = base::array_of(member(*body, "hits"));
  for (const auto& hit : hits) {
    if (!base::integer_of(member(hit, "objectID"))) continue;
    if (const auto created = base::integer_of(member(hit, "created_at_i"))) {
      last = last ? std::min(*last, *created) : *created;
    }
    out.items.emplace_back(post_of(hit));
  }
  if (ranks_by_points(exchange.call)) {
    std::ranges::stable_sort(out.items, std::ranges::greater{}, [](const item& any) {
      return std::get<forum_post>(any).metrics.score.value_or(0);
    });
  }
  out.next = after(exchange.call, *at, *body, hits.size(), last);
  return step(std::move(out));
}

result<step> read_comments(const exchange& exchange) {
  const auto body = read_item(exchange.answer);
  if (!body) return body.error();
  const auto story = base::integer_of(member(*body, "story_id"));
  const auto post_id = id_of(story ? std::to_string(*story) : base::text_of(member(*body, "id")));
  auto entries = entries_of(*body, post_id);
  sort_siblings(entries, exchange.call.sort);
  auto page =
      page_of_thread(in_pre_order(std::move(entries)), exchange.position, exchange.call.limit);
  if (!page) return page.error();
  return step(std::move(*page));
}

result<step> read_one(const exchange& exchange) {
  const auto body = read_item(exchange.answer);
  if (!body) return body.error();
  if (base::view_of(member(*body, "type")) == "comment") {
    const auto story = base::integer_of(member(*body, "story_id"));
    auto detail = std::string("this is a comment");
    if (story) detail += "; its post is " + id_of(std::to_string(*story));
    return error(errc::not_found, std::move(detail));
  }
  return page_of(post_at_top(*body));
}

result<step> read_community(const exchange& exchange) { return read_search(exchange); }

}  // namespace freshet::sources::hackernews
