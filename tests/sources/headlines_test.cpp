// Headlines: what the press is asked for without words, by topic and country, and who is left out.
#include <catch2/catch.hpp>
#include <sources/source_rig.hpp>

namespace freshet::sources {

using catalog::operation;

namespace {

const test::source_rig at_newsapi("newsapi", {"https://newsapi.org", {{"api_key", "secret"}}});
const test::source_rig at_guardian("guardian",
                                   {"https://content.guardianapis.com", {{"api_key", "secret"}}});
const test::source_rig at_googlenews("googlenews", {"https://news.google.com", {}});
const test::source_rig at_feeds("feeds", {"https://feeds.example/rss", {}});

call headlines_of(std::string topic, std::string country = "", std::string lang = "") {
  auto made = test::call_of(operation::news_headlines);
  made.topic = std::move(topic);
  made.country = std::move(country);
  made.lang = std::move(lang);
  return made;
}

}  // namespace

TEST_CASE("headlines: each topic and country has its request, or there is none") {
  const std::string top = "https://newsapi.org/v2/top-headlines?";
  CHECK(at_newsapi.planned(headlines_of("")) == top + "category=general&pageSize=20&page=1");
  CHECK(at_newsapi.planned(headlines_of("sports", "US"), "2:50") ==
        top + "country=us&category=sports&pageSize=50&page=2");
  CHECK(at_newsapi.planned(headlines_of("nation", "US")) == top + "country=us&pageSize=20&page=1");
  for (const auto& refused :
       {headlines_of("world"), headlines_of("nation"), headlines_of("", "", "en")})
    CHECK(at_newsapi.planned(refused) == "not_found");
  CHECK(http::find_header(at_newsapi.plan(headlines_of(""))->headers, "x-api-key") == "secret");

  const std::string search = "https://content.guardianapis.com/search?";
  CHECK(at_guardian.planned(headlines_of("")).starts_with(search + "tag=tone%2Fnews&order-by="));
  CHECK(at_guardian.planned(headlines_of("sports", "GB")).starts_with(search + "section=sport&"));
  CHECK(at_guardian.planned(headlines_of("health")).starts_with(search + "tag=society%2Fhealth&"));
  CHECK(at_guardian.planned(headlines_of("", "FR")) == "not_found");

  const std::string rss = "https://news.google.com/rss";
  CHECK(at_googlenews.planned(headlines_of("")) == rss + "?hl=en-US&gl=US&ceid=US%3Aen");
  CHECK(at_googlenews.planned(headlines_of("technology", "DE")) ==
        rss + "/headlines/section/topic/TECHNOLOGY?hl=de-DE&gl=DE&ceid=DE%3Ade");

  CHECK(at_feeds.planned(headlines_of("")) == "https://feeds.example/rss");
  CHECK(at_feeds.planned(headlines_of("world")) == "not_found");
  CHECK(at_feeds.planned(headlines_of("", "GB")) == "not_found");
}

TEST_CASE("headlines: what NewsAPI orders by weight is given by time") {
  const auto answer = test::answer_of(200, R"({"status":"ok","totalResults":60,"articles":[
    {"title":"Older","url":"https://a.example/1","publishedAt":"2026-10-30T10:00:00Z"},
    {"title":"[Removed]","url":"https://removed.com"},
    {"title":"Newer","url":"https://a.example/2","publishedAt":"2026-10-31T10:00:00Z"}]})");
  const auto page = test::listing_of(at_newsapi.read(headlines_of(""), answer));
  REQUIRE(page.items.size() == 2);
  CHECK(common(page.items[0]).title == "Newer");
  CHECK_FALSE(page.next.empty());
}

TEST_CASE("headlines: recorded ones are read") {
  if (!test::shared_has("recordings")) return;
  for (const auto* name : {"top_headlines__1", "top_headlines__2", "top_headlines__3"}) {
    INFO(name);
    const auto page = test::listing_of(
        at_newsapi.read(headlines_of(""), at_newsapi.recording(std::string(name) + ".json")));
    CHECK_FALSE(page.items.empty());
    test::check_honest(page, "newsapi");
  }
}

}  // namespace freshet::sources
