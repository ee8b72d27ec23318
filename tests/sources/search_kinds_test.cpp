// Pictures, videos and suggestions of search engines: what is asked for, and what becomes of the
// answers.
#include <catch2/catch.hpp>
#include <sources/item_check.hpp>
#include <sources/search_result.hpp>
#include <sources/source_rig.hpp>

namespace freshet::sources {

using catalog::operation;
using test::code_of;

namespace {

const test::source_rig by_searxng("searxng", {"https://searxng.example", {}});
const test::source_rig by_brave("brave", {"https://api.search.brave.com", {{"api_key", "k"}}});
const test::source_rig by_serper("serper", {"https://google.serper.dev", {{"api_key", "k"}}});
const test::source_rig by_mediawiki("mediawiki", {"https://en.wikipedia.org/w", {}});
const test::source_rig by_duckduckgo("duckduckgo", {"https://html.duckduckgo.com", {}});

call pictures_of(std::string_view q) {
  return test::search_call(operation::web_serp_images_search, q);
}
call videos_of(std::string_view q) {
  return test::search_call(operation::web_serp_videos_search, q);
}
call suggestions_to(std::string_view q) {
  return test::search_call(operation::web_serp_suggest, q);
}

std::vector<std::string> texts_of(const listing& page) {
  std::vector<std::string> out;
  for (const auto& any : page.items) out.push_back(std::get<suggestion>(any).text);
  return out;
}

}  // namespace

TEST_CASE("search kinds: what is asked for") {
  const std::string searx = "https://searxng.example/";
  CHECK(by_searxng.planned(pictures_of("tide gauge")) ==
        searx + "search?q=tide%20gauge&format=json&pageno=1&categories=images");
  CHECK(by_searxng.planned(videos_of("x")).ends_with("&categories=videos"));
  CHECK(by_searxng.planned(suggestions_to("tide -g")) == searx + "autocompleter?q=tide%20-g");

  const std::string brave = "https://api.search.brave.com/res/v1/";
  CHECK(by_brave.planned(pictures_of("x")) == brave + "images/search?q=x&count=100");
  CHECK(by_brave.planned(pictures_of("x"), "2:100") == "invalid_cursor");
  CHECK(by_brave.planned(videos_of("x"), "2:20") == brave + "videos/search?q=x&count=20&offset=1");
  CHECK(by_brave.planned(suggestions_to("ti")) == brave + "suggest/search?q=ti&count=20");

  CHECK(by_serper.planned(pictures_of("x")) == "https://google.serper.dev/images");
  CHECK(by_serper.planned_body(videos_of("x"), "2:10") ==
        R"({"q":"x","num":10,"page":2,"autocorrect":false})");
  CHECK(by_serper.planned(suggestions_to("ti")) == "https://google.serper.dev/autocomplete");
  CHECK(by_serper.planned_body(suggestions_to("ti")) == R"({"q":"ti"})");

  CHECK(by_mediawiki.planned(suggestions_to("ti")) ==
        "https://en.wikipedia.org/w/api.php?action=opensearch&search=ti&limit=20&redirects=return"
        "&format=json");
  CHECK(by_duckduckgo.planned(suggestions_to("ti")) ==
        "https://duckduckgo.com/ac/?q=ti&type=list&kl=wt-wt");
  CHECK(by_duckduckgo.configured({"http://127.0.0.1:9", {}})
            .planned(suggestions_to("ti"))
            .starts_with("http://127.0.0.1:9/ac/?q=ti"));
  for (const auto* rig : {&by_searxng, &by_brave, &by_serper, &by_mediawiki, &by_duckduckgo})
    CHECK(rig->planned(suggestions_to("ti"), "2") == "invalid_cursor");
}

TEST_CASE("search kinds: pictures have their size, their page and their place") {
  const auto of_searxng = test::listing_of(by_searxng.read(
      pictures_of("x"),
      test::answer_of(200, R"({"results":[{"url":"https://a.example/page","title":"A gauge",
      "img_src":"//a.example/big.jpg","thumbnail_src":"https://a.example/small.jpg",
      "resolution":"1920 x 1080","engine":"bing images"},
      {"url":"https://a.example/words","title":"None"}]})")));
  REQUIRE(of_searxng.items.size() == 1);
  const auto& one = std::get<web_image>(of_searxng.items[0]);
  CHECK(one.image_url == "https://a.example/big.jpg");
  CHECK(one.thumbnail_url == "https://a.example/small.jpg");
  CHECK((one.width == 1920 && one.height == 1080 && one.rank == 1));
  CHECK(one.url == "https://a.example/page");

