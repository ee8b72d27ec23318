// Lemmy: communities and posts here and elsewhere, both versions of its API, threads in pages.
#include <base/time_text.hpp>
#include <catch2/catch.hpp>
#include <sources/lemmy/wire.hpp>
#include <sources/source_rig.hpp>

namespace freshet::sources::lemmy {

using namespace test::forum_calls;

namespace {

const settings defaults{"https://lemmy.world", {}};
const settings startrek{"https://startrek.website", {}};
const test::source_rig rig("lemmy", defaults);

}  // namespace

namespace {

/// What is asked once the instance has said its version.
std::string asked_of(std::string_view version, const call& call) {
  const auto site = test::answer_of(200, "{\"version\":\"" + std::string(version) + "\"}");
  const auto got = rig.read(call, site);
  REQUIRE(got);
  const auto* further = std::get_if<follow>(&*got);
  REQUIRE(further != nullptr);
  return further->request.url;
}
std::string asked_of(const call& what) { return asked_of("0.19.12", what); }

}  // namespace

TEST_CASE(
    "A search of Lemmy sends words only, and the community as its "
    "instance names it") {
  auto what = search_for("climate \"tide gauge\" -fish");
  CHECK(asked_of(what) ==
        "https://lemmy.world/api/v3/search?q=climate%20tide%20gauge&type_=Posts"
        "&listing_type=All&sort=New&page=1&limit=20");
  what.community = "coast";
  CHECK(asked_of(what).find("&community_name=coast&") != std::string::npos);
  what.community = "coast@lemmy.world";
  CHECK(asked_of(what).find("&community_name=coast&") != std::string::npos);
  what.community = "coast@beehaw.org";
  CHECK(asked_of(what).find("&community_name=coast%40beehaw.org&") != std::string::npos);
  what.community = "all";
  what.limit = 100;
  CHECK(rig.planned(what, "3:25").ends_with("&sort=New&page=3&limit=25"));
  CHECK(asked_of(what).ends_with("&page=1&limit=50"));
  what.q = {};
  CHECK(asked_of(what) ==
        "https://lemmy.world/api/v3/post/"
        "list?type_=All&sort=New&page=1&limit=50");
  for (const auto* bad :
       {"x", "1", "0:20", "1:51", "1:0", "1:20x", "999:20", "v4:", "v4:a b", "v4:a/b"}) {
    INFO(bad);
    CHECK(rig.planned(what, bad) == "invalid_cursor");
  }
}

TEST_CASE("An instance of Lemmy 1.0 is searched by its own interface") {
  auto what = search_for("climate \"tide gauge\" -fish");
  // Its version is asked for, and remembered.
  CHECK(rig.planned(what) == "https://lemmy.world/api/v3/site");
  CHECK(rig.plan(what)->max_age >= std::chrono::hours{1});
  for (const auto* version : {"1.0.0-beta.1", "1.0.0", "2.3"}) {
    CHECK(asked_of(version, what) ==
          "https://lemmy.world/api/v4/post/"
          "list?search_term=climate%20tide%20gauge&type_=all"
          "&sort=new&limit=20");
  }
  for (const auto* version : {"0.17.4", "0.19.12", "BE", ""}) {
    CHECK(asked_of(version, what).find("/api/v3/search?") != std::string::npos);
  }
  what.community = "coast";
  CHECK(asked_of("1.0.0", what).find("&community_name=coast&") != std::string::npos);
  CHECK(rig.planned(what, "v4:Ab_-9").ends_with("&page_cursor=Ab_-9&limit=20"));
  CHECK(rig.read(what, test::answer_of(502, "", "text/plain")).error().code() ==
        errc::source_unavailable);

  const auto answer = test::answer_of(200, R"({"items":[{"post":{"id":9,"name":"Tide","body":"b",
    "published_at":"2026-10-30T10:00:00.123456Z","updated_at":"2026-10-30T11:00:00Z","ap_id":"https://lemmy.world/post/9",
    "language_id":37,"score":5,"upvotes":6,"downvotes":2,"comments":3,"nsfw":false},
    "creator":{"id":4,"name":"elm","ap_id":"https://b.example/u/elm"},
    "community":{"id":8,"name":"coast","local":true,"ap_id":"https://lemmy.world/c/coast"}},
    {"post":{"id":10,"name":"Elsewhere","ap_id":"https://lemmy.world/post/10",
    "published_at":"2026-10-30T09:00:00Z"},"creator":{"id":4,"name":"elm"},
    "community":{"id":9,"name":"coast","local":false,"ap_id":"https://b.example/c/coast"}}],
    "next_page":"Ab_-9","prev_page":"x"})");
  for (const auto& [position, state] : {std::pair{"", "v4"}, std::pair{"v4:Zz", ""}}) {
    const auto page = test::listing_of(rig.read(what, answer, position, state));
    CHECK(page.next == "v4:Ab_-9");
    REQUIRE(page.items.size() == 1);
    const auto& one = std::get<forum_post>(page.items[0]);
    CHECK(base::format_time(*one.created_at) == "2026-10-30T10:00:00.123Z");
    REQUIRE(one.edited_at);
    CHECK(base::format_time(*one.edited_at) == "2026-10-30T11:00:00Z");
    CHECK(one.author.handle == "elm@b.example");
    CHECK(one.author.url == "https://b.example/u/elm");
    CHECK(one.community == "coast@lemmy.world");
    CHECK(one.metrics.score == 5);
    CHECK(one.metrics.comments == 3);
    CHECK(*one.metrics.upvote_ratio == Approx(0.75));
  }
  what.community = "coast@b.example";
  const auto other = test::listing_of(rig.read(what, answer, "", "v4"));
  REQUIRE(other.items.size() == 1);
  CHECK(common(other.items[0]).title == "Elsewhere");
  what.community.clear();
  CHECK(test::listing_of(rig.read(what, answer, "", "v4")).items.size() == 2);
  rig.read_broken(what, answer, {40, 3, "", "v4"});
  // Its cursor ends at the last page, and where it is none of the shape that we
  // know.
  for (const auto* next : {R"("next_page":null)", R"("next_page":"a b")", R"("x":1)"}) {
    const auto last =
        test::answer_of(200, std::string("{\"items\":[{\"post\":{\"id\":1}}],") + next + "}");
    CHECK(test::listing_of(rig.read(what, last, "", "v4")).next.empty());
  }
}

