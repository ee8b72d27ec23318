// A slow source beside quick ones, on loopback: the page is made without it after its fair time,
// what it says later is held against it, and where nobody else answers it has until the deadline.
#include <base/json.hpp>
#include <boost/json/serialize.hpp>
#include <catch2/catch.hpp>
#include <condition_variable>
#include <engine/answered.hpp>
#include <freshet/engine.hpp>
#include <iostream>
#include <mutex>
#include <support/eventually.hpp>
#include <support/loopback_server.hpp>

using namespace freshet;
using namespace std::chrono_literals;

namespace {

constexpr auto feed_text =
    "<rss version='2.0'><channel><title>Port paper</title><link>https://paper.example/</link>"
    "<item><title>Tide gauge mended</title><link>https://paper.example/1</link>"
    "<pubDate>Sun, 22 Nov 2026 10:00:00 GMT</pubDate></item></channel></rss>";
constexpr auto list_text =
    R"({"articles":[{"url":"https://late.example/1","title":"Tide of the late",)"
    R"("seendate":"20261122T081500Z","domain":"late.example"}]})";

/// A door that stays shut until a test opens it, or until it is over.
class gate_door {
 public:
  ~gate_door() { open(); }
  void open() {
    const std::lock_guard lock(mutex_);
    is_open_ = true;
    opened_.notify_all();
  }
  void wait() {
    std::unique_lock lock(mutex_);
    opened_.wait(lock, [this] { return is_open_; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable opened_;
  bool is_open_ = false;
};

/// A paper's feed that answers at once, and GDELT, which waits for `door`.
struct newsroom {
  gate_door door;
  std::atomic<int> asked{0}, feed_status{200}, list_status{200};
  test::loopback_server paper, gdelt;
  std::unique_ptr<engine> on;

  /// With "", sources and times are those of who configures nothing else.
  explicit newsroom(const std::string& fair_time_ms = "100") {
    paper.on("/feed", [this](const auto&, auto& to) {
      to.send(test::loopback_server::answer(feed_status, feed_text,
                                            {{"Content-Type", "application/rss+xml"}}));
    });
    gdelt.on("/api/v2/doc/doc", [this](const auto&, auto& to) {
      ++asked;
      door.wait();
      const bool is_list = list_status == 200;
      to.send(test::loopback_server::answer(
          list_status, is_list ? list_text : "Please limit requests to one every 5 seconds",
          {{"Content-Type", is_list ? "application/json" : "text/plain"},
           {"Cache-Control", "max-age=600"}}));
    });
    engine_options options;
    const auto set = [&](const char* key, const std::string& value) {
      REQUIRE(options.config.set(key, value));
    };
    set("network.allow_private", "127.0.0.0/8");
    if (!fair_time_ms.empty()) set("network.fair_time_ms", fair_time_ms);
    set("sources.feeds.urls", paper.url("/feed"));
    set("sources.gdelt.base_url", gdelt.url(""));
    auto opened = engine::open(std::move(options));
    REQUIRE(opened);
    on = std::move(*opened);
  }
  ~newsroom() { door.open(); }

  boost::json::value call(boost::json::object body = {}) {
    body["q"] = "tide";
    return test::answered(*on, "news/search", body);
  }
};

boost::json::value row_of(const boost::json::value& envelope, std::string_view source) {
  for (const auto& one : base::array_of(base::member(envelope, "meta", "sources"))) {
    if (base::view_of(base::member(one, "name")) == source) return one;
  }
  return {};
}

std::size_t count_of(const boost::json::value& envelope) {
  return base::array_of(base::member(envelope, "data")).size();
}

}  // namespace

TEST_CASE("a page is made without the source that lets it wait, and says so") {
  newsroom of;
  of.list_status = 429;
  const auto first = of.call();  // GDELT's door is shut: waiting for it would not end before 12 s
  CHECK(count_of(first) == 1);
  CHECK(base::view_of(base::member(first, "meta", "completeness")) == "partial");
  const auto late = row_of(first, "gdelt");
  CHECK(base::view_of(base::member(late, "status")) == "error");
  CHECK(base::view_of(base::member(late, "code")) == "source_timeout");
  CHECK(of.asked == 1);

  // Its refusal, which nobody waited for, is one for the next call.
  of.door.open();
  CHECK(test::eventually([&] {
    const auto wait = base::integer_of(base::member(row_of(of.call(), "gdelt"), "retry_after_s"));
    return wait.value_or(0) > 100;
  }));
  CHECK(of.asked == 1);
}

TEST_CASE("a default news call does not wait for a GDELT that hangs and then refuses") {
  newsroom of("");
  of.list_status = 429;
  const auto began = std::chrono::steady_clock::now();
  const auto answer = of.call();  // GDELT says nothing before it has ended
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
  std::cout << "a default news call while GDELT hangs: " << took.count() << " s\n";
  CHECK(count_of(answer) == 1);
  CHECK(of.asked == 1);
  // It was left for its time with the others, not for its own bound or the call's deadline:
  // refused_gdelt_test says how much that is.
  bool is_left = false;
  for (const auto& one : base::array_of(base::member(answer, "meta", "warnings")))
    is_left = is_left || base::view_of(one).find("was not waited for") != std::string_view::npos;
  CHECK(is_left);
}

TEST_CASE("what comes late and may be kept is there for the next call") {
  newsroom of;
  CHECK(count_of(of.call()) == 1);
  of.door.open();
  CHECK(test::eventually([&] { return count_of(of.call()) == 2; }));
}

TEST_CASE("a slow source that is named, or alone with an answer, is waited for") {
  newsroom of;
  std::thread opener([&] {
    test::eventually([&] { return of.asked == 1; });
    std::this_thread::sleep_for(400ms);
    of.door.open();
  });
  SECTION("named") {
    const auto both = of.call({{"sources", {"gdelt", "feeds"}}});
    CHECK(count_of(both) == 2);
    CHECK(base::view_of(base::member(both, "meta", "completeness")) == "complete");
  }
  SECTION("alone") {
    of.feed_status = 500;
    const auto one = of.call();
    CHECK(count_of(one) == 1);
    CHECK(base::view_of(base::member(row_of(one, "gdelt"), "status")) == "ok");
  }
  opener.join();
}

TEST_CASE("a source that is alone has its time for every page") {
  test::loopback_server forum;
  forum.on("/api/v1/search", [](const auto& asked, auto& to) {
    std::this_thread::sleep_for(150ms);
    const auto at = asked.target.find("&page=");
    const int page = at == std::string::npos ? 0 : asked.target[at + 6] - '0';
    boost::json::array hits;
    for (int i = 0; i < 20; ++i) {
      // Two of a page have the words as they were asked for.
      hits.push_back({{"objectID", std::to_string(page * 20 + i)},
                      {"title", i < 2 ? "tide gauge" : "gauge of a tide"},
                      {"author", "alder"},
                      {"created_at_i", 1793516400 - page * 20 - i}});
    }
    to.send(test::loopback_server::answer(
        200,
        boost::json::serialize(
            boost::json::object{{"hits", hits}, {"nbHits", 60}, {"nbPages", 3}, {"page", page}}),
        {{"Content-Type", "application/json"}}));
  });
  engine_options options;
  REQUIRE(options.config.set("network.allow_private", "127.0.0.0/8"));
  REQUIRE(options.config.set("network.fair_time_ms", "50"));
  REQUIRE(options.config.set("platforms.forum.sources", "hackernews"));
  REQUIRE(options.config.set("sources.hackernews.base_url", forum.url("")));
  const auto on = *engine::open(std::move(options));
  request what;
  what.endpoint = "forum/search";
  what.body = R"({"q":"\"tide gauge\"","limit":6})";
  const auto answer = on->call(std::move(what));
  INFO(answer.body);
  const auto said = *base::parse_json(answer.body, true);
  CHECK(count_of(said) == 6);
  CHECK(base::view_of(base::member(said, "meta", "completeness")) == "complete");
}

TEST_CASE("a call has its own deadline, also where the slow source was named") {
  newsroom of;
  const boost::json::array both{"feeds", "gdelt"};
  const auto first = of.call({{"sources", both}, {"deadline_ms", 3'000}});
  CHECK(count_of(first) == 1);
  CHECK(base::view_of(base::member(first, "meta", "completeness")) == "partial");
  CHECK(base::view_of(base::member(row_of(first, "gdelt"), "code")) == "source_timeout");
  // One caller's hurry is held against nobody: the source is asked again at once.
  CHECK_FALSE(base::integer_of(base::member(row_of(first, "gdelt"), "retry_after_s")).has_value());
  of.door.open();
  CHECK(test::eventually([&] { return count_of(of.call({{"sources", both}})) == 2; }));

  // Where nothing is there by then, that is what is said.
  newsroom alone;
  request what;
  what.endpoint = "news/search";
  what.body = R"({"q":"tide","sources":["gdelt"],"deadline_ms":200})";
  CHECK(alone.on->call(std::move(what)).code == errc::source_timeout);
}

TEST_CASE("an engine ends while an answer that nobody waits for is under way") {
  newsroom of;
  CHECK(count_of(of.call()) == 1);
  of.on.reset();
  CHECK(of.asked == 1);
}
