// Conformance: what one endpoint gives, another takes. Ids and addresses of posts open their
// threads, handles their timelines; communities are `all`, a bare name or `name@host`.
#include <algorithm>
#include <base/ids.hpp>
#include <base/json.hpp>
#include <catch2/catch.hpp>
#include <freshet/engine.hpp>
#include <set>
#include <sources/conformance/driver.hpp>
#include <sources/sandbox.hpp>
#include <support/print_result.hpp>

using namespace freshet;
using catalog::operation;

namespace {

/// The capability with which the same source serves another operation; null if it does not.
const sources::capability* other(const test::subject& one, operation op) {
  return sources::find_capability(*one.source, op);
}

/// Which operations open what an item of this one names.
std::vector<operation> openers_of(operation op) {
  switch (op) {
    case operation::microblog_search:
    case operation::microblog_users_posts:
      return {operation::microblog_posts_lookup, operation::microblog_posts_replies};
    case operation::forum_search:
      return {operation::forum_posts_lookup, operation::forum_posts_comments};
    case operation::shortvideo_search:
    case operation::shortvideo_trends:
    case operation::shortvideo_hashtags_videos:
    case operation::shortvideo_profiles_videos:
      return {operation::shortvideo_videos_lookup, operation::shortvideo_videos_comments,
              operation::shortvideo_videos_transcript};
    default:
      return {};
  }
}

std::optional<operation> timeline_of(operation op) {
  switch (op) {
    case operation::microblog_search:
    case operation::microblog_users_lookup:
      return operation::microblog_users_posts;
    case operation::shortvideo_search:
    case operation::shortvideo_profiles_lookup:
      return operation::shortvideo_profiles_videos;
    default:
      return std::nullopt;
  }
}

sources::call call_of(operation op) {
  sources::call what;
  what.op = op;
  what.now = sources::sandbox_now;
  return what;
}

std::string refusal(const result<http::request>& planned) {
  if (planned) return "";
  return std::string(describe(planned.error().code()).name) + ": " + planned.error().detail();
}

std::string request_text(const http::request& of) { return of.method + " " + of.url + of.body; }

/// The ids of a walk by the sandbox; empty if it does not know the call.
std::vector<std::string> ids_of(const test::subject& one, const sources::capability& how,
                                const sources::call& call) {
  std::vector<std::string> ids;
  const auto pages = test::walk_sandbox(how, *one.where, call);
  if (!pages) return ids;
  for (const auto& page : *pages) {
    for (const auto& any : page.page.items) ids.push_back(common(any).id);
  }
  return ids;
}

}  // namespace

TEST_CASE("conformance: an item's id and its address both open it and its thread") {
  std::set<std::string> opened, lookups;
  for (const auto& one : test::subjects()) {
    for (const auto op : openers_of(one.how->op)) {
      const auto* how = other(one, op);
      if (how == nullptr) continue;
      const auto name =
          std::string(one.source->name) + std::string(catalog::find_endpoint(op).path);
      const bool is_lookup = catalog::find_endpoint(op).shape == catalog::answer_shape::lookup;
      if (is_lookup) lookups.insert(name);
      for (const auto* any : one.items()) {
        const auto& id = common(*any).id;
        INFO(one.name() << ": " << id << " " << common(*any).url);
        const auto parts = base::parse_item_id(id);
        REQUIRE(parts.has_value());
        auto by_id = call_of(op);
        by_id.native_id = parts->native;
        auto by_url = call_of(op);
        by_url.url = common(*any).url;
        CHECK(refusal(how->plan(by_id, *one.where, "")) == "");
        CHECK(refusal(how->plan(by_url, *one.where, "")) == "");
        const auto given = ids_of(one, *how, by_id);
        if (given.empty()) continue;
        CHECK(ids_of(one, *how, by_url) == given);
        if (is_lookup) CHECK(given == std::vector<std::string>{id});
        opened.insert(name);
      }
    }
  }
  CHECK(std::ranges::includes(opened, lookups));
  CHECK(opened.size() > lookups.size());
}

