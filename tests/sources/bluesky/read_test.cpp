// What Bluesky answers: every recorded post field by field, refusals, broken copies.
#include <algorithm>
#include <base/time_text.hpp>
#include <base/work.hpp>
#include <catch2/catch.hpp>
#include <sources/bluesky/wire.hpp>
#include <sources/item_text.hpp>
#include <sources/source_rig.hpp>

namespace freshet::sources::bluesky {

using base::member;
using catalog::operation;
namespace bsky = freshet::sources::bluesky;
namespace json = boost::json;

namespace {

const test::source_rig rig("bluesky");

call call_for(operation op) {
  auto what = test::search_call(op, "climate");
  what.username = "alice.test";
  what.native_id = "at://did:plc:qdeel45ku4xshvo3picgjj3y/app.bsky.feed.post/3n2s6qn4bd22q";
  what.limit = 100;
  return what;
}

const capability& capability_for(const std::string& endpoint) {
  const auto op = endpoint.starts_with("getProfile")      ? operation::microblog_users_lookup
                  : endpoint.starts_with("getAuthorFeed") ? operation::microblog_users_posts
                  : endpoint.starts_with("searchPosts")   ? operation::microblog_search
                                                          : operation::microblog_posts_replies;
  return rig.capability_for(op);
}

result<step> read_recorded(const std::string& endpoint, const http::response& answer) {
  const auto& how = capability_for(endpoint);
  auto what = call_for(how.op);
  if (endpoint.starts_with("resolveHandle")) {
    what.native_id.clear();
    what.url = "https://bsky.app/profile/alice.test/post/3n2s6qn4bd22q";
  }
  return how.read({what, {}, answer, "", ""});
}

/// Every postView of an answer, by URI.
void collect(const json::value& node, std::map<std::string, const json::value*>& out) {
  if (member(node, "uri").is_string() && member(node, "record").is_object() &&
      member(node, "author").is_object())
    out.emplace(base::text_of(member(node, "uri")), &node);
  for (const auto& [key, value] : base::object_of(node)) collect(value, out);
  for (const auto& value : base::array_of(node)) collect(value, out);
}

std::size_t count_media(const json::value& embed) {
  const auto type = base::text_of(member(embed, "$type"));
  if (type == "app.bsky.embed.images#view") return base::array_of(member(embed, "images")).size();
  if (type == "app.bsky.embed.video#view") return 1;
  if (type == "app.bsky.embed.recordWithMedia#view") return count_media(member(embed, "media"));
  return 0;
}

void check_post(const post& item, const json::value& view) {
  INFO("post " << item.id);
  const auto& record = member(view, "record");
  CHECK(item.id == "bluesky:" + base::text_of(member(view, "uri")));
  CHECK(item.text == clean_text(base::text_of(member(record, "text"))));
  CHECK(item.metrics.likes == base::integer_of(member(view, "likeCount")));
  CHECK(item.metrics.reposts == base::integer_of(member(view, "repostCount")));
  CHECK(item.metrics.replies == base::integer_of(member(view, "replyCount")));
  CHECK(item.metrics.quotes == base::integer_of(member(view, "quoteCount")));
  CHECK(item.metrics.likes.has_value());
  CHECK(!item.metrics.views.has_value());
  CHECK(item.created_at == base::parse_time(base::text_of(member(record, "createdAt"))));
  CHECK(item.author.id == "bluesky:" + base::text_of(member(view, "author", "did")));
  CHECK(item.author.handle == base::text_of(member(view, "author", "handle")));
  CHECK(item.author.display_name == clean_text(member(view, "author", "displayName")));
  CHECK(item.author.avatar_url == base::text_of(member(view, "author", "avatar")));
  CHECK(item.media.size() == count_media(member(view, "embed")));
  const auto& languages = base::array_of(member(record, "langs"));
  CHECK(item.lang == (languages.empty() ? "" : base::text_of(languages.front())));
  const auto parent = base::text_of(member(record, "reply", "parent", "uri"));
  CHECK(item.parent_id == (parent.empty() ? "" : "bluesky:" + parent));
  const auto root = base::text_of(member(record, "reply", "root", "uri"));
  CHECK(item.conversation_id == (root.empty() ? item.id : "bluesky:" + root));
  std::set<std::string> tags, links;
  for (const auto& facet : base::array_of(member(record, "facets"))) {
    for (const auto& feature : base::array_of(member(facet, "features"))) {
      if (member(feature, "tag").is_string()) tags.insert(clean_text(member(feature, "tag")));
      const auto link = file_url(base::text_of(member(feature, "uri")));
      if (!link.empty()) links.insert(link);
    }
  }
  for (const auto& tag : base::array_of(member(record, "tags"))) tags.insert(clean_text(tag));
  const auto card = base::text_of(member(view, "embed", "external", "uri"));
  if (!card.empty()) links.insert(file_url(card));
  const auto media_card = base::text_of(member(view, "embed", "media", "external", "uri"));
  if (!media_card.empty()) links.insert(file_url(media_card));
  CHECK(std::set<std::string>(item.tags.begin(), item.tags.end()) == tags);
  CHECK(std::set<std::string>(item.links.begin(), item.links.end()) == links);
}

std::size_t entries_in(const json::value& body) {
  return base::array_of(member(body, "feed")).size() + base::array_of(member(body, "posts")).size();
}

/// Reads one recording and compares every item with the JSON. Returns how many items there were.
std::size_t check_recording(const std::filesystem::path& path) {
  INFO(path.filename().string());
  const auto endpoint = test::endpoint_of(path);
  const auto answer = test::recorded(path);
  auto read = read_recorded(endpoint, answer);
  if (endpoint.starts_with("resolveHandle")) {
    CHECK(test::follow_of(std::move(read)).request.url.find("getPostThread") != std::string::npos);
    return 0;
  }
  const auto page = test::listing_of(std::move(read));
  test::check_page(page, "bluesky");
  const auto body = test::parsed(answer.body);
  std::map<std::string, const json::value*> views;
  collect(body, views);
  std::size_t hidden = 0;
  for (const auto& [uri, view] : views) hidden += bsky::is_hidden(*view) ? 1 : 0;
  if (entries_in(body) > 0) CHECK(page.items.size() + hidden >= entries_in(body));
  for (const auto& any : page.items) {
    if (const auto* one = std::get_if<post>(&any)) {
      const auto found = views.find(one->id.substr(8));
      REQUIRE(found != views.end());
      CHECK(!bsky::is_hidden(*found->second));
      check_post(*one, *found->second);
      CHECK(one->created_at.has_value());
      CHECK(!one->url.empty());
    }
  }
  const auto cursor = base::text_of(member(body, "cursor"));
  CHECK(page.next == cursor);
  return page.items.size();
}

}  // namespace

TEST_CASE("bluesky: every recorded answer is read without loss") {
  if (!rig.has_recordings()) return;
  std::size_t read = 0;
  for (const auto* folder : {"bluesky", "loopback/bluesky"}) {
    for (const auto& path : test::recordings(folder)) {
      const auto endpoint = test::endpoint_of(path);
      if (test::is_unused("bluesky", endpoint) || test::recorded(path).status != 200) continue;
      read += check_recording(path);
    }
  }
  CHECK(read > 250);
}

TEST_CASE("bluesky: every recorded error has its code") {
  if (!rig.has_recordings()) return;
  const std::map<std::string, errc> expected = {
      {"error_400_missing_param", errc::source_error},
      {"error_400_profile_not_found", errc::not_found},
      {"error_404_post_not_found", errc::not_found},
      {"error_429", errc::source_unavailable},
      {"error", errc::source_error},
      {"searchPosts_error_403_auth", errc::source_auth_required},
      {"searchPosts_error_403_html", errc::source_auth_required},
      {"getAuthorFeed_unknown", errc::not_found},
      {"getPostThread_notfound", errc::not_found},
      {"getProfile_invalid", errc::source_error},
      {"getProfile_missing_param", errc::source_error},
      {"getProfile_unknown", errc::not_found},
      {"getTimeline_noauth", errc::source_auth_required},
      {"searchPosts_bad_cursor", errc::source_error},
      {"searchPosts_limit_101", errc::source_error},
      {"searchPosts_noq", errc::source_error},
      {"unknown_method", errc::source_error},
  };
  std::size_t seen = 0;
  for (const auto* folder : {"bluesky", "loopback/bluesky"}) {
    for (const auto& path : test::recordings(folder)) {
      const auto endpoint = test::endpoint_of(path);
      if (test::is_unused("bluesky", endpoint)) continue;
      const auto answer = test::recorded(path);
      if (answer.status == 200) continue;
      INFO(path.filename().string());
      const auto found = expected.find(endpoint);
      REQUIRE(found != expected.end());
      const auto read = read_recorded(endpoint, answer);
      REQUIRE(read.has_error());
      CHECK(read.error().code() == found->second);
      CHECK(!read.error().source_text.empty());
      CHECK(read.error().detail().find(read.error().source_text) == std::string::npos);
      if (endpoint == "error_429") CHECK(read.error().retry_after == std::chrono::seconds{42});
      ++seen;
    }
  }
  CHECK(seen >= 16);
}

TEST_CASE("bluesky: fields of recorded posts, by hand") {
  if (!test::shared_has("recordings/bluesky/getAuthorFeed__1.json")) return;
  const auto page =
      test::listing_of(read_recorded("getAuthorFeed", rig.recording("getAuthorFeed__1.json")));
  REQUIRE(page.items.size() == 50);
  CHECK(page.next == "2024-03-21T23:36:16.378Z");

  const auto& first = std::get<post>(page.items[0]);
  CHECK(first.id ==
        "bluesky:at://did:plc:wpe35pganb6d4pg4ekmfy6u5/app.bsky.feed.post/3lof7sovfok2h");
  CHECK(first.url == "https://bsky.app/profile/chriskenny.bsky.social/post/3lof7sovfok2h");
  CHECK(first.text.starts_with("If you’re running this on GHA, you may now want to make sure"));
  CHECK(base::format_time(*first.created_at) == "2025-05-05T01:30:17.912Z");
  CHECK(first.metrics.replies == 1);
  CHECK(first.author.url == "https://bsky.app/profile/chriskenny.bsky.social");
  CHECK(first.reposted_by.id.empty());
  CHECK(first.sensitive == false);

  const auto& quote = std::get<post>(page.items[1]);
  CHECK(quote.quoted_id.starts_with(
      "bluesky:at://did:plc:qnzaaisqa3lafzmtjxt5nt52/app.bsky.feed.post/"));
  REQUIRE(quote.media.size() == 1);
  CHECK(quote.media[0].type == "image");
  CHECK(quote.media[0].width == 652);
  CHECK(quote.media[0].height == 348);
  CHECK(quote.media[0].url.find("/feed_fullsize/") != std::string::npos);
  CHECK(quote.media[0].preview_url.find("/feed_thumbnail/") != std::string::npos);

  const auto& repost = std::get<post>(page.items[6]);
  CHECK(repost.author.handle == "mickael.canouil.fr");
  CHECK(repost.reposted_by.handle == "chriskenny.bsky.social");
  CHECK(repost.reposted_by.id == "bluesky:did:plc:wpe35pganb6d4pg4ekmfy6u5");
  CHECK(repost.metrics.likes == 13);

  const auto searched =
      test::listing_of(read_recorded("searchPosts", rig.recording("searchPosts__2.json")));
  CHECK(searched.items.size() == 99);
  CHECK(searched.warnings.size() == 1);
  CHECK(searched.next == "100");
  std::size_t videos = 0;
  for (const auto& any : searched.items) {
    for (const auto& media : common(any).media) {
      if (media.type != "video") continue;
      ++videos;
      CHECK(media.url.ends_with("/playlist.m3u8"));
      CHECK(media.width == 1268);
    }
  }
  CHECK(videos == 1);

  const auto who =
      test::listing_of(read_recorded("getProfile", rig.recording("getProfile__1.json")));
  REQUIRE(who.items.size() == 1);
  const auto& user = std::get<freshet::user>(who.items[0]);
  CHECK(user.id == "bluesky:did:plc:ntd53albt5ffa4rgervvgibd");
  CHECK(user.url == "https://bsky.app/profile/jbgruber.bsky.social");
  CHECK(user.handle == "jbgruber.bsky.social");
  CHECK(user.display_name == "Johannes B. Gruber");
  CHECK(user.text.starts_with("Senior Researcher @gesis.org // Data Editor"));
  CHECK(user.metrics.followers == 1224);
  CHECK(user.metrics.following == 879);
  CHECK(user.metrics.posts == 374);
  CHECK(base::format_time(*user.created_at) == "2023-09-21T16:05:03.068Z");
  CHECK(user.avatar_url.find("/img/avatar/") != std::string::npos);
  CHECK(user.banner_url.find("/img/banner/") != std::string::npos);
  CHECK(user.verified == false);
}

TEST_CASE("bluesky: a timeline ends where it is older than since, by the time of the repost") {
  auto what = call_for(operation::microblog_users_posts);
  what.since = base::parse_time("2026-10-20T00:00:00Z");
  const auto entry = [](std::string created, std::string reason) {
    return R"({"post":{"uri":"at://did:plc:a/app.bsky.feed.post/)" + created.substr(0, 10) +
           R"(","author":{"did":"did:plc:a","handle":"a.test"},"record":{"text":"x","createdAt":")" +
           created + R"("},"indexedAt":")" + created + "\"}" + reason + "}";
  };
  const std::string repost =
      R"(,"reason":{"$type":"app.bsky.feed.defs#reasonRepost","by":{"did":"did:plc:b","handle":"b.test"},"indexedAt":"2026-10-31T00:00:00Z"})";
  const std::string pin = R"(,"reason":{"$type":"app.bsky.feed.defs#reasonPin"})";
  const auto read = [&](const std::string& entries) {
    return test::listing_of(bsky::read_timeline(
        {what,
         {},
         test::answer_of(200, R"({"feed":[)" + entries + R"(],"cursor":"next"})"),
         "",
         ""}));
  };
  CHECK(read(entry("2026-10-21T00:00:00Z", "")).next == "next");
  CHECK(read(entry("2026-10-19T00:00:00Z", "")).next.empty());
  const auto reposted = read(entry("2026-09-01T00:00:00Z", repost));
  CHECK(reposted.next == "next");
  const auto& item = std::get<post>(reposted.items.at(0));
  CHECK(base::format_time(*item.created_at) == "2026-09-01T00:00:00Z");
  CHECK(item.reposted_by.handle == "b.test");
  CHECK(read(entry("2026-09-01T00:00:00Z", pin)).next == "next");
  CHECK(read(entry("2026-10-21T00:00:00Z", "") + "," + entry("2026-09-01T00:00:00Z", "")).next ==
        "");
}

TEST_CASE("bluesky: a thread is flat, in order, and says what is missing") {
  const auto node = [](std::string key, std::string at, std::string author, std::string rest) {
    return R"({"$type":"app.bsky.feed.defs#threadViewPost","post":{"uri":"at://did:plc:a/app.bsky.feed.post/)" +
           key + R"(","author":{"did":"did:plc:a","handle":"a.test")" + author +
           R"(},"record":{"text":")" + key + R"(","createdAt":"2026-10-)" + at +
           R"(T00:00:00Z"},"replyCount":1})" + rest + "}";
  };
  const std::string signed_in = R"(,"labels":[{"val":"!no-unauthenticated"}])";
  const std::string gone =
      R"({"$type":"app.bsky.feed.defs#notFoundPost","uri":"at://x","notFound":true})";
  const auto body =
      R"({"thread":)" +
      node("root", "01", "",
           R"(,"replies":[)" + node("late", "05", "", R"(,"replies":[])") + "," + gone + "," +
               node("early", "02", "",
                    R"(,"replies":[)" +
                        node("hidden", "03", signed_in,
                             R"(,"replies":[)" + node("below", "04", "", "") + "]") +
                        "]") +
               "]") +
      "}";
  auto what = call_for(operation::microblog_posts_replies);
  const auto page =
      test::listing_of(bsky::read_replies({what, {}, test::answer_of(200, body), "", ""}));
  std::vector<std::string> texts;
  for (const auto& any : page.items) texts.push_back(common(any).text);
  CHECK(texts == std::vector<std::string>{"early", "below", "late"});
  CHECK(page.partial);  // "below" has a reply that did not come
  CHECK(page.warnings.size() == 3);

  what.limit = 2;
  const auto first =
      test::listing_of(bsky::read_replies({what, {}, test::answer_of(200, body), "", ""}));
  CHECK(first.items.size() == 2);
  REQUIRE(!first.next.empty());
  const auto rest =
      test::listing_of(bsky::read_replies({what, {}, test::answer_of(200, body), first.next, ""}));
  REQUIRE(rest.items.size() == 1);
  CHECK(common(rest.items[0]).text == "late");
  CHECK(rest.next.empty());
  CHECK(bsky::read_replies({what, {}, test::answer_of(200, body), "x", ""}).error().code() ==
        errc::invalid_cursor);
  CHECK(bsky::read_replies({what, {}, test::answer_of(200, R"({"thread":)" + gone + "}"), "", ""})
            .error()
            .code() == errc::not_found);
}

