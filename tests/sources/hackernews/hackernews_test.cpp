// Hacker News: searches by time, threads as flat trees, and the sandbox to its end.
#include <base/time_text.hpp>
#include <catch2/catch.hpp>
#include <sources/hackernews/wire.hpp>
#include <sources/source_rig.hpp>

namespace freshet::sources::hackernews {

using namespace test::forum_calls;

namespace {

namespace hn = freshet::sources::hackernews;

const settings defaults{"https://hn.algolia.com", {}};
const test::source_rig rig("hackernews", defaults);

}  // namespace

TEST_CASE("A search of Hacker News says all that Algolia can keep") {
  auto what = search_for("climate \"tide gauge\" -bitcoin");
  const auto plain = hn::plan_search(what, defaults, "");
  REQUIRE(plain.has_value());
  CHECK(plain->url ==
        "https://hn.algolia.com/api/v1/search?query=climate%20%22tide%20gauge%22%20-bitcoin"
        "&tags=story&hitsPerPage=20&page=0&advancedSyntax=true&typoTolerance=false"
        "&queryType=prefixNone");
  what.since = sandbox_now - std::chrono::hours{24};
  const auto since = hn::plan_search(what, defaults, "");
  REQUIRE(since.has_value());
  CHECK(since->url.find("/api/v1/search_by_date?") != std::string::npos);
  CHECK(since->url.ends_with("&numericFilters=created_at_i%3E%3D1793448000"));
  what.since = *what.since + std::chrono::milliseconds{1};
  CHECK(hn::plan_search(what, defaults, "")->url.ends_with("1793448001"));
  const auto second = hn::plan_search(what, defaults, "2:50:1793500000");
  CHECK(second->url.find("hitsPerPage=50&page=2") != std::string::npos);
  CHECK(second->url.find("%2Ccreated_at_i%3C%3D1793500000") != std::string::npos);
  for (const auto* bad : {"x", "1", "1:", ":1", "1:2:", "1:0", "1:101", "-1:20", "1:20:x"}) {
    INFO(bad);
    const auto refused = hn::plan_search(what, defaults, bad);
    REQUIRE_FALSE(refused.has_value());
    CHECK(refused.error().code() == errc::invalid_cursor);
  }
}

TEST_CASE("Sections of Hacker News are communities, others are not found without a fetch") {
  auto what = search_for("climate");
  const auto tag = [&](const char* community) {
    what.community = community;
    const auto request = hn::plan_search(what, defaults, "");
    if (!request) {
      CHECK(request.error().code() == errc::not_found);
      return std::string();
    }
    return *base::query_parameter(base::parse_url(request->url)->query, "tags");
  };
  CHECK(tag("all") == "story");
  CHECK(tag("HackerNews") == "story");
  CHECK(tag("ask") == "ask_hn");
  CHECK(tag("show") == "show_hn");
  CHECK(tag("job") == "job");
  CHECK(tag("ask@news.ycombinator.com") == "ask_hn");
  CHECK(tag("coast").empty());
  CHECK(tag("ask@lemmy.world").empty());
}

TEST_CASE("A post of Hacker News is named by its id or its address") {
  const auto url_of = [](std::string id, std::string url) {
    auto what = comments_of(std::move(id));
    what.url = std::move(url);
    const auto request = hn::plan_comments(what, defaults, "");
    return request ? request->url : std::string(describe(request.error().code()).name);
  };
  CHECK(url_of("8863", "") == "https://hn.algolia.com/api/v1/items/8863");
  CHECK(url_of("", "https://news.ycombinator.com/item?id=8863#c") ==
        "https://hn.algolia.com/api/v1/items/8863");
  CHECK(url_of("", "https://news.ycombinator.com/user?id=8863") == "not_found");
  CHECK(url_of("", "https://lemmy.world/post/1") == "not_found");
  CHECK(url_of("12/../3", "") == "not_found");
  CHECK(url_of("-1", "") == "not_found");
}

TEST_CASE("Every recorded answer of Hacker News is read") {
  if (!rig.has_recordings()) return;
  int read = 0;
  for (const auto& path : rig.recordings()) {
    INFO(path.filename().string());
    if (test::is_unused("hackernews", test::endpoint_of(path))) continue;
    ++read;
    const auto answer = test::recorded(path);
    if (test::endpoint_of(path) == "error_400") {
      const auto failed = hn::read_search({search_for("x"), defaults, answer, "", ""});
      REQUIRE_FALSE(failed.has_value());
      CHECK(failed.error().code() == errc::source_error);
      CHECK(failed.error().source_text == "Invalid syntax for numeric condition");
      continue;
    }
    const bool tree = test::endpoint_of(path) == "items";
    auto what = tree ? comments_of("8828543") : search_for("x");
    what.limit = 100;
    const auto page = test::listing_of(tree ? hn::read_comments({what, defaults, answer, "", ""})
                                            : hn::read_search({what, defaults, answer, "", ""}));
    CHECK_FALSE(page.items.empty());
    test::check_honest(page, "hackernews");
    rig.read_broken(what, answer, {200, 7});
  }
  CHECK(read == 4);
}

TEST_CASE("A hit becomes a forum post without losing a field") {
  if (!rig.has_recordings()) return;
  const auto page = test::listing_of(
      hn::read_search({search_for("x"), defaults, rig.recording("search__1.json"), "", ""}));
  REQUIRE(page.items.size() == 4);
  CHECK(page.next.empty());
  const auto& one = std::get<forum_post>(page.items[0]);
  CHECK(one.id == "hackernews:8828543");
  CHECK(one.url == "https://news.ycombinator.com/item?id=8828543");
  CHECK(one.title == "Why aren’t we using SSH for everything?");
  CHECK(one.text.empty());
  CHECK(base::format_time(*one.created_at) == "2015-01-02T21:05:46Z");
  CHECK(one.author.id == "hackernews:dkua");
  CHECK(one.author.handle == "dkua");
  CHECK(one.author.url == "https://news.ycombinator.com/user?id=dkua");
  CHECK(one.metrics.score == 270);
  CHECK(one.metrics.comments == 103);
  CHECK_FALSE(one.metrics.upvote_ratio);
  CHECK(one.community == "hackernews");
  CHECK(one.link_url == "https://medium.com/@shazow/ssh-how-does-it-even-9e43586e4ffc");
  CHECK(one.sensitive == false);

  const auto front = test::listing_of(hn::read_search(
      {search_for("x"), defaults, rig.recording("search_front_page__1.json"), "", ""}));
  CHECK(front.items.size() == 20);
  CHECK(front.next == "1:20");
  CHECK(common(front.items[3]).tags == std::vector<std::string>{"front_page"});
}

TEST_CASE("A thread of Hacker News is flat, in pre-order, and comes in pages") {
  if (!rig.has_recordings()) return;
  auto what = comments_of("8828543");
  what.limit = 30;
  std::vector<comment> all;
  std::string position;
  int pages = 0;
  do {
    const auto page = test::listing_of(
        hn::read_comments({what, defaults, rig.recording("items__1.json"), position, ""}));
    for (const auto& one : page.items) all.push_back(std::get<comment>(one));
    position = page.next;
    REQUIRE(++pages < 9);
  } while (!position.empty());
  CHECK(pages == 4);
  REQUIRE(all.size() == 104);
  CHECK(all[0].id == "hackernews:8829186");
  CHECK(all[0].post_id == "hackernews:8828543");
  CHECK(all[0].links == std::vector<std::string>{"https://news.ycombinator.com/item?id=8252093"});
  CHECK(all[0].text.starts_with("Somewhat relevant: I think Mosh solves"));
  std::map<std::string, std::int64_t> depths;
  int roots = 0;
  for (const auto& one : all) {
    if (one.depth == 0) {
      ++roots;
      CHECK(one.parent_id.empty());
    } else {
      REQUIRE(depths.count(one.parent_id) == 1);
      CHECK(depths[one.parent_id] == one.depth - 1);
    }
    CHECK(depths.emplace(one.id, one.depth).second);
  }
  CHECK(roots == 25);
}

TEST_CASE("Siblings come in the order asked for, deleted leaves go, deleted parents stay") {
  const auto answer = test::answer_of(200, R"({"id":1,"story_id":1,"children":[
    {"id":2,"created_at_i":100,"author":"a","text":"old","children":[
      {"id":5,"created_at_i":400,"author":"b","text":"x &lt; y<p>z","children":[]}]},
    {"id":3,"created_at_i":300,"author":null,"text":null,"children":[]},
    {"id":4,"created_at_i":200,"author":null,"text":null,"children":[
      {"id":6,"created_at_i":500,"author":"c","text":"kept","children":[]}]}]})");
  const auto ids = [&](std::string order) {
    auto what = comments_of("1");
    what.sort = std::move(order);
    std::string out;
    for (const auto& one :
         test::listing_of(hn::read_comments({what, defaults, answer, "", ""})).items) {
      out += common(one).id.substr(11);
    }
    return out;
  };
  CHECK(ids("best") == "2546");
  CHECK(ids("new") == "4625");
  CHECK(ids("old") == "2546");
  const auto page =
      test::listing_of(hn::read_comments({comments_of("1"), defaults, answer, "", ""}));
  const auto& gone = std::get<comment>(page.items[2]);
  CHECK(gone.text.empty());
  CHECK(gone.author.handle.empty());
  CHECK(common(page.items[1]).text == "x < y\n\nz");
}

