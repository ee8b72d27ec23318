// Paragraphs as HTML, for the way to markdown that every page goes.
#pragma once

#include <pdf/words.hpp>
#include <string>

namespace freshet::pdf {

/// A page of HTML: title, author and date as metadata, headings, paragraphs, lists, code, links and
/// emphasis. Page breaks leave no trace.
[[nodiscard]] std::string to_html(text_document document, reading_meter& counted);

/// Whether there is any text at all.
[[nodiscard]] bool has_text(const text_document& of) noexcept;

}  // namespace freshet::pdf
