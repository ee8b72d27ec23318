// Stack Exchange: searches of its sites, questions with answers and comments, backoff and quota.
#include <base/time_text.hpp>
#include <catch2/catch.hpp>
#include <sources/source_rig.hpp>
#include <sources/stackexchange/wire.hpp>

namespace freshet::sources::stackexchange {

using namespace test::forum_calls;

namespace {

namespace se = freshet::sources::stackexchange;

/// Lists of questions under other methods: the same items as a search's.
const std::set<std::string> question_lists = {
    "questions",          "questions_anonymised", "questions_by_ids",
    "questions_featured", "questions_related",    "search",
    "search_advanced",    "users_questions",
};

const settings defaults{"https://api.stackexchange.com", {}};
const test::source_rig rig("stackexchange", defaults);

std::string parameter(const std::string& url, std::string_view name) {
  const auto parsed = base::parse_url(url);
  return parsed ? base::query_parameter(parsed->query, name).value_or("") : url;
}

}  // namespace

TEST_CASE("A search of Stack Exchange sends words and phrases, and since to the second") {
  auto what = search_for("climate \"tide gauge\" -fish is:answer");
  CHECK(rig.planned(what) ==
        "https://api.stackexchange.com/2.3/search/advanced?q=climate%20%22tide%20gauge%22%20%22is"
        "%3Aanswer%22&sort=relevance&order=desc&page=1&pagesize=20&site=stackoverflow"
        "&filter=withbody");
  what.since = sandbox_now - std::chrono::hours{24};
  CHECK(parameter(rig.planned(what), "fromdate") == "1793448000");
  CHECK(parameter(rig.planned(what), "sort") == "creation");
  what.since = *what.since + std::chrono::milliseconds{1};
  CHECK(parameter(rig.planned(what), "fromdate") == "1793448001");
  const auto own =
      rig.configured({"http://127.0.0.1:1/api", {{"key", "k y"}, {"site", "SuperUser"}}});
  CHECK(own.planned(what).starts_with("http://127.0.0.1:1/api/2.3/search/advanced?"));
  CHECK(parameter(own.planned(what), "key") == "k y");
  CHECK(parameter(own.planned(what), "site") == "superuser");
  CHECK(se::plan_search(what, defaults, "3:50")->url.find("&page=3&pagesize=50&") !=
        std::string::npos);
  CHECK(se::plan_search(what, defaults, "")->wait_in_body == se::wait_in_body);
  for (const auto* bad : {"x", "1", "0:20", "1:101", "1:0", "1:20x", "999:20"}) {
    INFO(bad);
    CHECK(se::plan_search(what, defaults, bad).error().code() == errc::invalid_cursor);
  }
}

TEST_CASE("A community of Stack Exchange is a site, a tag, or a tag at a site") {
  auto what = search_for("climate");
  const auto where = [&](std::string community, const settings& with = defaults) {
    what.community = std::move(community);
    const auto url = rig.configured(with).planned(what);
    return parameter(url, "tagged") + "@" + parameter(url, "site");
  };
  CHECK(where("all") == "@stackoverflow");
  CHECK(where("") == "@stackoverflow");
  CHECK(where("SuperUser") == "@superuser");
  CHECK(where("math") == "@math");
  CHECK(where("math.stackexchange.com") == "@math");
  CHECK(where("math.meta.stackexchange.com") == "@math.meta.stackexchange.com");
  CHECK(where("mathoverflow.net") == "@mathoverflow.net");
  CHECK(where("meta") == "@meta");
  CHECK(where("rust") == "rust@stackoverflow");
  CHECK(where("c++", {"https://a.example", {{"site", "codereview.stackexchange.com"}}}) ==
        "c++@codereview");
  CHECK(where("android@stackoverflow.com") == "android@stackoverflow");
  CHECK(where("unix@unix.stackexchange.com") == "@unix");
  CHECK(where("rust@lemmy.world") == "not_found@not_found");
  CHECK(where("no_such_tag") == "not_found@not_found");
  CHECK(where("@stackoverflow.com") == "not_found@not_found");
  CHECK(where("x@.stackexchange.com") == "not_found@not_found");
}

TEST_CASE("A question of Stack Exchange is named by an id or an address") {
  const std::string list =
      "https://api.stackexchange.com/2.3/questions/42/comments?sort=creation&order=asc&page=1"
      "&pagesize=100&site=stackoverflow&filter=withbody";
  CHECK(rig.planned(comments_of("stackoverflow.com/42")) == list);
  CHECK(rig.planned(comments_of("42")) == list);
  CHECK(rig.planned(comments_of("", "https://stackoverflow.com/questions/42/a-b?x=1#42")) == list);
  CHECK(rig.planned(comments_of("", "http://www.stackoverflow.com/q/42/7")) == list);
  CHECK(parameter(rig.planned(comments_of("", "https://tex.stackexchange.com/questions/42")),
                  "site") == "tex");
  for (const auto* other : {"https://stackoverflow.com/users/42", "https://lemmy.world/post/42",
                            "https://stackoverflow.com/questions/tagged/42", "nonsense"}) {
    INFO(other);
    CHECK(rig.planned(comments_of("", other)) == "not_found");
  }
  for (const auto* other : {"evil.example/42", "stackoverflow.com/c42", "stackoverflow.com/", "x",
                            "stackoverflow.com/42/43", "42;43"}) {
    INFO(other);
    CHECK(rig.planned(comments_of(other)) == "not_found");
  }
  auto what = comments_of("42");
  what.sort = "old";
  CHECK(se::plan_comments(what, defaults, "2")
            ->url.find("/questions/42/answers?sort=creation&order=asc&page=2&pagesize=50&") !=
        std::string::npos);
  what.sort = "top";
  CHECK(rig.planned(what).find("?sort=votes&order=desc&") != std::string::npos);
  for (const auto* bad : {"1", "0", "x", "2x", "9999"}) {
    CHECK(se::plan_comments(what, defaults, bad).error().code() == errc::invalid_cursor);
  }
}

TEST_CASE("Every recorded answer of Stack Exchange is read") {
  if (!rig.has_recordings()) return;
  int count = 0;
  for (const auto& path : rig.recordings()) {
    INFO(path.filename().string());
    const auto name = test::endpoint_of(path);
    if (test::is_unused("stackexchange", name)) continue;
    ++count;
    const auto answer = test::recorded(path);
    if (name.starts_with("error")) {
      const auto failed = se::read_search({search_for("x"), defaults, answer, "", ""});
      REQUIRE_FALSE(failed.has_value());
      const bool throttled = name == "error_throttle";
      CHECK(failed.error().code() == (throttled ? errc::source_unavailable : errc::source_error));
      if (throttled) CHECK(failed.error().retry_after == std::chrono::seconds{85130});
      continue;
    }
    if (question_lists.count(name) > 0) {
      const auto page =
          test::listing_of(se::read_search({search_for("x"), defaults, answer, "", ""}));
      // The one without numbers of questions is an invention that no site could give.
      CHECK(page.items.empty() == (name == "search_advanced"));
      test::check_honest(page, "stackexchange");
      rig.read_broken(answer, {30, 3});
      continue;
    }
    const bool answers = name == "questions_answers";
    REQUIRE((answers || name == "questions_comments"));
    const auto what = comments_of("19401289");
    const auto next =
        test::follow_of(se::read_comments({what, defaults, answer, answers ? "2" : "", ""}));
    CHECK(next.request.url.find(answers ? "/answers/19405900;19401432;16176338/comments?"
                                        : "/questions/19401289/answers?") != std::string::npos);
    rig.read_broken(what, answer, {30, 4, answers ? "2" : ""});
  }
  CHECK(count == 15);
}

TEST_CASE("A question loses no field") {
  if (!rig.has_recordings()) return;
  const auto page = test::listing_of(
      se::read_search({search_for("rails"), defaults, rig.recording("search__1.json"), "", ""}));
  REQUIRE(page.items.size() == 30);
  const auto& one = std::get<forum_post>(page.items[0]);
  CHECK(one.id == "stackexchange:stackoverflow.com/21666733");
  CHECK(one.url ==
        "https://stackoverflow.com/questions/21666733/two-different-compiled-assets-in-rails-4");
  CHECK(one.title == "Two different compiled assets in Rails 4");
  CHECK(base::format_time(*one.created_at) == "2014-02-09T23:46:21Z");
  CHECK_FALSE(one.edited_at);
  CHECK(common(page.items[1]).edited_at == base::from_unix_seconds(1391987669));
  CHECK(one.author.id == "stackexchange:stackoverflow.com/u2085107");
  CHECK(one.author.display_name == "Guilherme Berger");
  CHECK(one.author.url == "https://stackoverflow.com/users/2085107");
  CHECK(one.author.avatar_url.starts_with("https://www.gravatar.com/avatar/"));
  CHECK(one.community == "stackoverflow");
  CHECK(one.metrics.score == 0);
  CHECK(one.metrics.comments == 0);
  CHECK(one.metrics.views == 3);
  CHECK(one.tags == std::vector<std::string>{"javascript", "ruby-on-rails", "ruby", "heroku"});
  CHECK(one.link_url.empty());
  const auto escaped = test::listing_of(se::read_search(
      {search_for("x"), defaults, rig.recording("questions_featured__1.json"), "", ""}));
  CHECK(common(escaped.items[0]).title == "UIWebView Doesn't Load Completely, Height Varies");
  CHECK(escaped.next == "2:20");
}

TEST_CASE("Backoff, throttling and a used-up quota in bodies hold back further requests") {
  using std::chrono::seconds;
  const auto wait = [](std::string body) {
    return se::wait_in_body(test::answer_of(200, std::move(body)));
  };
  CHECK(wait(R"({"items":[],"backoff":10})") == seconds{10});
  CHECK(wait(R"({"items":[],"backoff":0.2})") == seconds{1});
  CHECK(wait(R"({"items":[],"backoff":-5})") == seconds{0});
  CHECK(wait(R"({"items":[],"backoff":1e300})") == seconds{86400});
  CHECK(wait(R"({"items":[],"quota_remaining":0})") == seconds{3600});
  CHECK(wait(R"({"items":[], "quota_remaining" : 0 })") == seconds{3600});
  CHECK(wait(R"({"items":[],"quota_remaining":12})") == seconds{0});
  CHECK(wait(R"({"items":[{"body":"\"backoff\":9"}],"quota_remaining":12})") == seconds{0});
  CHECK(wait(R"({"error_id":502,"error_message":"more requests available in 77 seconds"})") ==
        seconds{77});
  CHECK(wait("<html>") == seconds{0});
  if (!rig.has_recordings()) return;
  CHECK(se::wait_in_body(rig.recording("comments__1.json")) == seconds{10});
}

