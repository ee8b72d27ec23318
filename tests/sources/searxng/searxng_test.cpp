// SearXNG: what an instance is asked, whose results they are, and instances that refuse.
#include <base/time_text.hpp>
#include <catch2/catch.hpp>
#include <sources/searxng/wire.hpp>
#include <sources/source_rig.hpp>

namespace freshet::sources::searxng {

using namespace test::web_calls;

namespace {

const settings instance{"https://searxng.example", {}};
const test::source_rig rig("searxng", instance);

}  // namespace

TEST_CASE("A search of an instance keeps its commands to itself") {
  auto what = search_for("climate \"tide gauge\" -bitcoin !!g :fr");
  auto request = searxng::plan_search(what, instance, "");
  REQUIRE(request.has_value());
  CHECK(request->url ==
        "https://searxng.example/search?q=climate%20%22tide%20gauge%22%20-bitcoin%20%22%21%21g%22"
        "%20%22%3Afr%22&format=json&pageno=1");
  what = search_for("climate");
  what.lang = "pt-BR";
  what.since = sandbox_now - std::chrono::hours{48};
  request = searxng::plan_search(what, {"http://127.0.0.1:4102/searx", {}}, "3:27");
  CHECK(request->url ==
        "http://127.0.0.1:4102/searx/search?q=climate&format=json&pageno=3"
        "&language=pt-BR&time_range=week");
  what.lang = "zh-Hans";
  what.since = sandbox_now - std::chrono::hours{24 * 400};
  CHECK(searxng::plan_search(what, instance, "")->url.ends_with("pageno=1&language=zh"));
  what.country = "sg";
  CHECK(searxng::plan_search(what, instance, "")->url.ends_with("language=zh-SG"));
  for (const auto* bad : {"x", "2", "0:1", "2:", "2:-1", "2:9999999999", "99:1"}) {
    INFO(bad);
    CHECK(searxng::plan_search(what, instance, bad).error().code() == errc::invalid_cursor);
  }
}

TEST_CASE("Every recorded answer of SearXNG and SearX is read") {
  int count = 0;
  for (const auto* folder : {"searxng", "loopback/searx"}) {
    if (!test::shared_has(std::string("recordings/") + folder)) return;
    for (const auto& path : test::recordings(folder)) {
      INFO(path.filename().string());
      const auto name = test::endpoint_of(path);
      if (test::is_unused("searxng", name)) continue;
      ++count;
      const auto answer = test::recorded(path);
      const auto got = rig.read(answer);
      const bool fails =
          name.starts_with("error") || name == "search_html" || name == "search_empty";
      REQUIRE(got.has_value() != fails);
      if (fails) {
        const auto expected = name == "error_429"      ? errc::source_unavailable
                              : name == "search_empty" ? errc::source_error
                                                       : errc::source_blocked;
        CHECK(got.error().code() == expected);
        continue;
      }
      const auto page = test::listing_of(got);
      test::check_page(page, "searxng");
      for (const auto& one : page.items) CHECK_FALSE(common(one).url.empty());
      rig.read_broken(answer, {300, 5});
    }
  }
  CHECK(count == 10);
}

TEST_CASE("A result of SearXNG loses no field") {
  if (!rig.has_recordings()) return;
  const auto page = test::listing_of(rig.read(test::recording_at("searxng/search__1.json")));
  REQUIRE(page.items.size() == 10);
  CHECK(page.next == "2:10");
  REQUIRE(page.warnings.size() == 2);
  CHECK(page.warnings[0] == "searxng: engine duckduckgo gave nothing: CAPTCHA");
  const auto& first = std::get<web_result>(page.items[0]);
  CHECK(first.rank == 1);
  CHECK(first.url ==
        "https://coffee.stackexchange.com/questions/6402/how-does-grind-size-affect-"
        "the-extraction-time-and-taste-of-espresso");
  CHECK(first.id.size() == std::string("searxng:").size() + 16);
  CHECK(first.title.starts_with("ground coffee - How does grind size"));
  CHECK(first.text.starts_with("An overly fine grind"));
  CHECK(base::format_time(*first.created_at) == "2024-08-19T00:00:00Z");
  CHECK(first.site_name == "coffee.stackexchange.com");
  CHECK(first.display_url.starts_with("coffee.stackexchange.com/questions/6402/"));
  REQUIRE(first.engines.size() == 2);
  CHECK(first.engines[0].name == "brave");
  CHECK(first.engines[0].rank == 3);
  CHECK(first.engines[1].name == "google");
  CHECK_FALSE(first.engines[1].rank);
  const auto& third = std::get<web_result>(page.items[2]);
  CHECK(base::format_time(*third.created_at) == "2026-02-03T00:00:00Z");
  REQUIRE(third.engines.size() == 1);
  CHECK(third.engines[0].rank == 4);
  CHECK(base::format_time(*common(page.items[9]).created_at) == "2025-08-20T00:00:00Z");
}

TEST_CASE("A real SearX 1.1 is read, posts of Bluesky as addresses") {
  if (!test::shared_has("recordings/loopback/searx")) return;
  const auto page =
      test::listing_of(rig.read(test::recording_at("loopback/searx/search_json.json"), "2:5"));
  REQUIRE(page.items.size() == 9);
  const auto& wiki = std::get<web_result>(page.items[0]);
  CHECK(wiki.url == "http://127.0.0.1:4101/wiki/Ferry");
  CHECK(wiki.rank == 6);
  CHECK(wiki.engines[0].name == "wiki");
  CHECK(wiki.engines[0].rank == 1);
  CHECK(wiki.display_url == "http://127.0.0.1:4101/wiki/Ferry");
  CHECK(common(page.items[1]).url ==
        "https://bsky.app/profile/did:plc:hfccxnkhgt2sybjuhhbrizp2/post/3n2s6wd4s3k2z");
  CHECK(page.warnings == std::vector<std::string>{"searxng: engine dead gave nothing: HTTP error"});
  CHECK(page.next == "3:14");
  CHECK(test::listing_of(rig.read(test::recording_at("loopback/searx/search_page2.json"), "2:9"))
            .next.empty());
}

TEST_CASE("Refusals of an instance are told apart from an empty result") {
  const auto refused = rig.read(test::answer_of(403, "<!doctype html><title>403 Forbidden</title>",
                                                "text/html; charset=utf-8"));
  CHECK(refused.error().code() == errc::source_blocked);
  CHECK(refused.error().detail().find("search.formats") != std::string::npos);
  CHECK(rig.read(test::answer_of(200, "<html><script src=/check.js></script></html>", "text/html"))
            .error()
            .code() == errc::source_blocked);
  CHECK(rig.read(test::answer_of(200, R"({"results":[],"unresponsive_engines":[["a","CAPTCHA"],
             ["b","Suspended: too many requests"]]})"))
            .error()
            .code() == errc::source_blocked);
  const auto empty = test::listing_of(
      rig.read(test::answer_of(200, R"({"results":[],"unresponsive_engines":[["a","timeout"]]})")));
  CHECK(empty.items.empty());
  CHECK(empty.warnings.size() == 1);
  CHECK(rig.read(test::answer_of(200, R"({"error":"No query"})")).error().code() ==
        errc::source_error);
}