TEST_CASE("Behind Algolia's last hit the window of time moves on") {
  auto what = search_for("x");
  what.since = sandbox_now - std::chrono::hours{9000};
  const auto answer = test::answer_of(200, R"({"nbHits":5000,"nbPages":50,"page":49,"hits":[
               {"objectID":"1","created_at_i":1700000500,"title":"a","author":"b"},
               {"objectID":"2","created_at_i":1700000100,"title":"a","author":"b"}]})");
  CHECK(test::listing_of(hn::read_search({what, defaults, answer, "49:20", ""})).next ==
        "0:20:1700000100");
  CHECK(test::listing_of(hn::read_search({what, defaults, answer, "49:20:1700000100", ""}))
            .next.empty());
  what.since.reset();
  CHECK(test::listing_of(hn::read_search({what, defaults, answer, "49:20", ""})).next.empty());
}

TEST_CASE("Nesting as deep as JSON may be is read without recursion") {
  std::string body = R"({"id":1,"children":[)";
  for (int i = 2; i < 200; ++i)
    body += "{\"id\":" + std::to_string(i) + ",\"text\":\"t\",\"author\":\"a\",\"children\":[";
  for (int i = 2; i < 200; ++i) body += "]}";
  body += "]}";
  auto what = comments_of("1");
  what.limit = 1000;
  const auto page =
      test::listing_of(hn::read_comments({what, defaults, test::answer_of(200, body), "", ""}));
  REQUIRE(page.items.size() == 198);
  CHECK(std::get<comment>(page.items.back()).depth == 197);
}

