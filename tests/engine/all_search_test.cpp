// all/search: platforms on loopback of which one is dead, one slow and one empty, and what is paid.
#include <base/json.hpp>
#include <boost/json/serialize.hpp>
#include <catch2/catch.hpp>
#include <condition_variable>
#include <engine/answered.hpp>
#include <freshet/engine.hpp>
#include <mutex>
#include <set>
#include <support/eventually.hpp>
#include <support/loopback_server.hpp>
#include <support/temporary_folder.hpp>

using namespace freshet;
using namespace std::chrono_literals;

namespace {

std::string feed_of(int items) {
  std::string text =
      "<rss version='2.0'><channel><title>Port paper</title><link>https://paper.example/</link>";
  for (int i = 0; i < items; ++i) {
    text += "<item><title>Tide " + std::to_string(i) + "</title><link>https://paper.example/" +
            std::to_string(i) + "</link><pubDate>Sun, 22 Nov 2026 10:00:00 GMT</pubDate></item>";
  }
  return text + "</channel></rss>";
}

std::string stories_of(int items) {
  std::string text = R"({"hits":[)";
  for (int i = 0; i < items; ++i) {
    const auto id = std::to_string(9000 + i);
    text += (i == 0 ? "" : ",") + std::string(R"({"objectID":")") + id +
            R"(","url":"https://paper.example/)" + std::to_string(i) +
            R"(","title":"Tide gauges )" + id +
            R"(","author":"ann","points":3,"num_comments":1,"created_at":"2026-11-20T10:00:00Z",)" +
            R"("created_at_i":1795168800,"story_id":)" + id + R"(,"_tags":["story","story_)" + id +
            R"("]})";
  }
  return text + R"(],"nbHits":)" + std::to_string(items) +
         R"(,"page":0,"nbPages":1,"hitsPerPage":20})";
}

/// News of a paper's feed, a forum (Hacker News), and videos of PeerTube; each as the test wants
/// it.
struct town {
  test::temporary_folder folder;
  std::atomic<int> papers{200}, forums{200}, videos{200};
  std::atomic<int> news_items{5}, stories{5};
  std::mutex mutex;
  std::condition_variable changed;
  bool is_open = true;  ///< else videos wait
  test::loopback_server paper, forum, tube;
  std::unique_ptr<engine> on;
  std::string key;

  town() {
    const auto json_field = std::pair<std::string, std::string>("Content-Type", "application/json");
    paper.on("/feed", [this](const auto&, auto& to) {
      to.send(test::loopback_server::answer(papers, feed_of(news_items),
                                            {{"Content-Type", "application/rss+xml"}}));
    });
    for (const char* path : {"/api/v1/search", "/api/v1/search_by_date"}) {
      forum.on(path, [this, json_field](const auto&, auto& to) {
        to.send(test::loopback_server::answer(forums, stories_of(stories), {json_field}));
      });
    }
    tube.on("/api/v1/search/videos", [this, json_field](const auto&, auto& to) {
      {
        std::unique_lock lock(mutex);
        changed.wait(lock, [this] { return is_open; });
      }
      to.send(test::loopback_server::answer(videos, R"({"total":0,"data":[]})", {json_field}));
    });
    engine_options options;
    const auto set = [&](const char* name, const std::string& value) {
      REQUIRE(options.config.set(name, value));
    };
    set("storage.data_dir", folder.path());
    set("network.allow_private", "127.0.0.0/8");
    set("network.fair_time_ms", "100");
    set("platforms.news.sources", "feeds");
    set("platforms.forum.sources", "hackernews");
    set("platforms.shortvideo.sources", "peertube");
    set("sources.feeds.urls", paper.url("/feed"));
    set("sources.hackernews.base_url", forum.url(""));
    set("sources.peertube.search_url", tube.url(""));
    set("credits.news/search", "3");
    options.with_accounts = true;
    auto opened = engine::open(std::move(options));
    REQUIRE(opened);
    on = std::move(*opened);
    REQUIRE(on->run_admin_command("accounts.create", R"({"email":"a@example.org"})"));
    const auto made = on->run_admin_command("keys.create", R"({"email":"a@example.org"})");
    REQUIRE(made);
    key = base::text_of(base::member(*base::parse_json(*made), "key"));
  }
  ~town() {
    open();
    on.reset();
  }

