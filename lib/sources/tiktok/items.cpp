// Objects of TikTok's Research API as items. Ids are numbers that no integer type holds for sure,
// so they become text before anything is parsed; counts may be missing.
#include <base/ascii.hpp>
#include <base/time_text.hpp>
#include <base/unicode.hpp>
#include <base/url.hpp>
#include <sources/item_text.hpp>
#include <sources/tiktok/wire.hpp>

namespace freshet::sources::tiktok {
namespace {

using base::member;
using base::view_of;
using base::json::value;

/// Numbers of fewer digits are counts and times.
constexpr std::size_t least_id_digits = 15;
constexpr std::size_t max_title = 150;

/// Creators have no id here but their name.
author read_author(std::string_view username) {
  author who;
  if (username.empty()) return who;
  who.id = "tiktok:" + std::string(username);
  who.handle = username;
  who.url = page_url("https://www.tiktok.com/@" + base::percent_encode(username));
  return who;
}

}  // namespace

std::string with_ids_as_text(std::string_view body) {
  std::string out;
  out.reserve(body.size() + body.size() / 16);
  bool in_string = false;
  for (std::size_t i = 0; i < body.size(); ++i) {
    const char c = body[i];
    if (in_string) {
      out += c;
      if (c == '\\' && i + 1 < body.size()) out += body[++i];
      in_string = c != '"';
      continue;
    }
    if (!base::is_digit(c)) {
      in_string = c == '"';
      out += c;
      continue;
    }
    std::size_t end = i;
    while (end < body.size() && base::is_digit(body[end])) ++end;
    const auto number = body.substr(i, end - i);
    // Not the fraction or the exponent of another number, nor what has one.
    const char before = i == 0 ? ' ' : body[i - 1];
    const char after = end < body.size() ? body[end] : ' ';
    const bool is_whole = before != '.' && before != '-' && before != '+' && before != 'e' &&
                          before != 'E' && after != '.' && after != 'e' && after != 'E';
    const bool is_id = is_whole && number.size() >= least_id_digits;
    if (is_id) out += '"';
    out += number;
    if (is_id) out += '"';
    i = end - 1;
  }
  return out;
}

std::optional<video> read_video(const value& from) {
  auto id = base::text_of(member(from, "id"));
  if (id.empty()) id = base::text_of(member(from, "video_id"));
  if (!is_native_id(id)) return std::nullopt;
  video item;
  item.id = "tiktok:" + id;
  item.source = "tiktok";
  item.author = read_author(clean_name(view_of(member(from, "username"))));
  if (!item.author.url.empty()) item.url = page_url(item.author.url + "/video/" + id);
  item.text = clean_text(view_of(member(from, "video_description")));
  // There are no titles.
  item.title = base::trim(base::prefix(base::collapse_spaces(item.text), max_title));
  if (const auto at = base::number_of(member(from, "create_time")))
    item.created_at = base::from_unix_seconds(*at);
  item.metrics.views = base::integer_of(member(from, "view_count"));
  item.metrics.likes = base::integer_of(member(from, "like_count"));
  item.metrics.comments = base::integer_of(member(from, "comment_count"));
  item.metrics.shares = base::integer_of(member(from, "share_count"));
  item.duration_s = base::number_of(member(from, "video_duration"));
  for (const auto& tag : base::array_of(member(from, "hashtag_names")))
    add_once(item.tags, clean_text(view_of(tag)));
  const auto music = base::text_of(member(from, "music_id"));
  if (is_native_id(music)) item.music.id = music;
  return item;
}

user read_user(const value& value, std::string_view username) {
  user item;
  const auto who = read_author(username);
  item.id = who.id;
  item.source = "tiktok";
  item.handle = who.handle;
  item.url = who.url;
  item.display_name = clean_name(view_of(member(value, "display_name")));
  item.text = clean_text(view_of(member(value, "bio_description")));
  item.avatar_url = file_url(view_of(member(value, "avatar_url")));
  item.metrics.followers = base::integer_of(member(value, "follower_count"));
  item.metrics.following = base::integer_of(member(value, "following_count"));
  item.metrics.posts = base::integer_of(member(value, "video_count"));
  item.verified = base::flag_of(member(value, "is_verified"));
  return item;
}

std::optional<comment> read_comment(const value& value, std::string_view video) {
  const auto id = base::text_of(member(value, "id"));
  if (!is_native_id(id)) return std::nullopt;
  comment item;
  item.id = "tiktok:" + id;
  item.source = "tiktok";
  item.post_id = "tiktok:" + std::string(video);
  // Of a comment there is no page, and of the video one that needs no name.
  item.url = page_url("https://www.tiktok.com/embed/v2/" + std::string(video));
  item.text = clean_text(view_of(member(value, "text")));
  if (const auto at = base::number_of(member(value, "create_time")))
    item.created_at = base::from_unix_seconds(*at);
  item.metrics.score = base::integer_of(member(value, "like_count"));
  const auto parent = base::text_of(member(value, "parent_comment_id"));
  // What answers the video has it for its parent.
  if (is_native_id(parent) && parent != video) {
    item.parent_id = "tiktok:" + parent;
    item.depth = 1;
  }
  return item;
}

}  // namespace freshet::sources::tiktok
