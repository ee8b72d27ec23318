// The addresses of YouTube's videos, for those who read what is there: its own API and the
// instances that stand before it.
#pragma once

#include <string>
#include <string_view>

namespace freshet::sources {

/// Whether `text` can be the id of a video.
[[nodiscard]] bool is_youtube_video_id(std::string_view text) noexcept;

/// The id of the video at an address of YouTube, in whichever form: a page to watch it, a short, a
/// broadcast, an embedded player, or youtu.be. "" if it is none.
[[nodiscard]] std::string youtube_video_at(std::string_view address);

}  // namespace freshet::sources
