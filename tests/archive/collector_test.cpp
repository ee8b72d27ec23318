// The collector against servers on loopback: streams and feeds into a store, deletions honoured,
// nothing missed over a broken connection or a restart, and a clean end whenever it comes.
#include <archive/collector.hpp>
#include <archive/feed_reader.hpp>
#include <archive/stream_reader.hpp>
#include <http/stack.hpp>
#include <set>
#include <support/eventually.hpp>
#include <support/loopback_server.hpp>
#include <support/stream_server.hpp>

#include "fixture.hpp"

using namespace freshet;
using namespace freshet::archive;
using namespace freshet::archive::test;
using freshet::test::loopback_server;
using freshet::test::stream_server;
using namespace std::chrono_literals;

namespace {

constexpr std::int64_t start_us = 1'795'262'400'000'000;  // start_time

std::string post_message(int number, const std::string& text,
                         const std::string& operation = "create",
                         const std::string& did = "did:plc:alice") {
  const auto time_us = start_us + number * 1'000'000;
  const auto at = start_time - 1h + std::chrono::seconds(number);
  auto out = R"({"did":")" + did + R"(","time_us":)" + std::to_string(time_us) +
             R"(,"kind":"commit","commit":{"operation":")" + operation +
             R"(","collection":"app.bsky.feed.post","rkey":"post)" + std::to_string(number) + "\"";
  if (operation != "delete") {
    const auto minutes = std::chrono::floor<std::chrono::seconds>(at).time_since_epoch().count();
    const auto hour = minutes / 3600 % 24;
    const auto minute = minutes / 60 % 60;
    const auto second = minutes % 60;
    const auto two = [](auto value) { return (value < 10 ? "0" : "") + std::to_string(value); };
    out += R"(,"record":{"text":")" + text + R"(","createdAt":"2026-11-21T)" + two(hour) + ":" +
           two(minute) + ":" + two(second) + R"(Z"})";
  }
  return out + "}}";
}

/// A Jetstream that holds messages and plays them from a cursor, as the real one does, and breaks
/// the connection after so many.
class jetstream {
 public:
  explicit jetstream(std::size_t break_after = 0)
      : break_after_(break_after),
        server_([this](const std::string& target, const stream_server::sender& send) {
          serve(target, send);
        }) {}

  void add(const std::string& message, int number) {
    const std::lock_guard lock(mutex_);
    messages_.emplace_back(start_us + number * 1'000'000, message);
  }
  std::string url() const { return server_.url("/subscribe"); }
  int connections() const { return connections_; }
  std::string last_target() const {
    const std::lock_guard lock(mutex_);
    return target_;
  }

 private:
  void serve(const std::string& target, const stream_server::sender& send) {
    ++connections_;
    std::int64_t from = 0;
    {
      const std::lock_guard lock(mutex_);
      target_ = target;
      const auto at = target_.find("cursor=");
      if (at != std::string::npos) from = std::stoll(target_.substr(at + 7));
    }
    std::size_t next = 0;
    std::size_t sent = 0;
    while (!server_.stopping()) {
      std::string message;
      {
        const std::lock_guard lock(mutex_);
        while (next < messages_.size() && messages_[next].first < from) ++next;
        if (next < messages_.size()) message = messages_[next++].second;
      }
      if (message.empty()) {
        std::this_thread::sleep_for(5ms);
        continue;
      }
      send(message);
      if (break_after_ != 0 && ++sent == break_after_) return;  // without a word
    }
  }

  std::size_t break_after_;
  mutable std::mutex mutex_;
  std::vector<std::pair<std::int64_t, std::string>> messages_;
  std::string target_;
  std::atomic<int> connections_ = 0;
  stream_server server_;
};

/// A transport that reaches loopback, and a collector over it.
struct gathering {
  std::unique_ptr<http::transport> over;
  std::mutex mutex;
  std::vector<std::string> lines;
  std::unique_ptr<collector> running;

