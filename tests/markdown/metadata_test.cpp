#include <base/time_text.hpp>
#include <catch2/catch.hpp>
#include <markdown/metadata.hpp>
#include <string>

using namespace freshet;

namespace {

std::vector<std::string> names(const markdown::metadata& of) {
  std::vector<std::string> out;
  for (const auto& one : of.authors) out.push_back(one.display_name);
  return out;
}

using list = std::vector<std::string>;

markdown::metadata read(std::string_view head, std::string_view body = "",
                        std::string_view address = "https://example.org/a/b") {
  std::string page("<html lang=en_GB><head>");
  page.append(head).append("</head><body>").append(body).append("</body></html>");
  const auto parsed = html::parse(page);
  const markdown::page_tree tree(parsed);
  return markdown::read_metadata(tree, markdown::base_of(parsed, address));
}

}  // namespace

TEST_CASE("linked data is believed before most else") {
  const auto found = read(
      R"(<title>Tides rise - The Harbour</title><meta property="og:description" content="Other">
      <meta name=author content=Other><meta property="og:site_name" content="The Harbour">
      <script type="application/ld+json">{"@context": "https://schema.org", "@graph": [
        {"@type": "WebPage", "name": "the page"},
        {"@type": ["NewsArticle"], "headline": "Tides rise &amp; fall", "description": "Of water.",
         "author": [{"@type": "Person", "name": "Ada Byron", "url": "/ada"}, {"name": "Bo"}],
         "publisher": {"name": "Harbour Ltd"}, "image": [{"url": "/tide.jpg"}],
         "datePublished": "2026-03-01T08:00:00+01:00", "keywords": "sea, tide,sea"}]}</script>)");
  CHECK(found.title == "Tides rise & fall");
  CHECK(found.description == "Of water.");
  CHECK(names(found) == list{"Ada Byron", "Bo"});
  CHECK(found.authors.at(0).url == "https://example.org/ada");
  CHECK(found.authors.at(1).url.empty());
  CHECK(found.site_name == "The Harbour");
  CHECK(found.image_url == "https://example.org/tide.jpg");
  CHECK(found.published == base::parse_time("2026-03-01T07:00:00Z"));
  CHECK(found.tags == std::vector<std::string>{"sea", "tide"});
  CHECK(found.lang == "en-GB");
}

TEST_CASE("a headline that describes gives way to the name in the title") {
  const auto found = read(
      R"(<title>Hermitian matrix - Encyclopedia</title><script type="application/ld+json">
      {"@type": "Article", "name": "Hermitian matrix", "headline": "equal to its transpose"}
      </script>)");
  CHECK(found.title == "Hermitian matrix");
}

TEST_CASE("a thread was published when its first post was made") {
  const auto found =
      read("", R"(<h1>T</h1><time itemprop=dateCreated datetime="2026-03-05T08:00:00Z">March</time>
      <p itemprop=comment><time itemprop=datePublished>2026-03-09T08:00:00Z</time>)");
  CHECK(found.published == base::parse_time("2026-03-05T08:00:00Z"));
}

TEST_CASE("a thread of phpBB was published when its first post says so") {
  const auto found = read("", R"(<h1>LEDs off</h1><div class=post><dl class=postprofile>
      <dt>ada7</dt><dd class=profile-joined><strong>Joined:</strong> Sun Dec 17, 2023 11:18 am</dd>
      </dl><div class=postbody><div><h3><a>LEDs off</a></h3>
      <p class=author><a>Mon Dec 18, 2023 11:23 am</a></p>
      <div class=content>I have had a new board since 1 May 2020 and want them off.</div></div></div>
      </div>)");
  CHECK(found.published == base::parse_time("2023-12-18T00:00:00Z"));
}

TEST_CASE("a moment is read where sites have it in their own ways") {
  const auto published = [](std::string_view head, std::string_view body = "") {
    const auto found = read(head, body).published;
    return found ? base::format_time(*found) : std::string();
  };
  CHECK(published("<meta name=Publish_Date content=02.03.2026>") == "2026-03-02T00:00:00Z");
  CHECK(published("<meta http-equiv=date content=2026-03-01><meta http-equiv=last-modified "
                  "content=2026-03-09>") == "2026-03-01T00:00:00Z");
  CHECK(published("<meta http-equiv=last-modified content='Sun, 01 Mar 2026 08:00:00 GMT'>") ==
        "2026-03-01T08:00:00Z");
  // OpenGraph means it; a template may have left the other.
  CHECK(published("<meta name=date content=01/07/16><meta property=og:published_time "
                  "content=2026-03-01>") == "2026-03-01T00:00:00Z");
  const auto* const blog =
      "<h1>T</h1><p>x</p><a href=/p><abbr %s title=2026-03-01T09:30:00Z>"
      "9:30 AM</abbr></a>";
  for (const std::string mark : {"class=published", "class=published itemprop=datePublished"}) {
    INFO(mark);
    std::string body = blog;
    CHECK(published("", body.replace(body.find("%s"), 2, mark)) == "2026-03-01T09:30:00Z");
  }
  CHECK(published("",
                  "<time class=updated datetime=2026-03-09></time>"
                  "<time class=entry-date datetime=2026-03-01></time>") == "2026-03-01T00:00:00Z");
  // Themes name the day of publication so, too.
  CHECK(published("",
                  "<time class='entry-date updated' datetime=2026-03-01></time>"
                  "<time datetime=2026-03-09></time>") == "2026-03-01T00:00:00Z");
  CHECK(published("", "<time class=updated datetime='3 марта 2026'></time>") ==
        "2026-03-03T00:00:00Z");
}

