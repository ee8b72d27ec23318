// Escaping exactly where CommonMark and GFM would read plain text as markup, and nowhere else. It
// sees a block as a whole: whether a "*" means something depends on what follows much later.
#pragma once

#include <base/work.hpp>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace freshet::markdown {

/// Where escaped text goes.
struct escape_context {
  bool in_table = false;        ///< | ends a cell
  bool has_references = false;  ///< link definitions like [1]: exist: [1] would become a link
  bool has_notes = false;       ///< footnotes like [^1]: exist
};

/// Stands for a hard break inside the text of a block; cannot occur in a page's text.
inline constexpr char break_char = '\x01';

/// The bytes of text that may have to be escaped, depending on what is around them.
inline constexpr std::string_view markup_signs = "\\`*_~[]<&|!";

/// Markup that is written right before the byte `at` of a block's text.
struct written_mark {
  std::size_t at;
  char sign;   ///< what it is written with: * _ ~ [ or < (a tag)
  bool opens;  ///< of a link, whether it is its beginning
};

struct block_text {
  std::string_view text;
  std::span<const std::uint32_t> plain;  ///< where bytes of the page of markup_signs stand
  std::span<const written_mark> marks;   ///< ascending
  bool has_code = false;                 ///< there are code spans in it
  bool is_paragraph = false;
  escape_context where;
  bool is_part = false;  ///< what ends something may stand in the rest of the block
  base::meter* counted = nullptr;
};

/// The positions in `block.text` before which a backslash belongs, ascending.
[[nodiscard]] std::vector<std::uint32_t> places_to_escape(const block_text& block);

/// How many bytes at the start of a line must be followed by a backslash so that the line stays a
/// paragraph's: npos if none. "1. x" gives 1, "# x" gives 0.
[[nodiscard]] std::size_t line_start_escape(std::string_view line, bool after_text);

/// The text of a picture, between its brackets.
[[nodiscard]] std::string image_text(std::string_view text, escape_context where);

/// A code span that shows `text`.
[[nodiscard]] std::string code_span(std::string_view text, bool in_table);

/// A link's address between the parentheses.
[[nodiscard]] std::string link_destination(std::string_view url, bool in_table);

/// The title of a link or a picture with the space before it, as it stands behind the address; ""
/// for an empty one.
[[nodiscard]] std::string link_title(std::string_view title, bool in_table);

/// The shortest fence of `c` that does not occur in `text`; at least three.
[[nodiscard]] std::string fence_for(std::string_view text, char c);

[[nodiscard]] bool is_ascii_punctuation(char c) noexcept;

/// What a delimiter may do by what stands before and behind it, as CommonMark's flanking rules say.
struct flanks {
  bool left, right, punctuation_before, punctuation_after;
};
/// Of a delimiter between two places of the text, beside which other marks may stand.
[[nodiscard]] flanks flanks_between(std::string_view text, std::size_t index, std::size_t end,
                                    bool mark_before, bool mark_after) noexcept;

/// The first of the tildes before `index`, and what follows those behind it.
[[nodiscard]] std::size_t before_tildes(std::string_view text, std::size_t index) noexcept;
[[nodiscard]] std::size_t behind_tildes(std::string_view text, std::size_t index) noexcept;

}  // namespace freshet::markdown
