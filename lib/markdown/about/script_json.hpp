// The JSON that scripts of pages hold, as sites write it: in marks for old browsers, with comments,
// commas at the end, quotation marks and line breaks inside of strings. Pure.
#pragma once

#include <base/json.hpp>
#include <freshet/result.hpp>
#include <string>
#include <string_view>

namespace freshet::markdown {

/// JSON that was meant: without comments, trailing commas and what is around it, line ends in
/// strings escaped.
[[nodiscard]] std::string tidy_json(std::string_view text);

/// The first JSON value of a script, as it stands there or tidied.
[[nodiscard]] result<base::json::value> parse_script_json(std::string_view text);

}  // namespace freshet::markdown
