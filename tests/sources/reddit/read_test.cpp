// What Reddit answers: listings, threads with what they leave out, and the feed for those without
// a key.
#include <base/time_text.hpp>
#include <catch2/catch.hpp>
#include <sources/reddit/reddit_rig.hpp>
#include <sources/reddit/wire.hpp>

namespace freshet::sources::reddit {

using catalog::operation;

namespace {

const std::set<std::string> listings = {"oauth_search", "oauth_subreddit_hot",
                                        "oauth_subreddit_new", "oauth_domain_new",
                                        "oauth_listing_small"};

const std::string carried = "use:t-1";

/// As many as Reddit gives at once.
call long_search_for(std::string_view q) {
  auto made = test::forum_calls::search_for(q);
  made.limit = 100;
  return made;
}

call whole_thread_of(std::string id) {
  auto made = test::forum_calls::comments_of(std::move(id));
  made.limit = 1000;
  return made;
}

http::response json(std::string body) { return test::answer_of(200, std::move(body)); }

/// A thread's page; what is asked for on the way is answered with `then`, again and again.
listing thread_of(const call& call, const http::response& answer, const http::response& then,
                  std::vector<std::string>* asked = nullptr) {
  auto read = reddit::read_comments({call, keyed, answer, "", carried});
  for (int i = 0; read && std::holds_alternative<follow>(*read); ++i) {
    REQUIRE(i < max_follow_steps);
    const auto next = std::get<follow>(*read);
    if (asked != nullptr) asked->push_back(next.request.url);
    read = reddit::read_comments({call, keyed, then, "", next.state});
  }
  return test::listing_of(read);
}

void check_tree(const listing& page) {
  std::vector<std::string> path;
  for (const auto& any : page.items) {
    const auto& one = std::get<comment>(any);
    INFO(one.id);
    REQUIRE(static_cast<std::size_t>(one.depth) <= path.size());
    path.resize(static_cast<std::size_t>(one.depth));
    CHECK(one.parent_id == (path.empty() ? "" : path.back()));
    path.push_back(one.id);
  }
}

const char* const nothing = R"({"json":{"errors":[],"data":{"things":[]}}})";

}  // namespace

TEST_CASE("Every recorded answer of Reddit is read") {
  if (!rig.has_recordings()) return;
  const std::map<std::string, errc> errors = {
      {"error_400__1.html", errc::source_error},
      {"error_400__2.txt", errc::source_error},
      {"error_403__1.json", errc::source_auth_required},
      {"error_403__2.json", errc::source_auth_required},
      {"error_403_www__1.json", errc::source_blocked},
      {"error_404__1.json", errc::not_found},
      {"error_429__1.json", errc::source_unavailable},
      {"error_500__1.json", errc::source_error},
  };
  int count = 0;
  for (const auto& path : rig.recordings()) {
    const auto file = path.filename().string();
    const auto name = test::endpoint_of(path);
    INFO(file);
    if (test::is_unused("reddit", name)) continue;
    ++count;
    auto answer = test::recorded(path);
    if (const auto known = errors.find(file); known != errors.end()) {
      const auto failed = reddit::read_search({long_search_for("x"), keyed, answer, "", carried});
      REQUIRE_FALSE(failed.has_value());
      CHECK(failed.error().code() == known->second);
    } else if (name == "error_401") {
      const auto next =
          test::follow_of(reddit::read_search({long_search_for("x"), keyed, answer, "", carried}));
      CHECK(next.request.method == "POST");
    } else if (listings.count(name) > 0) {
      const auto page =
          test::listing_of(reddit::read_search({long_search_for("x"), keyed, answer, "", carried}));
      CHECK_FALSE(page.items.empty());
      test::check_honest(page, "reddit");
      rig.read_broken(long_search_for("x"), answer,
                      {answer.body.size() > 100000 ? 6 : 30, 11, "", carried});
    } else if (name == "public_rss") {
      answer.headers = {{"Content-Type", "application/rss+xml"}};
      const auto page =
          test::listing_of(reddit::read_search({long_search_for("x"), keyless, answer, "", ""}));
      CHECK(page.items.size() == 24);
      test::check_honest(page, "reddit");
      keyless_rig.read_broken(long_search_for("x"), answer, {20, 12});
    } else {
      REQUIRE((name == "oauth_comments" || name == "oauth_morechildren"));
      const auto page = thread_of(whole_thread_of("3hahrw"), answer, json(nothing));
      CHECK_FALSE(page.items.empty());
      test::check_honest(page, "reddit");
      check_tree(page);
      rig.read_broken(whole_thread_of("3hahrw"), answer,
                      {answer.body.size() > 100000 ? 6 : 30, 13, "", carried});
    }
  }
  CHECK(count == 23);
}

TEST_CASE("A post of Reddit's API loses no field") {
  if (!rig.has_recordings()) return;
  const auto page = test::listing_of(reddit::read_search(
      {long_search_for("x"), keyed, rig.recording("oauth_subreddit_hot__1.json"), "", carried}));
  CHECK(page.next == "t3_48dlnt");
  const auto& one = std::get<forum_post>(page.items.at(0));
  CHECK(one.id == "reddit:46c00m");
  CHECK(one.url ==
        "https://www.reddit.com/r/AskReddit/comments/46c00m/"
        "the_askreddit_mobile_design_extravaganza_contest/");
  CHECK(one.title == "THE ASKREDDIT MOBILE DESIGN EXTRAVAGANZA CONTEST!");
  CHECK(one.text.starts_with("Hi everybody! (Hi Doctor Nick!)\n\nAskReddit needs"));
  CHECK(base::format_time(*one.created_at) == "2016-02-18T00:30:45Z");
  CHECK(one.edited_at == base::from_unix_seconds(1456012265));
  CHECK_FALSE(common(page.items.at(1)).edited_at);  // the source says `false`
  CHECK(one.author.id == "reddit:u/orangejulius");
  CHECK(one.author.url == "https://www.reddit.com/user/orangejulius/");
  CHECK(one.community == "AskReddit");
  CHECK(one.link_url.empty());
  CHECK(one.metrics.score == 1382);
  CHECK(one.metrics.comments == 433);
  CHECK(one.sensitive == false);
  CHECK(one.tags == std::vector<std::string>{"Modpost"});
  const auto modern = test::listing_of(reddit::read_search(
      {long_search_for("x"), keyed, rig.recording("oauth_subreddit_hot__2.json"), "", carried}));
  std::size_t galleries = 0, videos = 0, ratios = 0;
  for (const auto& any : modern.items) {
    const auto& post = std::get<forum_post>(any);
    galleries += post.media.size() > 1 ? 1 : 0;
    videos += !post.media.empty() && post.media[0].type == "video" ? 1 : 0;
    ratios += post.metrics.upvote_ratio.has_value() ? 1 : 0;
  }
  CHECK(galleries >= 4);
  CHECK(videos >= 1);
  CHECK(ratios == modern.items.size());
}

TEST_CASE("A page that is wholly older than since is the last") {
  if (!rig.has_recordings()) return;
  const auto next = [](const settings& with, const http::response& answer, time_point since) {
    auto what = long_search_for("x");
    what.since = since;
    what.limit = 20;
    const auto state = with.values.empty() ? std::string() : carried;
    return test::listing_of(reddit::read_search({what, with, answer, "", state})).next;
  };
  const auto before = *base::parse_time("2010-01-01"), behind = *base::parse_time("2020-01-01");
  const auto api = rig.recording("oauth_subreddit_new__1.json");
  CHECK(next(keyed, api, before) == "t3_48f6io");
  CHECK(next(keyed, api, behind).empty());
  auto feed = rig.recording("public_rss__1.xml");
  feed.headers = {{"Content-Type", "application/rss+xml"}};
  CHECK(next(keyless, feed, before).starts_with("t3_"));
  CHECK(next(keyless, feed, behind).empty());
}

TEST_CASE("Galleries keep their order, videos their length, deleted authors are nobody") {
  const auto page = test::listing_of(reddit::read_search(
      {long_search_for("x"), keyed, json(R"({"kind":"Listing","data":{"after":null,"children":[
    {"kind":"t3","data":{"id":"a1","title":"a &amp; b","selftext":"[removed]","author":"[deleted]",
     "created_utc":1e9,"permalink":"/r/x/comments/a1/t/","subreddit":"x","over_18":true,
     "url":"https://www.reddit.com/gallery/a1","is_gallery":true,"upvote_ratio":7,
     "gallery_data":{"items":[{"media_id":"m2","caption":"two"},{"media_id":"m1"},{"media_id":"m9"}]},
     "media_metadata":{"m1":{"e":"Image","s":{"u":"https://i.example/1.jpg?a=1&amp;b=2","x":10,"y":20}},
       "m2":{"e":"AnimatedImage","s":{"gif":"https://i.example/2.gif"}}}}},
    {"kind":"t3","data":{"id":"a2","title":"v","created_utc":"1000000000","url":"https://v.redd.it/q",
     "secure_media":{"reddit_video":{"fallback_url":"https://v.redd.it/q/DASH_720.mp4","duration":17,
       "width":1280,"height":720}},"preview":{"images":[{"source":{"url":"https://p.example/q.jpg"}}]},
     "permalink":"https://evil.example/","hide_score":true,"score":5}},
    {"kind":"t3","data":{"id":"A!","title":"no number"}}, {"kind":"more","data":{"id":"a4"}}, 7]}})"),
       "", carried}));
  REQUIRE(page.items.size() == 2);
  test::check_page(page, "reddit");
  const auto& gallery = std::get<forum_post>(page.items[0]);
  CHECK(gallery.title == "a & b");
  CHECK(gallery.text.empty());
  CHECK(gallery.author.handle.empty());
  CHECK(gallery.sensitive == true);
  CHECK_FALSE(gallery.metrics.upvote_ratio);
  REQUIRE(gallery.media.size() == 2);
  CHECK(gallery.media[0].type == "gif");
  CHECK(gallery.media[0].alt == "two");
  CHECK(gallery.media[1].url == "https://i.example/1.jpg?a=1&b=2");
  CHECK(gallery.media[1].height == 20);
  const auto& video = std::get<forum_post>(page.items[1]);
  CHECK(video.url == "https://www.reddit.com/comments/a2/");
  CHECK(video.media.at(0).type == "video");
  CHECK(video.media.at(0).duration_s == 17);
  CHECK(video.media.at(0).preview_url == "https://p.example/q.jpg");
  CHECK_FALSE(video.metrics.score);
}

