// X: queries and lists, its posts under both namings, problems inside a success, and the sandbox.
#include <base/time_text.hpp>
#include <base/work.hpp>
#include <boost/json/serialize.hpp>
#include <catch2/catch.hpp>
#include <sources/item_text.hpp>
#include <sources/read_answer.hpp>
#include <sources/source_rig.hpp>
#include <sources/x/wire.hpp>

namespace freshet::sources::x {

using base::member;
using catalog::operation;
using test::code_of;
namespace json = boost::json;

namespace {

const settings with_token{"", {{"bearer_token", "secret"}}};
const test::source_rig rig("x", with_token, "twitter");

call call_for(operation op) {
  auto what = test::search_call(op, "climate");
  what.username = "alice";
  what.native_id = "2116787321041846272";
  return what;
}

/// The operation whose list a recording is; users_by* is a lookup.
operation operation_of(const std::string& endpoint) {
  if (endpoint.starts_with("users_by")) return operation::microblog_users_lookup;
  if (endpoint.starts_with("users_tweets")) return operation::microblog_users_posts;
  return operation::microblog_search;
}

/// A list of users, or a post by itself, as the lookups and lists that we ask for wrap them.
http::response in_our_envelope(const std::string& endpoint, http::response answer) {
  auto body = test::parsed(answer.body);
  const auto& data = member(body, "data");
  if (endpoint == "search_all_data_only") {
    answer.body = R"({"data":)" + answer.body + R"(,"meta":{"result_count":25}})";
  } else if (endpoint == "users_by" && data.is_array()) {
    body.as_object()["data"] = json::value(data.as_array().front());
    answer.body = json::serialize(body);
  } else if (endpoint == "tweet" && data.is_object()) {
    body.as_object()["data"] = json::array{json::value(data)};
    answer.body = json::serialize(body);
  }
  return answer;
}

result<step> read_recorded(const std::string& endpoint, const http::response& answer) {
  const auto op = operation_of(endpoint);
  const std::string state = op == operation::microblog_users_posts ? "user:783214" : "";
  return rig.read(call_for(op), answer, "", state);
}

const std::string fields =
    "&tweet.fields=attachments%2Cauthor_id%2Cconversation_id%2Ccreated_at%2Centities%2Clang"
    "%2Cnote_tweet%2Cpossibly_sensitive%2Cpublic_metrics%2Creferenced_tweets"
    "&expansions=attachments.media_keys%2Cauthor_id%2Creferenced_tweets.id"
    "%2Creferenced_tweets.id.author_id&user.fields=name%2Cprofile_image_url%2Cusername"
    "&media.fields=alt_text%2Cduration_ms%2Cheight%2Cpreview_image_url%2Ctype%2Curl%2Cvariants"
    "%2Cwidth";

}  // namespace

TEST_CASE("x: a search says what it can, within the window, and asks for no more than wanted") {
  auto what = call_for(operation::microblog_search);
  const std::string search = "https://api.x.com/2/tweets/search/recent?query=";
  CHECK(rig.planned(what) == search + "climate%20-is%3Aretweet&max_results=20" + fields);
  what.q = test::query_of("storm \"tide gauge\" -rain from:bob OR");
  what.lang = "pt-BR";
  what.limit = 3;
  what.since = what.now - std::chrono::hours{24} + std::chrono::milliseconds{7};
  CHECK(rig.planned(what, "b26v_x") ==
        search +
            "storm%20%22tide%20gauge%22%20-rain%20%22from%3Abob%22%20%22OR%22%20-is%3Aretweet"
            "%20lang%3Apt&max_results=10&start_time=2026-10-31T12%3A00%3A00Z&next_token=b26v_x" +
            fields);
  what.since = what.now - std::chrono::days{30};
  CHECK(rig.planned(what).find("&start_time=2026-10-25T12%3A01%3A00Z&") != std::string::npos);
  what.limit = 500;
  CHECK(rig.planned(what).find("&max_results=100&") != std::string::npos);
  CHECK(rig.planned(what, "a b") == "invalid_cursor");
  CHECK(rig.planned(what, std::string(200, 'a')) == "invalid_cursor");

  what.q = test::query_of("don't co-op $tide #tides @alice");
  what.lang.clear();
  CHECK(rig.planned(what).find("?query=%22don%27t%22%20%22co-op%22%20%22%24tide%22%20%23tides%20"
                               "%40alice%20-is%3Aretweet&") != std::string::npos);

  // What would make the query too long is left out, what is the caller's is not.
  what.lang.clear();
  what.q = test::query_of(std::string(505, 'a'));
  CHECK(rig.planned(what).find("retweet") == std::string::npos);
  what.q = test::query_of("\"" + std::string(255, 'a') + "\" \"" + std::string(252, 'b') + "\"");
  CHECK(rig.planned(what).find("bbb%22&") != std::string::npos);
}

TEST_CASE("x: the token goes along, to the configured address and no further") {
  for (const auto op : {operation::microblog_search, operation::microblog_users_lookup,
                        operation::microblog_users_posts, operation::microblog_posts_replies}) {
    const auto request = rig.capability_for(op).plan(call_for(op), with_token, "");
    REQUIRE(request.has_value());
    CHECK(http::find_header(request->headers, "authorization") == "Bearer secret");
    CHECK(request->redirect_limit == 0);
    CHECK(request->url.find("secret") == std::string::npos);
  }
  const auto what = call_for(operation::microblog_users_lookup);
  const std::string path =
      "/2/users/by/username/alice?user.fields=created_at%2Cdescription%2Centities"
      "%2Cprofile_banner_url%2Cprofile_image_url%2Cprotected%2Cpublic_metrics%2Curl%2Cusername"
      "%2Cverified";
  CHECK(rig.planned(what) == "https://api.x.com" + path);
  CHECK(rig.configured({"http://127.0.0.1:8", {}}).planned(what) == "http://127.0.0.1:8" + path);
  CHECK(rig.configured({"http://127.0.0.1:8/x/2", {}}).planned(what) ==
        "http://127.0.0.1:8/x" + path);
}

TEST_CASE("x: what cannot be a handle or a post of X is not asked for") {
  for (const auto op : {operation::microblog_users_lookup, operation::microblog_users_posts}) {
    auto what = call_for(op);
    for (const auto* name : {"", "alice.test", "alice@mastodon.social", "a-b", "sixteencharacter",
                             "a/b", "\xC3\xA4"}) {
      CAPTURE(name);
      what.username = name;
      CHECK(rig.planned(what) == "not_found");
    }
  }
  auto what = call_for(operation::microblog_posts_replies);
  const std::string list =
      "https://api.x.com/2/tweets/search/recent?query=conversation_id%3A20%20OR"
      "%20in_reply_to_tweet_id%3A20&max_results=20" +
      fields;
  what.native_id = "20";
  CHECK(rig.planned(what) == list);
  what.native_id.clear();
  for (const auto* url :
       {"https://x.com/jack/status/20", "https://twitter.com/jack/status/20?s=20",
        "https://www.twitter.com/jack/statuses/20", "https://mobile.x.com/jack/status/20/photo/1",
        "https://x.com/i/web/status/20", "http://x.com/i/status/20"}) {
    CAPTURE(url);
    what.url = url;
    CHECK(rig.planned(what) == list);
  }
  for (const auto* url :
       {"https://x.com/jack", "https://x.com/jack/status/x", "https://x.com/",
        "https://example.org/jack/status/20", "https://x.com/jack/lists/20", ""}) {
    CAPTURE(url);
    what.url = url;
    CHECK(rig.planned(what) == "not_found");
  }
  for (const auto* id : {"at://x", "mastodon.social/1", "123456789012345678901", "1x"}) {
    what.native_id = id;
    CHECK(rig.planned(what) == "not_found");
  }
  what = call_for(operation::microblog_users_posts);
  CHECK(rig.planned(what, "783214/7140") ==
        "https://api.x.com/2/users/783214/tweets?max_results=20&pagination_token=7140" + fields);
  for (const auto* bad : {"783214", "x/7140", "783214/", "783214/a b", "/7"})
    CHECK(rig.planned(what, bad) == "invalid_cursor");
}

TEST_CASE("x: every recorded answer is read without loss") {
  if (!rig.has_recordings()) return;
  std::size_t posts = 0, users = 0;
  for (const auto& path : rig.recordings()) {
    const auto endpoint = test::endpoint_of(path);
    INFO(path.filename().string());
    if (test::is_unused("x", endpoint) || endpoint.starts_with("error") ||
        endpoint.ends_with("not_found"))
      continue;
    const auto answer = in_our_envelope(endpoint, test::recorded(path));
    REQUIRE(answer.status == 200);
    const auto body = test::parsed(answer.body);
    const auto page = test::listing_of(read_recorded(endpoint, answer));
    if (operation_of(endpoint) == operation::microblog_users_lookup) {
      test::check_page(page, "x");  // when a user joined is a field that had not been asked for
    } else {
      test::check_honest(page, "x");
    }
    const auto& data = member(body, "data");
    const auto count = data.is_array() ? data.as_array().size() : data.is_object() ? 1U : 0U;
    REQUIRE(page.items.size() == count);
    const auto token = base::text_of(member(body, "meta", "next_token"));
    CHECK(page.next == (token.empty() || operation_of(endpoint) != operation::microblog_users_posts
                            ? token
                            : "783214/" + token));
    for (std::size_t i = 0; i < count; ++i) {
      const auto& raw = data.is_array() ? data.as_array()[i] : data;
      if (const auto* one = std::get_if<user>(&page.items[i])) {
        ++users;
        CHECK(one->id == "x:" + base::text_of(member(raw, "id")));
        CHECK(one->handle == base::text_of(member(raw, "username")));
        CHECK(one->metrics.followers ==
              base::integer_of(member(raw, "public_metrics", "followers_count")));
        continue;
      }
      const auto& one = std::get<post>(page.items[i]);
      ++posts;
      const auto& refers = base::array_of(member(raw, "referenced_tweets"));
      const bool reposts =
          !refers.empty() && base::text_of(member(refers.front(), "type")) == "retweeted";
      if (reposts && one.id != "x:" + base::text_of(member(raw, "id"))) {
        CHECK(one.reposted_by.id == "x:" + base::text_of(member(raw, "author_id")));
        continue;
      }
      CHECK(one.id == "x:" + base::text_of(member(raw, "id")));
      CHECK(one.text == clean_escaped(base::text_of(member(raw, "text"))));
      CHECK(one.metrics.likes == base::integer_of(member(raw, "public_metrics", "like_count")));
      CHECK(one.metrics.reposts ==
            base::integer_of(member(raw, "public_metrics", "retweet_count")));
      if (const auto at = base::parse_time(base::text_of(member(raw, "created_at"))))
        CHECK(one.created_at == at);
      const auto versions = base::array_of(member(raw, "edit_history_tweet_ids")).size();
      CHECK(one.edited_at.has_value() == (versions > 1));
      CHECK(one.tags.size() <= base::array_of(member(raw, "entities", "hashtags")).size());
    }
  }
  CHECK(posts > 80);
  CHECK(users >= 6);
}

TEST_CASE("x: every recorded error has its code") {
  if (!rig.has_recordings()) return;
  const std::map<std::string, errc> expected = {
      {"error_401", errc::source_auth_required},
      {"error_403_not_enrolled", errc::source_auth_required},
      {"error_429", errc::source_unavailable},
      {"error_429_text", errc::source_unavailable},
      {"error_429_usage_cap", errc::source_unavailable},
      {"error_429_v1style", errc::source_unavailable},
      {"users_by_username_not_found", errc::not_found},
  };
  std::size_t seen = 0;
  for (const auto& path : rig.recordings()) {
    const auto endpoint = test::endpoint_of(path);
    if (!endpoint.starts_with("error") && !endpoint.ends_with("not_found")) continue;
    INFO(path.filename().string());
    const auto found = expected.find(endpoint);
    REQUIRE(found != expected.end());
    auto answer = test::recorded(path);
    if (endpoint == "error_429_text")  // 97 seconds before the reset in its headers
      answer.headers.push_back({"Date", "Fri, 25 Jun 2021 11:49:00 GMT"});
    const auto read = read_recorded(endpoint, answer);
    CHECK(code_of(read) == found->second);
    CHECK(!read.error().source_text.empty());
    if (endpoint == "error_429_usage_cap") CHECK(read.error().retry_after == max_retry_after);
    if (endpoint == "error_429_text") CHECK(read.error().retry_after.has_value());
    ++seen;
  }
  CHECK(seen == expected.size());
}

TEST_CASE("x: both namings give the same post") {
  const std::string old_names = R"({"data":[{"id":"1578516068309794817","author_id":"7","text":
    "RT @a: cut","referenced_tweets":[{"type":"retweeted","id":"1578516068309794000"}]}],
    "includes":{"users":[{"id":"7","username":"b","name":"B"},{"id":"8","username":"a"}],
    "tweets":[{"id":"1578516068309794000","author_id":"8","text":"short &amp;",
    "note_tweet":{"text":"long &lt;b&gt; &amp;amp;\n#x","entities":{"hashtags":[{"tag":"x"}]}},
    "conversation_id":"1578516068309793000","possibly_sensitive":true,
    "edit_history_tweet_ids":["1578516068309794000","1578516068309798913"],
    "public_metrics":{"retweet_count":"5","like_count":6,"impression_count":70},
    "entities":{"urls":[{"url":"https://t.co/1","expanded_url":"https://x.com/a/status/1/photo/1"},
    {"url":"https://t.co/2","expanded_url":"https://example.org/a?b=1"}]},
    "referenced_tweets":[{"type":"replied_to","id":"11"},{"type":"quoted","id":"12"}],
    "attachments":{"media_keys":["m"]}}],
    "media":[{"media_key":"m","type":"animated_gif","preview_image_url":"https://p.test/1.jpg",
    "duration_ms":1500,"variants":[{"content_type":"video/mp4","url":"https://p.test/1.mp4"}]}]}})";
  auto new_names = old_names;
  const auto rename = [&new_names](std::string_view from, std::string_view to) {
    for (auto at = new_names.find(from); at != std::string::npos; at = new_names.find(from))
      new_names.replace(at, from.size(), to);
  };
  rename("referenced_tweets", "referenced_posts");
  rename("note_tweet", "note_post");
  rename("edit_history_tweet_ids", "edit_history_post_ids");
  rename("retweet_count", "repost_count");
  rename("\"tweets\"", "\"posts\"");
  for (const auto& body : {old_names, new_names}) {
    const auto page = test::listing_of(rig.capability_for(operation::microblog_search)
                                           .read({call_for(operation::microblog_search), with_token,
                                                  test::answer_of(200, body), "", ""}));
    test::check_page(page, "x");
    const auto& one = std::get<post>(page.items.at(0));
    CHECK(one.id == "x:1578516068309794000");
    CHECK(one.url == "https://x.com/a/status/1578516068309794000");
    CHECK(one.text == "long <b> &amp;\n#x");
    CHECK(one.reposted_by.handle == "b");
    CHECK(one.author.handle == "a");
    CHECK(one.metrics.reposts == 5);
    CHECK(one.metrics.likes == 6);
    CHECK(one.metrics.views == 70);
    CHECK(one.parent_id == "x:11");
    CHECK(one.quoted_id == "x:12");
    CHECK(one.conversation_id == "x:1578516068309793000");
    CHECK(one.sensitive == true);
    CHECK(one.tags == std::vector<std::string>{"x"});
    CHECK(one.links == std::vector<std::string>{"https://example.org/a?b=1"});
    CHECK(base::format_time(*one.created_at) == "2022-10-07T22:42:12.752Z");
    CHECK(one.edited_at == time_of_id("1578516068309798913"));
    REQUIRE(one.media.size() == 1);
    CHECK(one.media[0].type == "gif");
    CHECK(one.media[0].url == "https://p.test/1.mp4");
    CHECK(one.media[0].duration_s == 1.5);
  }
  const auto who = test::listing_of(
      rig.capability_for(operation::microblog_users_lookup)
          .read({call_for(operation::microblog_users_lookup), with_token,
                 test::answer_of(200, R"({"data":{"id":"7","username":"b","public_metrics":
                                        {"post_count":9,"followers_count":"12"}}})"),
                 "", ""}));
  CHECK(std::get<user>(who.items.at(0)).metrics.posts == 9);
  CHECK(std::get<user>(who.items.at(0)).metrics.followers == 12);
}

