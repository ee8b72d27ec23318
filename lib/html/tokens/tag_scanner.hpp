// A scanner of markup: text, tags, comments, one after the other, without building anything. The
// fragment reader and the search for <meta> in undecoded bytes share it; the tokenizer reads pages.
#pragma once

#include <cstdint>
#include <string_view>

namespace freshet::html {

enum class piece_type : std::uint8_t { end, text, start_tag, end_tag, other };

struct markup_piece {
  piece_type type = piece_type::end;
  std::string_view raw;         ///< the piece as it stands in the input
  std::string_view name;        ///< of a tag, in the case it was written in
  std::string_view attributes;  ///< of a start tag: what stands between its name and its '>'
};

/// Reads `text` from front to back, each byte a bounded number of times.
class tag_scanner {
 public:
  explicit tag_scanner(std::string_view text) : text_(text) {}
  [[nodiscard]] markup_piece next();
  /// Skips to the end tag of a raw text element: what comes before it is one `text` piece.
  [[nodiscard]] markup_piece raw_text(std::string_view name);

 private:
  markup_piece read_tag();
  markup_piece read_markup_declaration();
  markup_piece make(piece_type type, std::size_t end);

  std::string_view text_;
  std::size_t at_ = 0;
};

/// One attribute of a start tag. Views into the tag.
struct raw_attribute {
  std::string_view name, value;
};

/// Takes the next attribute off `attributes`; false when none is left.
[[nodiscard]] bool next_attribute(std::string_view& attributes, raw_attribute& attribute);

[[nodiscard]] constexpr bool is_html_space(char c) noexcept {
  return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f';
}

}  // namespace freshet::html