TEST_CASE("A redirect to the search for communities means that there is none") {
  const auto read = [](http::response answer) {
    return reddit::read_search({long_search_for("x"), keyed, answer, "", carried}).error().code();
  };
  auto answer = test::answer_of(302, "", "text/html");
  answer.final_url = "https://oauth.reddit.com/r/nosuch/search?q=x";
  answer.headers.push_back({"Location", "/subreddits/search?q=nosuch"});
  CHECK(read(answer) == errc::not_found);
  answer.headers.back().value = "https://www.reddit.com/over18";
  CHECK(read(answer) == errc::source_error);
  CHECK(read(test::answer_of(200, "<html><title>Whoa there, pardner!</title>", "text/html")) ==
        errc::source_blocked);
  CHECK(read(test::answer_of(403, "<html><title>Blocked</title>", "text/html")) ==
        errc::source_blocked);
  CHECK(read(test::answer_of(400, R"({"fields":["q"],"explanation":"that user doesn't exist",
      "message":"Bad Request","reason":"USER_DOESNT_EXIST"})")) == errc::not_found);
  CHECK(read(test::answer_of(400, R"({"reason":"BAD_SR_NAME"})")) == errc::source_error);
  CHECK(read(test::answer_of(403, R"({"reason":"private","error":403})")) ==
        errc::source_auth_required);
  CHECK(read(json(R"({"kind":"Listing"})")) == errc::source_error);
  auto limit = test::answer_of(429, "{}");
  limit.headers.push_back({"x-ratelimit-reset", "599"});
  CHECK(
      reddit::read_search({long_search_for("x"), keyed, limit, "", carried}).error().retry_after ==
      std::chrono::seconds{599});
}

TEST_CASE("A feed that is refused says whether the caller or the community is the reason") {
  const auto code = [](int status, const char* body, const char* type = "application/json") {
    const auto answer = test::answer_of(status, body, type);
    return reddit::read_search({long_search_for("x"), keyless, answer, "", ""}).error().code();
  };
  CHECK(code(403, R"({"message":"Forbidden","error":403})") == errc::source_blocked);
  CHECK(code(403, R"({"message":"Forbidden","error":403,"reason":"blocked"})") ==
        errc::source_blocked);
  CHECK(code(403, R"({"message":"Forbidden","error":403,"reason":"private"})") ==
        errc::source_auth_required);
  CHECK(code(403, "<html><title>Blocked</title>", "text/html") == errc::source_blocked);
  CHECK(code(404, R"({"message":"Not Found","error":404,"reason":"banned"})") == errc::not_found);
  CHECK(code(200, "{}") == errc::source_error);
  CHECK(code(200, "<html>", "text/html") == errc::source_blocked);
}

TEST_CASE("Stubs of a thread are followed as far as the steps of a call allow") {
  if (!rig.has_recordings()) return;
  std::vector<std::string> asked;
  const auto page = thread_of(whole_thread_of("3hahrw"), rig.recording("oauth_comments__1.json"),
                              rig.recording("oauth_morechildren__1.json"), &asked);
  REQUIRE(asked.size() == 2);  // of 200 comments, a hundred at a time
  CHECK(asked[0].starts_with(
      "https://oauth.reddit.com/api/morechildren?link_id=t3_3hahrw&children="));
  CHECK(page.items.size() == 10 + 7);
  CHECK_FALSE(page.partial);
  check_tree(page);
}

TEST_CASE("A thread larger than the steps of a call is given in part, and says so") {
  std::string stubs;
  for (int i = 0; i < 900; ++i) stubs += (i > 0 ? ",\"" : "\"") + std::to_string(1000 + i) + "\"";
  const auto first = json(R"([{},{"kind":"Listing","data":{"children":[
      {"kind":"t1","data":{"id":"c1","parent_id":"t3_abc","body":"b","replies":"","created_utc":1}},
      {"kind":"more","data":{"id":"_","count":0,"parent_id":"t1_c1","children":[]}},
      {"kind":"more","data":{"id":"1000","count":900,"parent_id":"t3_abc","children":[)" +
                          stubs + "]}}]}}]");
  std::vector<std::string> asked;
  const auto page = thread_of(whole_thread_of("abc"), first, json(nothing), &asked);
  CHECK(asked.size() == 5);
  CHECK(page.partial);
  CHECK(page.warnings.at(0).find("400 comments and 1 branches") != std::string::npos);
  // What is refused on the way does not take away what is there.
  const auto some = thread_of(whole_thread_of("abc"), first, test::answer_of(500, "{}"));
  CHECK(some.items.size() == 1);
  CHECK(some.partial);
}

TEST_CASE("A token that is refused in the middle of a thread does not lose what is known") {
  const auto what = whole_thread_of("abc");
  const auto first = json(R"([{},{"data":{"children":[
      {"kind":"t1","data":{"id":"c1","parent_id":"t3_abc","body":"b"}},
      {"kind":"more","data":{"id":"c2","parent_id":"t1_c1","children":["c2"]}}]}}])");
  const auto token = json(R"({"access_token":"t-2"})");
  const auto more = test::follow_of(reddit::read_comments({what, keyed, first, "", carried}));
  const auto refused = test::answer_of(401, R"({"error":401})");
  const auto ask = test::follow_of(reddit::read_comments({what, keyed, refused, "", more.state}));
  CHECK(ask.request.refused == "t-1");
  const auto done = reddit::read_comments({what, keyed, token, "", ask.state});
  const auto page = test::listing_of(done);
  CHECK(page.items.size() == 1);
}

