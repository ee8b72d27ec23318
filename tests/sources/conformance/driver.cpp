// Finds, for every capability, a call that the sandbox answers, and walks it.
#include <algorithm>
#include <base/ids.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <engine/gather/filter.hpp>
#include <map>
#include <sources/conformance/driver.hpp>
#include <sources/sandbox.hpp>
#include <stdexcept>

namespace freshet::test {
namespace {

using catalog::operation;

/// Pages of a sandbox; a walk that is longer does not end.
constexpr int max_pages = 50;

/// What every sandbox knows, as the README says.
constexpr std::string_view known_users[] = {"alice.test", "alice", "coastlab"};
constexpr std::string_view known_queries[] = {"climate", "tides", "\"tide gauge\""};
constexpr std::string_view known_hashtag = "tides";
constexpr std::string_view known_schema = R"({"properties": {"headline": {"type": "string"}}})";
constexpr std::string_view known_page = "https://example.com/tide-gauges";

const detail::environment& sandbox_environment() {
  static const auto made = detail::make_sandbox_environment();
  if (!made) throw std::runtime_error("no sandbox: " + made.error().detail());
  return *made;
}

result<http::response> ask(const http::request& what) {
  result<http::response> got = error(errc::internal, "the sandbox did not answer at once");
  sandbox_environment().transport->submit(
      http::request(what), std::chrono::steady_clock::now() + std::chrono::minutes{5},
      [&got](result<http::response> answer) { got = std::move(answer); });
  return got;
}

sources::call call_of(operation op) {
  sources::call what;
  what.op = op;
  what.now = sources::sandbox_now;
  return what;
}

/// What a source has named so far, in its order: native ids, and handles.
struct seen_names {
  std::vector<std::string> natives, handles;

