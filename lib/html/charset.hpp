// Bytes of a page to UTF-8: BOM, then the header, then <meta>, then detection; labels as in the
// Encoding standard.
#pragma once

#include <string>
#include <string_view>

namespace freshet::html {

struct decoded_text {
  std::string text;     ///< valid UTF-8
  std::string charset;  ///< the encoding used, by its standard name
};

/// `content_type` is the header's value; "" if there was none.
[[nodiscard]] decoded_text to_utf8(std::string_view bytes, std::string_view content_type);

/// The same without a copy of what is UTF-8 already.
struct decoded_view {
  std::string_view text;     ///< of the input, or of `storage`
  std::string_view charset;  ///< in static storage
};

/// `storage` holds the text if it had to be converted; it must stay as it is while that is used.
[[nodiscard]] decoded_view to_utf8_view(std::string_view bytes, std::string_view content_type,
                                        std::string& storage);

/// The bytes of UTF-8 text in an encoding, by its standard name; "&#N;" for what it has not. Text
/// of pages in UTF-16 and in encodings with a state comes back as it is, as UTF-8.
[[nodiscard]] std::string from_utf8(std::string_view text, std::string_view charset);

}  // namespace freshet::html