  gathering() {
    http::stack_options options;
    options.user_agent = "Freshet/test";
    options.allow_private = {"127.0.0.0/8"};
    over = *http::make_stack(std::move(options));
  }
  void start(std::vector<watched_source> watched, const base::clock& clock) {
    collector_options options;
    options.stream.guard = *http::address_guard::make({"127.0.0.0/8"}, false);
    options.stream.guard_elsewhere = options.stream.guard;
    options.stream.open_time = 5s;
    options.clock = &clock;
    options.least_wait = 20ms;
    options.most_wait = 100ms;
    options.upkeep_interval = 50ms;
    options.hold_interval = 100ms;
    options.log = [this](std::string_view level, std::string_view line) {
      const std::lock_guard lock(mutex);
      lines.push_back(std::string(level) + " " + std::string(line));
    };
    running = std::make_unique<collector>(std::move(options), *over, std::move(watched));
  }
  bool said(std::string_view part) {
    const std::lock_guard lock(mutex);
    return std::any_of(lines.begin(), lines.end(), [&](const std::string& line) {
      return line.find(part) != std::string::npos;
    });
  }
};

watched_source stream_of(const std::string& url, std::shared_ptr<item_store> items) {
  watched_source made;
  made.of = sources::find_source("bluesky");
  made.op = catalog::operation::microblog_search;
  made.instances.resize(1);
  made.instances[0].base_url = "https://public.api.bsky.app";
  made.instances[0].values["stream_url"] = url;
  made.into = std::move(items);
  return made;
}

std::set<std::string> texts(item_store& in) {
  search everything;
  everything.limit = 100'000;
  std::set<std::string> out;
  const auto found = in.find(everything);
  if (!found) return {"the search failed"};
  for (const auto& text : found->items) {
    out.insert(common(*model::read_item(*base::parse_json(text))).text);
  }
  return out;
}

struct place {
  temporary_folder folder;
  manual_clock clock;
  std::shared_ptr<item_store> open() const {
    item_store_options options;
    options.path = freshet::test::database_at(folder.file("archive.db"));
    options.platform = "microblog";
    options.clock = &clock;
    auto made = item_store::open(options);
    INFO((made ? "" : made.error().detail()));
    REQUIRE(made);
    return std::move(*made);
  }
};

}  // namespace

TEST_CASE("a stream is kept: posts, edits, deletions, and accounts that go") {
  const place here;
  const auto kept = here.open();
  jetstream server;
  server.add(post_message(1, "first tide"), 1);
  server.add(post_message(2, "second tide"), 2);
  server.add("nonsense", 3);
  server.add(post_message(4, "gone soon"), 4);
  server.add(post_message(5, "of bob", "create", "did:plc:bob"), 5);
  gathering all;
  all.start({stream_of(server.url(), kept)}, here.clock);
  CHECK(freshet::test::eventually([&] { return texts(*kept).size() == 4; }));
  CHECK(all.said("messages passed over"));
  server.add(post_message(4, "", "delete"), 6);
  server.add(post_message(2, "second tide, edited", "update"), 7);
  server.add(R"({"did":"did:plc:bob","time_us":1795262408000000,"kind":"account",)"
             R"("account":{"active":false,"status":"deleted"}})",
             8);
  const std::set<std::string> left{"first tide", "second tide, edited"};
  CHECK(freshet::test::eventually([&] { return texts(*kept) == left; }));
}

