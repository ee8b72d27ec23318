// The comments of a video: a page of its threads, then each that has replies with all of them. What
// is known of the page travels in the state.
#include <base/json.hpp>
#include <base/time_text.hpp>
#include <boost/json/serialize.hpp>
#include <sources/comment_tree.hpp>
#include <sources/entry_list.hpp>
#include <sources/item_text.hpp>
#include <sources/peertube/wire.hpp>
#include <sources/read_answer.hpp>

namespace freshet::sources::peertube {
namespace {

using base::member;
using base::view_of;
using base::json::value;

constexpr std::size_t max_number = 18;  // digits

/// What is known of a page between its steps.
struct threads_progress {
  base::json::array threads;         ///< as the list has them
  base::json::object trees;          ///< by the number of a thread: it with its replies
  std::vector<std::string> missing;  ///< threads that are still to be asked for
  std::string next;

  [[nodiscard]] std::string text() const {
    base::json::array numbers;
    for (const auto& one : missing) numbers.emplace_back(one);
    return base::json::serialize(
        value{{"threads", threads}, {"trees", trees}, {"missing", numbers}, {"next", next}});
  }
};

threads_progress read_progress(std::string_view state, base::meter* counted) {
  threads_progress out;
  const auto parsed = json_body::parse(state, counted);
  if (!parsed) return out;
  out.threads = base::array_of(member(*parsed, "threads"));
  out.trees = base::object_of(member(*parsed, "trees"));
  for (const auto& one : base::array_of(member(*parsed, "missing"))) {
    if (auto text = base::text_of(one); is_digits(text, max_number))
      out.missing.push_back(std::move(text));
  }
  out.next = base::text_of(member(*parsed, "next"));
  return out;
}

/// What a list of threads says.
result<threads_progress> read_threads(const value& body, std::size_t start) {
  const auto& data = member(body, "data");
  if (!is_object_list(data))
    return error(errc::source_error, "the source's answer holds no comments");
  threads_progress out;
  for (const auto& thread : base::array_of(data)) {
    auto number = base::text_of(member(thread, "id"));
    if (!is_digits(number, max_number)) continue;
    const bool has_replies = base::integer_of(member(thread, "totalReplies")).value_or(0) > 0;
    if (has_replies && out.missing.size() < max_trees) out.missing.push_back(std::move(number));
    out.threads.push_back(thread);
  }
  const auto total = base::integer_of(member(body, "total")).value_or(0);
  const auto looked_at = base::array_of(data).size();
  const auto behind = start + looked_at;
  if (looked_at > 0 && behind < last_offset && std::cmp_less(behind, total))
    out.next = std::to_string(behind);
  return out;
}

struct comment_place {
  const value* comment;
  std::string parent_key;
  std::int64_t depth;
};

std::optional<thread_entry> entry_of(const comment_place& place, const local_name& video) {
  const auto& from = *place.comment;
  thread_entry out;
  out.key = base::text_of(member(from, "id"));
  if (!is_digits(out.key, max_number)) return std::nullopt;
  out.parent_key = place.parent_key;
  out.gone = base::flag_of(member(from, "isDeleted")).value_or(false);
  const auto prefix = "peertube:" + video.at.host + "/";
  auto& what = out.what;
  what.id = prefix + out.key;
  what.source = "peertube";
  what.post_id = prefix + video.name;
  what.url = page_url(view_of(member(from, "url")));
  if (what.url.empty()) what.url = page_url(video.at.base_url + "/w/" + video.name);
  what.created_at = base::parse_time(view_of(member(from, "createdAt")));
  if (!place.parent_key.empty()) what.parent_id = prefix + place.parent_key;
  what.depth = place.depth;
  if (out.gone) return out;
  what.text = clean_html(view_of(member(from, "text")));
  what.author = read_author(member(from, "account"), video.at.base_url);
  return out;
}

/// A thread with what hangs below it, by a stack of its own.
void add_tree(const value& root, const local_name& video, entry_list<thread_entry>& out) {
  struct open_node {
    const value* node;
    std::string parent_key;
    std::int64_t depth;
  };
  std::vector<open_node> open{{&root, "", 0}};
  while (!open.empty()) {
    const auto at = std::move(open.back());
    open.pop_back();
    auto entry = entry_of({&member(*at.node, "comment"), at.parent_key, at.depth}, video);
    if (!entry) continue;
    const auto key = entry->key;
    out.push_back(std::move(*entry));
    const auto& children = base::array_of(member(*at.node, "children"));
    for (auto child = children.rbegin(); child != children.rend(); ++child)
      open.push_back({&*child, key, at.depth + 1});
  }
}

listing finished(const threads_progress& progress, const local_name& video) {
  entry_list<thread_entry> entries;
  for (const auto& thread : progress.threads) {
    const auto* tree = progress.trees.if_contains(base::text_of(member(thread, "id")));
    if (tree != nullptr) {
      add_tree(*tree, video, entries);
    } else if (auto entry = entry_of({&thread, "", 0}, video)) {
      entries.push_back(std::move(*entry));
    }
  }
  listing out;
  for (auto& one : in_pre_order(std::move(entries))) out.items.emplace_back(std::move(one));
  out.next = progress.next;
  return out;
}

}  // namespace

result<step> read_comments(const exchange& exchange) {
  const auto video = video_target(exchange.call, exchange.settings);
  if (!video) return video.error();
  const auto start = read_position(exchange.position);
  if (!start) return start.error();
  const auto body = read_api(exchange.answer, video->at);
  if (!body) return body.error();
  threads_progress so_far;
  if (exchange.state.empty()) {
    auto read = read_threads(*body, *start);
    if (!read) return read.error();
    so_far = std::move(*read);
  } else {
    so_far = read_progress(exchange.state, exchange.meter);
    if (!member(*body, "comment").is_object())
      return error(errc::source_error, "the source's answer holds no comment");
    if (!so_far.missing.empty()) {
      so_far.trees[so_far.missing.front()] = body->root();
      so_far.missing.erase(so_far.missing.begin());
    }
  }
  if (so_far.missing.empty()) return step(finished(so_far, *video));
  return step(follow{tree_request(*video, so_far.missing.front()), so_far.text()});
}

}  // namespace freshet::sources::peertube
