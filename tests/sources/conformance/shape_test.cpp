// Conformance: what a source gives is of the catalogue's shape, and its walk ends without a
// duplicate or a gap, whatever the page size.
#include <base/json.hpp>
#include <catch2/catch.hpp>
#include <freshet/engine.hpp>
#include <map>
#include <set>
#include <sources/conformance/driver.hpp>
#include <support/print_result.hpp>
#include <support/sanitized.hpp>

using namespace freshet;

namespace {

std::string object_of(const item& any) {
  std::string text;
  model::append_item(text, any);
  return base::text_of(base::member(*base::parse_json(text), "object"));
}

/// The ids of a walk through the engine, page by page; "" and what went wrong in `failure`.
std::vector<std::string> walk_engine(engine& engine, const test::subject& subject, int limit,
                                     std::string& failure) {
  std::vector<std::string> ids;
  std::string cursor;
  for (int page = 0; page < 400; ++page) {
    request what;
    what.endpoint = subject.endpoint().path;
    what.body = test::body_of(subject, limit, cursor);
    const auto answer = engine.call(std::move(what));
    if (answer.status != 200) {
      failure = answer.body;
      return ids;
    }
    const auto parsed = base::parse_json(answer.body, true);
    if (!parsed) {
      failure = "no JSON";
      return ids;
    }
    failure += test::joined(test::envelope_problems(*parsed, subject.endpoint()));
    const auto& data = base::array_of(base::member(*parsed, "data"));
    for (const auto& one : data) ids.push_back(base::text_of(base::member(one, "id")));
    const bool partial = base::view_of(base::member(*parsed, "meta", "completeness")) == "partial";
    cursor = base::text_of(base::member(*parsed, "page", "next_cursor"));
    if (!cursor.empty() && !partial && static_cast<int>(data.size()) != limit)
      failure += "a short page that is not the last";
    if (cursor.empty()) return ids;
  }
  failure = "the walk does not end";
  return ids;
}

}  // namespace

TEST_CASE("conformance: every capability of every source answers in the sandbox") {
  CHECK(test::joined(test::missing_subjects(), 100) == "");
  CHECK(test::subjects().size() > sources::all_sources().size());
}

TEST_CASE("conformance: every item is of its endpoint's schema") {
  for (const auto& one : test::subjects()) {
    INFO(one.name());
    const auto kind = one.endpoint().answer->name;
    for (const auto& page : one.pages) {
      CHECK(test::joined(test::page_problems(page.page, one.source->name)) == "");
      for (const auto& any : page.page.items) {
        INFO(common(any).id);
        CHECK(object_of(any) == kind);
        CHECK((!common(any).url.empty() || kind == "suggestion"));
      }
    }
    if (one.endpoint().shape == catalog::answer_shape::lookup) {
      CHECK(one.pages.size() == 1);
      CHECK(one.items().size() == 1);
    }
  }
}

TEST_CASE("conformance: what is promised to be newest first is") {
  int judged = 0;
  for (const auto& one : test::subjects()) {
    if (!one.promises(sources::newest_first)) continue;
    ++judged;
    INFO(one.name());
    std::optional<time_point> last;
    for (const auto* any : one.items()) {
      const auto* post = std::get_if<freshet::post>(any);
      if (post != nullptr && !post->reposted_by.id.empty()) continue;
      const auto& at = common(*any).created_at;
      if (!at) continue;
      INFO(common(*any).id);
      if (last) CHECK(*at <= *last);
      last = at;
    }
  }
  CHECK(judged > 0);
}

TEST_CASE("conformance: threads are flat and in pre-order") {
  int judged = 0;
  for (const auto& one : test::subjects()) {
    if (one.endpoint().answer->name != "comment") continue;
    ++judged;
    INFO(one.name());
    // Each item's parent is the last item of the depth above it.
    std::vector<std::string> path;
    for (const auto* any : one.items()) {
      const auto* at = std::get_if<comment>(any);
      REQUIRE(at != nullptr);
      INFO(at->id);
      CHECK(!at->post_id.empty());
      REQUIRE(at->depth >= 0);
      REQUIRE(static_cast<std::size_t>(at->depth) <= path.size());
      path.resize(static_cast<std::size_t>(at->depth));
      CHECK(at->parent_id == (path.empty() ? "" : path.back()));
      path.push_back(at->id);
    }
  }
  CHECK(judged > 0);
}

TEST_CASE("conformance: one page size against another gives the same list", "[many]") {
  engine_options options;
  REQUIRE(options.config.set("network.sandbox", "true"));
  const auto on = engine::open(std::move(options));
  REQUIRE(on.has_value());
  const std::vector<int> limits = test::tries_few ? std::vector{7, 20} : std::vector{1, 7, 20};
  std::set<std::string> walked;
  for (const auto& one : test::subjects()) {
    if (one.endpoint().shape == catalog::answer_shape::lookup) continue;
    // The engine asks all instances of a source at once.
    if (!walked.insert(std::string(one.source->name) + std::string(one.endpoint().path)).second)
      continue;
    INFO(one.name());
    std::map<int, std::vector<std::string>> lists;
    for (const int limit : limits) {
      INFO("limit " << limit);
      std::string failure;
      lists[limit] = walk_engine(**on, one, limit, failure);
      CHECK(failure == "");
      CHECK(std::set<std::string>(lists[limit].begin(), lists[limit].end()).size() ==
            lists[limit].size());
    }
    CHECK(!lists[20].empty());
    for (const int limit : limits) CHECK(lists[limit] == lists[20]);
    if (one.source->default_instances.size() > 1) continue;
    // Nothing that the source gave is lost on the way.
    std::set<std::string> given(lists[20].begin(), lists[20].end());
    for (const auto* any : one.items()) {
      if (!query::matches(one.what.q, *any)) continue;
      INFO(common(*any).id);
      CHECK(given.contains(common(*any).id));
    }
  }
}