TEST_CASE("x: where the old names are refused, the new ones are asked for, once") {
  const auto refusal =
      test::answer_of(400,
                      R"({"errors":[{"parameters":{"tweet.fields":["lang"]},"message":"unknown"}],
          "title":"Invalid Request","type":"https://api.x.com/2/problems/invalid-request"})");
  for (const auto op : {operation::microblog_search, operation::microblog_users_posts,
                        operation::microblog_posts_replies}) {
    const auto& how = rig.capability_for(op);
    const auto what = call_for(op);
    const std::string first = op == operation::microblog_users_posts ? "user:7" : "";
    const auto again = test::follow_of(how.read({what, with_token, refusal, "", first}));
    CHECK(again.request.url.find("&post.fields=") != std::string::npos);
    CHECK(again.request.url.find("tweet.fields") == std::string::npos);
    CHECK(again.request.url.find("%2Cnote_post%2C") != std::string::npos);  // else texts come cut
    CHECK(again.request.url.find("expansions=attachments.media_keys%2Cauthor_id"
                                 "%2Creferenced_posts&") != std::string::npos);
    CHECK(code_of(how.read({what, with_token, refusal, "", again.state})) == errc::source_error);
    const auto page = test::listing_of(
        how.read({what, with_token,
                  test::answer_of(200, R"({"data":[{"id":"1578516068309794817","text":"a"}],
                                          "meta":{"next_token":"n1"}})"),
                  "", again.state}));
    CHECK(page.items.size() == 1);
    CHECK(page.next == (op == operation::microblog_users_posts ? "7/n1" : "n1"));
  }
  const auto other = test::answer_of(
      400, R"({"errors":[{"parameters":{"query":["("]},"message":"bad"}],"title":"Invalid"})");
  const auto& how = rig.capability_for(operation::microblog_search);
  CHECK(code_of(how.read({call_for(operation::microblog_search), with_token, other, "", ""})) ==
        errc::source_error);
}