TEST_CASE("bluesky: labels, late clocks and cursors") {
  const auto read = [](std::string author_rest, std::string post_rest, std::string cursor) {
    auto what = call_for(operation::microblog_search);
    return test::listing_of(bsky::read_search(
        {what,
         {},
         test::answer_of(
             200,
             R"({"posts":[{"uri":"at://did:plc:a/app.bsky.feed.post/1","author":{"did":"did:plc:a","handle":"handle.invalid")" +
                 author_rest +
                 R"(},"record":{"text":"x","createdAt":"2030-01-01T00:00:00Z"},"indexedAt":"2026-10-01T00:00:00Z")" +
                 post_rest + R"(}],"cursor":")" + cursor + "\"}"),
         "5",
         ""}));
  };
  const auto page = read("", R"(,"labels":[{"val":"porn"}])", "10");
  const auto& item = std::get<post>(page.items.at(0));
  CHECK(item.sensitive == true);
  CHECK(base::format_time(*item.created_at) == "2026-10-01T00:00:00Z");
  CHECK(item.url == "https://bsky.app/profile/did:plc:a/post/1");
  CHECK(page.next == "10");
  CHECK(std::get<post>(read("", R"(,"labels":[{"val":"porn","neg":true}])", "").items.at(0))
            .sensitive == false);
  CHECK(read(R"(,"labels":[{"val":"!no-unauthenticated"}])", "", "").items.empty());
  CHECK(read("", "", "5").next.empty());
  const auto cut = read("", "", std::string(600, 'x'));
  CHECK(cut.next.empty());
  CHECK(cut.partial);
}

