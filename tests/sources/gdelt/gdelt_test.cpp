// GDELT: queries in its grammar, windows of time for pages, and answers that are no JSON.
#include <base/time_text.hpp>
#include <catch2/catch.hpp>
#include <sources/gdelt/wire.hpp>
#include <sources/source_rig.hpp>

namespace freshet::sources::gdelt {

using namespace test::news_calls;

namespace {

const settings defaults{"https://api.gdeltproject.org", {}};
const test::source_rig rig("gdelt", defaults);

std::string parameter_of(const call& call, std::string_view name, std::string_view url = "") {
  const auto request = gdelt::plan_search(call, defaults, url);
  REQUIRE(request.has_value());
  return base::query_parameter(base::parse_url(request->url)->query, name).value_or("");
}

}  // namespace

TEST_CASE("A search of GDELT says all that it can keep") {
  auto what = search_for("climate \"tide gauge\" -football covid-19 OR");
  what.lang = "pt-BR";
  what.country = "gb";
  CHECK(parameter_of(what, "query") ==
        "climate \"tide gauge\" -football \"covid-19\" \"OR\" sourcelang:portuguese "
        "sourcecountry:unitedkingdom");
  CHECK(parameter_of(what, "enddatetime") == "20261101120000");
  CHECK(parameter_of(what, "startdatetime") == "20260803120000");
  what.now = sandbox_now + std::chrono::seconds{1};
  CHECK(parameter_of(what, "enddatetime") == "20261101121500");
  what.since = sandbox_now - std::chrono::minutes{61};
  CHECK(parameter_of(what, "startdatetime") == "20261101104500");
  CHECK(parameter_of(what, "enddatetime", "20261030081500:20") == "20261030081500");
  CHECK(parameter_of(what, "sort") == "DateDesc");
  for (const auto* bad : {"x", "20261030081500", "20261030081500:", "20261330081500:0",
                          "20261030081500:999", "20260230000000:1", ":1"}) {
    INFO(bad);
    CHECK(gdelt::plan_search(what, defaults, bad).error().code() == errc::invalid_cursor);
  }
}

TEST_CASE("Every recorded answer of GDELT is read") {
  if (!rig.has_recordings()) return;
  int read = 0;
  for (const auto& path : rig.recordings()) {
    INFO(path.filename().string());
    ++read;
    auto answer = test::recorded(path);
    if (path.extension() == ".txt") answer.headers = {{"Content-Type", "text/html"}};
    const auto what = search_for("x");
    const auto name = test::endpoint_of(path);
    if (name == "error_200_plaintext" || name == "error_429") {
      for (const auto* type : {"text/plain", "text/html; charset=utf-8", "application/json"}) {
        answer.headers = {{"Content-Type", type}};
        const auto failed = gdelt::read_search({what, defaults, answer, "", ""});
        REQUIRE_FALSE(failed.has_value());
        const bool fast = name == "error_429";
        CHECK(failed.error().code() == (fast ? errc::source_unavailable : errc::source_error));
        CHECK(failed.error().retry_after.has_value() == fast);
        if (fast) CHECK(*failed.error().retry_after == std::chrono::minutes{10});
        CHECK_FALSE(failed.error().source_text.empty());
      }
      continue;
    }
    const auto page = test::listing_of(gdelt::read_search({what, defaults, answer, "", ""}));
    CHECK(page.items.empty() == (name == "doc_artlist_empty"));
    test::check_honest(page, "gdelt");
    rig.read_broken(what, answer, {300, 11});
  }
  CHECK(read == 6);
}

TEST_CASE("An article of GDELT loses no field") {
  if (!rig.has_recordings()) return;
  const auto page = test::listing_of(gdelt::read_search(
      {search_for("x"), defaults, rig.recording("doc_artlist__1.json"), "", ""}));
  REQUIRE(page.items.size() == 4);
  CHECK(page.next.empty());
  const auto& newest = std::get<article>(page.items[0]);
  CHECK(newest.title ==
        "Vizhinjam beckons shipping lines as delay hit cargo handling at Colombo Port");
  CHECK(base::format_time(*newest.created_at) == "2024-07-15T10:30:00Z");
  const auto& indian = std::get<article>(page.items[1]);
  CHECK(indian.title == "ട്രോളിങ് നിയന്ത്രണം നീങ്ങി; വിഴിഞ്ഞം തീരത്ത് ആവേശം, vizhinjam, fish");
  CHECK(indian.lang == "ml");
  CHECK(indian.site.country == "IN");
  CHECK(indian.media.empty());
  const auto& first = std::get<article>(page.items[3]);
  CHECK(first.url ==
        "https://www.thehindu.com/news/national/kerala/customs-grants-approval-to-vizhinjam-"
        "international-seaport/article68293772.ece");
  CHECK(first.id.size() == std::string("gdelt:").size() + 16);
  CHECK(first.site.domain == "thehindu.com");
  CHECK(first.site.name == "thehindu.com");
  CHECK(first.lang == "en");
  REQUIRE(first.media.size() == 1);
  CHECK(first.media[0].url == "https://www.thehindu.com/theme/images/og-image.png");
  CHECK(first.media[0].type == "image");
  CHECK(first.text.empty());
  CHECK(first.author.display_name.empty());

  const auto third = test::listing_of(gdelt::read_search(
      {search_for("x"), defaults, rig.recording("doc_artlist__3.json"), "", ""}));
  REQUIRE(third.items.size() == 2);  // the third record has no address
  CHECK(std::get<article>(third.items[0]).site.country == "NL");
}

TEST_CASE("Titles lose the spaces that GDELT put in") {
  CHECK(gdelt::untokenised("Storm hits coast , again ; 3 . 5 m surge ( record )") ==
        "Storm hits coast, again; 3.5 m surge (record)");
  CHECK(gdelt::untokenised("It ' s over : Britain ’ s ports don ' t close") ==
        "It's over: Britain’s ports don't close");
  CHECK(gdelt::untokenised("He said \" no comment \" today") == "He said \"no comment\" today");
  CHECK(gdelt::untokenised("Costs $ 1 , 200 or 5 %") == "Costs $1,200 or 5%");
  CHECK(gdelt::untokenised("In 2024 , 300 people left - for good") ==
        "In 2024, 300 people left - for good");
  CHECK(gdelt::untokenised("").empty());
  CHECK(gdelt::untokenised(" , ") == ",");
}

TEST_CASE("GDELT's names are codes, and back") {
  CHECK(gdelt::country_code("United States") == "US");
  CHECK(gdelt::country_code("Bosnia-Herzegovina") == "BA");
  CHECK(gdelt::country_code("South Korea") == "KR");
  CHECK(gdelt::country_code("Atlantis").empty());
  CHECK(gdelt::language_code("Norwegian") == "no");
  CHECK(gdelt::language_code("").empty());
  CHECK(gdelt::language_name("de-AT") == "german");
  CHECK(gdelt::language_name("tlh").empty());
  CHECK(gdelt::country_name("us") == "unitedstates");
}

TEST_CASE("GDELT's broken JSON is mended, and what is no list is an error") {
  const auto read = [](int status, std::string body, std::string type = "application/json") {
    return gdelt::read_search({search_for("x"), defaults,
                               test::answer_of(status, std::move(body), std::move(type)), "", ""});
  };
  const auto mended = test::listing_of(
      read(200,
           "{\"articles\":[{\"url\":\"https://a.example/1\",\"title\":\"It\\'s \\x a\ttab\","
           "\"seendate\":\"20261030T081500Z\",\"domain\":\"a.example\"}]}"));
  REQUIRE(mended.items.size() == 1);
  CHECK(common(mended.items[0]).title == "It's x a tab");
  CHECK(test::listing_of(read(200, " \n")).items.empty());
  CHECK(test::listing_of(read(200, "{}")).items.empty());
  CHECK(read(200, "{\"articles\":7}").error().code() == errc::source_error);
  CHECK(read(200, "[]").error().code() == errc::source_error);
  CHECK(read(200, "Invalid query").error().code() == errc::source_error);
  CHECK(read(200, "{\"articles\":[1e999]}").error().code() == errc::source_error);
  CHECK(read(503, "").error().code() == errc::source_unavailable);
  for (const int status : {200, 429}) {
    const auto refused =
        read(status, "Please limit requests to one every 5 seconds", "text/html").error();
    CHECK(refused.code() == errc::source_unavailable);
    // Longer than the pace: it is its search that is saturated, not we who were early.
    CHECK(refused.retry_after >= std::chrono::minutes{3});
  }
  CHECK(read(429, "<html>busy", "text/html").error().retry_after >= std::chrono::minutes{3});
}

TEST_CASE("The window slides to the oldest article of a full answer") {
  const auto body = [](const std::string& oldest) {
    std::string out = "{\"articles\":[";
    for (int i = 0; i < 250; ++i) {
      if (i > 0) out += ',';
      out += "{\"url\":\"https://a.example/" + std::to_string(i) +
             "\",\"title\":\"t\",\"seendate\":\"" + (i == 249 ? oldest : "20261030T120000Z") +
             "\"}";
    }
    return out + "]}";
  };
  auto what = search_for("x");
  what.limit = 100;
  const auto at = [&](const std::string& oldest, const std::string& position) {
    return test::listing_of(
        gdelt::read_search({what, defaults, test::answer_of(200, body(oldest)), position, ""}));
  };
  const auto first = at("20261029T000000Z", "");
  CHECK(first.items.size() == 100);
  CHECK(first.next == "20261101120000:100");
  const auto last = at("20261029T000000Z", "20261101120000:200");
  CHECK(last.items.size() == 50);
  CHECK(last.next == "20261029000000:0");
  const auto stuck = at("20261030T120000Z", "20261030120000:200");
  CHECK(stuck.next == "20261030115959:0");
  CHECK(stuck.warnings.size() == 1);
}

TEST_CASE("The sandbox of GDELT walks as the pipeline would") {
  test::sandbox box("gdelt");
  int pages = 0;
  const auto all = box.walk(rig.source(), search_for("climate"), defaults, pages);
  CHECK(pages == 2);
  CHECK(all.size() == 30);
  for (std::size_t i = 1; i < all.size(); ++i) {
    CHECK(*common(all[i - 1]).created_at >= *common(all[i]).created_at);
  }
  const auto gauge = box.walk(rig.source(), search_for("\"tide gauge\""), defaults, pages);
  REQUIRE(gauge.size() == 2);
  CHECK(common(gauge[0]).title == "Harbour board buys its third tide gauge, and a boat");
  const auto& how = rig.source().capabilities[0];
  CHECK(box.page(how, search_for("nothing"), defaults, "")->items.empty());
  CHECK(box.page(how, search_for("the"), defaults, "").error().code() == errc::source_error);
  CHECK(box.page(how, search_for("quota"), defaults, "").error().code() ==
        errc::source_unavailable);
}

}  // namespace freshet::sources::gdelt