TEST_CASE("x: problems inside a 200") {
  const auto read = [](operation op, std::string body, std::string state = "") {
    return rig.capability_for(op).read(
        {call_for(op), with_token, test::answer_of(200, std::move(body)), "", state});
  };
  const auto problem = [](std::string type) {
    return R"({"errors":[{"title":"t","detail":"d","type":"https://api.x.com/2/problems/)" + type +
           "\"}]}";
  };
  const auto timeline = operation::microblog_users_posts;
  CHECK(code_of(read(timeline, problem("resource-not-found"), "user:7")) == errc::not_found);
  CHECK(code_of(read(timeline, problem("not-authorized-for-resource"), "user:7")) ==
        errc::source_auth_required);
  CHECK(code_of(read(timeline, problem("resource-not-found"))) == errc::not_found);
  CHECK(code_of(read(operation::microblog_search, problem("other"))) == errc::source_error);
  CHECK(code_of(read(operation::microblog_search, "{}")) == errc::source_error);
  CHECK(code_of(read(operation::microblog_search, R"({"data":{"id":"1"}})")) == errc::source_error);
  CHECK(test::listing_of(read(operation::microblog_search, R"({"meta":{"result_count":0}})"))
            .items.empty());
  // A reference that could not be expanded is a problem beside the data, and no failure.
  const auto partly = test::listing_of(
      read(operation::microblog_search,
           R"({"data":[{"id":"1578516068309794817","text":"a","author_id":"9"}],"errors":[{"type":
             "https://api.x.com/2/problems/resource-not-found","resource_id":"9"}],"meta":{}})"));
  REQUIRE(partly.items.size() == 1);
  CHECK(common(partly.items[0]).url == "https://x.com/i/web/status/1578516068309794817");
  CHECK(common(partly.items[0]).author.id == "x:9");
}