TEST_CASE("conformance: a comment or a reply has an id that opens nothing foreign") {
  for (const auto& one : test::subjects()) {
    if (one.endpoint().one_of.empty()) continue;
    // An id of another source, and an address elsewhere, are no posts of this one.
    for (const auto* address : {"https://nowhere.invalid/", "https://example.com/watch?v=1"}) {
      INFO(one.name() << ": " << address);
      auto what = call_of(one.how->op);
      what.url = address;
      const auto planned = one.how->plan(what, *one.where, "");
      CHECK((planned.has_value() || planned.error().code() == errc::not_found));
      if (one.source->instances_key.empty()) CHECK_FALSE(planned.has_value());
    }
  }
}

TEST_CASE("conformance: a handle opens its timeline") {
  int judged = 0;
  for (const auto& one : test::subjects()) {
    const auto op = timeline_of(one.how->op);
    const auto* how = op ? other(one, *op) : nullptr;
    if (how == nullptr) continue;
    for (const auto* any : one.items()) {
      const auto* who = std::get_if<user>(any);
      auto what = call_of(*op);
      what.username = who != nullptr ? who->handle : common(*any).author.handle;
      if (what.username.empty()) continue;
      INFO(one.name() << ": " << what.username);
      CHECK(refusal(how->plan(what, *one.where, "")) == "");
      ++judged;
    }
  }
  CHECK(judged > 0);
}

TEST_CASE("conformance: communities are all, a bare name or name@host") {
  int judged = 0;
  for (const auto& one : test::subjects()) {
    if (catalog::find_parameter(one.endpoint(), "community") == nullptr) continue;
    const auto plan_for = [&one](std::string community) {
      auto what = one.what;
      what.community = std::move(community);
      return one.how->plan(what, *one.where, "");
    };
    INFO(one.name());
    const auto everywhere = plan_for("all");
    const auto unsaid = plan_for("");
    REQUIRE(everywhere.has_value());
    REQUIRE(unsaid.has_value());
    CHECK(request_text(*everywhere) == request_text(*unsaid));
    // A community elsewhere is not here, or is asked there; it is never everywhere.
    const auto elsewhere = plan_for("tides@nowhere.invalid");
    if (elsewhere && request_text(*elsewhere) == request_text(*everywhere)) {
      // Something else is asked for first; the request behind it tells them apart.
      REQUIRE(one.pages.front().steps.size() > 1);
      const auto behind = [&one](std::string community) {
        auto what = one.what;
        what.community = std::move(community);
        const auto& first = one.pages.front().steps.front();
        auto read = one.how->read({what, *one.where, first.answer, "", ""});
        REQUIRE(read.has_value());
        REQUIRE(std::holds_alternative<sources::follow>(*read));
        return request_text(std::get<sources::follow>(*read).request);
      };
      CHECK(behind("tides@nowhere.invalid") != behind("all"));
    } else if (!elsewhere) {
      CHECK(elsewhere.error().code() == errc::not_found);
    }
    for (const auto* any : one.items()) {
      const auto* at = std::get_if<forum_post>(any);
      if (at == nullptr || at->community.empty()) continue;
      INFO(at->community);
      ++judged;
      CHECK(refusal(plan_for(at->community)) == "");
      // The same by its bare name, on the source that has it.
      const auto host = at->community.find('@');
      if (host != std::string::npos) CHECK(refusal(plan_for(at->community.substr(0, host))) == "");
    }
  }
  CHECK(judged > 0);
}

TEST_CASE("conformance: ids name their source, and the engine takes them as they are") {
  engine_options options;
  REQUIRE(options.config.set("network.sandbox", "true"));
  const auto on = engine::open(std::move(options));
  REQUIRE(on.has_value());
  for (const auto& one : test::subjects()) {
    if (one.endpoint().one_of.empty()) continue;
    INFO(one.name());
    request what;
    what.endpoint = one.endpoint().path;
    const bool is_lookup = one.endpoint().shape == catalog::answer_shape::lookup;
    what.body = test::body_of(one, is_lookup ? 0 : 100, "");
    const auto answer = (*on)->call(std::move(what));
    INFO(answer.body.substr(0, 300));
    REQUIRE(answer.status == 200);
    const auto parsed = *base::parse_json(answer.body);
    const auto& data = base::member(parsed, "data");
    const auto check_id = [&one](const auto& of) {
      const auto id = base::text_of(base::member(of, "id"));
      CHECK(id.starts_with(std::string(one.source->name) + ":"));
    };
    if (is_lookup) {
      check_id(data);
      continue;
    }
    CHECK(!base::array_of(data).empty());
    for (const auto& each : base::array_of(data)) check_id(each);
  }
}
