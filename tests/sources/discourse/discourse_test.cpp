// Discourse: searches with the categories that they need, topics as flat trees, refusals by their
// type, and the sandbox to its end.
#include <base/time_text.hpp>
#include <boost/json/serialize.hpp>
#include <catch2/catch.hpp>
#include <sources/discourse/wire.hpp>
#include <sources/source_rig.hpp>

namespace freshet::sources::discourse {

using namespace test::forum_calls;

namespace {

namespace dc = freshet::sources::discourse;

const settings forum{"https://forum.example", {}};
const settings below{"https://a.example:8443/talk", {}};
const test::source_rig rig("discourse", forum);

/// A recorded topic with its posts under the ids that its stream names: those of the recording were
/// made anonymous apart from each other.
http::response renumbered(http::response answer) {
  auto body = test::parsed(answer.body);
  auto* stream = body.as_object().if_contains("post_stream");
  if (stream == nullptr || !base::member(*stream, "stream").is_array()) return answer;
  for (auto& one : stream->as_object()["posts"].as_array()) {
    one.as_object()["id"] = one.as_object()["post_number"];
  }
  answer.body = boost::json::serialize(body);
  return answer;
}

/// The page of a search, whose second step gets `categories`.
listing found(const call& call, const http::response& answer,
              const http::response& categories = test::answer_of(404, "{}"),
              const settings& settings = forum) {
  auto read = dc::read_search({call, settings, answer, "", ""});
  REQUIRE(read.has_value());
  if (std::holds_alternative<listing>(*read)) return std::get<listing>(std::move(*read));
  const auto& next = std::get<follow>(*read);
  CHECK(next.request.url ==
        base::join_path(settings.base_url, "/categories.json?include_subcategories=true"));
  return test::listing_of(dc::read_search({call, settings, categories, "", next.state}));
}

}  // namespace

TEST_CASE("A search of Discourse is for first posts, and quotes what would be an operator") {
  auto what = search_for("climate \"tide gauge\" -fish status:open #tag");
  const auto q = [&](const settings& with = forum) {
    const auto url = base::parse_url(rig.configured(with).planned(what));
    return url ? base::query_parameter(url->query, "q").value_or("")
               : rig.configured(with).planned(what);
  };
  CHECK(rig.planned(search_for("climate")) ==
        "https://forum.example/search.json?q=climate%20in%3Afirst&page=1");
  CHECK(q() == "climate \"tide gauge\" \"status:open\" \"#tag\" in:first");
  what.q = test::query_of("x");
  what.community = "support";
  CHECK(q() == "x #support in:first");
  what.community = "support@FORUM.example";
  CHECK(q() == "x #support in:first");
  what.community = "forum.example";
  CHECK(q() == "x in:first");
  what.community = "support@a.example:8443";
  CHECK(q(below) == "x #support in:first");
  CHECK(
      rig.configured(below).planned(what).starts_with("https://a.example:8443/talk/search.json?"));
  for (const auto* other : {"support@other.example", "a\"b", "@forum.example", "a b"}) {
    what.community = other;
    CHECK(q() == "not_found");
  }
  what.community = "all";
  what.since = sandbox_now - std::chrono::hours{24};
  CHECK(q() == "x in:first after:2026-10-30 order:latest");
  CHECK(dc::plan_search(what, forum, "10")->url.ends_with("&page=10"));
  for (const auto* bad : {"x", "1", "0", "11", "2x", "-2"}) {
    CHECK(dc::plan_search(what, forum, bad).error().code() == errc::invalid_cursor);
  }
}

TEST_CASE("A topic of Discourse is named by an id or an address of this forum") {
  CHECK(rig.planned(comments_of("forum.example/42")) == "https://forum.example/t/42.json");
  CHECK(rig.planned(comments_of("42")) == "https://forum.example/t/42.json");
  for (const auto* address :
       {"https://forum.example/t/a-slug/42", "https://forum.example/t/42?u=x",
        "http://forum.example/t/a-slug/42/7#x", "https://forum.example/t/42/7",
        "https://forum.example/t/a-slug/42.json"}) {
    INFO(address);
    CHECK(rig.planned(comments_of("", address)) == "https://forum.example/t/42.json");
  }
  CHECK(rig.configured(below).planned(comments_of("", "https://a.example:8443/talk/t/x/42")) ==
        "https://a.example:8443/talk/t/42.json");
  CHECK(rig.configured(below).planned(comments_of("", "https://a.example:8443/t/x/42")) ==
        "not_found");
  for (const auto* address : {"https://other.example/t/x/42", "https://forum.example/c/x/42",
                              "https://forum.example/t/x", "ftp://forum.example/t/x/42", "x"}) {
    INFO(address);
    CHECK(rig.planned(comments_of("", address)) == "not_found");
  }
  for (const auto* id : {"other.example/42", "forum.example/42/7", "forum.example/", "x"}) {
    CHECK(rig.planned(comments_of(id)) == "not_found");
  }
}

TEST_CASE("Every recorded answer of Discourse is read") {
  if (!rig.has_recordings()) return;
  int count = 0;
  for (const auto& path : rig.recordings()) {
    const auto name = path.filename().string();
    INFO(name);
    if (test::is_unused("discourse", test::endpoint_of(path))) continue;
    ++count;
    const auto answer = test::recorded(path);
    const auto what = comments_of("1148");
    if (name == "search__1.json" || name == "posts__2.json" || name == "error_429__1.json") {
      // The quick search and the list of latest posts of old versions, and a used-up limit.
      const auto failed = dc::read_search({search_for("x"), forum, answer, "", ""});
      REQUIRE_FALSE(failed.has_value());
      const bool limit = name.starts_with("error");
      CHECK(failed.error().code() == (limit ? errc::source_unavailable : errc::source_error));
      if (limit) CHECK(failed.error().retry_after == std::chrono::seconds{37});
    } else if (name == "search_full__1.json") {
      const auto page = found(search_for("x"), answer);
      CHECK(page.items.size() == 1);
      CHECK(page.next == "2");
      test::check_honest(page, "discourse");
      rig.read_broken(answer, {100, 5, "", answer.body});
      rig.read_broken(answer, {100, 5});
    } else {
      const bool cut = name == "topic__1.json";
      auto read = dc::read_comments({what, forum, cut ? renumbered(answer) : answer, "", ""});
      if (read && std::holds_alternative<follow>(*read)) {
        const auto more = std::get<follow>(*read);
        if (cut) {
          CHECK(more.request.url ==
                "https://forum.example/t/1148/posts.json?post_ids%5B%5D=21&post_ids%5B%5D=22");
        }
        const auto nothing = test::answer_of(200, R"({"post_stream":{"posts":[]}})");
        read = dc::read_comments({what, forum, nothing, "", more.state});
      }
      const auto page = test::listing_of(read);
      CHECK_FALSE(page.items.empty());
      test::check_honest(page, "discourse");
      rig.read_broken(what, answer, {20, 6});
    }
  }
  CHECK(count == 8);
}

TEST_CASE("A hit of a search loses no field") {
  const auto answer = test::answer_of(200, R"({"posts":[
    {"id":11,"name":"Ada L","username":"ada","avatar_template":"/u/{size}.png",
     "created_at":"2026-01-02T03:04:05.000Z","like_count":4,"blurb":"a &amp; b <b>x</b>",
     "post_number":1,"topic_id":7},
    {"id":12,"username":"bob","created_at":"2026-01-02T03:04:05Z","blurb":"r","post_number":5,
     "topic_id":7}, {"id":13,"topic_id":99,"post_number":1}, 3],
    "topics":[{"id":7,"title":"A <topic>","slug":"a-topic","posts_count":3,"views":9,
     "tags":["x",{"id":1,"name":"y"}],"category_id":6,"featured_link":"https://l.example/?utm_source=a"}],
    "grouped_search_result":{"more_full_page_results":null}})");
  const auto categories = test::answer_of(200, R"({"category_list":{"categories":[
    {"id":4,"slug":"top","subcategory_list":[{"id":6,"slug":"sub"}]}]}})");
  const auto page = found(search_for("x"), answer, categories, below);
  REQUIRE(page.items.size() == 1);
  CHECK(page.next.empty());
  const auto& one = std::get<forum_post>(page.items[0]);
  CHECK(one.id == "discourse:a.example:8443/7");
  CHECK(one.url == "https://a.example:8443/talk/t/a-topic/7");
  CHECK(one.title == "A <topic>");
  CHECK(one.text == "a & b x");
  CHECK(base::format_time(*one.created_at) == "2026-01-02T03:04:05Z");
  CHECK(one.author.id == "discourse:a.example:8443/u/ada");
  CHECK(one.author.handle == "ada");
  CHECK(one.author.display_name == "Ada L");
  CHECK(one.author.url == "https://a.example:8443/talk/u/ada");
  CHECK(one.author.avatar_url == "https://a.example:8443/u/120.png");
  CHECK(one.metrics.score == 4);
  CHECK(one.metrics.comments == 2);
  CHECK(one.metrics.views == 9);
  CHECK(one.community == "sub@a.example:8443");
  CHECK(one.link_url == "https://l.example/");
  CHECK(one.tags == std::vector<std::string>{"x", "y"});
  const auto unnamed = found(search_for("x"), answer, test::answer_of(403, "{}"), below);
  CHECK(std::get<forum_post>(unnamed.items.at(0)).community.empty());
  CHECK(unnamed.partial);
}

