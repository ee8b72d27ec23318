// Items to JSON, key by key in the order of the contract's section 3, which the catalogue's schemas
// repeat; the tests hold the two together. It judges nothing: what a source read is written.
#include <model/json.hpp>
#include <model/object_writer.hpp>
#include <variant>

namespace freshet::model {
namespace {

void write_author(object_writer& to, const author& who) {
  to.text("id", who.id);
  to.text("handle", who.handle);
  to.text("display_name", who.display_name);
  to.text("url", who.url);
  to.text("avatar_url", who.avatar_url);
}

bool is_nobody(const author& who) {
  return who.id.empty() && who.handle.empty() && who.display_name.empty() && who.url.empty() &&
         who.avatar_url.empty();
}

void write_media(object_writer& to, const media& one) {
  to.exact("type", one.type);
  to.exact("url", one.url);
  to.text("preview_url", one.preview_url);
  to.text("alt", one.alt);
  to.integer("width", one.width);
  to.integer("height", one.height);
  to.number("duration_s", one.duration_s);
}

// The metrics of each object, under fixed keys; none for those that nobody counts.

void write_metrics(object_writer& to, const post& of) {
  to.integer("likes", of.metrics.likes);
  to.integer("reposts", of.metrics.reposts);
  to.integer("replies", of.metrics.replies);
  to.integer("quotes", of.metrics.quotes);
  to.integer("views", of.metrics.views);
}

void write_metrics(object_writer& to, const user& of) {
  to.integer("followers", of.metrics.followers);
  to.integer("following", of.metrics.following);
  to.integer("posts", of.metrics.posts);
}

void write_metrics(object_writer& to, const video& of) {
  to.integer("views", of.metrics.views);
  to.integer("likes", of.metrics.likes);
  to.integer("comments", of.metrics.comments);
  to.integer("shares", of.metrics.shares);
}

void write_metrics(object_writer& to, const forum_post& of) {
  to.integer("score", of.metrics.score);
  to.number("upvote_ratio", of.metrics.upvote_ratio);
  to.integer("comments", of.metrics.comments);
  to.integer("views", of.metrics.views);
}

void write_metrics(object_writer& to, const comment& of) { to.integer("score", of.metrics.score); }

void write_metrics(object_writer&, const web_result&) {}
void write_metrics(object_writer&, const article&) {}
void write_metrics(object_writer&, const document&) {}

// What each object has beside the common keys.

void write_own(object_writer& to, const post& of) {
  to.text("parent_id", of.parent_id);
  to.text("conversation_id", of.conversation_id);
  to.text("quoted_id", of.quoted_id);
  if (is_nobody(of.reposted_by)) {
    to.text("reposted_by", {});
  } else {
    to.object("reposted_by", [&](object_writer& inside) { write_author(inside, of.reposted_by); });
  }
  to.flag("sensitive", of.sensitive);
}

void write_own(object_writer& to, const user& of) {
  to.text("handle", of.handle);
  to.text("display_name", of.display_name);
  to.text("avatar_url", of.avatar_url);
  to.text("banner_url", of.banner_url);
  to.flag("verified", of.verified);
}

void write_own(object_writer& to, const video& of) {
  to.number("duration_s", of.duration_s);
  to.text("thumbnail_url", of.thumbnail_url);
  const auto& piece = of.music;
  if (piece.id.empty() && piece.title.empty() && piece.author.empty()) {
    to.text("music", {});
    return;
  }
  to.object("music", [&](object_writer& inside) {
    inside.text("id", of.music.id);
    inside.text("title", of.music.title);
    inside.text("author", of.music.author);
  });
}

void write_own(object_writer& to, const forum_post& of) {
  to.text("community", of.community);
  to.text("link_url", of.link_url);
  to.flag("sensitive", of.sensitive);
}

void write_own(object_writer& to, const comment& of) {
  to.text("post_id", of.post_id);
  to.text("parent_id", of.parent_id);
  to.integer("depth", of.depth);
}

void write_own(object_writer& to, const web_result& of) {
  to.integer("rank", of.rank);
  to.text("display_url", of.display_url);
  to.text("site_name", of.site_name);
  to.objects("engines", of.engines, [](object_writer& inside, const engine_rank& one) {
    inside.exact("name", one.name);
    inside.integer("rank", one.rank);
  });
}

void write_own(object_writer& to, const article& of) {
  to.object("site", [&](object_writer& inside) {
    inside.text("name", of.site.name);
    inside.text("domain", of.site.domain);
    inside.text("country", of.site.country);
  });
}

void write_own(object_writer& to, const document& of) {
  to.exact("markdown", of.markdown);
  to.text("final_url", of.final_url);
  to.text("site_name", of.site_name);
  to.text("description", of.description);
  to.text("image_url", of.image_url);
  to.integer("word_count", of.word_count);
  to.integer("token_estimate", of.token_estimate);
  to.integer("status_code", of.status_code == 0 ? std::nullopt : count(of.status_code));
  to.text("content_type", of.content_type);
}

template <class Object>
void write_item(object_writer& to, const char* object, const Object& of) {
  to.exact("object", object);
  to.exact("id", of.id);
  to.exact("source", of.source);
  to.text("url", of.url);
  to.text("title", of.title);
  to.text("text", of.text);
  to.text("lang", of.lang);
  to.time("created_at", of.created_at);
  to.object("author", [&](object_writer& inside) { write_author(inside, of.author); });
  to.object("metrics", [&](object_writer& inside) { write_metrics(inside, of); });
  to.objects("media", of.media, write_media);
  to.strings("tags", of.tags);
  to.strings("links", of.links);
  write_own(to, of);
}

}  // namespace

void append_item(std::string& out, const item& what, std::span<const std::string> fields) {
  object_writer to(out, fields);
  std::visit([&](const auto& one) { write_item(to, object_name(what), one); }, what);
  to.close();
}

std::string items_json(std::span<const item> items, std::span<const std::string> fields) {
  std::string out = "[";
  for (const auto& one : items) {
    if (out.size() > 1) out += ',';
    append_item(out, one, fields);
  }
  out += ']';
  return out;
}

}  // namespace freshet::model
