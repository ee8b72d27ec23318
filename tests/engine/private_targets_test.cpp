// An engine whose configuration names servers on loopback: those are asked, and nothing else there
// is, whether a caller, a handle, a redirect or a feed leads to it.
#include <base/json.hpp>
#include <boost/json/serialize.hpp>
#include <catch2/catch.hpp>
#include <freshet/engine.hpp>
#include <support/gzip.hpp>
#include <support/loopback_server.hpp>
#include <support/print_result.hpp>

using namespace freshet;

namespace {

using setting_list = std::vector<std::pair<std::string, std::string>>;

std::unique_ptr<engine> open_engine_with(const setting_list& settings) {
  engine_options options;
  for (const auto& [key, value] : settings) REQUIRE(options.config.set(key, value));
  return engine::open(std::move(options)).value();
}

response call_engine(engine& engine, std::string endpoint, const boost::json::object& body) {
  request what;
  what.endpoint = std::move(endpoint);
  what.body = boost::json::serialize(body);
  return engine.call(std::move(what));
}

bool is_forbidden(const response& got) {
  INFO(got.body);
  return got.status == 403 && got.body.find("target_forbidden") != std::string::npos;
}

void reply_with_json(test::loopback_server& server, const std::string& path,
                     const std::string& body) {
  server.reply(path, 200, body, {{"Content-Type", "application/json"}});
}

}  // namespace

TEST_CASE("private targets: a configured server is asked, and a scrape of it is refused") {
  test::loopback_server search;
  reply_with_json(search, "/search",
                  R"({"query":"tide","results":[{"url":"https://a.example/","title":"Tide",)"
                  R"("content":"High water","engine":"x"}]})");
  const auto on = open_engine_with({{"network.allow_private", "127.0.0.0/8"},
                                    {"platforms.web-serp.sources", "searxng"},
                                    {"sources.searxng.base_url", search.url("")}});
  const auto found = call_engine(*on, "web-serp/search", {{"q", "tide"}});
  INFO(found.body);
  CHECK(found.status == 200);
  const auto asked = search.count("/search");
  CHECK(asked > 0);
  const std::string port = ":" + std::to_string(search.port());
  for (const std::string host : {"127.0.0.1", "0x7f.1", "localhost", "[::ffff:127.0.0.1]"}) {
    for (const bool robots : {true, false}) {
      CHECK(
          is_forbidden(call_engine(*on, "scrape/markdown",
                                   {{"url", "http://" + host + port + "/search?q=tide&format=json"},
                                    {"respect_robots", robots}})));
    }
  }
  CHECK(search.count("/search") == asked);
  CHECK(search.count("/robots.txt") == 0);
}

TEST_CASE("private targets: scrape.allow_private opens what it lists to callers, and no more") {
  test::loopback_server page;
  test::loopback_server other;
  page.reply("/", 200, "<title>Tides</title><main><h1>Tides</h1><p>High water at noon.</p></main>",
             {{"Content-Type", "text/html"}});
  page.reply("/away", 302, "", {{"Location", other.url("/")}});
  const auto on =
      open_engine_with({{"scrape.allow_private", "127.0.0.1:" + std::to_string(page.port())}});
  const auto scrape = [&](const std::string& url) {
    return call_engine(*on, "scrape/markdown", {{"url", url}, {"respect_robots", false}});
  };
  CHECK(scrape(page.url("/")).status == 200);
  CHECK(is_forbidden(scrape(page.url("/away"))));
  CHECK(is_forbidden(scrape(other.url("/"))));
  CHECK(other.connections() == 0);
}