TEST_CASE("Errors of Stack Exchange are told by their number, whatever the status") {
  const auto code = [](int number, const char* message, int status = 400) {
    const auto answer =
        test::answer_of(status, "{\"error_id\":" + std::to_string(number) +
                                    ",\"error_name\":\"n\",\"error_message\":\"" + message + "\"}");
    return se::read_search({search_for("x"), defaults, answer, "", ""}).error().code();
  };
  CHECK(code(400, "No site found for name `nosuch`") == errc::not_found);
  CHECK(code(400, "bad parameter") == errc::source_error);
  CHECK(code(403, "page above 25 requires access token or app key") == errc::source_auth_required);
  CHECK(code(402, "key") == errc::source_auth_required);
  CHECK(code(500, "x") == errc::source_error);
  CHECK(code(503, "x", 200) == errc::source_unavailable);
  const auto read = [](const http::response& answer) {
    return se::read_search({search_for("x"), defaults, answer, "", ""}).error().code();
  };
  CHECK(read(test::answer_of(200, "{}")) == errc::source_error);
  CHECK(read(test::answer_of(503, "")) == errc::source_unavailable);
  CHECK(read(test::answer_of(200, "<html><title>Just a moment...</title>", "text/html")) ==
        errc::source_blocked);
}

TEST_CASE("A search without a key ends at page 25 and says so") {
  const auto answer = test::answer_of(
      200, R"({"items":[{"question_id":1,"creation_date":1,"title":"a"}],"has_more":true})");
  const auto last =
      test::listing_of(se::read_search({search_for("x"), defaults, answer, "25:20", ""}));
  CHECK(last.next.empty());
  CHECK(last.partial);
  const settings keyed{"https://api.stackexchange.com", {{"key", "k"}}};
  CHECK(test::listing_of(se::read_search({search_for("x"), keyed, answer, "25:20", ""})).next ==
        "26:20");
}

