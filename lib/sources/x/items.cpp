// Posts and users of X's API v2 as items. Fields have two names, of 2020 and of 2026, and ids are
// text: they are beyond what a double can hold.
#include <base/time_text.hpp>
#include <sources/item_text.hpp>
#include <sources/x/wire.hpp>

namespace freshet::sources::x {
namespace {

using base::member;
using base::view_of;
using base::json::value;

/// The member under its name of 2020, else under that of 2026.
const value& either(const value& value, std::string_view tweet_name, std::string_view post_name) {
  const auto& old = member(value, tweet_name);
  return old.is_null() ? member(value, post_name) : old;
}

std::string item_id(std::string_view native) {
  return is_native_id(native) ? "x:" + std::string(native) : std::string();
}

author read_author(const value& from) {
  author who;
  who.id = item_id(view_of(member(from, "id")));
  who.handle = clean_name(view_of(member(from, "username")));
  who.display_name = clean_name(view_of(member(from, "name")));
  if (!who.handle.empty()) who.url = page_url("https://x.com/" + who.handle);
  who.avatar_url = file_url(view_of(member(from, "profile_image_url")));
  return who;
}

const value& found(const std::map<std::string_view, const value*>& map, std::string_view key) {
  static const value nothing;
  const auto at = map.find(key);
  return at == map.end() ? nothing : *at->second;
}

author author_of(const value& post, const inclusions& inclusions) {
  const auto id = view_of(member(post, "author_id"));
  auto who = read_author(found(inclusions.users, id));
  if (who.id.empty()) who.id = item_id(id);
  return who;
}

/// The id of the post that this one refers to in a certain way; "" if there is none.
std::string_view reference(const value& value, std::string_view type) {
  for (const auto& one : base::array_of(either(value, "referenced_tweets", "referenced_posts"))) {
    if (view_of(member(one, "type")) == type) return view_of(member(one, "id"));
  }
  return {};
}

/// The page of a picture or of the quoted post is no link of the text.
bool is_own_page(const value& entity, std::string_view url) {
  if (!member(entity, "media_key").is_null()) return true;
  const auto status = url.find("/status/");
  const bool on_x = url.starts_with("https://x.com/") || url.starts_with("https://twitter.com/");
  return on_x && status != std::string_view::npos &&
         (url.find("/photo/", status) != std::string_view::npos ||
          url.find("/video/", status) != std::string_view::npos);
}

void read_entities(const value& entities, post& post) {
  for (const auto& one : base::array_of(member(entities, "hashtags")))
    add_once(post.tags, clean_text(member(one, "tag")));
  for (const auto& one : base::array_of(member(entities, "urls"))) {
    auto url = view_of(member(one, "unwound_url"));
    if (url.empty()) url = view_of(member(one, "expanded_url"));
    if (!is_own_page(one, url)) add_once(post.links, file_url(url));
  }
}

/// The best file of a video: of those that are MP4 the one with most bits.
std::string video_url(const value& from) {
  std::string best;
  std::int64_t most = -1;
  for (const auto& one : base::array_of(member(from, "variants"))) {
    const auto rate = base::integer_of(member(one, "bit_rate")).value_or(0);
    auto url = file_url(view_of(member(one, "url")));
    if (view_of(member(one, "content_type")) != "video/mp4" || url.empty() || rate <= most)
      continue;
    best = std::move(url);
    most = rate;
  }
  return best;
}

/// Of a post; X shows four. Many posts, and one post many times, may name the same.
constexpr std::size_t max_media = 20;

void read_media(const value& value, post& post) {
  if (post.media.size() >= max_media) return;
  const auto type = view_of(member(value, "type"));
  struct media one;
  one.preview_url = file_url(view_of(member(value, "preview_image_url")));
  one.url = file_url(view_of(member(value, "url")));
  if (type == "photo") {
    one.type = "image";
  } else if (type == "video" || type == "animated_gif") {
    one.type = type == "video" ? "video" : "gif";
    auto url = video_url(value);
    if (!url.empty()) one.url = std::move(url);
  } else {
    return;
  }
  if (one.url.empty()) return;
  one.alt = clean_text(member(value, "alt_text"));
  one.width = base::integer_of(member(value, "width"));
  one.height = base::integer_of(member(value, "height"));
  if (const auto ms = base::number_of(member(value, "duration_ms"))) one.duration_s = *ms / 1000.0;
  post.media.push_back(std::move(one));
}

void read_metrics(const value& value, post& post) {
  const auto& metrics = member(value, "public_metrics");
  post.metrics.likes = base::integer_of(member(metrics, "like_count"));
  post.metrics.reposts = base::integer_of(either(metrics, "retweet_count", "repost_count"));
  post.metrics.replies = base::integer_of(member(metrics, "reply_count"));
  post.metrics.quotes = base::integer_of(member(metrics, "quote_count"));
  post.metrics.views = base::integer_of(member(metrics, "impression_count"));
}

/// A text of more than 280 characters stands beside its beginning.
void read_text(const value& value, post& post) {
  const auto& note = either(value, "note_tweet", "note_post");
  const auto whole = view_of(member(note, "text"));
  post.text = clean_escaped(whole.empty() ? view_of(member(value, "text")) : whole);
  read_entities(member(value, "entities"), post);
  read_entities(member(note, "entities"), post);
}

}  // namespace

inclusions inclusions_of(const value& body) {
  inclusions out;
  const auto& all = member(body, "includes");
  const auto index = [](const value& list, std::string_view key,
                        std::map<std::string_view, const value*>& into) {
    for (const auto& one : base::array_of(list)) {
      const auto name = view_of(member(one, key));
      if (!name.empty()) into.emplace(name, &one);
    }
  };
  index(member(all, "users"), "id", out.users);
  index(member(all, "media"), "media_key", out.media);
  index(either(all, "tweets", "posts"), "id", out.posts);
  return out;
}

std::optional<post> read_post(const value& outer, const inclusions& inclusions) {
  const auto& original = found(inclusions.posts, reference(outer, "retweeted"));
  const auto& from = original.is_object() ? original : outer;
  const auto id = view_of(member(from, "id"));
  post item;
  item.id = item_id(id);
  if (item.id.empty()) return std::nullopt;
  item.source = "x";
  item.author = author_of(from, inclusions);
  // Without its author's name a post has a page all the same.
  item.url =
      page_url("https://x.com/" + (item.author.handle.empty() ? "i/web" : item.author.handle) +
               "/status/" + std::string(id));
  if (&from != &outer) item.reposted_by = author_of(outer, inclusions);
  read_text(from, item);
  item.lang = language_tag(view_of(member(from, "lang")));
  item.created_at = base::parse_time(view_of(member(from, "created_at")));
  if (!item.created_at) item.created_at = time_of_id(id);
  // Each version has an id of its own, which says when it was written; the first is the original.
  const auto& versions =
      base::array_of(either(from, "edit_history_tweet_ids", "edit_history_post_ids"));
  if (versions.size() > 1) item.edited_at = time_of_id(view_of(versions.back()));
  read_metrics(from, item);
  item.parent_id = item_id(reference(from, "replied_to"));
  item.quoted_id = item_id(reference(from, "quoted"));
  item.conversation_id = item_id(view_of(member(from, "conversation_id")));
  item.sensitive = base::flag_of(member(from, "possibly_sensitive"));
  for (const auto& key : base::array_of(member(from, "attachments", "media_keys")))
    read_media(found(inclusions.media, view_of(key)), item);
  return item;
}

std::optional<user> read_user(const value& from) {
  const auto id = view_of(member(from, "id"));
  user item;
  item.id = item_id(id);
  if (item.id.empty()) return std::nullopt;
  item.source = "x";
  const auto who = read_author(from);
  item.handle = who.handle;
  item.url = who.url;
  item.display_name = who.display_name;
  item.avatar_url = who.avatar_url;
  item.banner_url = file_url(view_of(member(from, "profile_banner_url")));
  item.text = clean_escaped(view_of(member(from, "description")));
  item.created_at = base::parse_time(view_of(member(from, "created_at")));
  const auto& metrics = member(from, "public_metrics");
  item.metrics.followers = base::integer_of(member(metrics, "followers_count"));
  item.metrics.following = base::integer_of(member(metrics, "following_count"));
  item.metrics.posts = base::integer_of(either(metrics, "tweet_count", "post_count"));
  item.verified = base::flag_of(member(from, "verified"));
  for (const auto part : {"url", "description"}) {
    for (const auto& one : base::array_of(member(from, "entities", part, "urls")))
      add_once(item.links, file_url(view_of(member(one, "expanded_url"))));
  }
  return item;
}

}  // namespace freshet::sources::x
