// The archive through the engine: Jetstream's frames and a feed from loopback become answers of
// microblog/search and news/search, with every other source off.
#include <base/clock.hpp>
#include <base/json.hpp>
#include <base/time_text.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <catch2/catch.hpp>
#include <engine/runtime/archives.hpp>
#include <filesystem>
#include <freshet/engine.hpp>
#include <set>
#include <support/loopback_server.hpp>
#include <support/print_result.hpp>
#include <support/schema_check.hpp>
#include <support/stream_server.hpp>
#include <support/temporary_folder.hpp>

using namespace freshet;
using test::loopback_server;
using test::stream_server;
using namespace std::chrono_literals;

namespace {

/// One message of Jetstream: a post of `age` before now.
std::string frame(int number, const std::string& text, std::chrono::seconds age) {
  const auto at = base::system_clock().now() - age;
  boost::json::object record;
  record["text"] = text;
  record["langs"] = boost::json::array{"en"};
  record["createdAt"] = base::format_time(at);
  boost::json::object commit;
  commit["operation"] = "create";
  commit["collection"] = "app.bsky.feed.post";
  commit["rkey"] = "post" + std::to_string(number);
  commit["record"] = record;
  boost::json::object out;
  out["did"] = "did:plc:alice";
  out["time_us"] = at.time_since_epoch().count() * 1000;
  out["kind"] = "commit";
  out["commit"] = commit;
  return boost::json::serialize(out);
}

/// Sends what is added, to whoever is connected.
class frames {
 public:
  frames()
      : server_([this](const std::string&, const stream_server::sender& send) {
          std::size_t next = 0;
          while (!server_.stopping()) {
            std::string text;
            {
              const std::lock_guard lock(mutex_);
              if (next < all_.size()) text = all_[next++];
            }
            if (text.empty()) {
              std::this_thread::sleep_for(5ms);
              continue;
            }
            send(text);
          }
        }) {}
  void add(std::string text) {
    const std::lock_guard lock(mutex_);
    all_.push_back(std::move(text));
  }
  std::string url() const { return server_.url("/subscribe"); }

 private:
  std::mutex mutex_;
  std::vector<std::string> all_;
  stream_server server_;
};

struct archive_fixture {
  test::temporary_folder folder;
  frames stream;
  loopback_server press;

  engine_options options(bool collect = true) const {
    engine_options made;
    const std::pair<std::string, std::string> settings[] = {
        {"storage.data_dir", folder.path()},          {"network.allow_private", "127.0.0.0/8"},
        {"platforms.microblog.archive", "true"},      {"platforms.microblog.sources", "archive"},
        {"sources.bluesky.stream_url", stream.url()}, {"platforms.news.archive", "true"},
        {"platforms.news.sources", "archive"},        {"platforms.news.archive_every_s", "1"},
        {"sources.feeds.urls", press.url("/feed")},
    };
    for (const auto& [key, value] : settings) REQUIRE(made.config.set(key, value));
    made.collect = collect;
    return made;
  }
  std::unique_ptr<engine> open(bool collect = true) const {
    auto opened = engine::open(options(collect));
    INFO((opened ? "" : opened.error().detail()));
    REQUIRE(opened);
    return std::move(*opened);
  }
};

response ask(engine& engine, const std::string& endpoint, const boost::json::object& parameters) {
  request what;
  what.endpoint = endpoint;
  what.body = boost::json::serialize(parameters);
  return engine.call(std::move(what));
}

std::vector<std::string> values_of(const response& answer, const char* key) {
  std::vector<std::string> out;
  const auto parsed = base::parse_json(answer.body, true);
  if (!parsed) return {"no JSON"};
  for (const auto& one : base::array_of(base::member(*parsed, "data")))
    out.push_back(base::text_of(base::member(one, key)));
  return out;
}

using list = std::vector<std::string>;

/// The texts of a search, once it gives as many as that.
list eventually(engine& engine, const std::string& endpoint, const boost::json::object& parameters,
                std::size_t count, const char* key = "text") {
  list got;
  for (int i = 0; i < 2400; ++i) {
    got = values_of(ask(engine, endpoint, parameters), key);
    if (got.size() == count) break;
    std::this_thread::sleep_for(25ms);
  }
  return got;
}

}  // namespace