TEST_CASE("A post of Lemmy is named by an id or an address, here or elsewhere") {
  const std::string list =
      "https://lemmy.world/api/v3/comment/list?post_id=42&type_=All&sort=Hot"
      "&max_depth=50";
  const std::string resolve = "https://lemmy.world/api/v3/resolve_object?q=";
  CHECK(rig.planned(comments_of("lemmy.world/42")) == list);
  CHECK(rig.planned(comments_of("", "https://lemmy.world/post/42/?x=1")) == list);
  CHECK(rig.planned(comments_of("beehaw.org/42")) ==
        resolve + "https%3A%2F%2Fbeehaw.org%2Fpost%2F42");
  CHECK(rig.planned(comments_of("", "https://beehaw.org/post/42#c")) ==
        resolve + "https%3A%2F%2Fbeehaw.org%2Fpost%2F42");
  CHECK(rig.planned(comments_of("", "https://lemmy.world/c/coast")) == "not_found");
  CHECK(rig.planned(comments_of("", "https://news.ycombinator.com/item?id=1")) == "not_found");
  CHECK(rig.planned(comments_of("lemmy.world/4x")) == "not_found");
  CHECK(rig.planned(comments_of("lemmy.world/")) == "not_found");
  auto what = comments_of("lemmy.world/42");
  what.sort = "old";
  CHECK(rig.planned(what).find("&sort=Old&") != std::string::npos);
  CHECK(rig.configured({"http://127.0.0.1:8536/lemmy", {}})
            .planned(comments_of("127.0.0.1:8536/42")) ==
        "http://127.0.0.1:8536/lemmy/api/v3/comment/"
        "list?post_id=42&type_=All&sort=Hot"
        "&max_depth=50");
}