  void take(std::string_view id) {
    const auto parts = base::parse_item_id(id);
    if (parts && std::find(natives.begin(), natives.end(), parts->native) == natives.end())
      natives.emplace_back(parts->native);
  }
  void take(const item& any) {
    const auto& handle = common(any).author.handle;
    if (!handle.empty() && std::find(handles.begin(), handles.end(), handle) == handles.end())
      handles.push_back(handle);
    if (std::holds_alternative<user>(any)) return;
    take(common(any).id);
    if (const auto* one = std::get_if<post>(&any)) {
      take(one->conversation_id);
      take(one->parent_id);
    }
  }
};

struct survey {
  std::vector<subject> found;
  std::vector<std::string> missing;
  std::map<std::string_view, seen_names> seen;  ///< by source
};

/// The calls that a capability's sandbox may know; a thread's come from what was found before.
std::vector<sources::call> candidates(operation op, const seen_names& seen) {
  std::vector<sources::call> out;
  const auto add = [&out, op](auto set) {
    out.push_back(call_of(op));
    set(out.back());
  };
  switch (op) {
    case operation::microblog_users_lookup:
    case operation::microblog_users_posts:
    case operation::microblog_users_followers:
    case operation::microblog_users_following:
    case operation::shortvideo_profiles_lookup:
    case operation::shortvideo_profiles_videos:
      for (const auto user : known_users) add([&](auto& what) { what.username = user; });
      for (const auto& user : seen.handles) add([&](auto& what) { what.username = user; });
      break;
    case operation::shortvideo_hashtags_videos:
      add([](auto& what) { what.hashtag = known_hashtag; });
      break;
    case operation::microblog_trends:
    case operation::shortvideo_trends:
    case operation::news_headlines:
      add([](auto&) {});
      break;
    case operation::forum_communities_posts:
      add([](auto& what) {
        what.community = "all";
        what.sort = "new";
      });
      break;
    case operation::scrape_markdown:
    case operation::scrape_map:
      add([](auto& what) { what.url = known_page; });
      break;
    case operation::scrape_extract:
      add([](auto& what) {
        what.url = known_page;
        what.schema = known_schema;
      });
      break;
    case operation::microblog_posts_lookup:
    case operation::microblog_posts_replies:
    case operation::forum_posts_lookup:
    case operation::forum_posts_comments:
    case operation::shortvideo_videos_lookup:
    case operation::shortvideo_videos_comments:
    case operation::shortvideo_videos_transcript:
      for (const auto& native : seen.natives) add([&](auto& what) { what.native_id = native; });
      break;
    default:
      for (const auto q : known_queries) add([&](auto& what) { what.q = query_for(q); });
  }
  return out;
}

/// When an operation is surveyed: searches first, for they name users, whose timelines name posts.
int turn_of(operation op) {
  switch (op) {
    case operation::microblog_users_lookup:
    case operation::microblog_users_posts:
    case operation::microblog_users_followers:
    case operation::microblog_users_following:
    case operation::shortvideo_profiles_lookup:
    case operation::shortvideo_profiles_videos:
      return 1;
    case operation::microblog_posts_lookup:
    case operation::microblog_posts_replies:
    case operation::forum_posts_lookup:
    case operation::forum_posts_comments:
    case operation::shortvideo_videos_lookup:
    case operation::shortvideo_videos_comments:
    case operation::shortvideo_videos_transcript:
      return 2;
    default:
      return 0;
  }
}
constexpr int turns = 3;

std::size_t item_count(const std::vector<walked_page>& pages) {
  std::size_t count = 0;
  for (const auto& one : pages) count += one.page.items.size();
  return count;
}

/// The call that gives most items at one instance; null if none gives any.
void examine(survey& all, const detail::configured_source& source, const sources::capability& how) {
  std::string why = "no call is known";
  bool any = false;
  for (const auto& where : source.instances) {
    subject best{source.of, &how, &where, {}, {}};
    for (const auto& what : candidates(how.op, all.seen[source.of->name])) {
      auto pages = walk_sandbox(how, where, what);
      if (!pages) {
        why = pages.error().detail();
        continue;
      }
      for (const auto& page : *pages) {
        for (const auto& one : page.page.items) all.seen[source.of->name].take(one);
      }
      if (item_count(*pages) > item_count(best.pages)) {
        best.what = what;
        best.pages = std::move(*pages);
      }
    }
    if (item_count(best.pages) == 0) continue;
    any = true;
    all.found.push_back(std::move(best));
  }
  if (!any) {
    all.missing.push_back(std::string(source.of->name) + " " +
                          std::string(catalog::find_endpoint(how.op).path) + ": " + why);
  }
}

const survey& surveyed() {
  static const survey all = [] {
    survey made;
    for (int turn = 0; turn < turns; ++turn) {
      for (const auto& source : sandbox_environment().sources) {
        for (const auto& how : source.of->capabilities) {
          if (turn_of(how.op) == turn) examine(made, source, how);
        }
      }
    }
    return made;
  }();
  return all;
}

}  // namespace

std::string subject::name() const {
  auto text = std::string(source->name) + " " + std::string(endpoint().path);
  if (source->default_instances.size() > 1) text += " at " + where->base_url;
  return text;
}

const catalog::endpoint& subject::endpoint() const { return catalog::find_endpoint(how->op); }

std::vector<const item*> subject::items() const {
  std::vector<const item*> out;
  for (const auto& one : pages) {
    for (const auto& any : one.page.items) out.push_back(&any);
  }
  return out;
}

const std::vector<subject>& subjects() { return surveyed().found; }
const std::vector<std::string>& missing_subjects() { return surveyed().missing; }

query::text_query query_for(std::string_view q) {
  auto parsed = query::parse_text_query(q);
  if (!parsed) throw std::runtime_error("no query: " + std::string(q));
  return std::move(*parsed);
}

result<std::vector<walked_page>> walk_sandbox(const sources::capability& how,
                                              const sources::settings& where,
                                              const sources::call& call) {
  std::vector<walked_page> pages;
  std::string position;
  do {
    if (pages.size() == max_pages) return error(errc::internal, "the walk does not end");
    walked_page here;
    auto request = how.plan(call, where, position);
    if (!request) return request.error();
    std::string state;
    while (true) {
      if (here.steps.size() > static_cast<std::size_t>(how.max_follows))
        return error(errc::internal, "too many steps");
      auto answer = ask(*request);
      if (!answer) return answer.error();
      here.steps.push_back({*request, *answer, position, state});
      auto read = how.read({call, where, *answer, position, state});
      if (!read) return read.error();
      if (auto* page = std::get_if<sources::listing>(&*read)) {
        here.page = std::move(*page);
        break;
      }
      auto& next = std::get<sources::follow>(*read);
      request = std::move(next.request);
      state = std::move(next.state);
    }
    const bool goes_on = !here.page.next.empty() && here.page.next != position;
    position = here.page.next;
    pages.push_back(std::move(here));
    if (!goes_on) break;
  } while (true);
  return pages;
}

std::vector<item> reread(const subject& subject, const sources::call& instead) {
  std::vector<item> kept;
  for (const auto& page : subject.pages) {
    for (const auto& step : page.steps) {
      auto read =
          subject.how->read({instead, *subject.where, step.answer, step.position, step.state});
      if (!read) continue;
      auto* listing = std::get_if<sources::listing>(&*read);
      if (listing == nullptr) continue;
      for (auto& any : listing->items) {
        if (detail::keeps_promises(instead, *subject.how, any)) kept.push_back(std::move(any));
      }
    }
  }
  return kept;
}

std::string body_of(const subject& subject, int limit, std::string_view cursor) {
  boost::json::object body;
  const auto& what = subject.what;
  if (!what.q.raw.empty()) body["q"] = what.q.raw;
  if (!what.username.empty()) body["username"] = what.username;
  if (!what.hashtag.empty()) body["hashtag"] = what.hashtag;
  if (!what.url.empty()) body["url"] = what.url;
  if (!what.schema.empty()) body["schema"] = *base::parse_json(what.schema);
  if (!what.community.empty()) body["community"] = what.community;
  if (!what.native_id.empty())
    body["id"] = std::string(subject.source->name) + ":" + what.native_id;
  if (catalog::find_parameter(subject.endpoint(), "sources") != nullptr)
    body["sources"] = boost::json::array{std::string(subject.source->name)};
  if (limit > 0) body["limit"] = limit;
  if (!cursor.empty()) body["cursor"] = std::string(cursor);
  return boost::json::serialize(body);
}

}  // namespace freshet::test