  const auto of_brave = test::listing_of(
      by_brave.read(pictures_of("x"),
                    test::answer_of(200, R"({"type":"images","query":{"original":"x"},"results":[
      {"url":"https://a.example/page","title":"One","thumbnail":{"src":"https://i.example/1s"},
      "properties":{"url":"https://a.example/1.jpg","width":640,"height":480}},
      {"url":"https://a.example/page","title":"Two",
      "properties":{"url":"https://a.example/2.jpg"}}]})")));
  REQUIRE(of_brave.items.size() == 2);
  CHECK(std::get<web_image>(of_brave.items[0]).width == 640);
  // Two pictures of one page are two.
  CHECK(common(of_brave.items[0]).id != common(of_brave.items[1]).id);
  CHECK(std::get<web_image>(of_brave.items[1]).rank == 2);
  CHECK(of_brave.next.empty());

  const auto of_serper = test::listing_of(by_serper.read(
      pictures_of("x"), test::answer_of(200, R"({"searchParameters":{},"images":[{"title":"One",
      "imageUrl":"https://a.example/1.jpg","imageWidth":800,"imageHeight":600,
      "thumbnailUrl":"https://t.example/1","link":"https://a.example/page"}]})")));
  const auto& three = std::get<web_image>(of_serper.items.at(0));
  CHECK((three.width == 800 && three.thumbnail_url == "https://t.example/1"));
}

TEST_CASE("search kinds: videos have their length and a still") {
  const auto of_brave = test::listing_of(
      by_brave.read(videos_of("x"), test::answer_of(200, R"({"type":"videos","query":{},"results":[
      {"url":"https://v.example/1","title":"One","description":"text","page_age":"2026-10-01T00:00:00",
      "video":{"duration":"1:02:03","creator":"Alice"},"thumbnail":{"src":"https://t.example/1"}}]})")));
  const auto& one = std::get<video>(of_brave.items.at(0));
  CHECK(one.duration_s == 3723.0);
  CHECK(one.thumbnail_url == "https://t.example/1");
  CHECK((one.author.display_name == "Alice" && one.created_at.has_value()));

  const auto of_serper = test::listing_of(by_serper.read(
      videos_of("x"), test::answer_of(200, R"({"searchParameters":{},"videos":[{"title":"One",
      "link":"https://v.example/1","imageUrl":"https://t.example/1","duration":"4:33",
      "date":"Aug 19, 2024"}]})")));
  const auto& two = std::get<video>(of_serper.items.at(0));
  CHECK((two.duration_s == 273.0 && two.thumbnail_url == "https://t.example/1"));

  const auto of_searxng = test::listing_of(by_searxng.read(
      videos_of("x"), test::answer_of(200, R"({"results":[{"url":"https://v.example/1",
      "title":"One","iframe_src":"https://v.example/embed/1","thumbnail":"https://t.example/1",
      "length":"0:45","engine":"peertube"}]})")));
  const auto& three = std::get<video>(of_searxng.items.at(0));
  CHECK((three.duration_s == 45.0 && three.media.at(0).type == "video"));
}

TEST_CASE("search kinds: suggestions of every engine") {
  const auto typed = suggestions_to("ti");
  const auto opensearch = test::answer_of(200, R"(["ti",["tide gauge","tides"," "]])");
  const std::vector<std::string> both{"tide gauge", "tides"};
  for (const auto* rig : {&by_searxng, &by_mediawiki, &by_duckduckgo})
    CHECK(texts_of(test::listing_of(rig->read(typed, opensearch))) == both);
  CHECK(texts_of(test::listing_of(by_brave.read(
            typed, test::answer_of(200, R"({"type":"suggest","query":{"original":"ti"},
            "results":[{"query":"tide gauge"},{"query":"tides"}]})")))) == both);
  CHECK(texts_of(
            test::listing_of(by_serper.read(typed, test::answer_of(200, R"({"searchParameters":{},
            "suggestions":[{"value":"tide gauge"},{"value":"tides"}]})")))) == both);
  for (const auto* rig : {&by_searxng, &by_mediawiki, &by_duckduckgo, &by_brave, &by_serper})
    CHECK(code_of(rig->read(typed, test::answer_of(200, "{}"))) == errc::source_error);
  if (!test::shared_has("recordings")) return;
  const auto recorded = test::listing_of(
      by_mediawiki.read(typed, test::recording_at("wikipedia/opensearch__1.json")));
  CHECK(texts_of(recorded) == std::vector<std::string>{"Espresso", "Espresso machine"});
}

TEST_CASE("search kinds: durations as clocks show them") {
  CHECK(read_clock_duration("0:45") == 45.0);
  CHECK(read_clock_duration("1:02:03") == 3723.0);
  for (const auto* bad : {"", "0:00", "1:2:3:4", "a:b", "-1:00"}) {
    INFO(bad);
    CHECK_FALSE(read_clock_duration(bad).has_value());
  }
}

}  // namespace freshet::sources
