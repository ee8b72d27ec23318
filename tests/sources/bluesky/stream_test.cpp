// Jetstream's messages: what is kept of each, and what must go.
#include <catch2/catch.hpp>
#include <sources/bluesky/wire.hpp>
#include <sources/source_rig.hpp>

namespace freshet::sources::bluesky {

using catalog::operation;
namespace bsky = freshet::sources::bluesky;

namespace {

constexpr const char* poster = "did:plc:eygmaihciaxprqvxpfvl6flk";

std::string message(const std::string& rest) {
  return R"({"did":"did:plc:eygmaihciaxprqvxpfvl6flk","time_us":1795257600123456,)" + rest + "}";
}

std::string commit(const std::string& operation, const std::string& record,
                   const std::string& collection = "app.bsky.feed.post",
                   const std::string& rkey = "3l3qo2vutsw2b") {
  auto text = R"("kind":"commit","commit":{"rev":"3l3qo2vuowo2b","operation":")" + operation +
              R"(","collection":")" + collection + R"(","rkey":")" + rkey + "\"";
  if (!record.empty()) text += R"(,"record":)" + record + R"(,"cid":"bafyreidwaivazkwu67xztlm")";
  return message(text + "}");
}

news read(const std::string& text) {
  auto said = bsky::read_stream({}, text);
  INFO(text);
  REQUIRE(said);
  return std::move(*said);
}

bool says_nothing(const news& said) {
  return said.items.empty() && said.deleted.empty() && said.lost_authors.empty() &&
         said.shut_authors.empty() && said.reopened_authors.empty();
}

}  // namespace

TEST_CASE(
    "bluesky stream: it asks for posts and profiles, and goes on a little before the cursor") {
  const auto first = bsky::plan_stream({}, "");
  REQUIRE(first);
  CHECK(first->url ==
        "wss://jetstream2.us-east.bsky.network/subscribe?wantedCollections=app.bsky.feed.post"
        "&wantedCollections=app.bsky.actor.profile&maxMessageSizeBytes=262144");
  settings with;
  with.values["stream_url"] = "ws://127.0.0.1:6008/subscribe?compress=false";
  CHECK(bsky::plan_stream(with, "1795257600123456")->url ==
        "ws://127.0.0.1:6008/subscribe?compress=false"
        "&wantedCollections=app.bsky.feed.post&wantedCollections=app.bsky.actor.profile"
        "&maxMessageSizeBytes=262144&cursor=1795257595123456");
  for (const auto* odd : {"x", "-5", "12 34", "99999999999999999999999", "1"}) {
    CHECK(bsky::plan_stream({}, odd)->url == first->url);
  }
}

TEST_CASE("bluesky stream: a post is read as the AppView's view would be") {
  const auto said = read(commit("create", R"({"$type":"app.bsky.feed.post",
    "createdAt":"2026-11-21T10:39:00.500Z","langs":["en-GB"],"text":"Tide gauge #climate see site",
    "facets":[{"index":{"byteStart":11,"byteEnd":19},
               "features":[{"$type":"app.bsky.richtext.facet#tag","tag":"climate"}]},
              {"index":{"byteStart":24,"byteEnd":28},
               "features":[{"$type":"app.bsky.richtext.facet#link","uri":"https://skerry.example/"}]}],
    "reply":{"parent":{"cid":"b","uri":"at://did:plc:a/app.bsky.feed.post/2"},
             "root":{"cid":"b","uri":"at://did:plc:a/app.bsky.feed.post/1"}},
    "embed":{"$type":"app.bsky.embed.recordWithMedia",
      "record":{"$type":"app.bsky.embed.record",
                "record":{"cid":"b","uri":"at://did:plc:q/app.bsky.feed.post/9"}},
      "media":{"$type":"app.bsky.embed.images","images":[{"alt":"A gauge",
        "aspectRatio":{"width":4,"height":3},
        "image":{"$type":"blob","ref":{"$link":"bafkreiabc"},"mimeType":"image/jpeg","size":9}}]}}})"));
  REQUIRE(said.items.size() == 1);
  CHECK(said.cursor == "1795257600123456");
  test::check_item(said.items[0], "bluesky");
  const auto& one = std::get<post>(said.items[0]);
  CHECK(one.id == std::string("bluesky:at://") + poster + "/app.bsky.feed.post/3l3qo2vutsw2b");
  CHECK(one.url == std::string("https://bsky.app/profile/") + poster + "/post/3l3qo2vutsw2b");
  CHECK(one.text == "Tide gauge #climate see site");
  CHECK(one.lang == "en-GB");
  CHECK((one.created_at == time_point(std::chrono::milliseconds(1'795'257'540'500))));
  CHECK(one.author.id == std::string("bluesky:") + poster);
  CHECK(one.author.handle.empty());
  CHECK(one.tags == std::vector<std::string>{"climate"});
  CHECK(one.links == std::vector<std::string>{"https://skerry.example/"});
  CHECK(one.parent_id == "bluesky:at://did:plc:a/app.bsky.feed.post/2");
  CHECK(one.conversation_id == "bluesky:at://did:plc:a/app.bsky.feed.post/1");
  CHECK(one.quoted_id == "bluesky:at://did:plc:q/app.bsky.feed.post/9");
  REQUIRE(one.media.size() == 1);
  CHECK(one.media[0].url ==
        std::string("https://cdn.bsky.app/img/feed_fullsize/plain/") + poster + "/bafkreiabc@jpeg");
  CHECK(one.media[0].alt == "A gauge");
  CHECK(one.media[0].width == 4);
}