TEST_CASE("private targets: sitemaps that a site names elsewhere are not fetched, the others are") {
  test::loopback_server site;
  test::loopback_server other;
  const auto at = [&](const std::string& path) { return site.url(path); };
  const std::string xml = "application/xml";
  site.reply("/", 200, "<!doctype html><title>Tides</title><a href='/one'>One</a>",
             {{"Content-Type", "text/html"}});
  site.reply("/robots.txt", 200,
             "User-agent: *\nDisallow: /hidden\nSitemap: " + other.url("/secret.xml") +
                 "\nSitemap: /hidden/s.xml\nSitemap: /gone.xml\nSitemap: /s.xml.gz\n",
             {{"Content-Type", "text/plain"}});
  site.reply("/s.xml.gz", 200,
             test::gzipped("<urlset><url><loc>" + at("/two") + "</loc></url><url><loc>" +
                           at("/hidden/three") + "</loc></url></urlset>"),
             {{"Content-Type", xml}});
  const auto on =
      open_engine_with({{"scrape.allow_private", "127.0.0.1:" + std::to_string(site.port())}});
  const auto got = call_engine(*on, "scrape/map", {{"url", at("/")}});
  INFO(got.body);
  REQUIRE(got.status == 200);
  const auto said = *base::parse_json(got.body);
  std::vector<std::string> found;
  for (const auto& one : base::array_of(base::member(said, "data"))) {
    found.push_back(base::text_of(base::member(one, "url")));
  }
  CHECK(found == std::vector<std::string>{at("/"), at("/one"), at("/two")});
  CHECK(base::text_of(base::member(said, "meta", "completeness")) == "partial");
  CHECK(base::array_of(base::member(said, "meta", "warnings")).size() == 3);
  CHECK(got.body.find("target_forbidden") != std::string::npos);
  CHECK(got.body.find("robots_disallowed") != std::string::npos);
  CHECK(other.connections() == 0);
  CHECK(site.count("/hidden/s.xml") == 0);
  CHECK(site.count("/s.xml.gz") == 1);
  const auto bare = call_engine(*open_engine_with({}), "scrape/map", {{"url", at("/")}});
  CHECK(is_forbidden(bare));
}

TEST_CASE("private targets: what is no network and no HOST:PORT is refused with its key") {
  for (const char* key : {"network.allow_private", "scrape.allow_private"}) {
    engine_options options;
    REQUIRE(options.config.set(key, "intranet"));
    const auto opened = engine::open(std::move(options));
    REQUIRE_FALSE(opened);
    CHECK(opened.error().detail().find(key) != std::string::npos);
  }
}

TEST_CASE("private targets: a redirect of a configured server leads to no other one") {
  test::loopback_server search;
  test::loopback_server other;
  search.reply("/search", 302, "", {{"Location", other.url("/secret")}});
  const auto on = open_engine_with({{"network.allow_private", "127.0.0.0/8"},
                                    {"platforms.web-serp.sources", "searxng"},
                                    {"sources.searxng.base_url", search.url("")}});
  CHECK(is_forbidden(call_engine(*on, "web-serp/search", {{"q", "tide"}})));
  CHECK(search.count("/search") > 0);
  CHECK(other.connections() == 0);
}

TEST_CASE("private targets: a host in a handle is the caller's, unless it is configured") {
  test::loopback_server home;
  test::loopback_server other;
  const std::string elm =
      R"({"id":"7","username":"elm","acct":"elm","display_name":"Elm",)"
      R"("url":"https://home.example/@elm","created_at":"2026-01-01T00:00:00Z",)"
      R"("followers_count":1,"following_count":2,"statuses_count":3})";
  reply_with_json(home, "/api/v1/accounts/lookup", elm);
  const auto on = open_engine_with({{"network.allow_private", "127.0.0.0/8"},
                                    {"platforms.microblog.sources", "mastodon"},
                                    {"sources.mastodon.base_url", home.url("")}});
  const auto user = [&](const std::string& name) {
    return call_engine(*on, "microblog/users/lookup", {{"username", name}});
  };
  const auto at = [](const test::loopback_server& one) {
    return "127.0.0.1:" + std::to_string(one.port());
  };
  const auto known = user("elm");
  INFO(known.body);
  CHECK(known.status == 200);
  CHECK(user("elm@" + at(home)).status == 200);
  const auto named = user("elm@" + at(other));
  INFO(named.body);
  CHECK(named.status != 200);
  CHECK(other.connections() == 0);
}
