// Style sheets made plain before they are read: without comments, and with words as they are meant.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace freshet::markdown {

/// A sheet or the text of a style attribute without comments and without the marks of comments of
/// HTML, letters in place of their escapes; null where it is plain already.
[[nodiscard]] std::optional<std::string> plain_sheet(std::string_view text);

/// What a "data:" address holds; null where it is another one.
[[nodiscard]] std::optional<std::string> sheet_in_address(std::string_view address);

/// The selectors of a rule that stands inside of one with `outer`; "" where that would be too long.
[[nodiscard]] std::string nested_selectors(std::string_view outer, std::string_view inner);

}  // namespace freshet::markdown