  void open() {
    const std::lock_guard lock(mutex);
    is_open = true;
    changed.notify_all();
  }
  void shut() {
    const std::lock_guard lock(mutex);
    is_open = false;
  }

  response call(boost::json::object body = {}) {
    body.emplace("q", "tide");
    body.emplace("platforms", boost::json::array{"news", "forum", "shortvideo"});
    request what;
    what.endpoint = "all/search";
    what.body = boost::json::serialize(body);
    what.api_key = key;
    return on->call(std::move(what));
  }
};

std::multiset<std::string> objects_of(const response& answer) {
  std::multiset<std::string> found;
  const auto parsed = *base::parse_json(answer.body);
  for (const auto& one : base::array_of(base::member(parsed, "data"))) {
    found.insert(base::text_of(base::member(one, "object")));
  }
  return found;
}

std::string completeness_of(const response& answer) {
  return base::text_of(base::member(*base::parse_json(answer.body), "meta", "completeness"));
}

}  // namespace

TEST_CASE("all/search: those that gave something are paid, and only they") {
  town of;
  const auto first = of.call({{"limit", 4}});
  INFO(first.body);
  REQUIRE(first.status == 200);
  CHECK(objects_of(first) ==
        std::multiset<std::string>{"article", "article", "forum_post", "forum_post"});
  CHECK(first.credits_used == 3 + 1);  // PeerTube had nothing
  CHECK(first.credits_remaining == 1000 - 4);
  of.stories = 0;
  const auto second = of.call({{"q", "tide 1"}});
  CHECK(second.credits_used == 3);
  CHECK(second.credits_remaining == 1000 - 7);
  const auto quoted = of.call({{"dry_run", true}});
  CHECK(base::integer_of(
            base::member(*base::parse_json(quoted.body), "meta", "quote", "credits")) == 5);
  const auto dear = of.call({{"max_credits", 4}});
  CHECK(dear.code == errc::max_credits_exceeded);
  of.news_items = 0;
  const auto nothing = of.call({{"q", "tide nobody"}});
  CHECK(nothing.status == 200);
  CHECK(nothing.credits_used == 0);
}

TEST_CASE("all/search: what a stream tells is paid, also what its page has no place for") {
  town of;
  std::atomic<int> told{0};
  const auto stream = [&](boost::json::object body) {
    told = 0;
    request what;
    what.endpoint = "all/search";
    body.emplace("q", "tide");
    body.emplace("platforms", boost::json::array{"news", "forum", "shortvideo"});
    what.body = boost::json::serialize(body);
    what.api_key = of.key;
    what.on_source = [&told](source_event event) {
      const auto parsed = *base::parse_json(event.body);
      told += static_cast<int>(base::array_of(base::member(parsed, "data")).size());
    };
    return of.on->call(std::move(what));
  };
  const auto small = stream({{"limit", 20}, {"max_tokens", 1}});
  INFO(small.body);
  REQUIRE(small.status == 200);
  CHECK(objects_of(small).size() == 1);
  CHECK(told == 10);
  CHECK(small.credits_used == 3 + 1);
  CHECK(small.credits_remaining == 1000 - 4);
  CHECK(of.call({{"limit", 20}, {"max_tokens", 1}}).credits_used == 3);  // no stream
}

TEST_CASE("all/search: one platform dead, one slow, one with an answer") {
  town of;
  of.forums = 500;
  of.shut();
  const auto answer = of.call();
  INFO(answer.body);
  REQUIRE(answer.status == 200);
  CHECK(objects_of(answer).count("article") == 5);
  CHECK(objects_of(answer).size() == 5);
  CHECK(completeness_of(answer) == "partial");
  CHECK(answer.credits_used == 3);
  std::set<std::string> codes;
  const auto parsed = *base::parse_json(answer.body);
  for (const auto& one : base::array_of(base::member(parsed, "meta", "sources"))) {
    codes.insert(base::text_of(base::member(one, "name")) + " " +
                 base::text_of(base::member(one, "code")));
  }
  CHECK(codes ==
        std::set<std::string>{"feeds ", "hackernews source_error", "peertube source_timeout"});
}

TEST_CASE("all/search: all dead is the error of one of them, and costs nothing") {
  town of;
  of.papers = of.forums = of.videos = 500;
  const auto answer = of.call();
  CHECK(answer.status >= 500);
  CHECK(answer.credits_used == 0);
  CHECK(answer.credits_remaining == 1000);
}