TEST_CASE("Every recorded answer of Lemmy is read") {
  if (!rig.has_recordings()) return;
  int count = 0;
  for (const auto& path : rig.recordings()) {
    INFO(path.filename().string());
    const auto name = test::endpoint_of(path);
    if (test::is_unused("lemmy", name)) continue;
    ++count;
    const auto answer = test::recorded(path);
    const bool thread = name == "comment_list" || name == "error_not_found";
    auto what = thread ? comments_of("startrek.website/108995") : search_for("x");
    what.limit = 50;
    const auto got = thread ? lemmy::read_comments({what, startrek, answer, "", ""})
                            : lemmy::read_search({what, startrek, answer, "", "v3"});
    if (name.starts_with("error")) {
      REQUIRE_FALSE(got.has_value());
      CHECK(got.error().code() == (thread ? errc::not_found : errc::source_unavailable));
      CHECK(got.error().retry_after.has_value() == !thread);
      continue;
    }
    const auto page = test::listing_of(got);
    CHECK_FALSE(page.items.empty());
    test::check_honest(page, "lemmy");
    rig.configured(startrek).read_broken(what, answer, {30, 9, "", thread ? "" : "v3"});
  }
  CHECK(count == 7);
}

TEST_CASE("A post of Lemmy 0.17 loses no field") {
  if (!rig.has_recordings()) return;
  auto what = search_for("x");
  what.limit = 40;
  const auto page = test::listing_of(
      lemmy::read_search({what, startrek, rig.recording("post_list__1.json"), "", "v3"}));
  REQUIRE(page.items.size() == 40);
  CHECK(page.next == "2:40");
  const auto& one = std::get<forum_post>(page.items[0]);
  CHECK(one.id == "lemmy:startrek.website/108995");
  CHECK(one.url == "https://startrek.website/post/108995");
  CHECK(one.title.starts_with("Trek Central reporting that Star Trek Prodigy"));
  CHECK(one.text.empty());
  CHECK(one.lang.empty());
  CHECK(base::format_time(*one.created_at) == "2023-06-23T18:13:34.874Z");
  CHECK_FALSE(one.edited_at);
  REQUIRE(common(page.items[2]).edited_at);
  CHECK(base::format_time(*common(page.items[2]).edited_at) == "2023-06-22T19:37:59.087Z");
  CHECK(one.author.id == "lemmy:startrek.website/52088");
  CHECK(one.author.handle == "Coliver@startrek.website");
  CHECK(one.author.url == "https://startrek.website/u/Coliver");
  CHECK(one.community == "startrek@startrek.website");
  CHECK(one.link_url.starts_with("https://twitter.com/TheTrekCentral/status/1672306067445874688"));
  CHECK(one.metrics.score == 142);
  CHECK(one.metrics.comments == 67);
  CHECK(*one.metrics.upvote_ratio == Approx(0.9931));
  CHECK(one.sensitive == false);
  std::size_t pictures = 0;
  for (const auto& any : page.items) {
    pictures += common(any).media.empty() ? 0 : 1;
    CHECK(common(any).text.find("](http") == std::string::npos);
  }
  CHECK(pictures >= 12);
}

