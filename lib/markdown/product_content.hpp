// What a shop says of a product only in its structured data, because scripts write it into the
// page.
#pragma once

#include <markdown/metadata.hpp>
#include <string>
#include <string_view>

namespace freshet::markdown {

/// The description of the product as HTML, if `text`, which is the page's, is short and does not
/// have it; else "".
[[nodiscard]] std::string missing_description(const metadata& about, std::string_view text);

}  // namespace freshet::markdown
