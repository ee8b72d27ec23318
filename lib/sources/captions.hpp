// Captions of videos: WebVTT and SubRip as segments of a transcript, and which of several captions
// a call means. Only what is said is kept; where on the picture it stands is dropped.
#pragma once

#include <freshet/item.hpp>
#include <freshet/result.hpp>
#include <sources/source.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace freshet::sources {

/// What a request for a file of captions may bring.
inline constexpr std::size_t max_captions_bytes = 4U << 20U;
/// What is read of one: a day of speech has fewer.
inline constexpr std::size_t max_segments = 20'000;

/// What a file of captions says, in the order of time.
struct captions {
  std::vector<transcript_segment> segments;
  bool is_cut = false;  ///< it has more than max_segments
};
/// Null for what is neither WebVTT nor SubRip. A line that captions that roll repeat is told once.
[[nodiscard]] std::optional<captions> read_captions(std::string_view bytes);

/// One of the captions that a service lists.
struct caption_track {
  std::string lang;  ///< BCP 47
  bool generated = false;
  std::string place;  ///< what its request is made of; the source's own affair
};
/// The one that a call wants: in its `lang`, or in another of the same language; without one the
/// first; of several, one that people made. Error: not_found, with the languages that there are.
[[nodiscard]] result<caption_track> chosen_track(const std::vector<caption_track>& tracks,
                                                 std::string_view lang);

/// The request for a file of captions, wherever it lies.
[[nodiscard]] http::request captions_file_request(std::string_view address);

/// A transcript of a video before its captions are read: id, address, title, author.
[[nodiscard]] transcript transcript_for(const video& of);
/// The same as the state of a follow, and back. Error: source_error.
[[nodiscard]] std::string state_of(const transcript& made);
[[nodiscard]] result<transcript> transcript_in(std::string_view state, base::meter* counted);
/// It with what the file says that the exchange brought. Errors: what the status means,
/// source_error.
[[nodiscard]] result<step> transcript_of(transcript made, const exchange& exchange);

}  // namespace freshet::sources