TEST_CASE("archive: Jetstream's frames become answers of microblog/search, with no other source") {
  archive_fixture here;
  here.stream.add(frame(1, "The tide gauge of Skerry Bay", 3h));
  here.stream.add(frame(2, "A toy tide gauge", 2h));
  here.stream.add(frame(3, "A gauge, and a tide", 1h));
  here.stream.add(frame(4, "Unrelated", 30min));
  const auto on = here.open();
  CHECK(eventually(*on, "microblog/search", {{"q", "tide"}}, 3) ==
        list{"A gauge, and a tide", "A toy tide gauge", "The tide gauge of Skerry Bay"});
  const auto texts = [&](const boost::json::object& parameters) {
    return values_of(ask(*on, "microblog/search", parameters), "text");
  };
  CHECK(texts({{"q", "\"tide gauge\" -toy"}}) == list{"The tide gauge of Skerry Bay"});
  CHECK(texts({{"q", "tide"}, {"since", "150m"}}) ==
        list{"A gauge, and a tide", "A toy tide gauge"});
  CHECK(texts({{"q", "tide"}, {"lang", "de"}}).empty());
  CHECK(texts({{"q", "tide"}, {"lang", "en"}, {"limit", 1}}) == list{"A gauge, and a tide"});

  const auto answer = ask(*on, "microblog/search", {{"q", "tide"}});
  const auto parsed = *base::parse_json(answer.body, true);
  CHECK(test::envelope_problems(parsed, *catalog::find_endpoint("microblog/search")).empty());
  const auto& sources = base::array_of(base::member(parsed, "meta", "sources"));
  REQUIRE(sources.size() == 1);
  CHECK(base::text_of(base::member(sources[0], "name")) == "archive");
  CHECK(base::text_of(base::member(sources[0], "status")) == "ok");
  CHECK(values_of(answer, "id").front() == "bluesky:at://did:plc:alice/app.bsky.feed.post/post3");
  CHECK(values_of(answer, "source").front() == "bluesky");
}

TEST_CASE("archive: a walk is whole and disjoint while posts arrive") {
  archive_fixture here;
  for (int i = 0; i < 120; ++i)
    here.stream.add(frame(i, "tide " + std::to_string(i), 1h + std::chrono::seconds(i / 3)));
  const auto on = here.open();
  REQUIRE(eventually(*on, "microblog/search", {{"q", "tide"}, {"limit", 100}}, 100).size() == 100);
  REQUIRE(eventually(*on, "microblog/search", {{"q", "\"tide 119\""}}, 1).size() == 1);
  std::multiset<std::string> given;
  std::string cursor;
  int pages = 0;
  do {
    boost::json::object parameters{{"q", "tide -later"}, {"limit", 9}};
    if (!cursor.empty()) parameters["cursor"] = cursor;
    const auto answer = ask(*on, "microblog/search", parameters);
    REQUIRE(answer.status == 200);
    for (auto& text : values_of(answer, "text")) given.insert(std::move(text));
    cursor = base::text_of(base::member(*base::parse_json(answer.body), "page", "next_cursor"));
    here.stream.add(frame(1000 + pages, "tide later", 1min));
    REQUIRE(++pages < 40);
  } while (!cursor.empty());
  CHECK(given.size() == 120);
  CHECK(std::set<std::string>(given.begin(), given.end()).size() == 120);
}