TEST_CASE("a profile that wants no strangers is left out, before and after, until it changes") {
  const place here;
  auto kept = here.open();
  jetstream server;
  const auto profile = [](int number, const std::string& labels) {
    return R"({"did":"did:plc:alice","time_us":)" + std::to_string(start_us + number * 1'000'000) +
           R"(,"kind":"commit","commit":{"operation":"update",)"
           R"("collection":"app.bsky.actor.profile","rkey":"self","record":{"displayName":"A")" +
           labels + "}}}";
  };
  server.add(post_message(1, "before"), 1);
  server.add(post_message(2, "of bob", "create", "did:plc:bob"), 2);
  server.add(profile(3, R"(,"labels":{"values":[{"val":"!no-unauthenticated"}]})"), 3);
  server.add(post_message(4, "after"), 4);
  server.add(post_message(5, "bob again", "create", "did:plc:bob"), 5);
  gathering all;
  all.start({stream_of(server.url(), kept)}, here.clock);
  CHECK(freshet::test::eventually([&] {
    return texts(*kept) == std::set<std::string>{"of bob", "bob again"};
  }));
  all.running.reset();
  // It is remembered over a restart.
  kept.reset();
  kept = here.open();
  server.add(post_message(6, "still shut"), 6);
  server.add(profile(7, ""), 7);
  server.add(post_message(8, "open again"), 8);
  all.start({stream_of(server.url(), kept)}, here.clock);
  CHECK(freshet::test::eventually([&] {
    return texts(*kept) == std::set<std::string>{"of bob", "bob again", "open again"};
  }));
}

namespace {

/// An instance of Mastodon whose streams are on `streaming`, by its own word.
void name_stream(loopback_server& instance, const std::string& streaming) {
  instance.reply("/api/v2/instance", 200,
                 R"({"configuration":{"urls":{"streaming":")" + streaming + "\"}}}");
}

watched_source mastodon_at(const loopback_server& instance, std::shared_ptr<item_store> items) {
  auto made = stream_of("", std::move(items));
  made.of = sources::find_source("mastodon");
  made.instances[0].base_url = instance.url("");
  made.instances[0].values = {{"token", "secret"}};
  return made;
}

}  // namespace

TEST_CASE("a stream is where its instance says, and is looked for again when it gives nothing") {
  const place here;
  const auto kept = here.open();
  std::atomic<int> connections = 0;
  const stream_server there([&](const std::string& target, const stream_server::sender& send) {
    if (target != "/api/v1/streaming?stream=public") return;
    ++connections;
    send(R"({"stream":["public"],"event":"update","payload":"{\"id\":\"1172\",)"
         R"(\"visibility\":\"public\",\"content\":\"<p>High tide</p>\",)"
         R"(\"created_at\":\"2026-11-21T11:00:00.000Z\",\"url\":\"https://a.example/@a/1172\",)"
         R"(\"account\":{\"id\":\"7\",\"acct\":\"a\",\"indexable\":true}}"})");
  });
  loopback_server instance;
  name_stream(instance, "ws://127.0.0.1:1");  // where it was before
  gathering all;
  all.start({mastodon_at(instance, kept)}, here.clock);
  CHECK(freshet::test::eventually([&] { return instance.count("/api/v2/instance") >= 3; }));
  CHECK(texts(*kept).empty());
  name_stream(instance, there.url(""));
  CHECK(freshet::test::eventually([&] { return texts(*kept).contains("High tide"); }));
  // It breaks off after each message; what has given one is not asked about again.
  CHECK(freshet::test::eventually([&] { return connections >= 2; }));
  const int asked = instance.count("/api/v2/instance");
  const int before = connections;
  CHECK(freshet::test::eventually([&] { return connections >= before + 3; }));
  CHECK(instance.count("/api/v2/instance") == asked);
  CHECK(instance.count("/api/v1/streaming") == 0);
  CHECK(instance.last("/api/v2/instance").header("Authorization").empty());
}

TEST_CASE("a token goes to the instance's own streams alone, where it names none to them too") {
  const place here;
  const auto kept = here.open();
  loopback_server other;
  loopback_server instance;
  gathering all;
  all.start({mastodon_at(instance, kept)}, here.clock);  // says 404
  CHECK(freshet::test::eventually([&] { return instance.count("/api/v1/streaming") > 0; }));
  CHECK(instance.last("/api/v1/streaming").header("Authorization") == "Bearer secret");
  name_stream(instance, "ws://127.0.0.1:" + std::to_string(other.port()));
  CHECK(freshet::test::eventually([&] { return other.count("/api/v1/streaming") > 0; }));
  CHECK(other.last("/api/v1/streaming").header("Authorization").empty());
}