TEST_CASE("Ranks, dates and media of a result as far as they can be told") {
  const auto page = test::listing_of(rig.read(test::answer_of(200, R"({"results":[
    {"url":"https://a.example/1","title":"a  b","content":"3 days ago · text","engine":"x",
     "engines":["y","x"],"positions":[2,5],"thumbnail":"//img.example/t.png"},
    {"url":"https://a.example/2","title":"v","content":"May 1 · no date","engines":["x","y","z"],
     "engine":"x","positions":[1,4,9],"iframe_src":"https://v.example/e","length":"1:02:03"},
    {"url":"magnet:?xt=1","title":"m"}]})")));
  REQUIRE(page.items.size() == 2);
  const auto& one = std::get<web_result>(page.items[0]);
  CHECK(one.title == "a b");
  CHECK(one.text == "text");
  CHECK(*one.created_at == sandbox_now - std::chrono::hours{72});
  CHECK(one.engines[0].rank == 2);
  CHECK(one.engines[1].rank == 5);
  REQUIRE(one.media.size() == 1);
  CHECK(one.media[0].url == "https://img.example/t.png");
  const auto& two = std::get<web_result>(page.items[1]);
  CHECK(two.text == "May 1 · no date");
  CHECK(two.engines[0].rank == 1);
  CHECK_FALSE(two.engines[1].rank);
  CHECK(two.media[0].type == "video");
  CHECK(two.media[0].duration_s == 3723.0);
  CHECK(page.warnings.back().find("1 results without a web address") != std::string::npos);
}

TEST_CASE("The sandbox of SearXNG walks as the pipeline would") {
  test::sandbox box("searxng");
  const auto& how = rig.source().capabilities[0];
  std::string position;
  std::vector<web_result> all;
  int pages = 0;
  do {
    auto page = box.page(how, search_for("climate"), instance, position);
    REQUIRE(page.has_value());
    test::check_page(*page, "searxng");
    for (auto& one : page->items) all.push_back(std::get<web_result>(std::move(one)));
    position = page->next;
    REQUIRE(++pages < 9);
  } while (!position.empty());
  CHECK(pages == 3);
  REQUIRE(all.size() == 14);
  for (std::size_t i = 0; i < all.size(); ++i) CHECK(all[i].rank == static_cast<int>(i) + 1);
  CHECK(box.page(how, search_for("\"tide gauge\""), instance, "")->items.size() == 2);
  CHECK(box.page(how, search_for("forbidden"), instance, "").error().code() ==
        errc::source_blocked);
  CHECK(box.page(how, search_for("quota"), instance, "").error().code() ==
        errc::source_unavailable);
}

}  // namespace freshet::sources::searxng