TEST_CASE("A post of Lemmy 0.19 loses no field") {
  if (!rig.has_recordings()) return;
  const auto page = test::listing_of(lemmy::read_search({search_for("x"),
                                                         {"https://test1.lemmy.ddenis.info", {}},
                                                         rig.recording("search__2.json"),
                                                         "",
                                                         "v3"}));
  REQUIRE(page.items.size() == 1);
  CHECK(page.next.empty());
  const auto& one = std::get<forum_post>(page.items[0]);
  CHECK(one.id == "lemmy:test1.lemmy.ddenis.info/180");
  CHECK(one.author.display_name == "Mod One");
  CHECK(one.author.avatar_url == "https://picsum.photos/seed/seed_mod1/400/400");
  CHECK(one.community == "music@test1.lemmy.ddenis.info");
  CHECK(one.link_url == "https://example.com/live");
  CHECK(*one.metrics.upvote_ratio == 1.0);
}

TEST_CASE("A thread of Lemmy is flat, in pre-order, and comes in pages") {
  if (!rig.has_recordings()) return;
  auto what = comments_of("startrek.website/108995");
  what.limit = 50;
  std::vector<comment> all;
  std::string position;
  int pages = 0;
  do {
    const auto page = test::listing_of(lemmy::read_comments(
        {what, startrek, rig.recording("comment_list__1.json"), position, ""}));
    for (const auto& one : page.items) all.push_back(std::get<comment>(one));
    position = page.next;
    REQUIRE(++pages < 9);
  } while (!position.empty());
  CHECK(pages == 2);
  REQUIRE(all.size() == 79);
  CHECK(all[0].id == "lemmy:startrek.website/217284");
  CHECK(all[0].post_id == "lemmy:startrek.website/108995");
  CHECK(all[0].url == "https://startrek.website/comment/217284");
  CHECK(all[0].depth == 0);
  std::map<std::string, std::int64_t> depths;
  for (const auto& one : all) {
    if (one.depth > 0) {
      REQUIRE(depths.count(one.parent_id) == 1);
      CHECK(depths[one.parent_id] == one.depth - 1);
    } else {
      CHECK(one.parent_id.empty());
    }
    CHECK(one.metrics.score.has_value());
    CHECK(depths.emplace(one.id, one.depth).second);
  }
}

TEST_CASE("Hostile paths neither lose comments nor hang") {
  const auto answer = test::answer_of(200, R"({"comments":[
    {"comment":{"id":5,"post_id":1,"path":"0.5.5","content":"own parent"}},
    {"comment":{"id":6,"post_id":1,"path":"0.7.6","content":"ring"}},
    {"comment":{"id":7,"post_id":1,"path":"0.6.7","content":"ring"}},
    {"comment":{"id":8,"post_id":1,"path":"0.404.8","content":"orphan"}},
    {"comment":{"id":9,"post_id":1,"path":"x..","content":"odd"}},
    {"comment":{"id":10,"post_id":1,"path":"0.10","removed":true,"content":"secret"}},
    {"comment":{"id":"11","post_id":1,"content":"no path"}}, 3, {}]})");
  auto what = comments_of("lemmy.world/1");
  what.limit = 100;
  const auto page = test::listing_of(lemmy::read_comments({what, defaults, answer, "", ""}));
  CHECK(page.items.size() == 6);
  test::check_page(page, "lemmy");
  for (const auto& one : page.items) CHECK(common(one).text != "secret");
}

TEST_CASE("Errors of Lemmy are told by their word, whatever the status") {
  const auto code = [](int status, const char* word) {
    const auto answer = test::answer_of(status, std::string("{\"error\":\"") + word + "\"}");
    return lemmy::read_search({search_for("x"), defaults, answer, "", "v3"}).error().code();
  };
  CHECK(code(400, "couldnt_find_community") == errc::not_found);
  CHECK(code(400, "rate_limit_error") == errc::source_unavailable);
  CHECK(code(401, "not_logged_in") == errc::source_auth_required);
  CHECK(code(400, "unknown") == errc::source_error);
  CHECK(code(200, "unknown") == errc::source_error);
  CHECK(code(500, "unknown") == errc::source_error);
  CHECK(code(502, "") == errc::source_unavailable);
}