TEST_CASE("A topic that many hits name is given once, and a face at no address of any length") {
  std::string hits;
  for (int i = 0; i < 1'000; ++i)
    hits +=
        std::string(i == 0 ? "" : ",") + R"({"id":1,"post_number":1,"topic_id":7,"username":"a"})";
  const auto page = found(
      search_for("x"),
      test::answer_of(200, R"({"posts":[)" + hits + R"(],"topics":[{"id":7,"title":")" +
                               std::string(100'000, 'x') + R"("}],"grouped_search_result":{}})"));
  CHECK(page.items.size() == 1);
  const auto far =
      test::parsed(R"({"username":"a","avatar_template":"/)" + std::string(100'000, 'x') + "\"}");
  CHECK(dc::author_of(far, forum).avatar_url.empty());
}

TEST_CASE("A topic of Discourse is flat, in pre-order, with the posts that it leaves out") {
  if (!rig.has_recordings()) return;
  auto what = comments_of("1148");
  what.limit = 100;
  const settings mozilla{"https://discourse.mozilla-community.org", {}};
  const auto more = test::follow_of(
      dc::read_comments({what, mozilla, renumbered(rig.recording("topic__1.json")), "", ""}));
  const auto rest = test::answer_of(200, R"({"post_stream":{"posts":[
    {"id":21,"post_number":21,"reply_to_post_number":20,"cooked":"<p>late</p>","username":"x",
     "created_at":"2016-05-25T00:06:10.909Z","actions_summary":[{"id":2,"count":3}]},
    {"id":22,"post_number":22,"post_type":3,"cooked":"closed"}]}})");
  const auto page = test::listing_of(dc::read_comments({what, mozilla, rest, "", more.state}));
  CHECK_FALSE(page.partial);
  REQUIRE(page.items.size() == 20);
  std::map<std::string, std::int64_t> depths;
  for (const auto& any : page.items) {
    const auto& one = std::get<comment>(any);
    CHECK(one.post_id == "discourse:discourse.mozilla-community.org/1148");
    if (one.depth > 0) {
      REQUIRE(depths.count(one.parent_id) == 1);
      CHECK(depths[one.parent_id] == one.depth - 1);
    } else {
      CHECK(one.parent_id.empty());
    }
    CHECK(depths.emplace(one.id, one.depth).second);
  }
  const auto& first = std::get<comment>(page.items[0]);
  CHECK(first.id == "discourse:discourse.mozilla-community.org/1148/2");
  CHECK(first.url == "https://discourse.mozilla-community.org/t/support-ublock-origin/1148/2");
  CHECK(first.author.handle == "gorhill");
  CHECK(first.metrics.score == 0);
  REQUIRE_FALSE(first.media.empty());
  CHECK(first.media[0].width == 645);
  CHECK_FALSE(first.links.empty());
  CHECK(depths.at("discourse:discourse.mozilla-community.org/1148/21") == 4);
}