TEST_CASE("A thread is gathered in three requests; comments follow what they are on") {
  const auto what = comments_of("7");
  const auto step = [&](const char* body, std::string_view state) {
    return se::read_comments({what, defaults, test::answer_of(200, body), "", state});
  };
  const auto answers = test::follow_of(step(
      R"({"items":[{"comment_id":1,"post_id":7,"body":"q","score":2}],"has_more":false})", ""));
  const auto below = test::follow_of(
      step(R"({"items":[{"answer_id":20,"body":"<p>a <a href='/x'>l</a></p>"},{"answer_id":21}],
               "has_more":true})",
           answers.state));
  CHECK(below.request.url.find("/answers/20;21/comments?") != std::string::npos);
  const char* some = R"({"items":[{"comment_id":3,"post_id":21},{"comment_id":2,"post_id":20},
                         {"comment_id":4,"post_id":99},{"post_id":20}],"has_more":true})";
  auto more = test::follow_of(step(some, below.state));
  CHECK(more.request.url.find("&page=2&") != std::string::npos);
  more = test::follow_of(step(some, more.state));
  const auto page = test::listing_of(step(some, more.state));
  CHECK(page.next == "2");
  CHECK(page.partial);  // three pages of comments, and still more
  std::vector<std::string> ids;
  for (const auto& one : page.items) ids.push_back(common(one).id.substr(32));
  CHECK(ids[0] == "c1");
  CHECK(ids[1] == "20");
  CHECK(ids[2] == "c2");
  const auto& answer = std::get<comment>(page.items[1]);
  CHECK(answer.depth == 0);
  CHECK(answer.post_id == "stackexchange:stackoverflow.com/7");
  CHECK(answer.links == std::vector<std::string>{"https://stackoverflow.com/x"});
  const auto& remark = std::get<comment>(page.items[2]);
  CHECK(remark.depth == 1);
  CHECK(remark.parent_id == answer.id);
  CHECK(remark.url == "https://stackoverflow.com/posts/comments/2");
}

