// A page as a list of text blocks, for the fitted choice: a block is a run of inline text between
// the edges of block elements. Around the blocks are boxes, the elements that hold any. Nothing is
// judged here; what is dropped in the tree is not listed.
#pragma once

#include <cstdint>
#include <markdown/tree/tree.hpp>
#include <vector>

namespace freshet::markdown {

/// Where an element stands or what it is by its tag or role, as bits that its descendants have,
/// too.
namespace part {
inline constexpr std::uint16_t nav = 1u << 0, aside = 1u << 1, footer = 1u << 2, header = 1u << 3,
                               main = 1u << 4, article = 1u << 5, form = 1u << 6, figure = 1u << 7,
                               control = 1u << 8, list = 1u << 9, table = 1u << 10,
                               dialog = 1u << 11;
}  // namespace part

/// What text consists of. Words are counted in halves: a run of letters is one word, a character
/// of a script without spaces half of one.
struct text_sums {
  std::uint32_t half_words = 0, letters = 0, digits = 0, capitals = 0, commas = 0;
  std::uint64_t hash = 0;  ///< of the letters and digits, whatever is between them
  std::uint8_t last = 0;   ///< the last byte that is no space
};

struct page_block {
  html::node_id first = 0, last = 0;  ///< its first and its last text node
  std::uint32_t box = 0;              ///< the innermost box around it
  std::uint32_t link_half_words = 0;
  std::uint32_t first_word = 0, end_word = 0;  ///< its words in block_list::words
  text_sums text;
  bool heading = false;

  [[nodiscard]] double words() const noexcept { return text.half_words / 2.0; }
  [[nodiscard]] bool is_prose() const noexcept;
};

/// An element at whose edges blocks end. Its blocks are [first, end) of the list.
struct text_box {
  html::node_id id = 0;
  std::uint32_t parent = 0;  ///< of itself for the first box, the body
  std::uint32_t first = 0, end = 0;
  std::uint32_t up = 0;  ///< the next box outwards that has more blocks; itself if there is none
  std::uint64_t signature = 0;  ///< of its tag and first class
  std::uint16_t parts = 0;      ///< its own and those of the boxes around it
};

struct block_list {
  std::vector<page_block> blocks;
  std::vector<text_box> boxes;  ///< in document order; the first one is the body
  /// Hashes of words: all of a short block with the pairs of them, the first and last of others.
  std::vector<std::uint32_t> words;
};

/// Lists the blocks of a page by what is not dropped now. One pass over the tree.
[[nodiscard]] block_list list_blocks(const page_tree& tree);

/// The hash that a text would have as a block, for comparing.
[[nodiscard]] std::uint64_t text_hash(std::string_view text) noexcept;

}  // namespace freshet::markdown
