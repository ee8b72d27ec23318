// Texts of others that may be shown: what a terminal obeys and what turns the letters beside it is
// left out, so that nobody's name or title forges what stands around it. It knows no source and no
// door; a text that holds none of it, nearly every one, costs a scan of its bytes.
#pragma once

#include <freshet/item.hpp>
#include <string>
#include <string_view>

namespace freshet::model {

/// Whether a text of one line holds what to_one_line() changes.
[[nodiscard]] bool is_one_line(std::string_view text) noexcept;

/// One line: where a control breaks it (tabs among them), runs of white space become one space;
/// other controls (C0, DEL, C1) go, and so do bidirectional embeddings, overrides and isolates. The
/// marks of directions and the joiners stay, for scripts need them. Valid UTF-8, NFC and trimmed
/// where it changes anything.
void to_one_line(std::string& text);

/// A text of lines: other ends of lines become \n, tabs stay, other controls go. Embeddings and
/// isolates stay where they are closed within their paragraph, as people write them; what is open
/// at its end, or closes nothing there, would turn what others put around the text, and goes.
/// Overrides go with what closes them: no script needs them, and what they show is never what the
/// text says. Valid UTF-8, NFC and trimmed where it changes anything.
void to_lines(std::string& text);

/// The same for every text of an item, by the table of their keys: `text`, `description` and `alt`
/// have lines, all others are one. Not the markdown, whose blocks stand at bytes and which holds
/// none of it; nor JSON, the marks and the passages. A tag of nothing else goes.
void to_shown(item& any);

}  // namespace freshet::model