TEST_CASE("archive: feeds become answers of news/search") {
  archive_fixture here;
  const auto at = [](std::chrono::seconds age) {
    return base::format_time(base::system_clock().now() - age);
  };
  here.press.reply(
      "/feed", 200,
      R"({"version":"https://jsonfeed.org/version/1.1","title":"Skerry Post","items":[)"
      R"({"id":"1","url":"https://post.example/1","title":"Tide gauge returns",)"
      R"("date_published":")" +
          at(2h) +
          R"("},{"id":"2","url":"https://post.example/2","title":"Gauge and tide",)"
          R"("date_published":")" +
          at(1h) + R"("}]})",
      {{"Content-Type", "application/feed+json"}});
  const auto on = here.open();
  CHECK(eventually(*on, "news/search", {{"q", "tide"}}, 2, "title") ==
        list{"Gauge and tide", "Tide gauge returns"});
  const auto exact = ask(*on, "news/search", {{"q", "\"tide gauge\""}});
  CHECK(values_of(exact, "title") == list{"Tide gauge returns"});
  CHECK(values_of(exact, "source") == list{"feeds"});
}

TEST_CASE("archive: what was kept is there after a restart, and for a reader beside it") {
  archive_fixture here;
  here.stream.add(frame(1, "tide", 1h));
  {
    const auto on = here.open();
    REQUIRE(eventually(*on, "microblog/search", {{"q", "tide"}}, 1).size() == 1);
    const auto beside = here.open(false);
    CHECK(values_of(ask(*beside, "microblog/search", {{"q", "tide"}}), "text") == list{"tide"});
    const auto second = here.open();  // finds the archive taken, and reads it
    CHECK(values_of(ask(*second, "microblog/search", {{"q", "tide"}}), "text") == list{"tide"});
  }
  const auto again = here.open(false);
  CHECK(values_of(ask(*again, "microblog/search", {{"q", "tide"}}), "text") == list{"tide"});
}

TEST_CASE("archive: off by default: no file, no source, no network") {
  archive_fixture here;
  engine_options options;
  REQUIRE(options.config.set("storage.data_dir", here.folder.path()));
  REQUIRE(options.config.set("network.allow_private", "127.0.0.0/8"));
  REQUIRE(options.config.set("sources.feeds.urls", here.press.url("/feed")));
  const auto on = engine::open(std::move(options));
  REQUIRE(on);
  CHECK(std::filesystem::is_empty(here.folder.path()));
  const auto refused = ask(**on, "microblog/search", {{"q", "tide"}, {"sources", {"archive"}}});
  CHECK(refused.status == 400);
  CHECK(here.press.count() == 0);
}

TEST_CASE("archive: it is on by platform, and before anything is kept it says so") {
  archive_fixture here;
  auto options = here.options(false);
  REQUIRE(options.config.set("platforms.news.archive", "false"));
  const auto on = engine::open(std::move(options));
  REQUIRE(on);
  const auto empty = ask(**on, "microblog/search", {{"q", "tide"}});
  CHECK(empty.code == errc::source_unavailable);
  CHECK(ask(**on, "news/search", {{"q", "tide"}, {"sources", {"archive"}}}).status == 400);
  CHECK(std::filesystem::is_empty(here.folder.path()));
}

TEST_CASE("archive: settings are checked when the engine opens") {
  const archive_fixture here;
  const auto refusal = [&](const std::string& key, const std::string& value) {
    auto options = here.options();
    if (auto set = options.config.set(key, value); !set) return set.error().detail();
    const auto opened = engine::open(std::move(options));
    return opened ? std::string("opened") : opened.error().detail();
  };
  CHECK(refusal("platforms.microblog.archive_age", "7")
            .starts_with("platforms.microblog.archive_age"));
  CHECK(refusal("platforms.microblog.archive_bytes", "1000").find("1048576") != std::string::npos);
  CHECK(refusal("platforms.news.archive_every_s", "0").find("seconds") != std::string::npos);
  CHECK(refusal("platforms.microblog.archive_sources", "feeds").find("'feeds'") !=
        std::string::npos);
  CHECK(refusal("platforms.microblog.archive_sources", "x").find("'x'") != std::string::npos);
  CHECK(refusal("storage.data_dir", "").find("storage.data_dir") != std::string::npos);
  CHECK(refusal("platforms.forum.archive", "true").starts_with("unknown setting"));
  CHECK(refusal("platforms.microblog.archive_agee", "1d").find("archive_age") != std::string::npos);
  CHECK(detail::archive_platforms() == list{"microblog", "news"});
}
