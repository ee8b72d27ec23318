// A thread of Lemmy in pages, however large it is. An instance gives 300 comments at once, those at
// the top first; what is missing below one of them is asked for by its number where the walk comes
// by, one request a page. Comments that the top alone is too full for can not be reached.
#include <algorithm>
#include <base/json.hpp>
#include <base/number.hpp>
#include <map>
#include <optional>
#include <set>
#include <sources/lemmy/wire.hpp>
#include <utility>

namespace freshet::sources::lemmy {

namespace {

using base::member;
using base::json::value;

/// The state of the step that reads comments after a post of another instance
/// was looked up.
constexpr std::string_view resolved_state = "resolved";

/// What stands between the branches of a place, and before what is within them.
constexpr char branch_mark = '/', within_mark = '=';

/// One answer of an instance: a thread, or what hangs below a comment.
struct thread_answer {
  std::vector<thread_entry> entries;
  /// How many hang below each, as the instance counts.
  std::map<std::string, std::int64_t, std::less<>> children;
  bool is_cut = false;
};

/// `except`: the comment whose branch this is, which was given before.
thread_answer answer_of(const value& views, const std::string& host, std::string_view except) {
  thread_answer out;
  out.is_cut = base::array_of(views).size() >= whole_thread;
  out.entries = entries_of(views, host);
  std::erase_if(out.entries, [&](const thread_entry& one) { return one.key == except; });
  if (!out.is_cut) return out;
  for (const auto& view : base::array_of(views)) {
    const auto& comment = member(view, "comment");
    const auto count = base::integer_of(member(counts_of(view, comment), "child_count"));
    const auto number = base::integer_of(member(comment, "id"));
    if (count && number && *number > 0) out.children.emplace(std::to_string(*number), *count);
  }
  return out;
}

/// The ancestors of each, nearest first, as far as they are there. A ring ends somewhere.
std::map<std::string, std::vector<std::string>, std::less<>> ancestors_in(const thread_answer& in) {
  std::map<std::string_view, std::string_view> parents;
  for (const auto& one : in.entries) parents.emplace(one.key, one.parent_key);
  std::map<std::string, std::vector<std::string>, std::less<>> out;
  for (const auto& one : in.entries) {
    auto& line = out[one.key];
    std::string_view at = one.parent_key;
    while (line.size() < max_comment_depth && at != one.key && parents.contains(at)) {
      line.emplace_back(at);
      at = parents.find(at)->second;
    }
  }
  return out;
}

/// Takes out what hangs below the comments of which something is missing, and says which those are:
/// the outermost.
std::set<std::string, std::less<>> cut_branches(thread_answer& from) {
  const auto ancestors = ancestors_in(from);
  auto missing = from.children;
  for (const auto& [key, line] : ancestors) {
    for (const auto& above : line) {
      if (const auto found = missing.find(above); found != missing.end()) --found->second;
    }
  }
  const auto lacks = [&](const std::string& key) {
    const auto found = missing.find(key);
    return found != missing.end() && found->second > 0;
  };
  std::erase_if(from.entries, [&](const thread_entry& one) {
    return std::ranges::any_of(ancestors.find(one.key)->second, lacks);
  });
  std::set<std::string, std::less<>> out;
  for (auto& one : from.entries) {
    if (!lacks(one.key)) continue;
    one.gone = false;  // something hangs below it
    out.insert(one.key);
  }
  return out;
}

/// Whether a cut answer has all that stands at its top: an instance gives the top first.
bool has_whole_top(const thread_answer& in) {
  if (in.entries.empty() || in.children.empty()) return false;
  return in.entries.back().what.depth > in.entries.front().what.depth;
}

/// Where a walk goes on behind a list that has ended; "" where all has.
std::string behind(thread_place place, const std::string& host) {
  while (!place.above.empty()) {
    const auto last = std::move(place.above.back());
    place.above.pop_back();
    if (last.behind == 0) continue;
    place.within = std::to_string(last.behind) + ":" + id_of(host, last.number);
    return place.text();
  }
  return "";
}

std::string number_of(std::string_view id) { return std::string(id.substr(id.rfind('/') + 1)); }

/// Where the list goes on behind each of `branches`; 0: it ends there.
std::map<std::string, std::size_t, std::less<>> places_behind(
    const std::vector<comment>& list, const std::set<std::string, std::less<>>& branches) {
  std::map<std::string, std::size_t, std::less<>> out;
  for (std::size_t i = 0; i < list.size(); ++i) {
    auto number = number_of(list[i].id);
    if (branches.contains(number)) out.emplace(std::move(number), i + 1 < list.size() ? i + 1 : 0);
  }
  return out;
}

/// Ends the page behind the first comment in it that has a branch, in which it then goes on.
bool end_at_branch(listing& page, const std::map<std::string, std::size_t, std::less<>>& places,
                   thread_place place) {
  const auto has_branch = [&](const item& one) {
    return places.contains(number_of(common(one).id));
  };
  const auto first = std::ranges::find_if(page.items, has_branch);
  if (first == page.items.end()) return false;
  const auto number = number_of(common(*first).id);
  page.items.erase(first + 1, page.items.end());
  place.above.push_back({places.find(number)->second, number});
  place.within.clear();
  ++place.asked;
  page.next = place.text();
  return true;
}

void add_warning(listing& page, const std::string& warning) {
  page.partial = true;
  page.warnings.push_back("lemmy: an instance gives " + std::to_string(whole_thread) +
                          " comments at once; " + warning);
}

result<listing> page_of(thread_answer answer, const thread_place& place, const std::string& host,
                        int limit) {
  const bool lacks_top = answer.is_cut && !has_whole_top(answer);
  const bool may_ask = place.asked < max_branches && place.above.size() < max_branch_depth;
  auto as_it_is = may_ask ? std::vector<thread_entry>{} : answer.entries;
  const auto branches = cut_branches(answer);
  auto list = in_pre_order(std::move(may_ask ? answer.entries : as_it_is));
  const auto places = places_behind(list, branches);
  auto page = page_of_thread(std::move(list), place.within, limit);
  if (!page) return page;
  if (lacks_top) add_warning(*page, "there may be more of them");
  if (!may_ask && !branches.empty()) add_warning(*page, "this thread has too many more of them");
  if (may_ask && end_at_branch(*page, places, place)) return page;
  if (page->next.empty()) {
    page->next = behind(place, host);
  } else {
    auto next = place;
    next.within = page->next;
    page->next = next.text();
  }
  return page;
}

result<step> follow_to_comments(const exchange& exchange, const value& body) {
  const auto number = base::integer_of(member(body, "post", "post", "id"));
  if (!number) {
    return answer_error(errc::not_found, "the instance does not know this post", exchange.answer);
  }
  return step(follow{comments_request(std::to_string(*number), exchange.call, exchange.settings),
                     std::string(resolved_state)});
}

}  // namespace

std::string thread_place::text() const {
  if (asked == 0) return within;
  auto out = std::to_string(asked);
  for (const auto& one : above) {
    out += branch_mark + std::to_string(one.behind) + ":" + one.number;
  }
  return out + within_mark + within;
}

result<thread_place> read_thread_place(std::string_view text) {
  thread_place out;
  const auto mark = text.find(within_mark);
  out.within = text.substr(mark == std::string_view::npos ? 0 : mark + 1);
  if (mark == std::string_view::npos) return out;
  std::optional<std::string_view> rest = text.substr(0, mark);
  const auto asked =
      base::parse_number(*take_field(rest, branch_mark, false), std::size_t{1}, max_branches);
  if (!asked) return foreign_position("this thread");
  out.asked = *asked;
  while (rest) {
    std::optional<std::string_view> part = take_field(rest, branch_mark, false);
    const auto behind = base::parse_number<std::size_t>(*take_field(part, ':', false));
    const auto number = part ? base::parse_number<std::int64_t>(*part) : std::nullopt;
    if (!behind || !number || *number < 1 || out.above.size() >= max_branch_depth) {
      return foreign_position("this thread");
    }
    out.above.push_back({*behind, std::to_string(*number)});
  }
  return out;
}

result<step> read_comments(const exchange& exchange) {
  const auto& settings = exchange.settings;
  const auto host = host_of_instance(settings);
  const auto place = read_thread_place(exchange.position);
  if (!place) return place.error();
  const bool in_branch = !place->above.empty();
  const auto body = read_body(exchange.answer);
  // A comment that went while the walk was on its way to it has nothing below it.
  const bool has_gone = in_branch && !body && body.error().code() == errc::not_found;
  if (!body && !has_gone) return body.error();
  thread_answer from;
  if (!has_gone) {
    const bool looked_up =
        exchange.state.empty() && !in_branch && target_of(exchange.call, settings).number.empty();
    if (looked_up) return follow_to_comments(exchange, *body);
    const auto& list = member(*body, "comments");
    if (!is_object_list(list)) return no_list_of("comments", exchange.answer);
    from = answer_of(list, host, in_branch ? place->above.back().number : "");
  }
  auto page = page_of(std::move(from), *place, host, exchange.call.limit);
  if (!page) return page.error();
  return step(std::move(*page));
}

}  // namespace freshet::sources::lemmy
