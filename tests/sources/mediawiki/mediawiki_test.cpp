// MediaWiki: searches of Wikipedia and of any other wiki, and what they find.
#include <base/work.hpp>
#include <catch2/catch.hpp>
#include <model/json.hpp>
#include <sources/mediawiki/wire.hpp>
#include <sources/ranked_results.hpp>
#include <sources/source_rig.hpp>

namespace freshet::sources::mediawiki {

using namespace test::web_calls;

namespace {

const settings defaults{"https://en.wikipedia.org/w", {}};
const settings loopback{"http://127.0.0.1:4101", {}};
const test::source_rig rig("mediawiki", defaults);

std::string planned(const call& call, const std::string& base, std::string_view position = "") {
  const auto request = rig.configured({base, {}}).plan(call, position);
  REQUIRE(request.has_value());
  return request->url;
}

}  // namespace

TEST_CASE("A search of a wiki asks the API where it is") {
  auto what = search_for("climate \"tide gauge\" -fish intitle:x");
  const std::string head =
      "/api.php?action=query&list=search&srsearch=climate%20%22tide%20gauge%22";
  const std::string rest =
      "%20%22intitle%3Ax%22&srwhat=text&srlimit=20&sroffset=0&srprop=snippet%7Ctimestamp%"
      "7Cwordcount&meta=siteinfo"
      "&siprop=general&format=json&formatversion=2";
  const std::string tail = head + rest;                    // MediaWiki's own engine cannot exclude
  const std::string excluding = head + "%20-fish" + rest;  // Wikipedia's can
  CHECK(planned(what, "https://en.wikipedia.org/w") == "https://en.wikipedia.org/w" + excluding);
  CHECK(planned(what, "http://127.0.0.1:4101") == "http://127.0.0.1:4101/w" + tail);
  CHECK(planned(what, "https://wiki.example/mediawiki") == "https://wiki.example/mediawiki" + tail);
  CHECK(
      planned(what, "https://wiki.example/api.php").starts_with("https://wiki.example/w/api.php"));
  what.lang = "de-AT";
  CHECK(planned(what, "https://en.wikipedia.org/w") == "https://de.wikipedia.org/w" + excluding);
  CHECK(planned(what, "http://127.0.0.1:4101") == "http://127.0.0.1:4101/w" + tail);
  what.lang = "nb";
  CHECK(planned(what, "https://en.wikipedia.org/w").starts_with("https://no.wikipedia.org/w/"));
  what.limit = 100;
  CHECK(planned(what, "http://127.0.0.1:4101", "40").find("srlimit=50&sroffset=40") !=
        std::string::npos);
  for (const auto* bad : {"x", "-1", "1x", "10001", " 1"}) {
    CHECK(mediawiki::plan_search(what, defaults, bad).error().code() == errc::invalid_cursor);
  }
}

TEST_CASE("Every recorded answer of a wiki's search is read") {
  int count = 0;
  for (const auto* folder : {"wikipedia", "loopback/mediawiki"}) {
    if (!test::shared_has(std::string("recordings/") + folder)) return;
    for (const auto& path : test::recordings(folder)) {
      INFO(path.filename().string());
      const auto name = test::endpoint_of(path);
      if (test::is_unused("mediawiki", name)) continue;
      ++count;
      const auto answer = test::recorded(path);
      const auto& with = std::string_view(folder) == "wikipedia" ? defaults : loopback;
      const auto got = mediawiki::read_search({search_for("x"), with, answer, "", ""});
      if (name == "error_missingparam" || name == "parse_missing") {
        REQUIRE_FALSE(got.has_value());
        CHECK(got.error().code() ==
              (name == "parse_missing" ? errc::not_found : errc::source_error));
        CHECK_FALSE(got.error().source_text.empty());
        continue;
      }
      const auto page = test::listing_of(got);
      test::check_page(page, "mediawiki");
      for (const auto& one : page.items) CHECK_FALSE(common(one).url.empty());
      rig.configured(with).read_broken(answer, {300, 3});
    }
  }
  CHECK(count == 7);
}

TEST_CASE("A result of a wiki loses no field") {
  if (!test::shared_has("recordings/wikipedia")) return;
  const auto read = [](const std::string& name, const settings& with) {
    return test::listing_of(
        mediawiki::read_search({search_for("x"), with, test::recording_at(name), "", ""}));
  };
  const auto second = read("wikipedia/query_search__2.json", defaults);
  REQUIRE(second.items.size() == 2);  // the third has no title
  CHECK(second.next == "10");
  const auto& sail = std::get<web_result>(second.items[0]);
  CHECK(sail.id == "mediawiki:en.wikipedia.org/28551");
  CHECK(sail.url == "https://en.wikipedia.org/wiki/Solar_sail");
  CHECK(sail.title == "Solar sail");
  CHECK(sail.text.starts_with("A solar sail is a method of spacecraft propulsion"));
  CHECK_FALSE(sail.created_at.has_value());  // "timestamp" is the last change
  CHECK(sail.site_name == "Wikipedia");
  CHECK(sail.lang == "en");
  CHECK(sail.display_url == "en.wikipedia.org/wiki/Solar_sail");
  CHECK(sail.rank == 1);
  REQUIRE(sail.engines.size() == 1);
  CHECK(sail.engines[0].rank == 1);
  const auto first = read("wikipedia/query_search__1.json", defaults);
  CHECK(common(first.items[0]).text ==
        "German-born physicist who developed the theory of relativity & more.");
  const auto local = read("loopback/mediawiki/search.json", loopback);
  REQUIRE(local.items.size() == 1);
  CHECK(common(local.items[0]).id == "mediawiki:127.0.0.1:4101/11");
  CHECK(common(local.items[0]).url == "http://127.0.0.1:4101/w/index.php?title=Open_data");
  CHECK(common(local.items[0]).text.starts_with("'''Open data''' can be used by anyone."));
}

TEST_CASE("Siteinfo writes the addresses of pages") {
  const auto page = test::listing_of(mediawiki::read_search(
      {search_for("x"),
       {"https://wiki.example/m", {}},
       test::answer_of(200, R"({"continue":{"sroffset":50},"query":{"general":{"server":
        "//www.wiki.example","articlepath":"/$1","sitename":"The Wiki","lang":"pt-br"},
        "search":[{"title":"C++ & Grüße/ü?","pageid":7,"snippet":"a <b"},{"title":"x"}]}})"),
       "40",
       ""}));
  REQUIRE(page.items.size() == 2);
  const auto& one = std::get<web_result>(page.items[0]);
  CHECK(one.url == "https://www.wiki.example/C%2B%2B_%26_Gr%C3%BC%C3%9Fe/%C3%BC%3F");
  CHECK(one.display_url == "www.wiki.example/C++_&_Grüße/ü?");
  CHECK(one.site_name == "The Wiki");
  CHECK(one.lang == "pt-br");
  CHECK(one.rank == 41);
  CHECK(common(page.items[1]).id.size() == std::string("mediawiki:wiki.example/").size() + 16);
  CHECK(page.next == "50");
}