TEST_CASE("A comment's number that is written as a text is a number") {
  const auto answer =
      test::answer_of(200, R"({"id":1,"children":[{"id":"0002","text":"a","children":[
      {"id":3,"text":"b"}]}]})");
  const auto page =
      test::listing_of(hn::read_comments({comments_of("1"), defaults, answer, "", ""}));
  REQUIRE(page.items.size() == 2);
  CHECK(common(page.items[0]).id == "hackernews:2");
  CHECK(std::get<comment>(page.items[1]).parent_id == "hackernews:2");
}

TEST_CASE("The sandbox of Hacker News walks as the pipeline would") {
  test::sandbox box("hackernews");
  int pages = 0;
  const auto all = box.walk(rig.source(), search_for("climate"), defaults, pages);
  CHECK(pages == 2);
  CHECK(all.size() == 25);
  for (const auto& one : all) CHECK(query::matches(test::query_of("climate"), one));
  CHECK(box.walk(rig.source(), search_for("\"tide gauge\""), defaults, pages).size() == 3);
  auto week = search_for("climate");
  week.since = sandbox_now - std::chrono::hours{168};
  const auto recent = box.walk(rig.source(), week, defaults, pages);
  CHECK(recent.size() > 3);
  for (const auto& one : recent) CHECK(*common(one).created_at >= *week.since);
  const auto thread = box.walk(rig.source(), comments_of("9000003"), defaults, pages);
  CHECK(pages == 1);
  CHECK(thread.size() == 20);
  const auto& how = rig.source().capabilities[1];
  CHECK(box.page(how, comments_of("9404404"), defaults, "").error().code() == errc::not_found);
  const auto quota = box.page(rig.source().capabilities[0], search_for("quota"), defaults, "");
  CHECK(quota.error().code() == errc::source_unavailable);
  CHECK(quota.error().retry_after == std::chrono::seconds{30});
}

}  // namespace freshet::sources::hackernews