TEST_CASE("bluesky stream: videos and link cards") {
  const auto video = read(commit("create", R"({"createdAt":"2026-11-21T11:00:00Z","text":"waves",
    "embed":{"$type":"app.bsky.embed.video","alt":"Waves",
             "video":{"$type":"blob","ref":{"$link":"bafkreivid"}}}})"));
  const auto& media = common(video.items.at(0)).media.at(0);
  CHECK(media.type == "video");
  CHECK(
      media.url ==
      "https://video.bsky.app/watch/did%3Aplc%3Aeygmaihciaxprqvxpfvl6flk/bafkreivid/playlist.m3u8");
  const auto card = read(commit("create", R"({"createdAt":"2026-11-21T11:00:00Z","text":"read",
    "embed":{"$type":"app.bsky.embed.external","external":{"uri":"https://a.example/x"}}})"));
  CHECK(common(card.items.at(0)).links == std::vector<std::string>{"https://a.example/x"});
  const auto odd = read(commit("create", R"({"createdAt":"2026-11-21T11:00:00Z","text":"odd",
    "embed":{"$type":"app.bsky.embed.images",
             "images":[{"image":{"ref":{"$link":"../../x"}}},{"image":7}]}})"));
  CHECK(common(odd.items.at(0)).media.empty());
}

TEST_CASE("bluesky stream: a time in the future is not believed") {
  const auto said = read(commit("create", R"({"createdAt":"2031-01-01T00:00:00Z","text":"x"})"));
  CHECK(common(said.items.at(0)).created_at ==
        time_point(std::chrono::milliseconds(1'795'257'600'123)));
}

TEST_CASE("bluesky stream: deletions, closed accounts and profiles that want no strangers") {
  const auto id = std::string("bluesky:at://") + poster + "/app.bsky.feed.post/3l3qo2vutsw2b";
  const auto author = std::string("bluesky:") + poster;
  using names = std::vector<std::string>;
  CHECK(read(commit("delete", "")).deleted == names{id});
  CHECK(read(commit("update", R"({"createdAt":"2026-11-21T11:00:00Z","text":"edited"})"))
            .items.size() == 1);
  // Edited into something that may not be shown, or is no post any more.
  const auto hidden = read(commit("update", R"({"createdAt":"2026-11-21T11:00:00Z","text":"x",
    "labels":{"$type":"com.atproto.label.defs#selfLabels","values":[{"val":"!no-unauthenticated"}]}})"));
  CHECK(hidden.items.empty());
  CHECK(hidden.deleted == names{id});
  CHECK(read(commit("update", "7")).deleted == names{id});

  const std::string labelled =
      R"({"labels":{"values":[{"val":"!no-unauthenticated"}]},"displayName":"A"})";
  CHECK(read(commit("update", labelled, "app.bsky.actor.profile", "self")).shut_authors ==
        names{author});
  CHECK(read(commit("update", R"({"displayName":"A"})", "app.bsky.actor.profile", "self"))
            .reopened_authors == names{author});

  for (const auto* status : {"deleted", "takendown", "suspended", "deactivated"}) {
    const auto text = message(R"("kind":"account","account":{"active":false,"status":")" +
                              std::string(status) + "\"}");
    CHECK(read(text).lost_authors == names{author});
  }
  CHECK(says_nothing(read(message(R"("kind":"account","account":{"active":true})"))));
  CHECK(says_nothing(
      read(message(R"("kind":"account","account":{"active":false,"status":"throttled"})"))));
}

TEST_CASE("bluesky stream: other messages move the cursor and say nothing") {
  for (const auto& text :
       {message(R"("kind":"identity","identity":{"handle":"a.test"})"), message(R"("kind":"new")"),
        commit("create", "{}", "app.bsky.feed.like"), commit("create", "{}", "x", "y"),
        commit("create", "{}", "app.bsky.feed.post", "../x"), message(R"("kind":7)")}) {
    const auto said = read(text);
    CHECK(says_nothing(said));
    CHECK(said.cursor == "1795257600123456");
  }
}

TEST_CASE("bluesky stream: broken messages are errors or sound items") {
  for (const auto* text :
       {"", "{}", "[]", "x", R"({"did":"did:plc:a"})", R"({"did":"nobody","time_us":5})",
        R"({"did":"did:plc:a","time_us":-1})"}) {
    CHECK_FALSE(bsky::read_stream({}, text));
  }
  const auto honest = commit("create", R"({"createdAt":"2026-11-21T11:00:00Z","langs":["en"],
    "text":"Tide https://x.example","tags":["a"],"facets":[{"features":[{"$type":"a#link",
    "uri":"https://x.example/"}]}],"embed":{"$type":"app.bsky.embed.images",
    "images":[{"alt":"b","image":{"ref":{"$link":"bafy"}}}]}})");
  std::mt19937 random(3);
  for (int i = 0; i < 3000; ++i) {
    const auto said = bsky::read_stream({}, test::mutated(honest, random));
    if (!said) continue;
    for (const auto& one : said->items) test::check_item(one, "bluesky");
  }
}

}  // namespace freshet::sources::bluesky
