// A topic as a thread of comments. Its first answer holds the first posts and the ids of all; the
// others are asked for by id, over a bounded number of steps, and travel in the state. A topic
// longer than that is given in part, and says so.
#include <algorithm>
#include <base/json.hpp>
#include <base/time_text.hpp>
#include <base/url.hpp>
#include <boost/json/serialize.hpp>
#include <map>
#include <set>
#include <sources/comment_tree.hpp>
#include <sources/discourse/wire.hpp>
#include <sources/entry_list.hpp>
#include <sources/item_text.hpp>
#include <sources/read_answer.hpp>
#include <sources/rich_text.hpp>

namespace freshet::sources::discourse {

namespace {

using base::member;
using base::json::value;

/// What a post is by its post_type; others are notes of what happened ("closed this topic").
constexpr std::int64_t regular_post = 1, moderator_post = 2;

/// What is known of a topic between its steps.
struct topic_progress {
  base::json::array posts;
  std::vector<std::string> missing;  ///< ids of posts still to be asked for
  int steps = 0;

  [[nodiscard]] std::string text() const {
    base::json::array ids;
    for (const auto& id : missing) ids.emplace_back(id);
    return base::json::serialize(
        base::json::value{{"posts", posts}, {"missing", ids}, {"steps", steps}});
  }
};

topic_progress read_progress(std::string_view state, base::meter* counted) {
  topic_progress out;
  const auto parsed = json_body::parse(state, counted);
  if (!parsed) return out;
  out.posts = base::array_of(member(*parsed, "posts"));
  for (const auto& id : base::array_of(member(*parsed, "missing"))) {
    if (auto text = base::text_of(id); is_number(text)) out.missing.push_back(std::move(text));
  }
  out.steps = static_cast<int>(base::integer_of(member(*parsed, "steps")).value_or(0));
  return out;
}

/// Adds the posts of an answer; false if there was no new one among them.
bool add_posts(const value& stream, topic_progress& progress) {
  std::set<std::string, std::less<>> known;
  for (const auto& one : progress.posts) known.insert(base::text_of(member(one, "id")));
  const auto before = progress.posts.size();
  for (const auto& one : base::array_of(member(stream, "posts"))) {
    auto id = base::text_of(member(one, "id"));
    if (is_number(id) && known.insert(std::move(id)).second) progress.posts.push_back(one);
  }
  std::erase_if(progress.missing, [&](const std::string& id) { return known.contains(id); });
  return progress.posts.size() > before;
}

/// What a post answers, and how deep it is.
struct post_place {
  std::int64_t parent = 0, depth = 0;
};

/// Places by the number of a post, of those posts that answer one that is there, which comes
/// earlier.
std::map<std::int64_t, post_place> places_of(const base::json::array& posts) {
  std::set<std::int64_t> there;
  std::map<std::int64_t, post_place> out;
  for (const auto& one : posts) {
    if (const auto number = base::integer_of(member(one, "post_number"))) there.insert(*number);
  }
  for (const auto& one : posts) {
    const auto number = base::integer_of(member(one, "post_number"));
    const auto parent = base::integer_of(member(one, "reply_to_post_number"));
    if (!number || !parent || *parent <= 1 || *parent >= *number) continue;
    if (there.contains(*parent)) out.emplace(*number, post_place{*parent, 0});
  }
  // In the order of their numbers: a chain of many is walked once.
  for (auto& [number, place] : out) {
    const auto above = out.find(place.parent);
    place.depth = above == out.end() ? 1 : above->second.depth + 1;
  }
  return out;
}

bool is_gone(const value& post) {
  return base::flag_of(member(post, "hidden")).value_or(false) ||
         base::flag_of(member(post, "user_deleted")).value_or(false) ||
         !base::view_of(member(post, "deleted_at")).empty();
}

std::optional<thread_entry> entry_of(const value& post, const std::string& topic,
                                     const settings& settings,
                                     const std::map<std::int64_t, post_place>& places) {
  const auto number = base::integer_of(member(post, "post_number"));
  const auto type = base::integer_of(member(post, "post_type")).value_or(regular_post);
  if (!number || *number <= 1 || (type != regular_post && type != moderator_post)) {
    return std::nullopt;
  }
  thread_entry out;
  out.key = std::to_string(*number);
  out.gone = is_gone(post);
  auto& what = out.what;
  what.id = id_of(settings, topic + "/" + out.key);
  what.source = source_name;
  const auto slug = base::text_of(member(post, "topic_slug"));
  const auto folder = slug.empty() ? "/t/-/" : "/t/" + base::percent_encode(slug) + "/";
  what.url = page_url(base::join_path(settings.base_url, folder + topic + "/" + out.key));
  what.created_at = base::parse_time(base::view_of(member(post, "created_at")));
  what.post_id = id_of(settings, topic);
  if (!out.gone) {
    read_rich_text(base::view_of(member(post, "cooked")), what.url, what);
    what.edited_at = edit_of(post);
    what.author = author_of(post, settings);
    what.metrics.score = likes_of(post);
  }
  if (const auto at = places.find(*number); at != places.end()) {
    out.parent_key = std::to_string(at->second.parent);
    what.parent_id = id_of(settings, topic + "/" + out.parent_key);
    what.depth = at->second.depth;
  }
  return out;
}

void sort_siblings(std::vector<thread_entry>& entries, std::string_view order) {
  const auto time = [](const thread_entry& one) {
    return one.what.created_at.value_or(time_point{});
  };
  std::ranges::stable_sort(entries, [&](const auto& a, const auto& b) {
    if (order == "new") return time(b) < time(a);
    if (order == "top") {
      return b.what.metrics.score.value_or(0) < a.what.metrics.score.value_or(0);
    }
    return std::stoll(a.key) < std::stoll(b.key);
  });
}

result<listing> finished(const topic_progress& so_far, const call& call, const settings& settings,
                         std::string_view position) {
  const auto topic = topic_of(call, settings);
  const auto places = places_of(so_far.posts);
  entry_list<thread_entry> entries;
  for (const auto& one : so_far.posts) {
    if (auto entry = entry_of(one, topic, settings, places)) entries.push_back(std::move(*entry));
  }
  sort_siblings(entries, call.sort);
  auto page = page_of_thread(in_pre_order(std::move(entries)), position, call.limit);
  if (page && !so_far.missing.empty()) {
    page->partial = true;
    page->warnings.push_back("discourse: " + std::to_string(so_far.missing.size()) +
                             " posts of a long topic were not asked for");
  }
  return page;
}

}  // namespace

result<step> read_comments(const exchange& exchange) {
  const auto& settings = exchange.settings;
  const auto body = read_body(exchange.answer);
  if (!body) return body.error();
  const auto& stream = member(*body, "post_stream");
  if (!is_object_list(member(stream, "posts"))) {
    return answer_error(errc::source_error, "the answer holds no topic", exchange.answer);
  }
  auto so_far = read_progress(exchange.state, exchange.meter);
  if (exchange.state.empty()) {
    for (const auto& id : base::array_of(member(stream, "stream"))) {
      if (auto text = base::text_of(id); is_number(text)) so_far.missing.push_back(std::move(text));
    }
  }
  const bool grew = add_posts(stream, so_far);
  if (grew && !so_far.missing.empty() && so_far.steps < max_follow_steps) {
    ++so_far.steps;
    const auto many = std::min(so_far.missing.size(), posts_per_request);
    const std::vector<std::string> ids(so_far.missing.begin(),
                                       so_far.missing.begin() + static_cast<std::ptrdiff_t>(many));
    return step(
        follow{posts_request(settings, topic_of(exchange.call, settings), ids), so_far.text()});
  }
  auto page = finished(so_far, exchange.call, settings, exchange.position);
  if (!page) return page.error();
  return step(std::move(*page));
}

}  // namespace freshet::sources::discourse
