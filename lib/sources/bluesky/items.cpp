// Records and views of the AT Protocol as items. Optional parts may be absent or of any type: the
// views come from the AppView, but the records in them from whoever wrote them.
#include <algorithm>
#include <array>
#include <base/time_text.hpp>
#include <sources/bluesky/wire.hpp>
#include <sources/item_text.hpp>

namespace freshet::sources::bluesky {
namespace {

using base::member;
using base::view_of;
using base::json::value;

constexpr std::string_view post_part = "/app.bsky.feed.post/";

/// A post may say that it was written later than it was seen; beyond this it is not believed.
constexpr auto clock_tolerance = std::chrono::minutes{5};

/// Self-labels and moderation labels that warn of what is seen.
constexpr std::array<std::string_view, 8> sensitive_labels = {
    "porn", "sexual", "nudity", "sexual-figurative", "graphic-media", "gore", "nsfl", "self-harm"};

constexpr std::array<std::string_view, 3> hiding_labels = {"!no-unauthenticated", "!hide",
                                                           "!takedown"};

template <std::size_t N>
bool has_label(const value& labels, const std::array<std::string_view, N>& names) {
  const auto& list = base::array_of(labels);
  return std::ranges::any_of(list, [&names](const value& label) {
    if (base::flag_of(member(label, "neg")).value_or(false)) return false;
    return std::ranges::find(names, view_of(member(label, "val"))) != names.end();
  });
}

std::string item_id(std::string_view uri) {
  return uri.starts_with("at://") ? "bluesky:" + clean_text(uri) : std::string();
}

std::string profile_url(std::string_view handle, std::string_view did) {
  // handle.invalid stands for a handle that no longer proves itself.
  const bool usable = is_handle(handle) && handle != "handle.invalid";
  if (!usable && !is_did(did)) return {};
  return page_url("https://bsky.app/profile/" + std::string(usable ? handle : did));
}

void read_facets(const value& record, post& post) {
  for (const auto& facet : base::array_of(member(record, "facets"))) {
    for (const auto& feature : base::array_of(member(facet, "features"))) {
      const auto type = view_of(member(feature, "$type"));
      if (type.ends_with("#tag")) add_once(post.tags, clean_text(member(feature, "tag")));
      if (type.ends_with("#link")) add_once(post.links, file_url(view_of(member(feature, "uri"))));
    }
  }
  for (const auto& tag : base::array_of(member(record, "tags")))
    add_once(post.tags, clean_text(tag));
}

void read_images(const value& list, std::string_view preview_key, post& post) {
  for (const auto& image : base::array_of(list)) {
    add_media(image, "image", view_of(member(image, "fullsize")),
              view_of(member(image, preview_key)), post);
  }
}

void read_media(const value& embed, post& post) {
  const auto type = view_of(member(embed, "$type"));
  if (type == "app.bsky.embed.images#view") read_images(member(embed, "images"), "thumb", post);
  if (type == "app.bsky.embed.gallery#view") read_images(member(embed, "items"), "thumbnail", post);
  if (type == "app.bsky.embed.video#view") {
    const auto kind = view_of(member(embed, "presentation")) == "gif" ? "gif" : "video";
    add_media(embed, kind, view_of(member(embed, "playlist")), view_of(member(embed, "thumbnail")),
              post);
  }
  if (type == "app.bsky.embed.external#view")
    add_once(post.links, file_url(view_of(member(embed, "external", "uri"))));
}

/// The post that is quoted, from the record: the view of a deleted or blocked one says less.
std::string quoted_uri(const value& record) {
  const auto& embed = member(record, "embed");
  const auto type = view_of(member(embed, "$type"));
  std::string_view uri;
  if (type == "app.bsky.embed.record") uri = view_of(member(embed, "record", "uri"));
  if (type == "app.bsky.embed.recordWithMedia")
    uri = view_of(member(embed, "record", "record", "uri"));
  // Lists, feeds and starter packs are embedded the same way.
  return uri.find(post_part) == std::string_view::npos ? std::string() : item_id(uri);
}

std::optional<time_point> created_at(const value& view, const value& record) {
  const auto said = base::parse_time(view_of(member(record, "createdAt")));
  const auto seen = base::parse_time(view_of(member(view, "indexedAt")));
  if (!said) return seen;
  if (seen && *said > *seen + clock_tolerance) return seen;
  return said;
}

}  // namespace

void add_media(const value& embed, std::string_view type, std::string_view url,
               std::string_view preview_url, post& post) {
  auto address = file_url(url);
  if (address.empty()) return;
  post.media.push_back({std::string(type),
                        std::move(address),
                        file_url(preview_url),
                        clean_text(member(embed, "alt")),
                        base::integer_of(member(embed, "aspectRatio", "width")),
                        base::integer_of(member(embed, "aspectRatio", "height")),
                        {}});
}

bool is_hidden(const value& view) {
  return has_label(member(view, "labels"), hiding_labels) ||
         has_label(member(view, "author", "labels"), hiding_labels);
}

std::optional<time_point> seen_at(const value& view) {
  return base::parse_time(view_of(member(view, "indexedAt")));
}

author read_author(const value& view) {
  author who;
  const auto did = view_of(member(view, "did"));
  if (!did.empty()) who.id = "bluesky:" + clean_text(did);
  who.handle = clean_name(member(view, "handle"));
  who.display_name = clean_name(member(view, "displayName"));
  who.url = profile_url(view_of(member(view, "handle")), did);
  who.avatar_url = file_url(view_of(member(view, "avatar")));
  return who;
}

std::optional<post> read_post(const value& view) {
  const auto uri = view_of(member(view, "uri"));
  const auto& record = member(view, "record");
  if (!uri.starts_with("at://") || !record.is_object()) return std::nullopt;
  post item;
  item.id = item_id(uri);
  item.source = "bluesky";
  item.author = read_author(member(view, "author"));
  const auto rkey = uri.substr(uri.rfind('/') + 1);
  if (!item.author.url.empty()) item.url = page_url(item.author.url + "/post/" + std::string(rkey));
  item.text = clean_text(view_of(member(record, "text")));
  const auto& languages = base::array_of(member(record, "langs"));
  if (!languages.empty()) item.lang = language_tag(view_of(languages.front()));
  item.created_at = created_at(view, record);
  item.metrics.likes = base::integer_of(member(view, "likeCount"));
  item.metrics.reposts = base::integer_of(member(view, "repostCount"));
  item.metrics.replies = base::integer_of(member(view, "replyCount"));
  item.metrics.quotes = base::integer_of(member(view, "quoteCount"));
  item.parent_id = item_id(view_of(member(record, "reply", "parent", "uri")));
  item.conversation_id = item_id(view_of(member(record, "reply", "root", "uri")));
  if (item.conversation_id.empty()) item.conversation_id = item.id;
  item.quoted_id = quoted_uri(record);
  item.sensitive = has_label(member(view, "labels"), sensitive_labels) ||
                   has_label(member(record, "labels", "values"), sensitive_labels);
  read_facets(record, item);
  const auto& embed = member(view, "embed");
  read_media(embed, item);
  if (view_of(member(embed, "$type")) == "app.bsky.embed.recordWithMedia#view")
    read_media(member(embed, "media"), item);
  return item;
}

std::optional<user> read_user(const value& view) {
  const auto did = view_of(member(view, "did"));
  if (!is_did(did)) return std::nullopt;
  user item;
  item.id = "bluesky:" + std::string(did);
  item.source = "bluesky";
  item.handle = clean_name(member(view, "handle"));
  item.url = profile_url(view_of(member(view, "handle")), did);
  item.display_name = clean_name(member(view, "displayName"));
  item.text = clean_text(view_of(member(view, "description")));
  item.created_at = base::parse_time(view_of(member(view, "createdAt")));
  item.avatar_url = file_url(view_of(member(view, "avatar")));
  item.banner_url = file_url(view_of(member(view, "banner")));
  item.metrics.followers = base::integer_of(member(view, "followersCount"));
  item.metrics.following = base::integer_of(member(view, "followsCount"));
  item.metrics.posts = base::integer_of(member(view, "postsCount"));
  add_once(item.links, file_url(view_of(member(view, "website"))));
  const auto& verification = member(view, "verification");
  // The AppView leaves the state out where there is none.
  item.verified = view_of(member(verification, "verifiedStatus")) == "valid" ||
                  view_of(member(verification, "trustedVerifierStatus")) == "valid";
  return item;
}

}  // namespace freshet::sources::bluesky
