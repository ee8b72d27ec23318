// The addresses of a site, walked as the engine would, over sites that stand in memory.
#include <algorithm>
#include <base/url.hpp>
#include <catch2/catch.hpp>
#include <map>
#include <set>
#include <sources/source.hpp>
#include <sources/source_rig.hpp>
#include <sources/web/page_links.hpp>
#include <support/gzip.hpp>
#include <support/sanitized.hpp>

namespace freshet::sources::web {
namespace {

const test::source_rig web_rig("web");
using texts = std::vector<std::string>;

const capability& mapping() { return web_rig.capability_for(catalog::operation::scrape_map); }

/// What answers at each address; 404 elsewhere.
struct small_site {
  std::map<std::string, std::string> pages;
  std::map<std::string, errc> lost;  ///< what does not answer at all
  std::map<std::string, int> statuses;
  std::map<std::string, std::string> labels;  ///< Content-Type, where it is an odd one
  std::vector<std::string> asked;
  std::uint64_t work = 0;  ///< steps of the reading so far

  /// Reads one page of ours to its end.
  result<listing> read(const call& call, std::string_view position) {
    auto request = mapping().plan(call, {}, position);
    if (!request) return request.error();
    std::string state;
    for (int follows = 0; follows <= mapping().max_follows; ++follows) {
      const auto got = answer_to(request->url);
      asked.push_back(request->url);
      base::meter counted;
      const auto why = got ? error(errc::internal) : got.error();
      if (!got && state.empty()) return why;
      const http::response none;
      auto read = mapping().read(
          {call, {}, got ? *got : none, position, state, &counted, got ? nullptr : &why});
      work += counted.spent();
      if (!read) return read.error();
      if (auto* page = std::get_if<listing>(&*read)) return std::move(*page);
      auto& next = std::get<follow>(*read);
      request = std::move(next.request);
      state = std::move(next.state);
    }
    return error(errc::internal, "too many follows");
  }

