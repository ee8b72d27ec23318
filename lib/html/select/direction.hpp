// In which direction an element's text runs, as :dir() asks. Shared by the files of the matcher
// only.
#pragma once

#include <base/work.hpp>
#include <html/document.hpp>
#include <string_view>

namespace freshet::html {

inline constexpr std::string_view left_to_right = "ltr", right_to_left = "rtl";

/// Of an element inside of one of direction `above`; every node that is looked at is counted.
[[nodiscard]] std::string_view direction_of(const document& document, node_id element,
                                            std::string_view above, base::meter& counted);

}  // namespace freshet::html
