// Characters that no reader sees: what is hidden in them is for machines only, and no text.
#pragma once

#include <html/document.hpp>
#include <markdown/safety/marks.hpp>
#include <string>
#include <string_view>

namespace freshet::markdown {

/// Without control characters that are no white space, tag characters, zero-width spaces, soft
/// hyphens, bidirectional embeddings and overrides, and the supplementary variation selectors.
/// Joiners and direction marks stay where a script that needs them, or an emoji, stands before
/// them; other variation selectors, one behind a character that has several looks.
[[nodiscard]] std::string without_unseen(std::string_view text);

/// Whether without_unseen() would leave anything out; may be true where it would not.
[[nodiscard]] bool may_hold_unseen(std::string_view text) noexcept;

/// The same for all texts of a page; what says something by such characters is marked, in the
/// descriptions of pictures, too.
void drop_unseen_characters(html::document& page, mark_list& marks);

}  // namespace freshet::markdown
