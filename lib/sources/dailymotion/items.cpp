// Objects of Dailymotion's legacy API as items. The dots in its keys are part of them:
// "owner.screenname" is one key.
#include <base/time_text.hpp>
#include <sources/dailymotion/wire.hpp>
#include <sources/item_text.hpp>

namespace freshet::sources::dailymotion {
namespace {

using base::member;
using base::view_of;
using base::json::value;

std::optional<time_point> time_of(const value& seconds) {
  const auto number = base::number_of(seconds);
  return number ? base::from_unix_seconds(*number) : std::nullopt;
}

author read_owner(const value& from) {
  author who;
  auto id = view_of(member(from, "owner.id"));
  // Without a list of fields the API gives the bare id.
  if (id.empty()) id = view_of(member(from, "owner"));
  if (is_native_id(id)) who.id = "dailymotion:" + std::string(id);
  who.handle = clean_name(view_of(member(from, "owner.username")));
  who.display_name = clean_name(view_of(member(from, "owner.screenname")));
  who.url = page_url(view_of(member(from, "owner.url")));
  if (who.url.empty() && !who.handle.empty())
    who.url = page_url("https://www.dailymotion.com/" + who.handle);
  who.avatar_url = file_url(view_of(member(from, "owner.avatar_240_url")));
  return who;
}

}  // namespace

bool is_native_id(std::string_view text) noexcept {
  constexpr std::size_t longest = 64;
  return is_name(text, longest);
}

std::optional<video> read_video(const value& from) {
  const auto id = view_of(member(from, "id"));
  if (!is_native_id(id)) return std::nullopt;
  video item;
  item.id = "dailymotion:" + std::string(id);
  item.source = "dailymotion";
  item.url = page_url(view_of(member(from, "url")));
  if (item.url.empty()) item.url = "https://www.dailymotion.com/video/" + std::string(id);
  item.title = clean_text(view_of(member(from, "title")));
  item.text = clean_html(view_of(member(from, "description")));
  item.lang = language_tag(view_of(member(from, "language")));
  item.created_at = time_of(member(from, "created_time"));
  item.author = read_owner(from);
  item.metrics.views = base::integer_of(member(from, "views_total"));
  item.metrics.likes = base::integer_of(member(from, "likes_total"));
  item.metrics.comments = base::integer_of(member(from, "comments_total"));
  item.duration_s = base::number_of(member(from, "duration"));
  for (const auto key : {"thumbnail_360_url", "thumbnail_medium_url", "thumbnail_url"}) {
    if (item.thumbnail_url.empty()) item.thumbnail_url = file_url(view_of(member(from, key)));
  }
  for (const auto& tag : base::array_of(member(from, "tags")))
    add_once(item.tags, clean_text(view_of(tag)));
  return item;
}

std::optional<user> read_user(const value& from) {
  const auto id = view_of(member(from, "id"));
  if (!is_native_id(id)) return std::nullopt;
  user item;
  item.id = "dailymotion:" + std::string(id);
  item.source = "dailymotion";
  item.handle = clean_name(view_of(member(from, "username")));
  item.display_name = clean_name(view_of(member(from, "screenname")));
  item.url = page_url(view_of(member(from, "url")));
  if (item.url.empty()) item.url = "https://www.dailymotion.com/user/" + std::string(id);
  item.text = clean_html(view_of(member(from, "description")));
  item.created_at = time_of(member(from, "created_time"));
  item.avatar_url = file_url(view_of(member(from, "avatar_720_url")));
  item.banner_url = file_url(view_of(member(from, "cover_250_url")));
  item.metrics.followers = base::integer_of(member(from, "followers_total"));
  item.metrics.following = base::integer_of(member(from, "following_total"));
  item.metrics.posts = base::integer_of(member(from, "videos_total"));
  item.verified = base::flag_of(member(from, "verified"));
  return item;
}

}  // namespace freshet::sources::dailymotion