TEST_CASE("A topic longer than the steps allow is given in part") {
  std::string body = R"({"post_stream":{"posts":[{"id":1,"post_number":1}],"stream":[)";
  for (int i = 1; i <= 900; ++i) body += (i > 1 ? "," : "") + std::to_string(i);
  body += "]}}";
  const auto what = comments_of("7");
  auto read = dc::read_comments({what, forum, test::answer_of(200, body), "", ""});
  int steps = 0, next = 2;
  while (read && std::holds_alternative<follow>(*read)) {
    ++steps;
    std::string more = R"({"post_stream":{"posts":[)";
    for (std::size_t i = 0; i < dc::posts_per_request; ++i, ++next) {
      more += (i > 0 ? "," : "") + std::string("{\"id\":") + std::to_string(next) +
              ",\"post_number\":" + std::to_string(next) + "}";
    }
    const auto state = std::get<follow>(*read).state;
    read = dc::read_comments({what, forum, test::answer_of(200, more + "]}}"), "", state});
  }
  CHECK(steps == max_follow_steps);
  const auto page = test::listing_of(read);
  CHECK(page.partial);
  CHECK(page.warnings.at(0).find("599 posts") != std::string::npos);
  CHECK(page.items.size() == 20);
}

TEST_CASE("A post was edited when it has a second version") {
  const auto answer = test::answer_of(200, R"({"post_stream":{"posts":[
    {"id":1,"post_number":1,"cooked":"first"},
    {"id":2,"post_number":2,"cooked":"a","created_at":"2026-01-02T00:00:00Z","version":1,
     "updated_at":"2026-01-03T00:00:00Z"},
    {"id":3,"post_number":3,"cooked":"b","created_at":"2026-01-02T00:00:00Z","version":2,
     "updated_at":"2026-01-04T00:00:00Z"}]}})");
  const auto page = test::listing_of(dc::read_comments({comments_of("9"), forum, answer, "", ""}));
  REQUIRE(page.items.size() == 2);
  CHECK_FALSE(common(page.items[0]).edited_at);
  CHECK(common(page.items[1]).edited_at == base::parse_time("2026-01-04T00:00:00Z"));
}