TEST_CASE("Texts, pictures and languages of a post") {
  const auto answer = test::answer_of(200, R"({"posts":[{"post":{"id":1,"name":"a","language_id":32,
    "body":"See **[x](https://a.example/p_(q)?a=1)** and https://b.example/y. ![alt t](https://c.example/i.png) <https://d.example>",
    "url":"https://a.example/pic.JPG","thumbnail_url":"https://t.example/1","ap_id":"https://z.example/post/9",
    "published":"2026-10-30T10:00:00Z","nsfw":false},"community":{"name":"c","nsfw":true},
    "image_details":{"width":640,"height":480},"counts":{"score":"7"}},
    {"post":{"id":2,"name":"gone","deleted":true}}]})");
  const auto page =
      test::listing_of(lemmy::read_search({search_for("x"), defaults, answer, "", "v3"}));
  REQUIRE(page.items.size() == 1);
  const auto& one = std::get<forum_post>(page.items[0]);
  CHECK(one.lang == "de");
  CHECK(one.sensitive == true);
  CHECK(one.metrics.score == 7);
  CHECK(one.url == "https://z.example/post/9");
  CHECK(one.text == "See x and https://b.example/y.  https://d.example");
  CHECK(one.links == std::vector<std::string>{"https://a.example/p_(q)?a=1", "https://b.example/y",
                                              "https://d.example/"});
  REQUIRE(one.media.size() == 2);
  CHECK(one.media[0].url == "https://a.example/pic.JPG");
  CHECK(one.media[0].preview_url == "https://t.example/1");
  CHECK(one.media[0].width == 640);
  CHECK(one.media[1].alt == "alt t");
  CHECK(lemmy::language_of(37) == "en");
  CHECK(lemmy::language_of(47) == "fr");
  CHECK(lemmy::language_of(183) == "zu");
  CHECK(lemmy::language_of(0).empty());
  CHECK(lemmy::language_of(184).empty());
  CHECK(lemmy::language_of(-1).empty());
}

TEST_CASE("A page that is wholly too old ends the walk") {
  const auto answer = test::answer_of(200, R"({"posts":[
    {"post":{"id":1,"name":"a","published":"2026-09-01T00:00:00Z"}}]})");
  auto what = search_for("x");
  what.limit = 1;
  CHECK(test::listing_of(lemmy::read_search({what, defaults, answer, "", "v3"})).next == "2:1");
  what.since = sandbox_now - std::chrono::hours{24};
  CHECK(test::listing_of(lemmy::read_search({what, defaults, answer, "", "v3"})).next.empty());
}

TEST_CASE("The sandbox of Lemmy walks as the pipeline would") {
  test::sandbox box("lemmy");
  int pages = 0;
  const auto all = box.walk(rig.source(), search_for("climate"), defaults, pages);
  CHECK(pages == 2);
  CHECK(all.size() == 25);
  for (const auto& one : all) CHECK(query::matches(test::query_of("climate"), one));
  auto coast = search_for("climate");
  coast.community = "coast";
  for (const auto& one : box.walk(rig.source(), coast, defaults, pages)) {
    CHECK(std::get<forum_post>(one).community == "coast@lemmy.world");
  }
  const auto thread = box.walk(rig.source(), comments_of("lemmy.world/4070"), defaults, pages);
  CHECK(pages == 2);
  CHECK(thread.size() == 26);
  const auto remote =
      box.walk(rig.source(), comments_of("", "https://coast.example/post/31"), defaults, pages);
  CHECK(remote.size() == 26);
  CHECK(box.page(rig.source().capabilities[1], comments_of("lemmy.world/404404"), defaults, "")
            .error()
            .code() == errc::not_found);
  CHECK(box.page(rig.source().capabilities[0], search_for("quota"), defaults, "").error().code() ==
        errc::source_unavailable);
}

}  // namespace freshet::sources::lemmy
