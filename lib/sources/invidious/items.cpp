// Objects of the Invidious API as items. Addresses may be relative or without a scheme, and the
// time of a video is reckoned from "2 days ago": it is right only as far as that goes.
#include <base/time_text.hpp>
#include <base/url.hpp>
#include <sources/invidious/wire.hpp>
#include <sources/item_text.hpp>
#include <sources/youtube_address.hpp>

namespace freshet::sources::invidious {
namespace {

using base::member;
using base::view_of;
using base::json::value;

std::string item_id(std::string_view native, const instance& instance) {
  return "invidious:" + instance.host + "/" + std::string(native);
}

std::string absolute(std::string_view url, const instance& instance) {
  if (url.starts_with("//")) return file_url("https:" + std::string(url));
  if (url.starts_with('/')) return file_url(base::join_path(instance.base_url, url));
  return file_url(url);
}

/// The widest of several pictures.
std::string widest(const value& list, const instance& instance) {
  std::string best;
  std::int64_t most = -1;
  for (const auto& one : base::array_of(list)) {
    const auto width = base::integer_of(member(one, "width")).value_or(0);
    auto url = absolute(view_of(member(one, "url")), instance);
    if (url.empty() || width <= most) continue;
    best = std::move(url);
    most = width;
  }
  return best;
}

/// 0 is how the API says that it does not know.
count known(const value& from) {
  auto number = base::integer_of(from);
  return number && *number > 0 ? number : std::nullopt;
}

std::optional<time_point> time_of(const value& from) {
  const auto seconds = base::number_of(from);
  return seconds && *seconds > 0 ? base::from_unix_seconds(*seconds) : std::nullopt;
}

std::string channel_url(std::string_view channel) {
  return page_url("https://www.youtube.com/channel/" + std::string(channel));
}

}  // namespace

std::optional<video> read_video(const value& value, const instance& instance) {
  const auto id = view_of(member(value, "videoId"));
  if (!is_youtube_video_id(id)) return std::nullopt;
  video item;
  item.id = item_id(id, instance);
  item.source = "invidious";
  // The origin's address, so that the same video of another source is known for one.
  item.url = page_url("https://www.youtube.com/watch?v=" + std::string(id));
  item.title = clean_text(view_of(member(value, "title")));
  item.text = clean_text(view_of(member(value, "description")));
  item.created_at = time_of(member(value, "published"));
  const auto channel = view_of(member(value, "authorId"));
  if (is_channel_id(channel)) {
    item.author.id = item_id(channel, instance);
    item.author.url = channel_url(channel);
  }
  item.author.display_name = clean_name(view_of(member(value, "author")));
  item.author.avatar_url = widest(member(value, "authorThumbnails"), instance);
  item.metrics.views = base::integer_of(member(value, "viewCount"));
  item.metrics.likes = base::integer_of(member(value, "likeCount"));
  for (const auto& tag : base::array_of(member(value, "keywords")))
    add_once(item.tags, clean_text(view_of(tag)));
  if (const auto seconds = known(member(value, "lengthSeconds")))
    item.duration_s = static_cast<double>(*seconds);
  item.thumbnail_url = widest(member(value, "videoThumbnails"), instance);
  return item;
}

std::optional<user> read_channel(const value& value, const instance& instance) {
  const auto id = view_of(member(value, "authorId"));
  if (!is_channel_id(id)) return std::nullopt;
  user item;
  item.id = item_id(id, instance);
  item.source = "invidious";
  item.url = channel_url(id);
  auto handle = view_of(member(value, "channelHandle"));
  if (handle.starts_with('@')) handle.remove_prefix(1);
  item.handle = clean_name(handle);
  item.display_name = clean_name(view_of(member(value, "author")));
  item.text = clean_text(view_of(member(value, "description")));
  item.created_at = time_of(member(value, "joined"));
  item.avatar_url = widest(member(value, "authorThumbnails"), instance);
  item.banner_url = widest(member(value, "authorBanners"), instance);
  item.metrics.followers = known(member(value, "subCount"));
  item.metrics.posts = known(member(value, "videoCount"));
  item.verified = base::flag_of(member(value, "authorVerified"));
  return item;
}

std::optional<comment> read_comment(const value& value, std::string_view video,
                                    const instance& instance) {
  constexpr std::size_t longest_id = 128;
  const auto id = view_of(member(value, "commentId"));
  if (!is_name(id, longest_id, "-_.")) return std::nullopt;
  comment item;
  item.id = item_id(id, instance);
  item.source = "invidious";
  item.post_id = item_id(video, instance);
  item.url =
      page_url("https://www.youtube.com/watch?v=" + std::string(video) + "&lc=" + std::string(id));
  item.text = clean_text(view_of(member(value, "content")));
  item.created_at = time_of(member(value, "published"));
  const auto channel = view_of(member(value, "authorId"));
  if (is_channel_id(channel)) {
    item.author.id = item_id(channel, instance);
    item.author.url = channel_url(channel);
  }
  const auto name = clean_name(view_of(member(value, "author")));
  if (name.starts_with('@')) item.author.handle = name.substr(1);
  item.author.display_name = name;
  item.author.avatar_url = widest(member(value, "authorThumbnails"), instance);
  item.metrics.score = base::integer_of(member(value, "likeCount"));
  return item;
}

}  // namespace freshet::sources::invidious