TEST_CASE("x: what lies beyond seven days is said to be missing") {
  auto what = call_for(operation::microblog_search);
  const auto& search = rig.capability_for(what.op);
  const auto none = test::answer_of(200, R"({"meta":{"result_count":0}})");
  what.since = what.now - std::chrono::hours{100};
  CHECK(!test::listing_of(search.read({what, with_token, none, "", ""})).partial);
  what.since = what.now - std::chrono::days{7};  // a minute of it is never asked for
  CHECK(!test::listing_of(search.read({what, with_token, none, "", ""})).partial);
  what.since = what.now - std::chrono::days{8};
  CHECK(test::listing_of(search.read({what, with_token, none, "", ""})).partial);

  what = call_for(operation::microblog_posts_replies);
  const auto& replies = rig.capability_for(what.op);
  what.native_id = "1293593516040269825";  // of 2020
  const auto whether = test::follow_of(replies.read({what, with_token, none, "", ""}));
  CHECK(whether.request.url ==
        "https://api.x.com/2/tweets/1293593516040269825?tweet.fields=created_at");
  const auto there = test::listing_of(replies.read(
      {what, with_token, test::answer_of(200, R"({"data":{"id":"1293593516040269825"}})"), "",
       whether.state}));
  CHECK(there.items.empty());
  CHECK(there.partial);
  const auto gone = R"({"errors":[{"type":"https://api.x.com/2/problems/resource-not-found"}]})";
  CHECK(code_of(replies.read({what, with_token, test::answer_of(200, gone), "", whether.state})) ==
        errc::not_found);
  const auto within = test::listing_of(replies.read(
      {what, with_token, test::answer_of(200, R"({"data":[{"id":"2116794115814326272","text":"a",
                                "conversation_id":"1293593516040269000"}],
                                "meta":{"next_token":"n"}})"),
       "", ""}));
  CHECK(within.items.size() == 1);
  CHECK(within.partial);
  CHECK(within.warnings.size() == 3);
}

