// The TeX that a page gives beside what it shows of a formula: taken where it says no more than
// that, or anything could be written there for programs alone.
#pragma once

#include <html/document.hpp>
#include <string>
#include <string_view>

namespace freshet::markdown {

/// Whether TeX has words that are not in the text that readers see of it.
[[nodiscard]] bool says_more(std::string_view tex, std::string_view seen);

/// Whether TeX that is drawn has a sentence of which nothing is seen: in a remark, or where letters
/// take room alone, or as a command's.
[[nodiscard]] bool hides_words(std::string_view tex);

/// The annotation of the <math> at `math`, or its attribute; "" where it has none, or one that says
/// more than its elements.
[[nodiscard]] std::string stated_tex(const html::document& page, html::node_id math);

/// The same formula without what would be links, pictures and HTML to who reads no formulas.
[[nodiscard]] std::string without_markup(std::string_view tex);

}  // namespace freshet::markdown
