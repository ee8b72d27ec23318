// A transcript out of a video's captions, in three steps: the video, the list of its captions, the
// file of one of them, which may lie on another host.
#include <base/url.hpp>
#include <sources/captions.hpp>
#include <sources/item_text.hpp>
#include <sources/peertube/wire.hpp>

namespace freshet::sources::peertube {
namespace {

using base::member;
using base::view_of;
using base::json::value;

/// Steps behind the first; the state goes on with what is known of the transcript.
constexpr char of_list = 'l', of_file = 'f';

std::string address_of(const value& caption, std::string_view base_url) {
  if (auto url = file_url(view_of(member(caption, "fileUrl"))); !url.empty()) return url;
  const auto path = view_of(member(caption, "captionPath"));
  return path.empty() ? std::string() : file_url(base::resolve_url(base_url, path));
}

std::vector<caption_track> tracks_in(const value& list, std::string_view base_url) {
  std::vector<caption_track> tracks;
  for (const auto& one : base::array_of(list)) {
    auto lang = language_tag(view_of(member(one, "language", "id")));
    auto address = address_of(one, base_url);
    const auto generated = base::flag_of(member(one, "automaticallyGenerated")).value_or(false);
    if (lang.empty() || address.empty()) continue;
    tracks.push_back({std::move(lang), generated, std::move(address)});
  }
  return tracks;
}

}  // namespace

result<step> read_transcript(const exchange& exchange) {
  const auto video = video_target(exchange.call, exchange.settings);
  if (!video) return video.error();
  const char at = exchange.state.empty() ? char{} : exchange.state.front();
  if (at == of_file) {
    auto made = transcript_in(exchange.state.substr(1), exchange.meter);
    return made ? transcript_of(std::move(*made), exchange) : made.error();
  }
  const auto body = read_api(exchange.answer, video->at);
  if (!body) return body.error();
  if (at != of_list) {
    const auto found = read_video(*body, video->at.base_url);
    if (!found) return error(errc::source_error, "the source's answer holds no video");
    return step(follow{captions_request(*video), of_list + state_of(transcript_for(*found))});
  }
  auto made = transcript_in(exchange.state.substr(1), exchange.meter);
  if (!made) return made.error();
  const auto& list = member(*body, "data");
  if (!is_object_list(list)) return no_list_of("captions", exchange.answer);
  const auto track = chosen_track(tracks_in(list, video->at.base_url), exchange.call.lang);
  if (!track) return track.error();
  made->lang = track->lang;
  made->generated = track->generated;
  auto request = captions_file_request(track->place);
  request.pace_key = pace_of(video->at, "peertube");
  return step(follow{std::move(request), of_file + state_of(*made)});
}

}  // namespace freshet::sources::peertube
