// What poppler's programs say of a document, as values: where each word stands in the order of
// reading (pdftotext), and in which type each piece of text is set (pdftohtml).
#pragma once

#include <pdf/reading_meter.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace freshet::pdf {

/// A rectangle in points from the upper left corner of the page.
struct box {
  double left = 0, top = 0, right = 0, bottom = 0;
  [[nodiscard]] double height() const noexcept { return bottom - top; }
  [[nodiscard]] double width() const noexcept { return right - left; }
};

/// How a word is set.
struct type_style {
  double size = 0;  ///< in points; 0: unknown
  bool bold = false, italic = false, mono = false;
  std::string link;  ///< http, https or mailto; "" for none
};

struct word {
  box at;
  std::string text;  ///< UTF-8
  type_style style;
};

struct text_line {
  box at;
  std::vector<word> words;
};

/// Lines that stand together.
struct text_block {
  std::vector<text_line> lines;
};

struct text_page {
  double width = 0, height = 0;
  std::vector<text_block> blocks;  ///< in the order of reading
};

struct text_document {
  std::string title, author, created;  ///< created: ISO 8601
  std::vector<text_page> pages;
};

/// Reads the output of `pdftotext -bbox-layout`. What is malformed is left out. Throws what the
/// meter throws, as all do here that take one.
text_document read_layout(std::string_view text, reading_meter& counted);

/// Gives each word of `document` its style out of the output of `pdftohtml -xml -zoom 1`.
void add_styles(text_document& document, std::string_view xml, reading_meter& counted);

}  // namespace freshet::pdf
