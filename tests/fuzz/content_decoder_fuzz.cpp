// Any bytes as an answer's packed body: what comes out, and whether that is all, is the same in
// whatever pieces the bytes come and however little room there is.
#include <algorithm>
#include <cstdint>
#include <fuzz/headed_input.hpp>
#include <fuzz/target.hpp>
#include <http/content_decoder.hpp>
#include <string>

namespace {

using namespace freshet;

/// A bomb's beginning is enough.
constexpr std::size_t most_bytes = 1 << 18;
constexpr std::string_view codings[] = {"gzip", "deflate", "br", "zstd", "x-gzip", "none"};

struct unpacked {
  std::string text;
  bool is_broken = false, is_whole = false;
  bool operator==(const unpacked&) const = default;
};

unpacked unpack(std::string_view coding, std::string_view packed, std::size_t piece_bytes,
                std::size_t room_bytes) {
  unpacked all;
  http::content_decoder decoder;
  decoder.begin(coding);
  if (!decoder.is_coded()) return all;
  std::string room(room_bytes, '\0');
  while (!packed.empty()) {
    decoder.feed(packed.substr(0, piece_bytes));
    packed.remove_prefix(std::min(piece_bytes, packed.size()));
    for (;;) {
      const auto made = decoder.next(room);
      all.is_broken = !made;
      if (!made || made->empty()) break;
      all.text += *made;
      if (all.text.size() < most_bytes) continue;
      all.text.resize(most_bytes);
      return all;
    }
    if (all.is_broken) return all;
  }
  all.is_whole = decoder.is_whole();
  return all;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const fuzz::headed_input input(fuzz::text_of(data, size));
  const auto named = input.text("coding", "gzip");
  const auto* known = std::ranges::find(codings, std::string_view(named));
  const auto coding =
      known == std::end(codings) ? codings[fuzz::any_of(named, std::size(codings))] : *known;
  constexpr std::size_t most_piece_bytes = 64, wide = 1 << 14;
  const auto piece_bytes = 1 + fuzz::any_of(input.text("piece", "1"), most_piece_bytes);
  const auto room_bytes = 1 + fuzz::any_of(input.text("room", "1"), most_piece_bytes);
  const auto at_once =
      unpack(coding, input.body(), std::max<std::size_t>(input.body().size(), 1), wide);
  const auto in_pieces = unpack(coding, input.body(), piece_bytes, room_bytes);
  // What is broken may be told before the last bytes that were good have come out, or behind them.
  fuzz::require(at_once.is_broken ? in_pieces.is_broken || in_pieces.text.size() == most_bytes
                                  : in_pieces == at_once);
  return 0;
}
