// Where poppler's programs are. Only fixed places are looked at.
#pragma once

#include <freshet/result.hpp>
#include <string>
#include <string_view>

namespace freshet::pdf {

/// The folder of pdftotext and pdftohtml: `configured` if it is not empty, else the first of the
/// usual ones that has both. Error: invalid_configuration, which says what to install or to set.
[[nodiscard]] result<std::string> find_poppler(std::string_view configured);

}  // namespace freshet::pdf