TEST_CASE("What a wiki says of itself once is not repeated at any length beside each result") {
  constexpr std::size_t length = 200'000, count = 2'000;
  const std::string text(length, 'x');
  std::string results;
  for (std::size_t i = 0; i < count; ++i)
    results += std::string(i == 0 ? "" : ",") + R"({"title":"a"})";
  for (const auto* key : {"sitename", "server", "articlepath"}) {
    const auto value = std::string(key) == "server" ? "https://a.example/" + text : text + "/$1";
    const auto body = R"({"query":{"general":{")" + std::string(key) + R"(":")" + value +
                      R"("},"search":[)" + results + "]}}";
    const auto call = search_for("a");
    const auto answer = test::answer_of(200, body);
    const auto page = test::listing_of(mediawiki::read_search({call, loopback, answer, "", ""}));
    CAPTURE(key);
    CHECK(page.items.size() == count);
    std::size_t size = 0;
    for (const auto& one : page.items) size += model::text_size(one);
    CHECK(size < 5 * body.size());
  }
}

TEST_CASE("Suggestions of a wiki end where they take more than there is room for") {
  std::string list;
  for (int i = 0; i < 100'000; ++i) list += ",\"" + std::to_string(i) + "\"";
  auto call = search_for("a");
  const auto answer = test::answer_of(200, "[\"a\",[" + list.substr(1) + "]]");
  CHECK_THROWS_AS(mediawiki::read_suggest({call, loopback, answer, "", ""}), base::work_ended);
}

TEST_CASE("Errors of the API are told by their code") {
  const auto read = [](int status, std::string body) {
    return mediawiki::read_search(
               {search_for("x"), defaults, test::answer_of(status, std::move(body)), "", ""})
        .error();
  };
  const auto limited = read(200, R"({"error":{"code":"ratelimited","info":"Slow down"}})");
  CHECK(limited.code() == errc::source_unavailable);
  CHECK(limited.retry_after == std::chrono::seconds{5});
  CHECK(limited.source_text == "Slow down");
  CHECK(read(503, R"({"error":{"code":"maxlag","info":"Waiting"}})").code() ==
        errc::source_unavailable);
  CHECK(read(200, R"({"error":{"code":"readapidenied","info":"x"}})").code() ==
        errc::source_auth_required);
  CHECK(read(200, R"({"errors":[{"code":"blocked","text":"y"}]})").code() == errc::source_blocked);
  CHECK(read(200, R"({"error":{"code":"internal_api_error_X","info":"x"}})").code() ==
        errc::source_error);
  CHECK(read(200, R"({"query":{}})").code() == errc::source_error);
  CHECK(read(500, "{}").code() == errc::source_error);
  CHECK(read(429, "{}").code() == errc::source_unavailable);
}

TEST_CASE("The sandbox of MediaWiki walks as the pipeline would") {
  test::sandbox box("mediawiki");
  CHECK(test::walk_ranked(box, rig.source(), "climate", defaults) == test::ranked_walk{2, 24});
  const auto& how = rig.source().capabilities[0];
  CHECK(box.page(how, search_for("\"tide gauge\""), defaults, "")->items.size() == 2);
  const auto quota = box.page(how, search_for("quota"), defaults, "");
  CHECK(quota.error().code() == errc::source_unavailable);
  CHECK(quota.error().retry_after == std::chrono::seconds{10});
}

}  // namespace freshet::sources::mediawiki
