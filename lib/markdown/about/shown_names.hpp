// The names in a line that a page shows to people: pure functions over text, for visible_claims.
#pragma once

#include <markdown/about/written_date.hpp>
#include <string>
#include <string_view>

namespace freshet::markdown {

/// The names that a line introduces ("By Ada Byron | 5 March"); "" if it introduces none.
[[nodiscard]] std::string byline_in(std::string_view line, day_order order);

/// Whether a line is empty or no more than "Written by".
[[nodiscard]] bool is_label(std::string_view line);

/// Whether each word of a text begins with a capital, and there are a few of them.
[[nodiscard]] bool is_full_name(std::string_view text);

/// A name begins with a capital, or in a script without them; a sentence goes on too long. "the
/// Harbour Team" is one, too.
[[nodiscard]] bool looks_like_names(std::string_view text);

/// "Ada Byron on March 5" is Ada Byron: the day goes, or what begins with a digit, and the small
/// words before it.
[[nodiscard]] std::string_view without_day(std::string_view text, day_order order);

/// The first piece of a line, up to a divider; `line` keeps the others.
std::string_view next_piece(std::string_view& line);

/// The name that stands alone beside a day and a divider: "5.3.2026 · Ada Byron"; "" without one.
[[nodiscard]] std::string name_beside_day(std::string_view line, day_order order);

/// The names behind words that say more than "by": below an article others are told of, too.
[[nodiscard]] std::string strictly_introduced(std::string_view line);

/// Whether a line alone says more than "by".
[[nodiscard]] bool is_strict_label(std::string_view line);

/// The name at the beginning of a line of a box that is named for an author; one word may be that
/// of a user, with digits and without a capital.
[[nodiscard]] std::string name_in_line(std::string_view line);

}  // namespace freshet::markdown
