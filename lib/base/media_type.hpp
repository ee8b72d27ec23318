// The field Content-Type.
#pragma once

#include <string>
#include <string_view>

namespace freshet::base {

/// Its type without the parameters, in lower case: "text/html" of "Text/HTML; charset=utf-8".
[[nodiscard]] std::string media_type_of(std::string_view content_type);

}  // namespace freshet::base