TEST_CASE("Hostile trees neither lose comments nor hang") {
  const auto answer = json(R"([{},{"data":{"children":[
    {"kind":"t1","data":{"id":"a","parent_id":"t1_b","body":"ring"}},
    {"kind":"t1","data":{"id":"b","parent_id":"t1_a","body":"ring"}},
    {"kind":"t1","data":{"id":"c","parent_id":"t1_c","body":"own parent"}},
    {"kind":"t1","data":{"id":"d","parent_id":"t1_zz","body":"orphan"}},
    {"kind":"t1","data":{"id":"e","parent_id":"t1_d","body":"child"}},
    {"kind":"t1","data":{"id":"a","parent_id":"t3_abc","body":"twice"}},
    {"kind":"t1","data":{"id":"f","body":"[deleted]","author":"[deleted]","parent_id":"t3_abc"}},
    {"kind":"t1","data":{"id":"g","body":"kept","author":"[deleted]","parent_id":"t1_f",
      "score":4,"score_hidden":true}},
    {"kind":"t1"}, {"kind":"t9","data":{"id":"h"}}, 5]}}])");
  const auto page = thread_of(whole_thread_of("abc"), answer, json(nothing));
  CHECK(page.items.size() == 7);
  test::check_page(page, "reddit");
  check_tree(page);
  const auto& last = std::get<comment>(page.items.back());
  CHECK(last.text == "kept");
  CHECK(last.author.handle.empty());
  CHECK_FALSE(last.metrics.score);
  std::string deep;
  for (int i = 0; i < 90; ++i) {
    deep += R"({"kind":"t1","data":{"id":"x)" + std::to_string(i) + R"(","parent_id":")" +
            (i == 0 ? "t3_abc" : "t1_x" + std::to_string(i - 1)) +
            R"(","body":"b","replies":{"data":{"children":[)";
  }
  for (int i = 0; i < 90; ++i) deep += "]}}}}";
  const auto nested = thread_of(
      whole_thread_of("abc"), json(R"([{},{"data":{"children":[)" + deep + "]}}]"), json(nothing));
  CHECK(nested.items.size() == 90);
  CHECK(std::get<comment>(nested.items.back()).depth == 89);
}