TEST_CASE("A chain of posts is as deep as it is long") {
  constexpr int many = 3000;
  std::string posts;
  for (int i = many; i > 1; --i) {  // the last one first
    posts += R"({"id":)" + std::to_string(i) + R"(,"post_number":)" + std::to_string(i) +
             R"(,"reply_to_post_number":)" + std::to_string(i - 1) + "},";
  }
  const auto answer = test::answer_of(
      200, R"({"post_stream":{"posts":[)" + posts + R"({"id":1,"post_number":1}]}})");
  auto what = comments_of("9");
  what.limit = many;
  const auto page = test::listing_of(dc::read_comments({what, forum, answer, "", ""}));
  REQUIRE(page.items.size() == many - 1);
  for (std::size_t i = 0; i < page.items.size(); ++i) {
    const auto& one = std::get<comment>(page.items[i]);
    if (one.depth != static_cast<std::int64_t>(i)) FAIL_CHECK(one.id << ": " << one.depth);
    if (one.parent_id.empty() != (i == 0)) FAIL_CHECK(one.id << " below " << one.parent_id);
  }
}

TEST_CASE("Deleted posts stay only above others, and siblings come as asked for") {
  const auto answer = test::answer_of(200, R"({"post_stream":{"posts":[
    {"id":1,"post_number":1,"cooked":"first"},
    {"id":2,"post_number":2,"cooked":"a","created_at":"2026-01-02T00:00:00Z","like_count":1},
    {"id":3,"post_number":3,"cooked":"secret","deleted_at":"2026-01-03T00:00:00Z"},
    {"id":4,"post_number":4,"cooked":"secret","user_deleted":true},
    {"id":5,"post_number":5,"cooked":"c","reply_to_post_number":4,"created_at":"2026-01-05T00:00:00Z"},
    {"id":6,"post_number":6,"cooked":"d","created_at":"2026-01-06T00:00:00Z","like_count":9},
    {"id":7,"post_number":7,"cooked":"e","reply_to_post_number":9},
    {"id":8,"post_number":8,"post_type":3,"cooked":"pinned"}]}})");
  const auto order = [&](std::string sort) {
    auto what = comments_of("9");
    what.sort = std::move(sort);
    std::string out;
    for (const auto& one :
         test::listing_of(dc::read_comments({what, forum, answer, "", ""})).items) {
      out += common(one).id.back();
      CHECK(common(one).text != "secret");
    }
    return out;
  };
  CHECK(order("best") == "24567");
  CHECK(order("old") == "24567");
  CHECK(order("top") == "62457");
  CHECK(order("new") == "62457");
}

