// Every endpoint through the whole flow, against the shipped recordings: each answer is checked
// against its schema, paging is walked to the end, typed calls give the same items.
#include <algorithm>
#include <base/json.hpp>
#include <base/unicode.hpp>
#include <base/url.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <catch2/catch.hpp>
#include <freshet/engine.hpp>
#include <markdown/page.hpp>
#include <set>
#include <sources/sandbox.hpp>
#include <support/print_result.hpp>
#include <support/sanitized.hpp>
#include <support/schema_check.hpp>

using namespace freshet;

namespace {

std::unique_ptr<engine> open_sandbox() {
  engine_options options;
  REQUIRE(options.config.set("network.sandbox", "true"));
  auto opened = engine::open(std::move(options));
  REQUIRE(opened);
  return std::move(*opened);
}

response call(engine& engine, const std::string& endpoint, const std::string& body) {
  request what;
  what.endpoint = endpoint;
  what.body = body;
  return engine.call(std::move(what));
}

struct sample {
  const char* endpoint;
  const char* body;
};

/// At least one call of every endpoint that fetches.
constexpr sample samples[] = {
    {"all/search", R"({"q": "climate"})"},
    {"all/search", R"({"q": "climate", "platforms": ["news", "forum"], "since": "9w"})"},
    {"microblog/users/lookup", R"({"username": "alice.test"})"},
    {"microblog/users/lookup", R"({"username": "@alice"})"},
    {"microblog/users/posts", R"({"username": "alice.test"})"},
    {"microblog/users/posts", R"({"username": "alice"})"},
    {"microblog/users/search", R"({"q": "tides"})"},
    {"microblog/users/followers", R"({"username": "alice.test"})"},
    {"microblog/users/followers", R"({"username": "alice"})"},
    {"microblog/users/following", R"({"username": "alice.test"})"},
    {"microblog/search", R"({"q": "climate"})"},
    {"microblog/search", R"({"q": "\"tide gauge\"", "since": "9w"})"},
    {"microblog/posts/lookup", R"({"id": "mastodon:mastodon.social/117532337438730006"})"},
    {"microblog/posts/lookup",
     R"({"url": "https://bsky.app/profile/bob.test/post/3n2s6qn4bd22q"})"},
    {"microblog/posts/replies", R"({"id": "mastodon:mastodon.social/117532337438730006"})"},
    {"microblog/posts/replies",
     R"({"id": "bluesky:at://did:plc:qdeel45ku4xshvo3picgjj3y/app.bsky.feed.post/3n2s6qn4bd22q"})"},
    {"microblog/trends", "{}"},
    {"microblog/trends", R"({"country": "GB", "sources": ["x"]})"},
    {"web-serp/search", R"({"q": "climate"})"},
    {"web-serp/search", R"({"q": "climate", "since": "7d"})"},
    {"web-serp/search",
     R"({"q": "climate", "sites": ["grey-harbour.example", "wikipedia.org"], "exclude_sites": ["b.example"]})"},
    {"web-serp/images/search", R"({"q": "climate"})"},
    {"web-serp/videos/search", R"({"q": "climate"})"},
    {"web-serp/suggest", R"({"q": "climate"})"},
    {"scrape/markdown", R"({"url": "https://example.com/tide-gauges"})"},
    {"scrape/markdown", R"({"url": "https://example.com/tide-gauges", "mode": "page"})"},
    {"scrape/map", R"({"url": "https://example.com/tide-gauges"})"},
    {"scrape/map", R"({"url": "https://example.com/tide-gauges", "q": "harbours"})"},
    {"scrape/extract", R"({"url": "https://example.com/tide-gauges", "schema": {"properties":
      {"headline": {"type": "string"}, "kinds": {"type": "array", "items": {"properties":
      {"kind": {"type": "string"}, "accuracy": {"type": "integer"}}}}}}})"},
    {"forum/search", R"({"q": "climate", "community": "all"})"},
    {"forum/search", R"({"q": "climate", "highlights": {}})"},
    {"forum/search", R"({"q": "climate", "community": "coast"})"},
    {"forum/communities/posts", R"({"community": "coast"})"},
    {"forum/communities/posts", R"({"community": "all", "sort": "top"})"},
    {"forum/communities/posts", R"({"community": "coast", "sort": "hot", "since": "30d"})"},
    {"forum/posts/lookup", R"({"id": "lemmy:lemmy.world/4070"})"},
    {"forum/posts/lookup", R"({"url": "https://news.ycombinator.com/item?id=9000003"})"},
    {"forum/posts/comments", R"({"id": "hackernews:9000003"})"},
    {"forum/posts/comments", R"({"id": "lemmy:lemmy.world/4070"})"},
    {"shortvideo/search", R"({"q": "climate"})"},
    {"shortvideo/trends", "{}"},
    {"shortvideo/trends", R"({"country": "GB"})"},
    {"shortvideo/search", R"({"q": "climate", "sort": "new"})"},
    {"shortvideo/search", R"({"q": "climate", "sort": "top"})"},
    {"forum/search", R"({"q": "climate", "sort": "new"})"},
    {"forum/search", R"({"q": "climate", "sort": "top"})"},
    {"forum/search", R"({"q": "climate", "sort": "relevance"})"},
    {"shortvideo/videos/lookup", R"({"url": "https://www.dailymotion.com/video/xhnwgzv"})"},
    {"shortvideo/videos/comments", R"({"id": "youtube:frsSandb000", "sort": "new"})"},
    {"shortvideo/videos/transcript", R"({"id": "dailymotion:xhnwgzv"})"},
    {"shortvideo/videos/transcript",
     R"({"url": "https://www.dailymotion.com/video/xhnwgzv", "lang": "fr-CA"})"},
    {"shortvideo/hashtags/videos", R"({"hashtag": "tides"})"},
    {"shortvideo/profiles/lookup", R"({"username": "coastlab"})"},
    {"shortvideo/profiles/videos", R"({"username": "coastlab"})"},
    {"news/search", R"({"q": "climate"})"},
    {"news/headlines", "{}"},
    {"news/headlines", R"({"topic": "technology"})"},
    {"news/headlines", R"({"topic": "nation", "country": "GB", "sources": ["guardian"]})"},
};

}  // namespace

TEST_CASE("every endpoint answers from the sandbox, and every answer is as its schema says",
          "[alone]") {
  const auto on = open_sandbox();
  std::set<std::string> answered;
  for (const auto& [endpoint, body] : samples) {
    const auto answer = call(*on, endpoint, body);
    INFO(endpoint << " " << body << "\n" << answer.body.substr(0, 400));
    REQUIRE(answer.status == 200);
    CHECK(answer.credits_used == 0);
    const auto parsed = base::parse_json(answer.body, true);
    REQUIRE(parsed);
    const auto& of = *catalog::find_endpoint(endpoint);
    CHECK(test::envelope_problems(*parsed, of) == std::vector<std::string>{});
    CHECK(answer.data().size() > 2);
    CHECK(base::member(*parsed, "data") == *base::parse_json(answer.data()));
    answered.insert(endpoint);
  }
  for (const auto& one : catalog::endpoints()) {
    if (one.platform == "account") continue;
    INFO(one.path);
    CHECK(answered.contains(std::string(one.path)));
  }
}

TEST_CASE("a walk through the sandbox ends, and gives nothing twice", "[alone][many]") {
  const auto on = open_sandbox();
  for (const auto& [endpoint, body] : samples) {
    if (catalog::find_endpoint(endpoint)->shape == catalog::answer_shape::lookup) continue;
    std::set<std::string> ids;
    std::string cursor;
    std::size_t given = 0;
    int pages = 0;
    do {
      auto parameters = base::parse_json(body)->as_object();
      parameters["limit"] = test::cases(3, 8, 20);
      if (!cursor.empty()) parameters["cursor"] = cursor;
      const auto answer = call(*on, endpoint, boost::json::serialize(parameters));
      INFO(endpoint << " " << body << " page " << pages << "\n" << answer.body.substr(0, 300));
      REQUIRE(answer.status == 200);
      const auto parsed = *base::parse_json(answer.body);
      for (const auto& one : base::array_of(base::member(parsed, "data"))) {
        ids.insert(base::text_of(base::member(one, "id")));
        ++given;
      }
      cursor = base::text_of(base::member(parsed, "page", "next_cursor"));
      CHECK(base::flag_of(base::member(parsed, "page", "has_more")) == !cursor.empty());
      REQUIRE(++pages < 140);
    } while (!cursor.empty());
    INFO(endpoint << " " << body);
    CHECK(given > 0);
    CHECK(ids.size() == given);
  }
}

TEST_CASE("a search of the web keeps to its sites and its time, and says who can not") {
  const auto on = open_sandbox();
  web_search_parameters what;
  what.q = "climate";
  what.list.limit = 100;
  what.sites = {"loughmore.example", "port-ellan.example", "example.org"};
  what.exclude_sites = {"www.port-ellan.example"};
  const auto kept = on->web_serp().search(what);
  REQUIRE(kept);
  REQUIRE(kept->data.size() >= 2);
  for (const auto& one : kept->data) CHECK(base::host_of(one.url) == "loughmore.example");
  const auto has = [](const std::vector<std::string>& all, std::string_view one) {
    return std::ranges::find(all, one) != all.end();
  };
  CHECK(has(kept->meta.warnings, "filtered: mojeek was left out: Mojeek takes one site at a time"));
  CHECK(kept->meta.completeness == "complete");
  web_search_parameters this_week;
  this_week.q = "climate";
  this_week.since = "7d";
  const auto recent = on->web_serp().search(this_week);
  REQUIRE(recent);
  REQUIRE_FALSE(recent->data.empty());
  for (const auto& one : recent->data) {
    CHECK(one.created_at >= sources::sandbox_now - std::chrono::days{7});
  }
  CHECK(has(recent->meta.warnings, "filtered: tavily was left out: Tavily dates nothing but news"));
  const auto none =
      call(*on, "web-serp/search", R"({"q": "climate", "since": "7d", "sources": ["marginalia"]})");
  CHECK(none.status == 404);
  CHECK(none.body.find("\"/since\"") != std::string::npos);
}

TEST_CASE("a search for what is new has all sources in one order, and says who has no such order") {
  const auto on = open_sandbox();
  forum_search_parameters posts;
  posts.q = "climate";
  posts.sort = "new";
  const auto newest = on->forum().search(posts);
  REQUIRE(newest);
  REQUIRE(newest->data.size() > 3);
  std::set<std::string> sources;
  for (const auto& one : newest->data) sources.insert(one.source);
  CHECK(sources.size() > 1);
  CHECK(std::ranges::is_sorted(newest->data, std::ranges::greater{}, &forum_post::created_at));
  posts.sort = "relevance";
  const auto best = on->forum().search(posts);
  REQUIRE(best);
  const auto says = [](const std::vector<std::string>& all, std::string_view what) {
    return std::ranges::any_of(
        all, [what](const std::string& one) { return one.find(what) != std::string::npos; });
  };
  CHECK(says(best->meta.warnings, "was left out: Lemmy does not order by relevance"));
  video_search_parameters videos;
  videos.q = "climate";
  videos.sort = "top";
  const auto most = on->shortvideo().search(videos);
  REQUIRE(most);
  CHECK(says(most->meta.warnings, "was left out: TikTok's Research API gives the newest first"));
}

TEST_CASE("typed calls give what the bytes say") {
  const auto on = open_sandbox();
  const auto page =
      on->forum().search({.q = "climate", .community = "all", .sort = "", .since = "", .list = {}});
  REQUIRE(page);
  std::string joined = "[";
  for (const auto& one : page->data) joined += (joined.size() > 1 ? "," : "") + item_json(one);
  joined += "]";
  const auto answer = call(*on, "forum/search", R"({"q": "climate", "community": "all"})");
  CHECK(joined == answer.data());
  const auto missing = on->microblog().lookup({.username = "nobody-here.test", .sources = {}});
  REQUIRE_FALSE(missing);
  CHECK(missing.error().code() == errc::not_found);
}

TEST_CASE("errors: each wrong parameter is named, unknown endpoints suggest the nearest") {
  const auto on = open_sandbox();
  auto wrong = call(*on, "microblog/search", R"({"q": "", "since": "24x", "limt": 5})");
  CHECK(wrong.status == 400);
  CHECK(wrong.content_type == "application/problem+json");
  const auto problem = *base::parse_json(wrong.body);
  CHECK(base::array_of(base::member(problem, "errors")).size() == 3);
  CHECK(wrong.body.find("'limit'") != std::string::npos);
  wrong = call(*on, "microblog/serch", "{}");
  CHECK(wrong.status == 404);
  CHECK(wrong.body.find("microblog/search") != std::string::npos);
  CHECK(call(*on, "microblog/search", "{").status == 400);
  CHECK(call(*on, "microblog/search", R"({"q": "x", "cursor": "c1.abc.def"})").code ==
        errc::invalid_cursor);
  CHECK(call(*on, "microblog/search", R"({"q": "x", "sources": ["lemmy"]})").code ==
        errc::invalid_request);
  CHECK(call(*on, "microblog/posts/replies", R"({"id": "nowhere:1"})").code ==
        errc::invalid_request);
  CHECK(
      call(*on, "scrape/markdown", R"({"url": "https://example.com/", "render": "always"})").code ==
      errc::invalid_request);
}

TEST_CASE("max_tokens cuts a document between blocks, and the cursor goes on") {
  const auto on = open_sandbox();
  const std::string url = R"({"url": "https://example.com/tide-gauges")";
  const auto whole = call(*on, "scrape/markdown", url + "}");
  const auto markdown =
      base::text_of(base::member(*base::parse_json(whole.body), "data", "markdown"));
  std::string joined;
  std::string cursor;
  int pages = 0;
  do {
    auto body = url + R"(, "max_tokens": 520)";
    if (!cursor.empty()) body += R"(, "cursor": ")" + cursor + "\"";
    const auto part = call(*on, "scrape/markdown", body + "}");
    INFO(part.body.substr(0, 300));
    REQUIRE(part.status == 200);
    const auto parsed = *base::parse_json(part.body);
    joined += base::text_of(base::member(parsed, "data", "markdown")) + "\n";
    cursor = base::text_of(base::member(parsed, "page", "next_cursor"));
    REQUIRE(++pages < 50);
  } while (!cursor.empty());
  CHECK(pages > 1);
  const auto squeeze = [](std::string text) {
    std::erase(text, '\n');
    return text;
  };
  CHECK(squeeze(joined) == squeeze(markdown));
}

TEST_CASE("passages of a page are exact, within their budget, and on its first part alone") {
  const auto on = open_sandbox();
  const std::string asked =
      R"({"url": "https://example.com/tide-gauges", "highlights": {"query": "tide gauge harbours",)"
      R"( "max_tokens": 60})";
  const auto whole = base::parse_json(call(*on, "scrape/markdown", asked + "}").body).value();
  const auto& page = base::member(whole, "data");
  const std::string text = base::text_of(base::member(page, "markdown"));
  const auto& found = base::array_of(base::member(page, "highlights"));
  REQUIRE(found.size() > 1);
  double last = 1e9;
  std::int64_t tokens = 0;
  for (const auto& one : found) {
    const auto start = static_cast<std::size_t>(one.at("start").as_int64());
    const auto end = static_cast<std::size_t>(one.at("end").as_int64());
    const std::string_view behind = std::string_view(text).substr(base::prefix(text, start).size());
    CHECK(base::prefix(behind, end - start) == base::text_of(one.at("text")));
    const auto score = base::number_of(one.at("score")).value();
    CHECK(score <= last);
    last = score;
    tokens += markdown::estimate_tokens(base::text_of(one.at("text")));
  }
  CHECK(tokens <= 60);
  const auto first =
      base::parse_json(call(*on, "scrape/markdown", asked + R"(, "max_tokens": 500})").body)
          .value();
  CHECK(base::member(first, "data", "highlights") == base::member(page, "highlights"));
  const auto cursor = base::text_of(base::member(first, "page", "next_cursor"));
  REQUIRE_FALSE(cursor.empty());
  const auto next =
      base::parse_json(
          call(*on, "scrape/markdown", asked + R"(, "cursor": ")" + cursor + "\"}").body)
          .value();
  CHECK(base::array_of(base::member(next, "data", "highlights")).empty());
  CHECK_FALSE(base::text_of(base::member(next, "data", "markdown")).empty());
}

TEST_CASE("passages of a list are of each item's own text, and typed calls ask for them") {
  const auto on = open_sandbox();
  search_parameters of;
  of.q = "climate";
  of.list.highlights = highlight_parameters{"plan \"sea level\"", 50};
  const auto page = on->news().search(of);
  REQUIRE(page);
  REQUIRE(!page->data.empty());
  std::size_t passages = 0;
  for (const auto& one : page->data) {
    for (const auto& each : one.highlights) {
      ++passages;
      CHECK(one.text.find(each.text) != std::string::npos);
      CHECK(base::length(each.text) == static_cast<std::size_t>(each.end - each.start));
      CHECK(each.score > 0);
    }
  }
  CHECK(passages > 0);
  of.list.highlights.reset();
  CHECK(on->news().search(of)->data.front().highlights.empty());
}

TEST_CASE("a long text gives way to its passages, a short one has none", "[alone]") {
  const auto on = open_sandbox();
  std::size_t long_ones = 0, short_ones = 0;
  for (const auto* endpoint :
       {"news/search", "forum/search", "microblog/search", "web-serp/search"}) {
    const std::string asked = R"({"q": "climate", "limit": 40)";
    const auto plain = base::parse_json(call(*on, endpoint, asked + "}").body).value();
    const auto brief =
        base::parse_json(call(*on, endpoint,
                              asked + R"(, "highlights": )" + R"({"max_tokens": 20, )" +
                                  R"("instead_of_text": true}})")
                             .body)
            .value();
    const auto& before = base::array_of(base::member(plain, "data"));
    const auto& after = base::array_of(base::member(brief, "data"));
    REQUIRE(before.size() == after.size());
    for (std::size_t i = 0; i < before.size(); ++i) {
      CHECK(base::member(before[i], "id") == base::member(after[i], "id"));
      const auto text = base::text_of(base::member(before[i], "text"));
      const auto& passages = base::array_of(base::member(after[i], "highlights"));
      if (passages.empty()) {
        CHECK(base::member(after[i], "text") == base::member(before[i], "text"));
        if (markdown::estimate_tokens(text) <= 20) ++short_ones;
        continue;
      }
      ++long_ones;
      CHECK(markdown::estimate_tokens(text) > 20);
      CHECK(base::member(after[i], "text").is_null());
      for (const auto& one : passages)
        CHECK(text.find(base::view_of(base::member(one, "text"))) != std::string::npos);
    }
  }
  CHECK(long_ones > 0);
  CHECK(short_ones > 0);
}

TEST_CASE("any number of threads share an engine, and its end cancels what runs") {
  auto on = open_sandbox();
  std::atomic<int> answered{0};
  std::atomic<int> strange{0};  // counted, not checked: assertions belong to the test's own thread
  for (int i = 0; i < 100; ++i) {
    request what;
    what.endpoint = "microblog/search";
    what.body = R"({"q": "climate"})";
    const auto ticket = on->submit(std::move(what), [&](response made) {
      if (made.status != 200 && made.code != errc::cancelled) ++strange;
      ++answered;
    });
    if (i % 3 == 0) on->cancel(ticket);
  }
  on.reset();
  CHECK(answered == 100);
  CHECK(strange == 0);
}

TEST_CASE("who asks the sandbox for what it has nothing of is told so, and nobody else",
          "[alone]") {
  const auto engine = open_sandbox();
  constexpr std::string_view told = "the sandbox has nothing recorded";
  for (const auto& one : samples) {
    CAPTURE(one.endpoint, one.body);
    CHECK(call(*engine, one.endpoint, one.body).body.find(told) == std::string::npos);
  }
  for (const char* const endpoint : {"news/search", "microblog/search", "web-serp/search",
                                     "forum/search", "shortvideo/search", "all/search"}) {
    CAPTURE(endpoint);
    const auto answer = call(*engine, endpoint, R"({"q": "rust borrow checker"})");
    CHECK(answer.status == 200);
    CHECK(answer.body.find(told) != std::string::npos);
  }
}
