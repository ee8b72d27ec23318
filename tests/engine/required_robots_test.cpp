// Whose word counts for robots.txt: a caller's before the configuration's default, the operator's
// requirement before any caller's.
#include <base/json.hpp>
#include <boost/json/serialize.hpp>
#include <catch2/catch.hpp>
#include <freshet/engine.hpp>
#include <support/loopback_server.hpp>
#include <support/print_result.hpp>

using namespace freshet;

TEST_CASE("robots.txt is obeyed by default, as a caller says, and always where that is required") {
  struct row {
    const char *configured, *required;
    std::optional<bool> asked;
    int status;
  };
  const row rows[] = {
      {"true", "false", std::nullopt, 403},  {"true", "false", false, 200},
      {"false", "false", std::nullopt, 200}, {"false", "false", true, 403},
      {"true", "true", std::nullopt, 403},   {"true", "true", true, 403},
      {"true", "true", false, 400},          {"false", "true", std::nullopt, 403},
      {"false", "true", false, 400},
  };
  for (const auto& one : rows) {
    test::loopback_server site;
    site.reply("/", 200, "<title>Tides</title><main><h1>Tides</h1><p>High at noon.</p></main>",
               {{"Content-Type", "text/html"}});
    site.reply("/robots.txt", 200, "User-agent: *\nDisallow: /\n",
               {{"Content-Type", "text/plain"}});
    engine_options options;
    REQUIRE(options.config.set("scrape.allow_private", "127.0.0.0/8"));
    REQUIRE(options.config.set("scrape.respect_robots", one.configured));
    REQUIRE(options.config.set("scrape.require_robots", one.required));
    const auto on = engine::open(std::move(options)).value();
    for (const std::string path : {"scrape/markdown", "scrape/map", "scrape/extract"}) {
      boost::json::object body{{"url", site.url("/")}};
      if (one.asked) body["respect_robots"] = *one.asked;
      if (path == "scrape/extract") {
        body["schema"] = {{"type", "object"}, {"properties", {{"title", {{"type", "string"}}}}}};
      }
      request what;
      what.endpoint = path;
      what.body = boost::json::serialize(body);
      const auto got = on->call(std::move(what));
      INFO(path << " " << one.configured << " " << one.required << ": " << got.body);
      CHECK(got.status == one.status);
      if (one.status != 400) continue;
      CHECK(got.body.find(R"("pointer":"/respect_robots")") != std::string::npos);
      CHECK(site.connections() == 0);
    }
  }
}