TEST_CASE("A question without answers is told apart from none") {
  const auto what = comments_of("7");
  const auto none = test::answer_of(200, R"({"items":[],"has_more":false})");
  const auto read = [&](const http::response& answer, std::string_view state) {
    return se::read_comments({what, defaults, answer, "", state});
  };
  const auto answers = test::follow_of(read(none, ""));
  const auto question = test::follow_of(read(none, answers.state));
  CHECK(question.request.url.find("/2.3/questions/7?site=") != std::string::npos);
  CHECK(read(none, question.state).error().code() == errc::not_found);
  const auto known = test::answer_of(200, R"({"items":[{"question_id":7}]})");
  CHECK(test::listing_of(read(known, question.state)).items.empty());
}

TEST_CASE("The sandbox of Stack Exchange walks as the pipeline would") {
  test::sandbox box("stackexchange");
  int pages = 0;
  const auto all = box.walk(rig.source(), search_for("climate"), defaults, pages);
  CHECK(pages == 2);
  CHECK(all.size() == 25);
  for (const auto& one : all) CHECK(query::matches(test::query_of("climate"), one));
  const auto gauges = box.walk(rig.source(), search_for("\"tide gauge\""), defaults, pages);
  REQUIRE(gauges.size() == 3);
  CHECK(common(gauges[0]).media[0].alt == "tide gauge plot");
  CHECK(common(gauges[0]).media[0].width == 640);
  auto week = search_for("climate");
  week.since = sandbox_now - std::chrono::hours{168};
  const auto recent = box.walk(rig.source(), week, defaults, pages);
  CHECK(recent.size() == 19);
  for (const auto& one : recent) CHECK(*common(one).created_at >= *week.since);
  const auto thread =
      box.walk(rig.source(), comments_of("stackoverflow.com/77000003"), defaults, pages);
  REQUIRE(thread.size() == 12);
  CHECK(common(thread[1]).text == "noleap, it says & means it.");
  CHECK(common(thread[2]).text.starts_with("Group by day of year, with <366> folded in. "));
  CHECK(std::get<comment>(thread[3]).depth == 1);
  const auto& how = rig.source().capabilities[1];
  CHECK(box.page(how, comments_of("404404"), defaults, "").error().code() == errc::not_found);
  const auto quota = box.page(rig.source().capabilities[0], search_for("quota"), defaults, "");
  CHECK(quota.error().code() == errc::source_unavailable);
  CHECK(quota.error().retry_after == std::chrono::seconds{1200});
}

}  // namespace freshet::sources::stackexchange
