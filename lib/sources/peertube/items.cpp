// Videos, channels and accounts of PeerTube's API as items. A video keeps the id and the address of
// the instance it comes from, whichever server tells of it.
#include <base/time_text.hpp>
#include <base/unicode.hpp>
#include <base/url.hpp>
#include <sources/item_text.hpp>
#include <sources/peertube/wire.hpp>

namespace freshet::sources::peertube {
namespace {

using base::member;
using base::view_of;
using base::json::value;

/// A file that is given by its address or by its path on the server that answered.
std::string file_of(const value& file, std::string_view base_url) {
  for (const auto key : {"fileUrl", "url"}) {
    if (auto url = file_url(view_of(member(file, key))); !url.empty()) return url;
  }
  const auto path = view_of(member(file, "path"));
  return path.empty() ? std::string() : file_url(base::resolve_url(base_url, path));
}

/// The widest of a list of pictures; before 4.0 there was one, under another name.
std::string widest_of(const value& list, std::string_view list_key, std::string_view old_key,
                      std::string_view base_url) {
  const value* widest = nullptr;
  std::int64_t width = -1;
  for (const auto& one : base::array_of(member(list, list_key))) {
    const auto its_width = base::integer_of(member(one, "width")).value_or(0);
    if (its_width <= width) continue;
    width = its_width;
    widest = &one;
  }
  return file_of(widest != nullptr ? *widest : member(list, old_key), base_url);
}

std::string name_of(const value& creator) {
  const auto name = clean_name(view_of(member(creator, "name")));
  return name.find_first_of("/@ ") == std::string::npos ? name : std::string();
}

std::string host_of(const value& creator, std::string_view base_url) {
  const auto host = base::to_lower_ascii(clean_name(view_of(member(creator, "host"))));
  if (!host.empty() && host.find_first_of("/@ ") == std::string::npos) return host;
  const auto at = instance_at(view_of(member(creator, "url"))).host;
  return at.empty() ? instance_at(base_url).host : at;
}

std::string thumbnail_of(const value& value, std::string_view base_url) {
  if (auto url = file_url(view_of(member(value, "thumbnailUrl"))); !url.empty()) return url;
  if (auto url = widest_of(value, "thumbnails", "", base_url); !url.empty()) return url;
  const auto path = view_of(member(value, "thumbnailPath"));
  return path.empty() ? std::string() : file_url(base::resolve_url(base_url, path));
}

}  // namespace

author read_author(const value& creator, std::string_view base_url) {
  author who;
  const auto name = name_of(creator);
  if (name.empty()) return who;
  const auto host = host_of(creator, base_url);
  who.id = "peertube:" + host + "/" + name;
  who.handle = name + "@" + host;
  who.display_name = clean_name(view_of(member(creator, "displayName")));
  who.url = page_url(view_of(member(creator, "url")));
  who.avatar_url = widest_of(creator, "avatars", "avatar", base_url);
  return who;
}

bool is_uuid(std::string_view text) noexcept {
  constexpr std::size_t longest = 36;
  return is_name(text, longest, "-");
}

std::optional<video> read_video(const value& value, std::string_view base_url) {
  auto uuid = view_of(member(value, "uuid"));
  if (!is_uuid(uuid)) uuid = view_of(member(value, "shortUUID"));
  if (!is_uuid(uuid)) return std::nullopt;
  const auto& channel = member(value, "channel");
  const auto& account = member(value, "account");
  const auto& owner = name_of(channel).empty() ? account : channel;
  auto host = instance_at(view_of(member(value, "url"))).host;
  if (host.empty()) host = host_of(owner, base_url);

  video item;
  item.id = "peertube:" + host + "/" + std::string(uuid);
  item.source = "peertube";
  item.url = page_url(view_of(member(value, "url")));
  if (item.url.empty()) item.url = page_url("https://" + host + "/w/" + std::string(uuid));
  item.title = clean_text(view_of(member(value, "name")));
  item.text = clean_text(view_of(member(value, "description")));
  if (item.text.empty()) item.text = clean_text(view_of(member(value, "truncatedDescription")));
  item.lang = language_tag(view_of(member(value, "language", "id")));
  item.created_at = base::parse_time(view_of(member(value, "publishedAt")));
  if (!item.created_at) item.created_at = base::parse_time(view_of(member(value, "createdAt")));
  item.author = read_author(owner, base_url);
  item.metrics.views = base::integer_of(member(value, "views"));
  item.metrics.likes = base::integer_of(member(value, "likes"));
  item.metrics.comments = base::integer_of(member(value, "comments"));
  item.duration_s = base::number_of(member(value, "duration"));
  item.thumbnail_url = thumbnail_of(value, base_url);
  for (const auto& tag : base::array_of(member(value, "tags")))
    add_once(item.tags, clean_text(view_of(tag)));
  return item;
}

std::optional<user> read_creator(const value& value, std::string_view base_url) {
  const auto name = name_of(value);
  if (name.empty()) return std::nullopt;
  const auto host = host_of(value, base_url);
  user item;
  item.id = "peertube:" + host + "/" + name;
  item.source = "peertube";
  item.handle = name + "@" + host;
  item.url = page_url(view_of(member(value, "url")));
  if (item.url.empty()) item.url = page_url("https://" + host + "/@" + name);
  item.display_name = clean_name(view_of(member(value, "displayName")));
  item.text = clean_text(view_of(member(value, "description")));
  item.created_at = base::parse_time(view_of(member(value, "createdAt")));
  item.avatar_url = widest_of(value, "avatars", "avatar", base_url);
  item.banner_url = widest_of(value, "banners", "banner", base_url);
  item.metrics.followers = base::integer_of(member(value, "followersCount"));
  item.metrics.following = base::integer_of(member(value, "followingCount"));
  item.metrics.posts = base::integer_of(member(value, "videosCount"));
  return item;
}

}  // namespace freshet::sources::peertube
