// The configuration: three places, later wins, every key known.
#include <catch2/catch.hpp>
#include <freshet/engine.hpp>
#include <support/print_result.hpp>

using freshet::config;

TEST_CASE("TOML, pairs and environment fill one table; later wins") {
  config settings;
  REQUIRE(settings.load_toml(R"(
[server]
listen = "127.0.0.1:9000"
[sources.mastodon]
instances = ["https://a.example", "https://b.example"]
[plans.pro]
rate = 12.5
monthly_credits = 50000
[credits]
"scrape/markdown" = 2
)",
                             "freshet.toml"));
  CHECK(settings.text("server.listen") == "127.0.0.1:9000");
  CHECK(settings.list("sources.mastodon.instances") ==
        std::vector<std::string>{"https://a.example", "https://b.example"});
  CHECK(settings.number("plans.pro.rate") == 12.5);
  CHECK(settings.integer("credits.scrape/markdown") == 2);
  CHECK(settings.names_under("plans") == std::vector<std::string>{"pro"});

  const std::vector<std::string_view> environment{
      "PATH=/bin", "FRESHET__SERVER__LISTEN=127.0.0.1:9001",
      "FRESHET__PLATFORMS__WEB_SERP__SOURCES=mediawiki, searxng",
      "FRESHET__CREDITS__NEWS__SEARCH=3"};
  REQUIRE(settings.load_environment(environment));
  CHECK(settings.text("server.listen") == "127.0.0.1:9001");
  CHECK(settings.list("platforms.web-serp.sources") ==
        std::vector<std::string>{"mediawiki", "searxng"});
  CHECK(settings.integer("credits.news/search") == 3);

  REQUIRE(settings.set("server.listen", "127.0.0.1:0"));
  CHECK(settings.text("server.listen") == "127.0.0.1:0");
}

TEST_CASE("a variable that spells a setting otherwise is told how it is written, not passed over") {
  config settings;
  const auto load = [&](std::string_view entry) {
    const std::vector<std::string_view> environment{entry};
    const auto read = settings.load_environment(environment);
    return read ? "" : read.error().detail();
  };
  CHECK(load("FRESHET_SERVER_LISTEN=127.0.0.1:9001") ==
        "FRESHET_SERVER_LISTEN sets nothing; write FRESHET__SERVER__LISTEN");
  CHECK(load("FRESHET_PLATFORMS_WEB_SERP_SOURCES=a") ==
        "FRESHET_PLATFORMS_WEB_SERP_SOURCES sets nothing; write "
        "FRESHET__PLATFORMS__WEB_SERP__SOURCES");
  CHECK(load("FRESHET_CREDITS_NEWS_SEARCH=3").ends_with("write FRESHET__CREDITS__NEWS__SEARCH"));
  CHECK(load("FRESHET_STORAGE__DATA_DIR=a").ends_with("write FRESHET__STORAGE__DATA_DIR"));
  // What the program's own doors and Kubernetes put there is somebody else's.
  for (const auto* others : {"FRESHET_URL=a", "FRESHET_API_KEY=a", "FRESHET_SERVICE_HOST=10.0.0.1",
                             "FRESHET_PORT_8080_TCP=a", "FRESHETS_SERVER_LISTEN=a", "FRESHET_=a"}) {
    CHECK(load(others).empty());
  }
  CHECK_FALSE(settings.has("server.listen"));
}

TEST_CASE("defaults are those of the table") {
  const config settings;
  CHECK(settings.text("server.listen") == "127.0.0.1:8080");
  CHECK(settings.integer("network.timeout_ms") == 20000);
  CHECK(settings.flag("scrape.respect_robots") == true);
  CHECK(settings.integer("plans.free.monthly_credits") == 1000);
  CHECK_FALSE(settings.has("server.listen"));
}

TEST_CASE("an unknown key names the nearest; a wrong type says so; nothing is lost") {
  config settings;
  auto wrong = settings.set("server.listne", "x");
  REQUIRE_FALSE(wrong);
  CHECK(wrong.error().code() == freshet::errc::invalid_configuration);
  CHECK(wrong.error().detail() == "unknown setting 'server.listne'; did you mean 'server.listen'?");
  wrong = settings.set("sources.blueski.base_url", "x");
  REQUIRE_FALSE(wrong);
  CHECK(wrong.error().detail().find("sources.bluesky.base_url") != std::string::npos);
  wrong = settings.set("network.timeout_ms", "soon");
  REQUIRE_FALSE(wrong);
  CHECK(wrong.error().detail() == "network.timeout_ms: 'soon' is no integer");
  wrong = settings.load_toml("[server\nlisten=1", "broken.toml");
  REQUIRE_FALSE(wrong);
  CHECK(wrong.error().detail().starts_with("broken.toml:1"));
  CHECK(settings.text("server.listen") == "127.0.0.1:8080");
}

TEST_CASE("Redis without a book that servers share is refused, not passed over") {
  freshet::engine_options options;
  REQUIRE(options.config.set("storage.redis", "redis://127.0.0.1:6379"));
  const auto opened = freshet::engine::open(std::move(options));
  REQUIRE_FALSE(opened);
  CHECK(opened.error().code() == freshet::errc::invalid_configuration);
  CHECK(opened.error().detail() ==
        "storage.redis: it is for servers that share a storage.database of PostgreSQL; one alone "
        "counts by itself");
}