TEST_CASE("all/search: a platform that is named and has no source is told of") {
  town of;
  const auto answer = of.call({{"platforms", boost::json::array{"news", "microblog"}},
                               {"sources", boost::json::array{"feeds"}}});
  REQUIRE(answer.status == 200);
  CHECK(completeness_of(answer) == "partial");
  CHECK(answer.body.find("failed: no source is configured for microblog/search") !=
        std::string::npos);
  const auto wrong = of.call({{"sources", boost::json::array{"youtube"}}});
  CHECK(wrong.code == errc::invalid_request);
}

TEST_CASE("all/search: a kept page costs what it did, and the price of a platform is its own") {
  town of;
  REQUIRE(of.call({{"limit", 4}}).credits_used == 4);
  CHECK(of.call({{"limit", 4}}).credits_used == 4);
  engine_options options;
  CHECK_FALSE(options.config.set("credits.all/search", "9"));
}

TEST_CASE("all/search: what tells the same stands in a page once, with all that do") {
  town of;
  boost::json::object asked{{"cluster", true}, {"limit", 4}};
  const auto page = *base::parse_json(of.call(asked).body);
  const auto& items = base::array_of(base::member(page, "data"));
  REQUIRE(items.size() == 4);  // members take no place in the page
  const auto& clusters = base::array_of(base::member(page, "meta", "clusters"));
  CHECK_FALSE(clusters.empty());
  std::set<std::string> ids;
  for (const auto& one : items) ids.insert(base::text_of(base::member(one, "id")));
  for (const auto& one : clusters) {
    CHECK(ids.contains(base::text_of(base::member(one, "id"))));
    for (const auto& member : base::array_of(base::member(one, "members")))
      CHECK_FALSE(ids.contains(base::text_of(base::member(member, "id"))));
  }
  // What was a member comes on no further page.
  std::set<std::string> seen = ids;
  for (const auto& one : clusters) {
    for (const auto& member : base::array_of(base::member(one, "members")))
      CHECK(seen.insert(base::text_of(base::member(member, "id"))).second);
  }
  auto cursor = base::text_of(base::member(page, "page", "next_cursor"));
  while (!cursor.empty()) {
    asked["cursor"] = cursor;
    const auto next = *base::parse_json(of.call(asked).body);
    for (const auto& one : base::array_of(base::member(next, "data")))
      CHECK(seen.insert(base::text_of(base::member(one, "id"))).second);
    for (const auto& one : base::array_of(base::member(next, "meta", "clusters"))) {
      for (const auto& member : base::array_of(base::member(one, "members")))
        CHECK(seen.insert(base::text_of(base::member(member, "id"))).second);
    }
    cursor = base::text_of(base::member(next, "page", "next_cursor"));
  }
  CHECK(seen.size() == 10);  // five of the paper, five of the forum
  boost::json::object plain{{"limit", 4}};
  CHECK(base::member(*base::parse_json(of.call(plain).body), "meta", "clusters").is_null());
}

TEST_CASE("all/search: every platform that has something is on the first page, and pages are apart",
          "[alone]") {
  engine_options options;
  REQUIRE(options.config.set("network.sandbox", "true"));
  const auto on = engine::open(std::move(options));
  REQUIRE(on);
  boost::json::object asked{{"q", "climate"}, {"limit", 5}};
  std::set<std::string> seen, kinds;
  std::string cursor;
  for (int pages = 0; pages < 200; ++pages) {
    if (!cursor.empty()) asked["cursor"] = cursor;
    request what;
    what.endpoint = "all/search";
    what.body = boost::json::serialize(asked);
    const auto page = *base::parse_json((*on)->call(std::move(what)).body);
    for (const auto& one : base::array_of(base::member(page, "data"))) {
      CHECK(seen.insert(base::text_of(base::member(one, "id"))).second);
      if (pages == 0) kinds.insert(base::text_of(base::member(one, "object")));
    }
    cursor = base::text_of(base::member(page, "page", "next_cursor"));
    if (cursor.empty()) break;
  }
  CHECK(cursor.empty());
  CHECK(kinds == std::set<std::string>{"article", "forum_post", "post", "video", "web_result"});
  CHECK(seen.size() > 40);
}