 private:
  [[nodiscard]] result<http::response> answer_to(const std::string& address) const {
    if (const auto found = lost.find(address); found != lost.end()) return error(found->second);
    const auto found = pages.find(address);
    const auto status = statuses.find(address);
    if (found == pages.end()) return test::answer_of(404, "no such page", "text/plain");
    const bool html = found->second.starts_with("<!doctype") || found->second.starts_with("<html");
    const auto label = labels.find(address);
    auto answer = test::answer_of(status == statuses.end() ? 200 : status->second, found->second,
                                  label != labels.end() ? label->second
                                  : html                ? "text/html"
                                                        : "application/octet-stream");
    answer.final_url = address;
    return answer;
  }
};

call map_of(std::string url, int limit = 1000) {
  call what;
  what.op = catalog::operation::scrape_map;
  what.url = std::move(url);
  what.limit = limit;
  what.crawler = "Freshet";
  return what;
}

texts urls_of(const listing& page) {
  texts out;
  for (const auto& one : page.items) out.push_back(common(one).url);
  return out;
}

/// The addresses of a whole walk.
texts walk(small_site& site, const call& call, int most_pages = 1000) {
  texts out;
  std::string position;
  for (int pages = 0; pages < most_pages; ++pages) {
    const auto page = site.read(call, position);
    REQUIRE(page);
    CHECK(page->items.size() <= static_cast<std::size_t>(call.limit));
    for (auto& url : urls_of(*page)) out.push_back(std::move(url));
    CHECK(page->next.size() <= max_position_size);
    if (page->next.empty() || page->next == position) return out;
    position = page->next;
  }
  FAIL("the walk does not end");
  return out;
}

std::string urlset(const texts& addresses) {
  std::string out = "<?xml version='1.0'?><urlset>";
  for (const auto& one : addresses) out += "<url><loc>" + one + "</loc></url>\n";
  return out + "</urlset>";
}

std::string index_of(const texts& sitemaps) {
  std::string out = "<?xml version='1.0'?><sitemapindex>";
  for (const auto& one : sitemaps) out += "<sitemap><loc>" + one + "</loc></sitemap>\n";
  return out + "</sitemapindex>";
}

}  // namespace

TEST_CASE("map: the links of the page, then the sitemaps that robots.txt names") {
  small_site site;
  site.pages = {
      {"https://www.a.example/start",
       "<!doctype html><title>Start</title><link rel='sitemap' href='/more.xml'>"
       "<a href='/one#part'>The <b>first</b></a><a href='/one'>again</a><a href='two?utm_source=x'>"
       "</a><a href='https://blog.a.example/'>Blog</a><a href='https://b.example/'>No</a>"
       "<a href='mailto:a@a.example'>No</a><a href='https://nota.example/'>No</a>"},
      {"https://www.a.example/robots.txt",
       "User-agent: *\nDisallow: /private\nSitemap: https://www.a.example/s.xml\nsitemap: /s2.txt"
       " # plain\n"},
      {"https://www.a.example/more.xml", urlset({"https://a.example/five"})},
      {"https://www.a.example/s.xml",
       urlset({"https://www.a.example/one", "/three", "https://www.a.example/private/x",
               "https://elsewhere.example/y"})},
      {"https://www.a.example/s2.txt",
       "https://www.a.example/four\nhttps://www.a.example/three\n"}};
  const auto page = site.read(map_of("https://www.a.example/start"), "");
  REQUIRE(page);
  CHECK(urls_of(*page) == texts{"https://www.a.example/start", "https://www.a.example/one",
                                "https://www.a.example/two", "https://blog.a.example/",
                                "https://a.example/five", "https://www.a.example/three",
                                "https://www.a.example/four", "https://www.a.example/three"});
  CHECK(page->next.empty());
  CHECK(page->warnings.empty());
  CHECK_FALSE(page->partial);
  const auto& first = std::get<site_address>(page->items[1]);
  CHECK(first.title == "The first");
  CHECK(first.found_in == "page");
  CHECK(first.found_at == "https://www.a.example/start");
  CHECK(first.id == "web:https://www.a.example/one");
  CHECK(std::get<site_address>(page->items[0]).title == "Start");
  const auto& listed = std::get<site_address>(page->items[5]);
  CHECK(listed.found_in == "sitemap");
  CHECK(listed.found_at == "https://www.a.example/s.xml");
  auto bold = map_of("https://www.a.example/start");
  bold.respect_robots = false;
  const auto whole = urls_of(*site.read(bold, ""));
  CHECK(std::ranges::count(whole, "https://www.a.example/private/x") == 1);
}

TEST_CASE("map: an index of many packed files is walked to its end, each once") {
  small_site site;
  texts sitemaps, all;
  for (int i = 0; i < test::cases(25, 25, 5); ++i) {
    texts part;
    for (int k = 0; k < 2000; ++k) {
      part.push_back("https://a.example/page/" + std::to_string(i) + "-" + std::to_string(k));
    }
    all.insert(all.end(), part.begin(), part.end());
    sitemaps.push_back("https://a.example/part-" + std::to_string(i) + ".xml.gz");
    site.pages[sitemaps.back()] = test::gzipped(urlset(part));
  }
  site.pages["https://a.example/"] = "<!doctype html><title>A</title>";
  site.pages["https://a.example/sitemap.xml"] = test::gzipped(index_of(sitemaps));
  all.insert(all.begin(), "https://a.example/");
  CHECK(walk(site, map_of("https://a.example/")) == all);
  // The same by pages that fit no sitemap.
  if (!test::tries_few) CHECK(walk(site, map_of("https://a.example/", 777)) == all);
}

TEST_CASE("map: circles end, and nothing is fetched twice for one page") {
  small_site site;
  const std::string at = "https://a.example/";
  site.pages = {{at, "<!doctype html><title>A</title>"},
                {at + "robots.txt", "Sitemap: https://a.example/a.xml\nSitemap: /b.xml\n"},
                {at + "a.xml", index_of({at + "b.xml", at + "c.xml", at + "a.xml", at + "c.xml"})},
                {at + "b.xml", index_of({at + "a.xml", at + "d.xml"})},
                {at + "c.xml", index_of({at + "c.xml", at + "a.xml", at + "e.xml"})},
                {at + "d.xml", urlset({at + "1"})},
                {at + "e.xml", index_of({at + "deep.xml"})},
                {at + "deep.xml", urlset({at + "2"})}};
  const auto page = site.read(map_of(at), "");
  REQUIRE(page);
  CHECK(urls_of(*page) == texts{at, at + "1"});
  CHECK(page->next.empty());
  CHECK(page->partial);  // what lies deeper than sitemaps may is told of
  CHECK(page->warnings.size() == 1);
  CHECK(std::set(site.asked.begin(), site.asked.end()).size() == site.asked.size());
  CHECK(std::ranges::count(site.asked, at + "deep.xml") == 0);
}

TEST_CASE("map: a bomb is cut, and so is an endless index") {
  small_site site;
  const std::string at = "https://a.example/";
  site.pages[at] = "<!doctype html><title>A</title>";
  site.pages[at + "sitemap.xml"] =
      test::gzipped(urlset({at + "1"}) + std::string(60u << 20, ' ') + urlset({at + "2"}));
  const auto page = site.read(map_of(at), "");
  REQUIRE(page);
  CHECK(urls_of(*page) == texts{at, at + "1"});
  CHECK(page->warnings.size() == 1);
  texts many;
  for (int i = 0; i < 60'000; ++i) many.push_back(at + "s" + std::to_string(i) + ".xml");
  site.pages[at + "sitemap.xml"] = index_of(many);
  const auto first = site.read(map_of(at), "");
  REQUIRE(first);
  CHECK(first->partial);
  CHECK(first->warnings.size() == 6);
  CHECK(first->next == "1.0.7.0.0");
  const auto last = site.read(map_of(at), "1.0.49999.0.0");
  REQUIRE(last);
  CHECK(last->next.empty());
}

TEST_CASE("map: of an index and of a sitemap no more is read than the page needs") {
  small_site site;
  const std::string at = "https://a.example/";
  const auto work_of = [&](std::string_view position) {
    site.work = 0;
    auto what = map_of(at, 10);
    REQUIRE(site.read(what, position));
    return site.work;
  };
  texts many;
  for (int i = 0; i < 20'000; ++i) many.push_back(at + "s" + std::to_string(i) + ".xml");
  site.pages[at] = "<!doctype html><title>A</title>";
  site.pages[at + "sitemap.xml"] = index_of(many);
  const auto whole = site.pages[at + "sitemap.xml"].size();
  CHECK(work_of("") < whole / 4);
  site.pages[at + "sitemap.xml"] = urlset(many);
  CHECK(work_of("") < whole / 4);
  CHECK(site.read(map_of(at, 10), "1.0.0.0.19995")->items.size() == 5);
}

TEST_CASE("map: an index counts odd addresses, and those that are there twice once") {
  small_site site;
  const std::string at = "https://a.example/";
  texts listed, all{at};
  site.pages[at] = "<!doctype html><title>A</title>";
  for (int i = 0; i < 30; ++i) {
    const auto name = at + std::to_string(i);
    site.pages[name + ".xml"] = urlset({name});
    listed.insert(listed.end(), {name + ".xml", "mailto:a@a.example", at + "3.xml", name + ".xml"});
    all.push_back(name);
  }
  site.pages[at + "sitemap.xml"] = index_of(listed);
  auto walked = walk(site, map_of(at));
  std::ranges::sort(walked);
  std::ranges::sort(all);
  CHECK(walked == all);
  CHECK(std::ranges::count(site.asked, at + "3.xml") == 1);
}

TEST_CASE("map: q looks into titles and addresses, and fills the page") {
  small_site site;
  const std::string at = "https://a.example/";
  site.pages[at] = "<!doctype html><title>A</title><a href='/x'>Tide gauges of Brest</a>";
  texts all;
  for (int i = 0; i < 500; ++i) all.push_back(at + "other/" + std::to_string(i));
  all.push_back(at + "harbours/tide-gauges_of%20Brest?lang=de");
  all.push_back(at + "tide/gauges/toy/brest");
  site.pages[at + "sitemap.xml"] = urlset(all);
  auto what = map_of(at, 20);
  what.q = test::query_of("\"tide gauges\" brest -toy");
  const auto page = site.read(what, "");
  REQUIRE(page);
  CHECK(urls_of(*page) == texts{at + "x", all[500]});
  CHECK(common(page->items[1]).text.empty());
}

TEST_CASE("map: what cannot be read is told of; the page itself must be there") {
  small_site site;
  const std::string at = "https://a.example/";
  CHECK(site.read(map_of(at), "").error().code() == errc::not_found);
  site.pages[at] = "<!doctype html><title>A</title>";
  auto alone = site.read(map_of(at), "");
  REQUIRE(alone);
  CHECK(urls_of(*alone) == texts{at});
  CHECK(alone->warnings.empty());  // a sitemap that was only guessed need not be there
  site.pages[at + "robots.txt"] =
      "Sitemap: /gone.xml\nSitemap: /lost.xml\nSitemap: http://10.0.0.1/x.xml\nSitemap: /page\n"
      "Sitemap: ftp://a.example/x\nSitemap: /good.xml\n";
  site.lost[at + "lost.xml"] = errc::source_unavailable;
  site.lost["http://10.0.0.1/x.xml"] = errc::target_forbidden;
  site.pages[at + "page"] = "<!doctype html><p>No sitemap";
  site.pages[at + "good.xml"] = urlset({at + "1"});
  const auto page = site.read(map_of(at), "");
  REQUIRE(page);
  CHECK(urls_of(*page) == texts{at, at + "1"});
  CHECK(page->partial);
  REQUIRE(page->warnings.size() == 4);
  CHECK(page->warnings[0].find("status 404") != std::string::npos);
  CHECK(page->warnings[1].find("source_unavailable") != std::string::npos);
  CHECK(page->warnings[2].find("target_forbidden") != std::string::npos);
  site.lost[at + "robots.txt"] = errc::source_timeout;
  CHECK(site.read(map_of(at), "")->partial);
  site.lost[at] = errc::robots_disallowed;
  CHECK(site.read(map_of(at), "").error().code() == errc::robots_disallowed);
}

TEST_CASE("map: a sitemap that breaks off, and a server that fails, are told of") {
  small_site site;
  const std::string at = "https://a.example/";
  site.pages[at] = "<!doctype html><title>A</title>";
  const auto whole = urlset({at + "1", at + "2"});
  for (const auto& kept :
       {whole.substr(0, whole.size() - 40), index_of({at + "s.xml"}).substr(0, 90)}) {
    CAPTURE(kept);
    site.pages[at + "sitemap.xml"] = kept;
    const auto page = site.read(map_of(at), "");
    REQUIRE(page);
    CHECK(page->partial);
    REQUIRE(page->warnings.size() >= 1);
    CHECK(page->warnings[0].find("breaks off") != std::string::npos);
  }
  for (const auto& kept : {whole, std::string("<urlset/>"), at + "1\n" + at + "2"}) {
    site.pages[at + "sitemap.xml"] = kept;
    CHECK_FALSE(site.read(map_of(at), "")->partial);
  }
  site.statuses[at + "sitemap.xml"] = 500;
  CHECK(site.read(map_of(at), "")->partial);
}

TEST_CASE("map: a robots.txt that is labelled as HTML is read, a page in its place is not") {
  small_site site;
  const std::string at = "https://a.example/";
  site.pages[at] = "<!doctype html><title>A</title>";
  site.pages[at + "s.xml"] = urlset({at + "1", at + "hidden/2"});
  site.pages[at + "robots.txt"] = "User-agent: *\nDisallow: /hidden\nSitemap: /s.xml";
  site.labels[at + "robots.txt"] = "text/html";
  CHECK(urls_of(*site.read(map_of(at), "")) == texts{at, at + "1"});
  site.pages[at + "robots.txt"] = "\n<html>\nUser-agent: *\nDisallow: /\n";
  CHECK(urls_of(*site.read(map_of(at), "")) == texts{at});
}

TEST_CASE("map: a sitemap itself can be named") {
  small_site site;
  const std::string at = "https://a.example/";
  site.pages[at + "robots.txt"] = "Sitemap: /other.xml\nUser-agent: freshet\nDisallow: /2\n";
  site.pages[at + "my.xml"] = urlset({at + "1", at + "2"});
  site.pages[at + "other.xml"] = urlset({at + "3"});
  CHECK(walk(site, map_of(at + "my.xml")) == texts{at + "1"});
}

TEST_CASE("map: positions that nobody gave are refused") {
  for (const auto* wrong : {"x", "1.2", "2.0.0.0.0", "1.0.0.0.0.0", "-1.0.0.0.0"}) {
    INFO(wrong);
    CHECK(test::code_of(mapping().plan(map_of("https://a.example/"), {}, wrong)) ==
          errc::invalid_cursor);
  }
  const auto later = mapping().plan(map_of("https://a.example/"), {}, "1.0.3.0.40");
  REQUIRE(later);
  CHECK(later->max_age == std::chrono::hours{1});
  CHECK(later->obey_robots);
}

TEST_CASE("map: what is of a site") {
  const site_of_page site("https://www.a.example/x");
  CHECK(site.address_of("http://a.example/y") == "http://a.example/y");
  CHECK(site.address_of("https://deep.er.a.example/").starts_with("https://deep"));
  for (const auto* other :
       {"https://b.a.example.org/", "https://ba.example/", "https://a.example:8443/",
        "ftp://a.example/", "/x", "", "https://example/"}) {
    INFO(other);
    CHECK(site.address_of(other).empty());
  }
  CHECK(site.address_of("https://a.example@www.a.example/y") == "https://www.a.example/y");
  CHECK(site.address_of("https://u:p@a.example/y") == "https://a.example/y");
  const site_of_page numbers("http://127.0.0.1:80/");
  CHECK(numbers.address_of("http://127.0.0.1/x") == "http://127.0.0.1/x");
  CHECK(numbers.address_of("http://127.0.0.1:8080/x").empty());
  CHECK(words_of_address("https://a.example/Tide%2Dgauges_x.html?q=a+b") ==
        " Tide gauges x html q a b");
}

TEST_CASE("map: the queries of a page's links are in its charset") {
  http::response page;
  page.status = 200;
  page.headers = {{"Content-Type", "text/html; charset=windows-1251"}};
  page.body = "<a href='/s?q=\xEC\xE8\xF0'>x</a>";
  const auto links = links_of_page(page, "https://a.example/", nullptr);
  REQUIRE(links.addresses.size() == 2);
  CHECK(links.addresses.back().url == "https://a.example/s?q=%EC%E8%F0");
}

TEST_CASE("map: what a page names is as long and as often as that of sites is") {
  http::response page;
  page.status = 200;
  const std::string address = "https://a.example/";
  page.body = "<base href='/" + std::string(500'000, 'x') + "/'>";
  for (int i = 0; i < 300; ++i) {
    page.body += "<link rel=sitemap href=s" + std::to_string(i) + "><a href=l>x</a>";
  }
  base::meter counted;
  const auto links = links_of_page(page, address, &counted);
  CHECK(links.sitemaps.size() == max_named_sitemaps);
  CHECK(links.sitemaps.front() == "https://a.example/s0");
  CHECK(links.addresses.size() == 2);
  // The page's own address may be long, too: what it costs to go on from there is counted.
  base::meter far;
  const auto deep = address + std::string(7'000, 'y') + "/";
  page.body.erase(0, page.body.find('>') + 1);
  CHECK(links_of_page(page, deep, &far).sitemaps.empty());
  CHECK(far.spent() > counted.spent() + std::uint64_t{300} * 7'000 / 16);
}

}  // namespace freshet::sources::web
