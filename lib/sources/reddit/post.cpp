// A link of Reddit (kind t3) as a forum post: its text or where it points, and its pictures, in the
// order of a gallery.
#include <base/json.hpp>
#include <base/time_text.hpp>
#include <base/url.hpp>
#include <html/document.hpp>
#include <sources/item_text.hpp>
#include <sources/marked_text.hpp>
#include <sources/reddit/wire.hpp>

namespace freshet::sources::reddit {

namespace {

using base::member;
using base::json::value;

/// Addresses of pictures come with entities where raw_json was not honoured.
std::string picture_url(const value& from) {
  return file_url(html::decode_entities(base::text_of(from)));
}

void add_gallery(const value& data, forum_post& post) {
  const auto& known = member(data, "media_metadata");
  for (const auto& one : base::array_of(member(data, "gallery_data", "items"))) {
    const auto& found = member(known, base::text_of(member(one, "media_id")));
    const auto& full = member(found, "s");
    auto url = picture_url(member(full, "u"));
    const bool moves = base::view_of(member(found, "e")) == "AnimatedImage";
    if (url.empty()) url = picture_url(member(full, "gif"));
    if (url.empty()) continue;
    post.media.push_back({moves ? "gif" : "image",
                          std::move(url),
                          "",
                          clean_text(member(one, "caption")),
                          base::integer_of(member(full, "x")),
                          base::integer_of(member(full, "y")),
                          {}});
  }
}

bool add_video(const value& data, const std::string& preview, forum_post& post) {
  for (const auto key : {"secure_media", "media"}) {
    const auto& video = member(data, key, "reddit_video");
    auto url = picture_url(member(video, "fallback_url"));
    if (url.empty()) continue;
    post.media.push_back(
        {"video", std::move(url), preview, "", base::integer_of(member(video, "width")),
         base::integer_of(member(video, "height")), base::number_of(member(video, "duration"))});
    return true;
  }
  return false;
}

void add_media(const value& data, forum_post& out) {
  add_gallery(data, out);
  if (!out.media.empty()) return;
  const auto& images = base::array_of(member(data, "preview", "images"));
  const auto& source = images.empty() ? member(data, "") : member(images.front(), "source");
  const auto preview = picture_url(member(source, "url"));
  if (add_video(data, preview, out) || preview.empty()) return;
  out.media.push_back({"image",
                       preview,
                       "",
                       "",
                       base::integer_of(member(source, "width")),
                       base::integer_of(member(source, "height")),
                       {}});
}

}  // namespace

std::string id_of(std::string_view number) {
  return std::string(source_name) + ":" + std::string(number);
}

author author_of(std::string_view name) {
  author out;
  out.handle = clean_name(name);
  if (out.handle.empty() || out.handle == deleted || out.handle == removed) return {};
  if (out.handle.find_first_of(" \t\n/") != std::string::npos) return {};
  const auto escaped = base::percent_encode(out.handle);
  out.id = id_of("u/" + escaped);
  out.url = std::string(site_url) + "/user/" + escaped + "/";
  return out;
}

std::optional<forum_post> read_post(const value& data) {
  const auto number = base::text_of(member(data, "id"));
  if (!is_number(number)) return std::nullopt;
  forum_post out;
  out.id = id_of(number);
  out.source = source_name;
  const auto permalink = base::text_of(member(data, "permalink"));
  out.url =
      page_url(std::string(site_url) + (permalink.find("/comments/" + number) != permalink.npos
                                            ? permalink
                                            : "/comments/" + number + "/"));
  out.title = clean_text(html::decode_entities(clean_text(member(data, "title"))));
  if (const auto at = base::number_of(member(data, "created_utc"))) {
    out.created_at = base::from_unix_seconds(*at);
  }
  if (const auto at = base::number_of(member(data, "edited"))) {
    out.edited_at = edit_time(out.created_at, base::from_unix_seconds(*at));
  }
  out.author = author_of(base::view_of(member(data, "author")));
  out.community = clean_name(member(data, "subreddit"));
  if (!base::flag_of(member(data, "is_self")).value_or(false)) {
    auto link = base::view_of(member(data, "url_overridden_by_dest"));
    if (link.empty()) link = base::view_of(member(data, "url"));
    out.link_url = page_url(link.starts_with('/') ? std::string(site_url) + std::string(link)
                                                  : std::string(link));
  }
  if (!base::flag_of(member(data, "hide_score")).value_or(false)) {
    out.metrics.score = base::integer_of(member(data, "score"));
  }
  if (const auto ratio = base::number_of(member(data, "upvote_ratio"));
      ratio && *ratio >= 0 && *ratio <= 1) {
    out.metrics.upvote_ratio = ratio;
  }
  out.metrics.comments = base::integer_of(member(data, "num_comments"));
  out.metrics.views = base::integer_of(member(data, "view_count"));
  out.sensitive = base::flag_of(member(data, "over_18"));
  add_once(out.tags, clean_text(member(data, "link_flair_text")));
  add_media(data, out);
  const auto text = base::view_of(member(data, "selftext"));
  if (text != deleted && text != removed) read_marked_text(text, site_url, out);
  return out;
}

}  // namespace freshet::sources::reddit
