// Cutting text in UTF-8 into pieces.
#include <markdown/blocks/long_blocks.hpp>

namespace freshet::markdown {
namespace {

/// Where a piece of at most `most` bytes ends that begins at `begin`: behind a line, else behind a
/// character.
std::size_t end_of_piece(std::string_view text, std::size_t begin, std::size_t most) {
  // Within the piece alone: a line may be as long as the text, which has many pieces then.
  const auto line = text.substr(begin, most).rfind('\n');
  if (line != std::string_view::npos && line > 0) return begin + line + 1;
  auto end = begin + most;
  while (end > begin + 1 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return end;
}

}  // namespace

std::vector<std::size_t> split_long_blocks(const std::vector<std::size_t>& blocks,
                                           std::string_view text, std::size_t most) {
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const auto end = i + 1 < blocks.size() ? blocks[i + 1] : text.size();
    auto at = blocks[i];
    out.push_back(at);
    while (end - at > most) {
      at = end_of_piece(text, at, most);
      out.push_back(at);
    }
  }
  return out;
}

}  // namespace freshet::markdown
