// Reads addresses; it asks nobody whether there is such a video.
#include <algorithm>
#include <array>
#include <base/url.hpp>
#include <sources/instance.hpp>
#include <sources/item_text.hpp>
#include <sources/youtube_address.hpp>

namespace freshet::sources {
namespace {

constexpr std::size_t longest_id = 64;  // today's have eleven characters

/// What stands before the id in a path.
constexpr std::array<std::string_view, 5> folders = {"shorts", "embed", "live", "v", "e"};

std::string checked_id(std::string_view text) {
  return is_youtube_video_id(text) ? std::string(text) : std::string();
}

}  // namespace

bool is_youtube_video_id(std::string_view text) noexcept { return is_name(text, longest_id, "-_"); }

std::string youtube_video_at(std::string_view address) {
  const auto url = base::parse_url(address);
  if (!url || !url->is_http()) return {};
  std::string_view host = url->host;
  for (const std::string_view prefix : {"www.", "m.", "music."}) {
    if (host.starts_with(prefix)) {
      host.remove_prefix(prefix.size());
      break;
    }
  }
  const auto parts = path_segments(url->path);
  if (host == "youtu.be") return parts.empty() ? std::string() : checked_id(parts[0]);
  if (host != "youtube.com" && host != "youtube-nocookie.com") return {};
  if (parts.size() == 1 && parts[0] == "watch")
    return checked_id(base::query_parameter(url->query, "v").value_or(""));
  if (parts.size() < 2 || std::ranges::find(folders, parts[0]) == folders.end()) return {};
  return checked_id(parts[1]);
}

}  // namespace freshet::sources