TEST_CASE("Errors of Discourse are told by their type") {
  const auto code = [](int status, std::string body, std::string type = "application/json") {
    const auto answer = test::answer_of(status, std::move(body), std::move(type));
    return dc::read_comments({comments_of("1"), forum, answer, "", ""}).error().code();
  };
  CHECK(code(403, R"({"errors":["x"],"error_type":"invalid_access"})") ==
        errc::source_auth_required);
  CHECK(code(403, R"({"errors":["x"],"error_type":"not_logged_in"})") ==
        errc::source_auth_required);
  CHECK(code(404, R"({"errors":["x"],"error_type":"not_found"})") == errc::not_found);
  CHECK(code(200, R"({"errors":["x"],"error_type":"rate_limit"})") == errc::source_unavailable);
  CHECK(code(429, "Slow down", "text/plain") == errc::source_unavailable);
  CHECK(code(422, R"({"errors":["x"],"error_type":"invalid_parameters"})") == errc::source_error);
  CHECK(code(200, R"({"post_stream":3})") == errc::source_error);
  CHECK(code(403, "<html><title>Just a moment...</title>", "text/html") == errc::source_blocked);
  auto login = test::answer_of(200, "<html>", "text/html");
  login.final_url = "https://forum.example/login";
  CHECK(dc::read_search({search_for("x"), forum, login, "", ""}).error().code() ==
        errc::source_auth_required);
  const auto refused = dc::read_search(
      {search_for("x"), forum,
       test::answer_of(200, R"({"posts":[],"grouped_search_result":{"error":"too much load"}})"),
       "", ""});
  CHECK(refused.error().code() == errc::source_unavailable);
  CHECK(refused.error().retry_after == std::chrono::seconds{60});
  CHECK(refused.error().source_text == "too much load");
}

TEST_CASE("The sandbox of Discourse walks as the pipeline would") {
  test::sandbox box("discourse");
  const settings with{"https://discourse.example", {}};
  int pages = 0;
  const auto all = box.walk(rig.source(), search_for("climate"), with, pages);
  CHECK(pages == 2);
  CHECK(all.size() == 14);
  for (const auto& one : all) {
    CHECK(query::matches(test::query_of("climate"), one));
    CHECK(std::get<forum_post>(one).community.ends_with("@discourse.example"));
  }
  auto what = search_for("climate");
  what.community = "coast@discourse.example";
  for (const auto& one : box.walk(rig.source(), what, with, pages)) {
    CHECK(std::get<forum_post>(one).community == what.community);
  }
  auto week = search_for("climate");
  week.since = sandbox_now - std::chrono::hours{168};
  CHECK(box.walk(rig.source(), week, with, pages).size() == 14);
  CHECK(box.walk(rig.source(), search_for("\"tide gauge\""), with, pages).size() == 2);
  const auto thread = box.walk(rig.source(), comments_of("discourse.example/303"), with, pages);
  CHECK(pages == 2);
  CHECK(thread.size() == 28);
  CHECK(common(thread[0]).text == "I read the chapter twice & still disagree, see this");
  const auto& how = rig.source().capabilities;
  CHECK(box.page(how[1], comments_of("404404"), with, "").error().code() == errc::not_found);
  const auto quota = box.page(how[0], search_for("quota"), with, "");
  CHECK(quota.error().code() == errc::source_unavailable);
  CHECK(quota.error().retry_after == std::chrono::seconds{30});
}

}  // namespace freshet::sources::discourse
