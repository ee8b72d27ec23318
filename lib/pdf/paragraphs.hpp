// From lines on pages to headings, paragraphs, items and code, in the order of reading.
#pragma once

#include <pdf/words.hpp>
#include <vector>

namespace freshet::pdf {

enum class paragraph_kind { text, heading, bullet, numbered, code };

struct paragraph {
  paragraph_kind kind = paragraph_kind::text;
  int level = 0;            ///< of a heading, from 1
  int number = 0;           ///< of a numbered item
  std::vector<word> words;  ///< without the mark of an item; of code: one word a line
  double size = 0;
  bool bold = false;  ///< as a whole
};

/// Words that a line's end has torn apart are whole again.
[[nodiscard]] std::vector<paragraph> find_paragraphs(const text_document& document,
                                                     reading_meter& counted);

}  // namespace freshet::pdf