TEST_CASE("x: a post that many others repeat is not read for each of them without an end") {
  std::string data;
  for (int i = 0; i < 100; ++i) {
    data += std::string(i == 0 ? "" : ",") + R"({"id":")" +
            std::to_string(2116794115814326272 + i) +
            R"(","author_id":"7","referenced_tweets":[{"type":"retweeted","id":"5"}]})";
  }
  const auto answer =
      test::answer_of(200, R"({"data":[)" + data + R"(],"includes":{"tweets":[{"id":"5","text":")" +
                               std::string(1 << 20, 'x') + R"("}]}})");
  auto what = call_for(operation::microblog_posts_replies);
  what.native_id = "1293593516040269825";
  const auto& replies = rig.capability_for(what.op);
  CHECK_THROWS_AS(replies.read({what, with_token, answer, "", ""}), base::work_ended);
}

TEST_CASE("x: broken answers never break the reader") {
  if (!rig.has_recordings()) return;
  unsigned seed = 11;
  for (const std::string name : {"search_recent__3", "users_tweets__3", "users_by_username__3"}) {
    const auto op = operation_of(name);
    const std::string state = op == operation::microblog_users_posts ? "user:783214" : "";
    rig.read_broken(call_for(op), rig.recording(name + ".json"), {400, seed++, "", state});
  }
  auto what = call_for(operation::microblog_posts_replies);
  rig.read_broken(what, rig.recording("search_recent__3.json"), {400, 77});
}

