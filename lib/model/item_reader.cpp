// Items from JSON: how the client of a remote server gets back the values that append_item wrote.
// Sources have nothing to do with it; they read their own formats.
#include <model/json.hpp>
#include <model/object_reader.hpp>
#include <utility>

namespace freshet::model {
namespace {

author read_author(object_reader from) {
  author out;
  out.id = from.text("id");
  out.handle = from.text("handle");
  out.display_name = from.text("display_name");
  out.url = from.text("url");
  out.avatar_url = from.text("avatar_url");
  return out;
}

media read_media(object_reader from) {
  media out;
  out.type = from.text("type");
  out.url = from.text("url");
  out.preview_url = from.text("preview_url");
  out.alt = from.text("alt");
  out.width = from.integer("width");
  out.height = from.integer("height");
  out.duration_s = from.number("duration_s");
  return out;
}

void read_own(object_reader& from, post& to) {
  auto metrics = from.object("metrics");
  to.metrics.likes = metrics.integer("likes");
  to.metrics.reposts = metrics.integer("reposts");
  to.metrics.replies = metrics.integer("replies");
  to.metrics.quotes = metrics.integer("quotes");
  to.metrics.views = metrics.integer("views");
  to.parent_id = from.text("parent_id");
  to.conversation_id = from.text("conversation_id");
  to.quoted_id = from.text("quoted_id");
  to.reposted_by = read_author(from.object("reposted_by"));
  to.sensitive = from.flag("sensitive");
}

void read_own(object_reader& from, user& to) {
  auto metrics = from.object("metrics");
  to.metrics.followers = metrics.integer("followers");
  to.metrics.following = metrics.integer("following");
  to.metrics.posts = metrics.integer("posts");
  to.handle = from.text("handle");
  to.display_name = from.text("display_name");
  to.avatar_url = from.text("avatar_url");
  to.banner_url = from.text("banner_url");
  to.verified = from.flag("verified");
}

void read_own(object_reader& from, video& to) {
  auto metrics = from.object("metrics");
  to.metrics.views = metrics.integer("views");
  to.metrics.likes = metrics.integer("likes");
  to.metrics.comments = metrics.integer("comments");
  to.metrics.shares = metrics.integer("shares");
  to.duration_s = from.number("duration_s");
  to.thumbnail_url = from.text("thumbnail_url");
  auto music = from.object("music");
  to.music.id = music.text("id");
  to.music.title = music.text("title");
  to.music.author = music.text("author");
}

void read_own(object_reader& from, forum_post& to) {
  auto metrics = from.object("metrics");
  to.metrics.score = metrics.integer("score");
  to.metrics.upvote_ratio = metrics.number("upvote_ratio");
  to.metrics.comments = metrics.integer("comments");
  to.metrics.views = metrics.integer("views");
  to.community = from.text("community");
  to.link_url = from.text("link_url");
  to.sensitive = from.flag("sensitive");
}

void read_own(object_reader& from, comment& to) {
  to.metrics.score = from.object("metrics").integer("score");
  to.post_id = from.text("post_id");
  to.parent_id = from.text("parent_id");
  to.depth = from.integer("depth").value_or(0);
}

void read_own(object_reader& from, web_result& to) {
  to.rank = from.integer("rank").value_or(0);
  to.display_url = from.text("display_url");
  to.site_name = from.text("site_name");
  for (const auto& one : from.list("engines")) {
    object_reader engine(one, from.problem());
    engine_rank rank;
    rank.name = engine.text("name");
    rank.rank = engine.integer("rank");
    to.engines.push_back(std::move(rank));
  }
}

void read_own(object_reader& from, article& to) {
  auto site = from.object("site");
  to.site.name = site.text("name");
  to.site.domain = site.text("domain");
  to.site.country = site.text("country");
}

void read_own(object_reader& from, document& to) {
  to.markdown = from.text("markdown");
  to.final_url = from.text("final_url");
  to.site_name = from.text("site_name");
  to.description = from.text("description");
  to.image_url = from.text("image_url");
  to.word_count = from.integer("word_count").value_or(0);
  to.token_estimate = from.integer("token_estimate").value_or(0);
  to.status_code = from.integer("status_code").value_or(0);
  to.content_type = from.text("content_type");
}

template <class Object>
item read_as(object_reader& from) {
  Object to;
  to.id = from.text("id");
  to.source = from.text("source");
  to.url = from.text("url");
  to.title = from.text("title");
  to.text = from.text("text");
  to.lang = from.text("lang");
  to.created_at = from.time("created_at");
  to.author = read_author(from.object("author"));
  for (const auto& one : from.list("media")) {
    to.media.push_back(read_media(object_reader(one, from.problem())));
  }
  to.tags = from.strings("tags");
  to.links = from.strings("links");
  read_own(from, to);
  if (to.id.empty()) from.fail("id", "a string with characters");
  return to;
}

struct kind {
  std::string_view object;
  item (*read)(object_reader&);
};

constexpr kind kinds[] = {
    {"post", read_as<post>},       {"user", read_as<user>},
    {"video", read_as<video>},     {"forum_post", read_as<forum_post>},
    {"comment", read_as<comment>}, {"web_result", read_as<web_result>},
    {"article", read_as<article>}, {"document", read_as<document>},
};

}  // namespace

result<item> read_item(const boost::json::value& from) {
  std::string problem;
  object_reader reader(from, problem);
  const auto object = reader.text("object");
  for (const auto& one : kinds) {
    if (one.object != object) continue;
    auto read = one.read(reader);
    if (!problem.empty()) {
      return error(errc::source_error, "an item of the answer is unreadable: " + problem);
    }
    return read;
  }
  return error(errc::source_error, "an item of the answer is of no known kind");
}

}  // namespace freshet::model
