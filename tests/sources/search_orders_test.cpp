// The orders of a search: what every forum and every source of videos is asked for each, what it is
// asked without one, and who is left out.
#include <base/url.hpp>
#include <catch2/catch.hpp>
#include <sources/source_rig.hpp>

namespace freshet::sources {

using catalog::operation;

namespace {

const test::source_rig ordered_hackernews("hackernews", {"https://hn.algolia.com", {}});
const test::source_rig ordered_lemmy("lemmy", {"https://lemmy.world", {}});
const test::source_rig ordered_discourse("discourse", {"https://forum.example", {}});
const test::source_rig ordered_stackexchange("stackexchange",
                                             {"https://api.stackexchange.com", {}});
const test::source_rig ordered_reddit("reddit", {});
const test::source_rig ordered_peertube("peertube", {});
const test::source_rig ordered_dailymotion("dailymotion", {});
const test::source_rig ordered_youtube("youtube", {"", {{"api_key", "k"}}});
const test::source_rig ordered_invidious("invidious", {"https://iv.example", {}});
const test::source_rig ordered_tiktok("tiktok",
                                      {"", {{"client_key", "c"}, {"client_secret", "s"}}});

call in_order(operation op, std::string sort, int hours = 0) {
  auto made = test::search_call(op, "tide");
  made.sort = std::move(sort);
  if (hours > 0) made.since = made.now - std::chrono::hours{hours};
  return made;
}
call posts_in(std::string sort, int hours = 0) {
  return in_order(operation::forum_search, std::move(sort), hours);
}
call videos_in(std::string sort) { return in_order(operation::shortvideo_search, std::move(sort)); }

/// The value of a parameter in what is asked, decoded; "" if it is not there.
std::string asked_for(const test::source_rig& rig, const call& call, std::string_view parameter) {
  const auto url = base::parse_url(rig.planned(call));
  REQUIRE(url);
  return base::query_parameter(url->query, parameter).value_or("");
}

/// What an instance of Lemmy is asked once it has told its version.
std::string lemmy_asked(const call& call, std::string_view version) {
  const auto site = R"({"version":")" + std::string(version) + R"("})";
  const auto next = test::follow_of(ordered_lemmy.read(call, test::answer_of(200, site)));
  const auto url = base::parse_url(next.request.url);
  REQUIRE(url);
  return base::query_parameter(url->query, "sort").value_or("");
}

}  // namespace

TEST_CASE("search orders: every forum is asked for each in its own words") {
  const std::string hn = "https://hn.algolia.com/api/v1/";
  for (const auto* best : {"", "relevance"}) {
    CHECK(ordered_hackernews.planned(posts_in(best)).starts_with(hn + "search?query=tide&"));
  }
  CHECK(ordered_hackernews.planned(posts_in("", 24)).starts_with(hn + "search_by_date?"));
  CHECK(ordered_hackernews.planned(posts_in("relevance", 24)).starts_with(hn + "search?"));
  CHECK(ordered_hackernews.planned(posts_in("new")).starts_with(hn + "search_by_date?"));
  CHECK(asked_for(ordered_hackernews, posts_in("top"), "hitsPerPage") == "100");

  CHECK(lemmy_asked(posts_in(""), "0.19.12") == "New");
  CHECK(lemmy_asked(posts_in("new"), "0.19.12") == "New");
  CHECK(lemmy_asked(posts_in("top"), "0.19.12") == "TopAll");
  CHECK(lemmy_asked(posts_in("top", 24), "0.19.12") == "TopDay");
  CHECK(lemmy_asked(posts_in(""), "1.0.2") == "new");
  CHECK(lemmy_asked(posts_in("top"), "1.0.2") == "top");

  CHECK(asked_for(ordered_discourse, posts_in(""), "q") == "tide in:first");
  CHECK(asked_for(ordered_discourse, posts_in("relevance", 24), "q") ==
        "tide in:first after:2026-10-30");
  CHECK(asked_for(ordered_discourse, posts_in("", 24), "q") ==
        "tide in:first after:2026-10-30 order:latest");
  CHECK(asked_for(ordered_discourse, posts_in("new"), "q") == "tide in:first order:latest");
  CHECK(asked_for(ordered_discourse, posts_in("top"), "q") == "tide in:first order:likes");

  const std::pair<const char*, const char*> of_sites[] = {
      {"", "relevance"}, {"relevance", "relevance"}, {"new", "creation"}, {"top", "votes"}};
  for (const auto& [sort, theirs] : of_sites) {
    CHECK(asked_for(ordered_stackexchange, posts_in(sort), "sort") == theirs);
  }
  CHECK(asked_for(ordered_stackexchange, posts_in("", 24), "sort") == "creation");
  CHECK(asked_for(ordered_stackexchange, posts_in("relevance", 24), "sort") == "relevance");

  for (const auto* sort : {"relevance", "new", "top"}) {
    CHECK(asked_for(ordered_reddit, posts_in(sort, 24), "sort") == sort);
  }
  CHECK(asked_for(ordered_reddit, posts_in(""), "sort") == "relevance");
  CHECK(asked_for(ordered_reddit, posts_in("", 24), "sort") == "new");
}

TEST_CASE("search orders: every source of videos is asked for each in its own words") {
  struct words {
    const test::source_rig& rig;
    const char* parameter;
    const char *best, *newest, *most;
  };
  const words of[] = {
      {ordered_peertube, "sort", "-match", "-publishedAt", "-views"},
      {ordered_dailymotion, "sort", "relevance", "recent", "visited"},
      {ordered_youtube, "order", "relevance", "date", "viewCount"},
      {ordered_invidious, "sort", "relevance", "date", "views"},
  };
  for (const auto& one : of) {
    INFO(one.rig.source().name);
    CHECK(asked_for(one.rig, videos_in(""), one.parameter) == one.best);
    CHECK(asked_for(one.rig, videos_in("relevance"), one.parameter) == one.best);
    CHECK(asked_for(one.rig, videos_in("new"), one.parameter) == one.newest);
    CHECK(asked_for(one.rig, videos_in("top"), one.parameter) == one.most);
  }
}

TEST_CASE("search orders: who has no such order names the parameter") {
  const auto left_out = [](const test::source_rig& rig, const call& what) {
    const auto planned = rig.plan(what);
    return !planned && planned.error().code() == errc::not_found &&
           planned.error().parameters.size() == 1 &&
           planned.error().parameters.front().pointer == "/sort";
  };
  CHECK(left_out(ordered_lemmy, posts_in("relevance")));
  CHECK_FALSE(left_out(ordered_lemmy, posts_in("top")));
  CHECK(left_out(ordered_tiktok, videos_in("relevance")));
  CHECK(left_out(ordered_tiktok, videos_in("top")));
  CHECK_FALSE(left_out(ordered_tiktok, videos_in("new")));
  CHECK_FALSE(left_out(ordered_tiktok, videos_in("")));
}

TEST_CASE("search orders: a page of Hacker News is put in the order of its points") {
  const auto answer = test::answer_of(200, R"({"hits":[
      {"objectID":"1","title":"Low tide","points":3,"created_at_i":1790000000,"author":"a"},
      {"objectID":"2","title":"No points","created_at_i":1790000001,"author":"a"},
      {"objectID":"3","title":"High tide","points":40,"created_at_i":1790000002,"author":"a"}],
      "nbHits":3,"nbPages":1,"page":0})");
  const auto ids = [&](const call& what) {
    std::string out;
    for (const auto& any : test::listing_of(ordered_hackernews.read(what, answer)).items)
      out += common(any).id.back();
    return out;
  };
  CHECK(ids(posts_in("top")) == "312");
  CHECK(ids(posts_in("relevance")) == "123");
}

TEST_CASE("search orders: the best of a window end with their list, not with an old post") {
  const auto answer = test::answer_of(200, R"({"posts":[{"post":{"id":5,"name":"tide",
      "published":"2026-10-01T00:00:00Z","ap_id":"https://lemmy.world/post/5"},
      "creator":{"name":"a"},"community":{"name":"coast"},"counts":{"score":1}}]})");
  auto newest = posts_in("new", 24), best = posts_in("top", 24);
  newest.limit = best.limit = 1;
  CHECK(test::listing_of(ordered_lemmy.read(newest, answer, "2:1")).next.empty());
  CHECK_FALSE(test::listing_of(ordered_lemmy.read(best, answer, "2:1")).next.empty());
}

}  // namespace freshet::sources