TEST_CASE("days of readers and of teasers are not that of the page") {
  const auto day = [](std::string_view head, std::string_view body) {
    return read(head, body).published;
  };
  const auto march_5 = base::parse_time("2026-03-05");
  const std::string remark = "<div id=comments><time datetime=2026-03-09>x</time></div>";
  CHECK(day("", remark + "<h1>T</h1><p>Tides.<p>Published on 5 March 2026") == march_5);
  CHECK(day("", remark) == base::parse_time("2026-03-09"));
  CHECK(day("", "<time datetime=2026-03-05>x</time>" + remark) == march_5);
  const std::string meta = "<meta name=date content=2026-03-05>";
  const std::string first = "<i itemprop=datePublished content=2026-03-01></i>";
  const std::string second = "<i itemprop=datePublished content=2026-03-02></i>";
  CHECK(day(meta, first + second) == march_5);
  CHECK(day(meta, first + first) == base::parse_time("2026-03-01"));
}

TEST_CASE("a byline and a day may stand around a lower heading that says the title") {
  const auto found =
      read("<title>The tides rise - Harbour</title>",
           "<h3>Search</h3><p>x<h2>The tides rise</h2><p>By Ada Byron, 5 March 2026");
  CHECK(found.title == "The tides rise");
  CHECK(found.title_place == "heading");
  CHECK(names(found) == list{"Ada Byron"});
  CHECK(found.published == base::parse_time("2026-03-05"));
}

TEST_CASE("what says that it is an article has its heading as its title") {
  const std::string title = "<title>Beginner tide tables: check out my favourites</title>";
  const std::string body = "<h1>Seven tide tables for a beginner</h1>";
  CHECK(read(title, body).title == "Beginner tide tables: check out my favourites");
  for (const auto* said :
       {"<meta property=og:type content=Article>",
        "<script type=application/ld+json>{\"@type\":\"BlogPosting\"}</script>"}) {
    CHECK(read(said + title, body).title == "Seven tide tables for a beginner");
  }
}

TEST_CASE("broken or endless linked data does no harm") {
  CHECK(read("<title>T</title><script type='application/ld+json'>{\"@type\": </script>").title ==
        "T");
  std::string nested;
  for (int i = 0; i < 5000; ++i) nested += "{\"@graph\":[";
  CHECK(read("<title>T</title><script type='application/ld+json'>" + nested + "</script>").title ==
        "T");
}

TEST_CASE("OpenGraph and meta elements") {
  const auto found = read(
      R"(<base href="/deep/"><meta property="og:title" content="Tides">
      <meta name="Description" content=" Of
        water. "><meta property="og:image" content="i.png">
      <meta property="article:published_time" content="2026-03-01"><meta name=byl content="By Ada">
      <meta property="article:tag" content="#sea"><meta property="og:url" content="/canonical">)");
  CHECK(found.title == "Tides");
  CHECK(found.description == "Of water.");
  CHECK(found.image_url == "https://example.org/deep/i.png");
  CHECK(names(found) == list{"Ada"});
  CHECK(found.published == base::parse_time("2026-03-01T00:00:00Z"));
  CHECK(found.tags == std::vector<std::string>{"sea"});
  CHECK(found.canonical_url == "https://example.org/canonical");
}

TEST_CASE("microdata, also of a person inside an article") {
  const auto found = read("<title>x</title>", R"(
      <article itemscope itemtype="https://schema.org/Article"><h1 itemprop=headline>Tides</h1>
      <div itemprop=author itemscope><a href=/a><span itemprop=name>Ada</span></a>, editor</div>
      <time itemprop=datePublished datetime="2026-03-01T00:00:00Z">Sunday</time></article>)");
  CHECK(found.title == "Tides");
  CHECK(names(found) == list{"Ada"});
  CHECK(found.published == base::parse_time("2026-03-01T00:00:00Z"));
}

TEST_CASE("what stands on the page, where nothing is said for machines") {
  const auto found = read("<title>Tides rise | Site</title>",
                          "<h1>Tides rise</h1><p class='post byline'>By Ada Byron,</p>",
                          "https://example.org/2026/03/01/tides.html");
  CHECK(found.title == "Tides rise");
  CHECK(names(found) == list{"Ada Byron"});
  CHECK(found.published == base::parse_time("2026-03-01T00:00:00Z"));
  CHECK(read("", "<h1>Only a heading</h1>").title == "Only a heading");
  CHECK_FALSE(read("", "", "https://example.org/9999/99/99/x").published);
}

TEST_CASE("addresses and essays are no names") {
  CHECK(read("<meta property='article:author' content='https://example.org/ada'>").authors.empty());
  CHECK(read("", "<p class=byline>" + std::string(200, 'x') + "</p>").authors.empty());
  CHECK(read("<meta property='og:site_name' content='http://example.org'>").site_name.empty());
}

TEST_CASE("only the first base counts, and only if it leads to the web") {
  const auto base = [](std::string_view head) {
    return markdown::base_of(html::parse(head), "https://example.org/a/")->text();
  };
  CHECK(base("<base target=_top><base href='/b/'><base href='/c/'>") == "https://example.org/b/");
  CHECK(base("<base href='data:text/html,x'>") == "https://example.org/a/");
  CHECK(base("<base href='/" + std::string(markdown::max_base_bytes, 'x') + "'>") ==
        "https://example.org/a/");
}