TEST_CASE("nothing is missed over broken connections, and nothing is kept twice") {
  const place here;
  const auto kept = here.open();
  jetstream server(40);
  std::set<std::string> expected;
  for (int i = 1; i <= 200; ++i) {
    const auto text = "post " + std::to_string(i);
    server.add(post_message(i, text), i);
    expected.insert(text);
  }
  gathering all;
  all.start({stream_of(server.url(), kept)}, here.clock);
  CHECK(freshet::test::eventually([&] { return texts(*kept) == expected; }));
  CHECK(kept->measure()->items == 200);
  CHECK(server.connections() >= 5);
}

TEST_CASE("a restart goes on from the cursor that was stored") {
  const place here;
  jetstream server;
  server.add(post_message(10, "before"), 10);
  {
    const auto kept = here.open();
    gathering all;
    all.start({stream_of(server.url(), kept)}, here.clock);
    CHECK(freshet::test::eventually([&] { return texts(*kept).size() == 1; }));
  }
  CHECK(server.last_target().find("cursor=") == std::string::npos);
  server.add(post_message(20, "while we were away"), 20);
  const auto kept = here.open();
  gathering all;
  all.start({stream_of(server.url(), kept)}, here.clock);
  CHECK(freshet::test::eventually([&] { return texts(*kept).size() == 2; }));
  // A little before the last message seen.
  CHECK(server.last_target().find("&cursor=" + std::to_string(start_us + 5'000'000)) !=
        std::string::npos);
}

TEST_CASE("what grows too old goes while the collector works") {
  place here;
  const auto kept = here.open();
  jetstream server;
  server.add(post_message(1, "old"), 1);
  server.add(post_message(2000, "new"), 2);
  gathering all;
  all.start({stream_of(server.url(), kept)}, here.clock);
  CHECK(freshet::test::eventually([&] { return texts(*kept).size() == 2; }));
  here.clock.set(start_time + std::chrono::hours(24 * 7) - 1h + 1000s);
  CHECK(freshet::test::eventually([&] { return texts(*kept) == std::set<std::string>{"new"}; }));
}

namespace {

/// One that several servers share. It is lost by a write, before the next look at who has it.
class lent_store final : public item_store {
 public:
  result<void> write(const changes&) override { return {}; }
  result<bool> expire() override { return false; }
  result<archive::page> find(const search&) override { return archive::page(); }
  result<std::string> cursor(std::string_view) override { return std::string(); }
  result<statistics> measure() override { return statistics(); }
  [[nodiscard]] bool writes() const noexcept override { return true; }
  [[nodiscard]] bool is_shared() const noexcept override { return true; }
  [[nodiscard]] result<std::int64_t> hold() override { return number.load(); }
  [[nodiscard]] std::int64_t tenure() const noexcept override { return number; }
  std::atomic<std::int64_t> number = 0;
};

}  // namespace

TEST_CASE("that another server fills an archive is said, also where a write found it out") {
  const auto kept = std::make_shared<lent_store>();
  const base::clock& clock = base::system_clock();
  gathering all;
  watched_source nothing_read;
  nothing_read.into = kept;
  all.start({nothing_read}, clock);
  kept->number = 5;
  REQUIRE(freshet::test::eventually([&] { return all.said("this server fills it"); }));
  CHECK_FALSE(all.said("another server fills it"));
  kept->number = 0;
  CHECK(freshet::test::eventually([&] { return all.said("another server fills it"); }));
}

