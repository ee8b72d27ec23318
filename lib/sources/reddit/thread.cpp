// The comments of a post. The API breaks a large thread off with stubs: some stand for comments
// that can be asked for by number, some for a branch that is too deep. As many are followed as the
// steps of a call allow; the rest is counted in a warning. What is known travels in the state.
#include <algorithm>
#include <base/json.hpp>
#include <base/text_hash.hpp>
#include <base/time_text.hpp>
#include <boost/json/serialize.hpp>
#include <set>
#include <sources/comment_tree.hpp>
#include <sources/item_text.hpp>
#include <sources/marked_text.hpp>
#include <sources/read_answer.hpp>
#include <sources/reddit/wire.hpp>
#include <unordered_map>

namespace freshet::sources::reddit {

namespace {

using base::member;
using base::json::array;
using base::json::value;

constexpr std::size_t max_comments = 5000;  // of one thread; beyond it the rest is left out
constexpr std::size_t max_stubs = 20000;    // numbers of comments that stubs stand for

/// What is known of a thread between its steps.
struct thread_progress {
  array comments;                               ///< their data, without what hangs below them
  std::vector<std::string> children, branches;  ///< still to be asked for
  int steps = 0;                                ///< follows so far
  bool begun = false;                           ///< the first answer has been read

  [[nodiscard]] std::string text() const {
    const auto list = [](const std::vector<std::string>& from) {
      array out;
      for (const auto& one : from) out.emplace_back(one);
      return out;
    };
    return base::json::serialize(value{{"comments", comments},
                                       {"children", list(children)},
                                       {"branches", list(branches)},
                                       {"steps", steps},
                                       {"begun", begun}});
  }
};

std::vector<std::string> numbers_in(const value& list) {
  std::vector<std::string> out;
  for (const auto& one : base::array_of(list)) {
    if (auto number = base::text_of(one); is_number(number)) out.push_back(std::move(number));
  }
  return out;
}

thread_progress read_progress(std::string_view known, base::meter* counted) {
  thread_progress out;
  const auto parsed = json_body::parse(known, counted);
  if (!parsed) return out;
  out.comments = base::array_of(member(*parsed, "comments"));
  out.children = numbers_in(member(*parsed, "children"));
  out.branches = numbers_in(member(*parsed, "branches"));
  out.steps = static_cast<int>(base::integer_of(member(*parsed, "steps")).value_or(0));
  out.begun = base::flag_of(member(*parsed, "begun")).value_or(false);
  return out;
}

void add_stub(const value& data, thread_progress& progress) {
  const auto below = numbers_in(member(data, "children"));
  if (!below.empty()) {
    for (const auto& one : below) {
      if (progress.children.size() < max_stubs) progress.children.push_back(one);
    }
    return;
  }
  // "Continue this thread": a branch that is asked for by the comment above it.
  const auto above = number_in(base::view_of(member(data, "parent_id")), "t1");
  if (!above.empty() && progress.branches.size() < max_stubs) progress.branches.emplace_back(above);
}

/// Adds the comments and stubs of a listing, in the order of the tree.
void add_things(const array& things, thread_progress& progress) {
  std::set<std::string, std::less<>> known;
  for (const auto& one : progress.comments) known.insert(base::text_of(member(one, "id")));
  std::vector<const value*> waiting;
  const auto push = [&waiting](const array& list) {
    for (auto one = list.rbegin(); one != list.rend(); ++one) waiting.push_back(&*one);
  };
  push(things);
  while (!waiting.empty()) {
    const auto& thing = *waiting.back();
    waiting.pop_back();
    const auto& data = member(thing, "data");
    if (base::view_of(member(thing, "kind")) == "more") {
      add_stub(data, progress);
      continue;
    }
    auto number = base::text_of(member(data, "id"));
    if (base::view_of(member(thing, "kind")) != "t1" || !is_number(number)) continue;
    if (progress.comments.size() < max_comments && known.insert(std::move(number)).second) {
      // Not in the answer's memory, which would keep what is erased.
      base::json::object bare(base::object_of(data), base::json::storage_ptr());
      bare.erase("replies");
      bare.erase("body_html");
      progress.comments.emplace_back(std::move(bare));
    }
    push(base::array_of(member(data, "replies", "data", "children")));
  }
  std::erase_if(progress.children, [&](const std::string& one) { return known.contains(one); });
}

/// The comment that each answers, by index; `top` for those at the top, whose parent is not known,
/// or that hang in a ring. And how deep each is.
struct tree_shape {
  static constexpr std::size_t top = static_cast<std::size_t>(-1);
  std::vector<std::size_t> parent;
  std::vector<std::int64_t> depth;
};

tree_shape shape_of(const array& comments) {
  std::unordered_map<std::string, std::size_t, base::text_hash> places;
  for (std::size_t i = 0; i < comments.size(); ++i) {
    places.emplace(base::text_of(member(comments[i], "id")), i);
  }
  tree_shape out;
  for (const auto& one : comments) {
    const auto above = number_in(base::view_of(member(one, "parent_id")), "t1");
    const auto found = places.find(std::string(above));
    out.parent.push_back(found == places.end() ? tree_shape::top : found->second);
  }
  constexpr std::int64_t unknown = -1, being_found = -2;
  out.depth.assign(comments.size(), unknown);
  std::vector<std::size_t> path;
  for (std::size_t i = 0; i < comments.size(); ++i) {
    path.clear();
    auto at = i;
    while (at != tree_shape::top && out.depth[at] == unknown) {
      out.depth[at] = being_found;
      path.push_back(at);
      at = out.parent[at];
    }
    if (at != tree_shape::top && out.depth[at] == being_found) {
      out.parent[path.back()] = tree_shape::top;
      at = tree_shape::top;
    }
    auto level = at == tree_shape::top ? 0 : out.depth[at] + 1;
    for (auto one = path.rbegin(); one != path.rend(); ++one) out.depth[*one] = level++;
  }
  return out;
}

thread_entry entry_of(const value& data, const std::string& post) {
  thread_entry out;
  out.key = base::text_of(member(data, "id"));
  auto& what = out.what;
  what.id = id_of(out.key);
  what.source = source_name;
  const auto permalink = base::text_of(member(data, "permalink"));
  what.url = page_url(std::string(site_url) + (permalink.starts_with('/')
                                                   ? permalink
                                                   : "/comments/" + post + "/_/" + out.key + "/"));
  const auto body = base::view_of(member(data, "body"));
  out.gone = body == deleted || body == removed;
  if (!out.gone) read_marked_text(body, site_url, what);
  what.author = author_of(base::view_of(member(data, "author")));
  if (const auto at = base::number_of(member(data, "created_utc"))) {
    what.created_at = base::from_unix_seconds(*at);
  }
  if (const auto at = base::number_of(member(data, "edited")); at && !out.gone) {
    what.edited_at = edit_time(what.created_at, base::from_unix_seconds(*at));
  }
  if (!base::flag_of(member(data, "score_hidden")).value_or(false)) {
    what.metrics.score = base::integer_of(member(data, "score"));
  }
  what.post_id = id_of(post);
  return out;
}

result<listing> finished(const thread_progress& so_far, const call& call,
                         std::string_view position) {
  const auto post = post_of(call);
  const auto shape = shape_of(so_far.comments);
  std::vector<thread_entry> entries;
  for (std::size_t i = 0; i < so_far.comments.size(); ++i) {
    auto entry = entry_of(so_far.comments[i], post);
    entry.what.depth = shape.depth[i];
    if (const auto above = shape.parent[i]; above != tree_shape::top) {
      entry.parent_key = base::text_of(member(so_far.comments[above], "id"));
      entry.what.parent_id = id_of(entry.parent_key);
    }
    entries.push_back(std::move(entry));
  }
  auto page = page_of_thread(in_pre_order(std::move(entries)), position, call.limit);
  const auto missing = so_far.children.size() + so_far.branches.size();
  if (page && missing > 0) {
    page->partial = true;
    page->warnings.push_back("reddit: a large thread; " + std::to_string(so_far.children.size()) +
                             " comments and " + std::to_string(so_far.branches.size()) +
                             " branches were not asked for");
  }
  return page;
}

/// What to ask next for a thread, taken off what is still to be asked for; null if there is
/// nothing.
std::optional<http::request> next_request(thread_progress& so_far, const call& call,
                                          const settings& settings) {
  if (so_far.steps >= max_follow_steps || so_far.comments.size() >= max_comments) {
    return std::nullopt;
  }
  if (!so_far.children.empty()) {
    const auto many = std::min(so_far.children.size(), children_per_request);
    const auto end = so_far.children.begin() + static_cast<std::ptrdiff_t>(many);
    const std::vector<std::string> some(so_far.children.begin(), end);
    so_far.children.erase(so_far.children.begin(), end);
    return children_request(call, settings, some);
  }
  if (so_far.branches.empty()) return std::nullopt;
  const auto above = so_far.branches.front();
  so_far.branches.erase(so_far.branches.begin());
  return branch_request(call, settings, above);
}

/// What the answer adds; an error if it is no answer of this kind.
result<void> take(const value& body, thread_progress& progress, const http::response& answer) {
  const auto& things = member(body, "json", "data", "things");
  const auto& pair = base::array_of(body);
  if (is_object_list(things)) {
    add_things(base::array_of(things), progress);
  } else if (pair.size() >= 2 && is_object_list(member(pair[1], "data", "children"))) {
    add_things(base::array_of(member(pair[1], "data", "children")), progress);
  } else {
    return answer_error(errc::source_error, "the answer holds no comments", answer);
  }
  return {};
}

}  // namespace

result<step> read_comments(const exchange& exchange) {
  const auto& call = exchange.call;
  if (!has_application(exchange.settings)) {
    auto page = read_comments_feed(call, exchange.answer, exchange.position);
    if (!page) return page.error();
    return step(std::move(*page));
  }
  const auto now = read_state(exchange.state);
  auto so_far = read_progress(now.known, exchange.meter);
  ++so_far.steps;
  if (!now.token.has_answer) {
    const auto token = read_token(exchange.answer);
    if (!token) return token.error();
    // A thread that was begun goes on where its token was refused.
    auto next = so_far.begun ? next_request(so_far, call, exchange.settings) : std::nullopt;
    if (so_far.begun && !next) {
      auto page = finished(so_far, call, exchange.position);
      if (!page) return page.error();
      return step(std::move(*page));
    }
    auto request = next ? std::move(*next) : comments_request(call, exchange.settings);
    return step(with_token(std::move(request), *token, now.token, so_far.text()));
  }
  if (exchange.answer.status == 401 && so_far.steps + 1 < max_follow_steps) {
    if (auto again = renew_token(token_request(exchange.settings), now.token)) {
      again->state += "\n" + so_far.text();
      return step(std::move(*again));
    }
  }
  const auto body = read_api(exchange.answer);
  const auto taken = body ? take(*body, so_far, exchange.answer) : result<void>(body.error());
  if (!taken && !so_far.begun) return taken.error();
  so_far.begun = true;
  if (taken) {
    if (auto next = next_request(so_far, call, exchange.settings)) {
      return step(with_token(std::move(*next), now.token.token, now.token, so_far.text()));
    }
  }
  auto page = finished(so_far, call, exchange.position);
  if (!page) return page.error();
  if (!taken) {
    page->partial = true;
    page->warnings.push_back("reddit: more of a large thread was asked for and refused");
  }
  return step(std::move(*page));
}

}  // namespace freshet::sources::reddit
