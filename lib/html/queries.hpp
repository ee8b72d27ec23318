// The queries of a page's addresses in the page's own encoding, as browsers send them (WHATWG URL,
// "encoding-parse a URL"). After that they are ASCII, whoever resolves them.
#pragma once

#include <html/document.hpp>
#include <string>
#include <string_view>

namespace freshet::html {

/// One address; as it is if its query is ASCII or `charset` is UTF-8.
[[nodiscard]] std::string with_encoded_query(std::string_view address, std::string_view charset);

/// Those of all links, pictures and the like of a page. `charset` is what to_utf8() says of it.
void encode_queries(document& page, std::string_view charset);

}  // namespace freshet::html