TEST_CASE("an end comes at any moment: before, during and after the connection") {
  const place here;
  const auto kept = here.open();
  jetstream server(3);
  for (int i = 1; i <= 50; ++i) server.add(post_message(i, "x" + std::to_string(i)), i);
  for (int round = 0; round < 12; ++round) {
    gathering all;
    all.start({stream_of(round % 3 == 0 ? "ws://127.0.0.1:1/" : server.url(), kept)}, here.clock);
    std::this_thread::sleep_for(std::chrono::milliseconds(round * 7));
  }
  SUCCEED();
}

namespace {

std::string feed_of(const std::string& name, const std::vector<std::string>& titles) {
  std::string out = "<rss version=\"2.0\"><channel><title>Skerry Post</title>";
  for (std::size_t i = 0; i < titles.size(); ++i) {
    out += "<item><title>" + titles[i] + "</title><link>https://post.example/" + name +
           std::to_string(i) + "</link><pubDate>Sat, 21 Nov 2026 10:0" + std::to_string(i) +
           ":00 GMT</pubDate></item>";
  }
  return out + "</channel></rss>";
}

watched_source feeds_of(const loopback_server& server, const std::vector<std::string>& paths,
                        std::shared_ptr<item_store> items) {
  watched_source made;
  made.of = sources::find_source("feeds");
  made.op = catalog::operation::news_search;
  for (const auto& path : paths) {
    sources::settings one;
    one.base_url = server.url(path);
    made.instances.push_back(one);
  }
  made.into = std::move(items);
  made.every = 1s;
  return made;
}

}  // namespace

TEST_CASE("feeds are polled with their validators, also after a restart") {
  const place here;
  auto kept = here.open();
  loopback_server server;
  std::atomic<int> whole = 0;
  std::atomic<int> unchanged = 0;
  server.on("/a", [&](const loopback_server::seen& asked, loopback_server::connection& to) {
    if (asked.header("If-None-Match") == "\"v1\"" &&
        asked.header("If-Modified-Since") == "Sat, 21 Nov 2026 09:00:00 GMT") {
      ++unchanged;
      to.send("HTTP/1.1 304 Not Modified\r\nETag: \"v1\"\r\n\r\n");
      return;
    }
    ++whole;
    to.send(loopback_server::answer(
        200, feed_of("a", {"Tide gauge returns", "Wall rises"}),
        {{"ETag", "\"v1\""}, {"Last-Modified", "Sat, 21 Nov 2026 09:00:00 GMT"}}));
  });
  server.reply("/broken", 500, "sorry");
  server.reply("/b", 200, feed_of("b", {"Oysters move"}));
  gathering all;
  all.start({feeds_of(server, {"/a", "/broken", "/b"}, kept)}, here.clock);
  CHECK(freshet::test::eventually([&] { return kept->measure()->items == 3; }));
  CHECK(freshet::test::eventually([&] { return unchanged > 0; }));
  CHECK(all.said("/broken"));
  all.running.reset();
  kept.reset();
  kept = here.open();
  const int before = unchanged;
  all.start({feeds_of(server, {"/a"}, kept)}, here.clock);
  CHECK(freshet::test::eventually([&] { return unchanged > before; }));
  CHECK(whole == 1);
  const auto q = query_of("\"tide gauge\"");
  search what;
  what.q = &q;
  CHECK(kept->find(what)->items.size() == 1);
}

TEST_CASE("the end does not wait for a feed that does not answer") {
  const place here;
  const auto kept = here.open();
  loopback_server server;
  std::atomic<bool> asked = false;
  server.on("/slow", [&](const loopback_server::seen&, loopback_server::connection&) {
    asked = true;
    while (!server.stopping()) std::this_thread::sleep_for(10ms);
  });
  gathering all;
  all.start({feeds_of(server, {"/slow"}, kept)}, here.clock);
  CHECK(freshet::test::eventually([&] { return asked.load(); }));
  const auto before = std::chrono::steady_clock::now();
  all.running.reset();
  CHECK(std::chrono::steady_clock::now() - before < archive::feed_time);
}
