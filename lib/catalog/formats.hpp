// What a string of each format must look like, beyond its length, and the one spelling under which
// two equal values are equal. It knows nothing of endpoints or of JSON.
#pragma once

#include <catalog/endpoint.hpp>
#include <string>
#include <string_view>

namespace freshet::catalog {

/// Brings `value` into its canonical form: a handle without @, a country in capitals, a URL as
/// browsers write it. Returns what is wrong in one sentence, or "" if nothing. Requires valid
/// UTF-8. Formats `q` and `since` are lib/query's and pass unchanged.
[[nodiscard]] std::string canonicalise(value_format format, std::string& value);

/// A caller's text for an error sentence: in single quotes, shortened.
[[nodiscard]] std::string quoted(std::string_view text);

}  // namespace freshet::catalog