TEST_CASE("x: the sandbox holds every operation") {
  test::sandbox sandbox("x");
  int pages = 0;
  const auto who = sandbox.walk(x::source, call_for(operation::microblog_users_lookup), {}, pages);
  REQUIRE(who.size() == 1);
  CHECK(std::get<user>(who[0]).text ==
        "Gauges, surges & the people who read them. https://t.co/w1");

  const auto timeline =
      sandbox.walk(x::source, call_for(operation::microblog_users_posts), {}, pages);
  CHECK(pages == 2);
  CHECK(timeline.size() == 5);
  CHECK(std::get<post>(timeline[0]).reposted_by.handle == "alice");
  CHECK(std::get<post>(timeline[0]).author.handle == "mara_lind");

  auto search = call_for(operation::microblog_search);
  CHECK(sandbox.walk(x::source, search, {}, pages).size() == 7);
  CHECK(pages == 2);
  search.q = test::query_of("\"tide gauge\"");
  const auto found = sandbox.walk(x::source, search, {}, pages);
  CHECK(found.size() == 4);
  for (const auto& one : found) CHECK(query::matches(search.q, one));

  auto replies = call_for(operation::microblog_posts_replies);
  const auto tree = sandbox.walk(x::source, replies, {}, pages);
  std::vector<std::string> texts;
  for (const auto& one : tree) texts.push_back(common(one).text.substr(0, 8));
  CHECK(texts == std::vector<std::string>{"Is the p", "It is, s", "Thank yo", "We have "});
  replies.native_id = "2116574418170806272";
  CHECK(sandbox.walk(x::source, replies, {}, pages).empty());

  auto nobody = call_for(operation::microblog_users_posts);
  nobody.username = "nobody";
  const auto none = sandbox.page(rig.capability_for(nobody.op), nobody, {}, "");
  REQUIRE(none.has_error());
  CHECK(none.error().code() == errc::not_found);
}

}  // namespace freshet::sources::x