TEST_CASE("A feed's old form gives what it holds; comments say what they do not know") {
  if (!rig.has_recordings()) return;
  auto answer = rig.recording("public_rss__1.xml");
  answer.headers = {{"Content-Type", "application/rss+xml"}};
  const auto page =
      test::listing_of(reddit::read_search({long_search_for("x"), keyless, answer, "", ""}));
  const auto& link = std::get<forum_post>(page.items.at(0));
  CHECK(link.id == "reddit:3skxqc");
  CHECK(link.community == "funny");
  CHECK(link.author.handle == "cakebeerandmorebeer");
  CHECK(link.link_url == "http://i.imgur.com/U407R75.gifv");
  CHECK(link.media.at(0).url.starts_with("https://b.thumbs.redditmedia.com/"));
  const auto& text = std::get<forum_post>(page.items.at(1));
  CHECK(text.text.starts_with("It's Aziz Ansari."));
  CHECK(text.text.find("submitted by") == std::string::npos);
  const auto thread =
      test::answer_of(200,
                      R"(<feed xmlns="http://www.w3.org/2005/Atom"><entry><id>t3_abc</id>
      <link href="https://www.reddit.com/r/x/comments/abc/t/"/><title>T</title></entry><entry>
      <author><name>/u/ann</name></author><id>t1_c1</id><updated>2026-10-01T00:00:00+00:00</updated>
      <link href="https://www.reddit.com/r/x/comments/abc/t/c1/"/><title>/u/ann on T</title>
      <content type="html">&lt;div class="md"&gt;&lt;p&gt;Hello&lt;/p&gt;&lt;/div&gt;</content></entry>
      <entry><link href="https://www.reddit.com/r/x/comments/zzz/t/c2/"/></entry></feed>)",
                      "application/atom+xml");
  const auto comments =
      test::listing_of(reddit::read_comments({whole_thread_of("abc"), keyless, thread, "", ""}));
  REQUIRE(comments.items.size() == 1);
  const auto& one = std::get<comment>(comments.items[0]);
  CHECK(one.id == "reddit:c1");
  CHECK(one.text == "Hello");
  CHECK(one.author.handle == "ann");
  CHECK(one.post_id == "reddit:abc");
  CHECK(comments.partial);
}

TEST_CASE("A link's ampersands may be escaped any number of times") {
  std::string often = "&amp;";
  for (std::size_t i = 0; i < 1'000'000; ++i) often += "amp;";
  const auto answer = test::answer_of(
      200,
      R"(<feed xmlns="http://www.w3.org/2005/Atom"><entry><id>t3_abc</id><title>T</title>
      <link href="https://www.reddit.com/r/x/comments/abc/t/"/><content type="html">&lt;a href="https://a.example/?a=1)" +
          often + R"(b=2&amp;amp;c=3&amp;amp"&gt;[link]&lt;/a&gt;</content></entry></feed>)",
      "application/atom+xml");
  const auto page =
      test::listing_of(reddit::read_search({long_search_for("x"), keyless, answer, "", ""}));
  REQUIRE(page.items.size() == 1);
  CHECK(std::get<forum_post>(page.items[0]).link_url == "https://a.example/?a=1&b=2&c=3&amp");
}

}  // namespace freshet::sources::reddit
