// Google News: the address of its feed, and articles with their publisher told apart.
#include <base/time_text.hpp>
#include <catch2/catch.hpp>
#include <sources/googlenews/wire.hpp>
#include <sources/source_rig.hpp>

namespace freshet::sources::googlenews {

using namespace test::news_calls;

namespace {

const settings defaults{"https://news.google.com", {}};
const test::source_rig rig("googlenews", defaults);

}  // namespace

TEST_CASE("A search of Google News always has a window of time, and an edition") {
  auto what = search_for("climate \"tide gauge\" -fish site:x");
  CHECK(rig.planned(what) ==
        "https://news.google.com/rss/search?q=climate%20%22tide%20gauge%22%20-fish%20%22site%3Ax%22"
        "%20when%3A30d&hl=en-US&gl=US&ceid=US%3Aen");
  what.q = test::query_of("x");
  const auto window = [&](std::chrono::minutes age) {
    what.since = sandbox_now - age;
    const auto q = *base::query_parameter(base::parse_url(rig.planned(what))->query, "q");
    return q.substr(q.find("when:") + 5);
  };
  using namespace std::chrono_literals;
  CHECK(window(5min) == "1h");
  CHECK(window(90min) == "2h");
  CHECK(window(24h) == "24h");
  CHECK(window(49h) == "3d");
  CHECK(window(7 * 24h) == "7d");
  CHECK(googlenews::plan_search(what, defaults, "2").error().code() == errc::invalid_cursor);
  CHECK(rig.source().opt_in);
}

TEST_CASE("An edition of Google News follows language and country") {
  const auto edition = [](std::string lang, std::string country) {
    auto what = search_for("x");
    what.lang = std::move(lang);
    what.country = std::move(country);
    const auto in = googlenews::edition_of(what);
    return in.lang + "-" + in.country;
  };
  CHECK(edition("", "") == "en-US");
  CHECK(edition("de", "") == "de-DE");
  CHECK(edition("de-AT", "") == "de-AT");
  CHECK(edition("", "at") == "de-AT");
  CHECK(edition("", "GB") == "en-GB");
  CHECK(edition("pt-BR", "PT") == "pt-PT");
  CHECK(edition("zh-Hant", "") == "zh-TW");
  CHECK(edition("sw", "") == "sw-US");
}

TEST_CASE("The id of an edition that several countries share says so") {
  const auto asked = [](std::string lang, std::string country) {
    auto what = search_for("x");
    what.lang = std::move(lang);
    what.country = std::move(country);
    const auto url = rig.planned(what);
    return url.substr(url.find("&hl=") + 1);
  };
  CHECK(asked("", "BR") == "hl=pt-BR&gl=BR&ceid=BR%3Apt-419");
  CHECK(asked("", "PT") == "hl=pt-PT&gl=PT&ceid=PT%3Apt-150");
  for (const auto* country : {"MX", "AR", "CO", "CL", "PE"}) {
    const std::string at(country);
    CHECK(asked("", at) == "hl=es-419&gl=" + at + "&ceid=" + at + "%3Aes-419");
  }
  CHECK(asked("", "TW") == "hl=zh-TW&gl=TW&ceid=TW%3Azh-Hant");
  CHECK(asked("", "HK") == "hl=zh-HK&gl=HK&ceid=HK%3Azh-Hant");
  CHECK(asked("", "ES") == "hl=es-ES&gl=ES&ceid=ES%3Aes");
  CHECK(asked("de", "") == "hl=de-DE&gl=DE&ceid=DE%3Ade");
}

TEST_CASE("Every recorded answer of Google News is read") {
  if (!rig.has_recordings()) return;
  int count = 0;
  const std::map<std::string, std::size_t> items = {
      {"rss_search__1.xml", 6}, {"rss_search__2.xml", 2}, {"rss_search__3.xml", 2}};
  for (const auto& path : rig.recordings()) {
    INFO(path.filename().string());
    ++count;
    auto answer = test::recorded(path);
    answer.headers = {{"Content-Type", "application/xml; charset=utf-8"}};
    const auto page = test::listing_of(rig.read(answer));
    CHECK(page.items.size() == items.at(path.filename().string()));
    CHECK(page.next.empty());
    test::check_honest(page, "googlenews");
    for (const auto& any : page.items) {
      const auto& one = std::get<article>(any);
      CHECK_FALSE(one.site.name.empty());
      CHECK_FALSE(one.site.domain.empty());
      CHECK_FALSE(one.title.ends_with(one.site.name));
      CHECK(one.url.find('?') == std::string::npos);
    }
    rig.read_broken(answer, {60, 2});
  }
  CHECK(count == 3);
}

TEST_CASE("An article of Google News loses no field, and comes in its place by time") {
  if (!rig.has_recordings()) return;
  auto answer = rig.recording("rss_search__2.xml");
  answer.headers = {{"Content-Type", "application/xml"}};
  const auto page = test::listing_of(rig.read(answer));
  const auto& one = std::get<article>(page.items.at(0));
  CHECK(one.title ==
        "Ketanji Brown Jackson criticizes supreme court’s handling of emergency docket");
  CHECK(base::format_time(*one.created_at) == "2026-09-25T16:11:00Z");
  CHECK(one.url == "https://news.google.com/rss/articles/CBMiogFBVV95cUxQZ3MtNXd1");
  CHECK(one.id.size() == std::string("googlenews:").size() + 16);
  CHECK(one.site.name == "The Guardian");
  CHECK(one.site.domain == "theguardian.com");
  CHECK(one.lang == "en-US");
  CHECK(one.text.empty());
  CHECK(common(page.items.at(1)).created_at < one.created_at);
}

TEST_CASE("A form for consent and a page about traffic are refusals, not empty lists") {
  auto consent = test::answer_of(200, "<!doctype html><title>Before you continue</title>",
                                 "text/html; charset=utf-8");
  consent.final_url = "https://consent.google.com/m?continue=x";
  CHECK(rig.read(consent).error().code() == errc::source_blocked);
  CHECK(rig.read(test::answer_of(200, "<html><title>News</title>", "text/html")).error().code() ==
        errc::source_blocked);
  CHECK(rig.read(test::answer_of(503, "<html>Our systems have detected unusual traffic</html>",
                                 "text/html"))
            .error()
            .code() == errc::source_blocked);
  CHECK(rig.read(test::answer_of(200, "", "application/xml")).error().code() == errc::source_error);
  CHECK(rig.read(test::answer_of(200, "{}", "application/json")).error().code() ==
        errc::source_error);
  const auto cut = test::listing_of(rig.read(test::answer_of(
      200,
      "<rss><channel><item><title>A - B</title><link>https://news.google.com/rss/articles/x?oc=5"
      "</link><source url='https://b.example'>B</source></item><item><title>",
      "application/xml")));
  CHECK(cut.partial);
  CHECK(common(cut.items.at(0)).title == "A");
}

TEST_CASE("The sandbox of Google News walks as the pipeline would") {
  test::sandbox box("googlenews");
  int pages = 0;
  const auto all = box.walk(rig.source(), search_for("climate"), defaults, pages);
  CHECK(pages == 1);
  CHECK(all.size() == 12);
  for (std::size_t i = 1; i < all.size(); ++i) {
    CHECK(*common(all[i]).created_at <= *common(all[i - 1]).created_at);
  }
  CHECK(box.walk(rig.source(), search_for("\"tide gauge\""), defaults, pages).size() == 2);
  const auto quota = box.page(rig.source().capabilities[0], search_for("quota"), defaults, "");
  CHECK(quota.error().code() == errc::source_blocked);
}

}  // namespace freshet::sources::googlenews
