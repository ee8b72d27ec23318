// What a page says only in its structured data, because scripts write it into the page: the
// description and the features of a product, the body of an article or a post, in the end the
// page's own summary.
#pragma once

#include <markdown/choice/content.hpp>
#include <markdown/metadata.hpp>
#include <string>
#include <string_view>

namespace freshet::markdown {

/// That text as HTML, if `text`, which is the page's, is short and does not have it; else "".
[[nodiscard]] std::string missing_text(const html::document& page, const metadata& about,
                                       page_type type, std::string_view text);

/// The article that the structured data hold, as HTML, where `text`, what the page says, has little
/// of it: pages show the beginning and ask for payment. "" elsewhere.
[[nodiscard]] std::string whole_article(const html::document& page, const metadata& about,
                                        std::string_view text);

}  // namespace freshet::markdown