TEST_CASE("bluesky: broken answers never break the reader") {
  if (!test::shared_has("recordings/loopback/bluesky")) return;
  unsigned seed = 20261101;
  for (const std::string name :
       {"getProfile_alice", "getAuthorFeed_alice", "getAuthorFeed_bob_repost",
        "searchPosts_climate", "getPostThread"}) {
    const auto& how = capability_for(name);
    rig.read_broken(call_for(how.op), test::recording_at("loopback/bluesky/" + name + ".json"),
                    {400, seed++});
  }
  const auto real = test::shared_dir() / "recordings/bluesky/getAuthorFeed__2.json";
  const auto& how = capability_for("getAuthorFeed");
  rig.read_broken(call_for(how.op), test::recorded(real), {100, 7});
}

TEST_CASE("A post of Bluesky's that many answer is not kept with each of them") {
  const auto node = [](const std::string& uri) {
    return R"({"post":{"uri":"at://)" + uri + R"(","record":{"text":"x"}})";
  };
  std::string body = R"({"thread":)" + node(std::string(128 << 10, 'x')) + R"(,"replies":[)";
  for (int i = 0; i < 600; ++i)
    body += (i == 0 ? "" : ",") + node("a/b/" + std::to_string(i)) + "}";
  const auto what = call_for(operation::microblog_posts_replies);
  const auto answer = test::answer_of(200, body + "]}}");
  CHECK_THROWS_AS(bsky::read_replies({what, {}, answer, "", ""}), base::work_ended);
}

}  // namespace freshet::sources::bluesky
