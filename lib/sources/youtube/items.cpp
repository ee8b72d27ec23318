// Resources of the YouTube Data API as items. Counts are strings, durations ISO 8601, and a count
// that is hidden is absent.
#include <array>
#include <base/ascii.hpp>
#include <base/number.hpp>
#include <base/time_text.hpp>
#include <base/unicode.hpp>
#include <cmath>
#include <sources/item_text.hpp>
#include <sources/youtube/wire.hpp>
#include <sources/youtube_address.hpp>

namespace freshet::sources::youtube {
namespace {

using base::member;
using base::view_of;
using base::json::value;

constexpr std::array thumbnail_names = {
    std::string_view("maxres"), std::string_view("standard"), std::string_view("high"),
    std::string_view("medium"), std::string_view("default"),
};

std::string best_thumbnail(const value& from) {
  for (const auto name : thumbnail_names) {
    auto url = file_url(view_of(member(from, name, "url")));
    if (!url.empty()) return url;
  }
  return {};
}

/// Letters, digits and '_' of any script, as far as that is told without tables: what is beyond
/// ASCII and no punctuation of the common blocks.
bool is_tag_point(char32_t c) {
  if (c < 0x80) return base::is_alphanumeric(c) || c == '_';
  const bool punctuation = c < 0xC0 || (c >= 0x2000 && c < 0x2070) || (c >= 0x3000 && c < 0x3004) ||
                           (c >= 0x3008 && c < 0x3020) || (c >= 0xFF00 && c < 0xFF10);
  return !punctuation && c != base::ill_formed;
}

/// The first moment of the n-th Sunday of a month, in days.
std::chrono::sys_days nth_sunday(std::chrono::year year, unsigned month, unsigned n) {
  return year / std::chrono::month{month} / std::chrono::Sunday[n];
}

/// How far California is behind UTC.
std::chrono::hours pacific_offset(time_point at) {
  constexpr auto standard = std::chrono::hours{8};
  constexpr auto daylight = std::chrono::hours{7};
  const auto year =
      std::chrono::year_month_day(std::chrono::floor<std::chrono::days>(at - standard)).year();
  // Two o'clock in the morning, by the time that is left.
  const auto begins = nth_sunday(year, 3, 2) + std::chrono::hours{2} + standard;
  const auto ends = nth_sunday(year, 11, 1) + std::chrono::hours{2} + daylight;
  return at >= begins && at < ends ? daylight : standard;
}

}  // namespace

std::chrono::seconds until_quota_reset(time_point now) {
  const auto next_day =
      std::chrono::floor<std::chrono::days>(now - pacific_offset(now)) + std::chrono::days{1};
  // On the two days on which the clocks change, that midnight is by the new time.
  const auto offset = pacific_offset(next_day + pacific_offset(now));
  const time_point reset = next_day + offset;
  return std::chrono::ceil<std::chrono::seconds>(reset - now);
}

std::optional<double> read_duration(std::string_view text) noexcept {
  if (!text.starts_with('P') || text.size() < 3) return std::nullopt;
  text.remove_prefix(1);
  double seconds = 0;
  bool in_time = false;
  while (!text.empty()) {
    if (text.front() == 'T' && !in_time) {
      in_time = true;
      text.remove_prefix(1);
      continue;
    }
    const auto number = base::take_number<double>(text);
    if (!number || text.empty() || !std::isfinite(*number) || *number < 0) return std::nullopt;
    double unit = 0;
    if (text.front() == 'W' && !in_time) unit = 604'800;
    if (text.front() == 'D' && !in_time) unit = 86'400;
    if (text.front() == 'H' && in_time) unit = 3'600;
    if (text.front() == 'M' && in_time) unit = 60;
    if (text.front() == 'S' && in_time) unit = 1;
    if (unit == 0) return std::nullopt;
    seconds += *number * unit;
    text.remove_prefix(1);
  }
  return seconds;
}

std::vector<std::string> hashtags_in(std::string_view text) {
  std::vector<std::string> out;
  char32_t before = ' ';
  for (std::size_t at = 0; at < text.size();) {
    const auto point = base::next_point(text, at);
    // "C#" and the fragment of an address are none.
    if (point == '#' && !is_tag_point(before) && before != '/') {
      const auto from = at;
      auto end = at;
      while (at < text.size() && is_tag_point(base::next_point(text, at))) end = at;
      at = end;
      add_once(out, clean_text(text.substr(from, end - from)));
    }
    before = point;
  }
  return out;
}

std::optional<video> read_video(const value& from) {
  const auto id = view_of(member(from, "id"));
  const auto& snippet = member(from, "snippet");
  if (!is_youtube_video_id(id) || !snippet.is_object()) return std::nullopt;
  video item;
  item.id = "youtube:" + std::string(id);
  item.source = "youtube";
  item.url = page_url("https://www.youtube.com/watch?v=" + std::string(id));
  item.title = clean_text(view_of(member(snippet, "title")));
  item.text = clean_text(view_of(member(snippet, "description")));
  item.lang = language_tag(view_of(member(snippet, "defaultAudioLanguage")));
  if (item.lang.empty()) item.lang = language_tag(view_of(member(snippet, "defaultLanguage")));
  item.created_at = base::parse_time(view_of(member(snippet, "publishedAt")));
  const auto channel = view_of(member(snippet, "channelId"));
  if (is_channel_id(channel)) {
    item.author.id = "youtube:" + std::string(channel);
    item.author.url = page_url("https://www.youtube.com/channel/" + std::string(channel));
  }
  item.author.display_name = clean_name(view_of(member(snippet, "channelTitle")));
  const auto& statistics = member(from, "statistics");
  item.metrics.views = base::integer_of(member(statistics, "viewCount"));
  item.metrics.likes = base::integer_of(member(statistics, "likeCount"));
  item.metrics.comments = base::integer_of(member(statistics, "commentCount"));
  item.duration_s = read_duration(view_of(member(from, "contentDetails", "duration")));
  item.thumbnail_url = best_thumbnail(member(snippet, "thumbnails"));
  for (const auto& text : {item.title, item.text}) {
    for (auto& tag : hashtags_in(text)) add_once(item.tags, std::move(tag));
  }
  for (const auto& tag : base::array_of(member(snippet, "tags")))
    add_once(item.tags, clean_text(view_of(tag)));
  return item;
}

std::optional<user> read_channel(const value& from) {
  const auto id = view_of(member(from, "id"));
  const auto& snippet = member(from, "snippet");
  if (!is_channel_id(id) || !snippet.is_object()) return std::nullopt;
  user item;
  item.id = "youtube:" + std::string(id);
  item.source = "youtube";
  auto handle = view_of(member(snippet, "customUrl"));
  const bool is_handle = handle.starts_with('@');
  if (is_handle) handle.remove_prefix(1);
  item.handle = clean_name(handle);
  // The custom names of before 2022 have no page of their own any more.
  item.url = page_url("https://www.youtube.com/" +
                      (is_handle ? "@" + item.handle : "channel/" + std::string(id)));
  item.display_name = clean_name(view_of(member(snippet, "title")));
  item.text = clean_text(view_of(member(snippet, "description")));
  item.created_at = base::parse_time(view_of(member(snippet, "publishedAt")));
  item.avatar_url = best_thumbnail(member(snippet, "thumbnails"));
  item.banner_url =
      file_url(view_of(member(from, "brandingSettings", "image", "bannerExternalUrl")));
  const auto& statistics = member(from, "statistics");
  const bool hidden = base::flag_of(member(statistics, "hiddenSubscriberCount")).value_or(false);
  if (!hidden) item.metrics.followers = base::integer_of(member(statistics, "subscriberCount"));
  item.metrics.posts = base::integer_of(member(statistics, "videoCount"));
  return item;
}

std::optional<comment> read_comment(const value& value, std::string_view video) {
  constexpr std::size_t longest_id = 128;
  const auto id = view_of(member(value, "id"));
  const auto& snippet = member(value, "snippet");
  if (!is_name(id, longest_id, "-_.") || !snippet.is_object()) return std::nullopt;
  comment item;
  item.id = "youtube:" + std::string(id);
  item.source = "youtube";
  item.post_id = "youtube:" + std::string(video);
  item.url =
      page_url("https://www.youtube.com/watch?v=" + std::string(video) + "&lc=" + std::string(id));
  const auto original = view_of(member(snippet, "textOriginal"));
  item.text = clean_text(original.empty() ? view_of(member(snippet, "textDisplay")) : original);
  item.created_at = base::parse_time(view_of(member(snippet, "publishedAt")));
  item.edited_at =
      edit_time(item.created_at, base::parse_time(view_of(member(snippet, "updatedAt"))));
  const auto channel = view_of(member(snippet, "authorChannelId", "value"));
  if (is_channel_id(channel)) {
    item.author.id = "youtube:" + std::string(channel);
    item.author.url = page_url("https://www.youtube.com/channel/" + std::string(channel));
  }
  const auto name = clean_name(view_of(member(snippet, "authorDisplayName")));
  // Today it is the handle.
  if (name.starts_with('@')) item.author.handle = name.substr(1);
  item.author.display_name = name;
  item.author.avatar_url = file_url(view_of(member(snippet, "authorProfileImageUrl")));
  item.metrics.score = base::integer_of(member(snippet, "likeCount"));
  return item;
}

}  // namespace freshet::sources::youtube
