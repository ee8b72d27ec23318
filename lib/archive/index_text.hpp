// An item's words as the text that stores index: divided at spaces, exactly the words of lib/query.
#pragma once

#include <freshet/item.hpp>
#include <string>
#include <string_view>

namespace freshet::archive {

/// The words of an item, fields apart, with a mark of its language.
[[nodiscard]] std::string index_text(const item& what);
/// The mark that items of this language have, and of its regions; "" for any language.
[[nodiscard]] std::string lang_word(std::string_view lang);

}  // namespace freshet::archive
