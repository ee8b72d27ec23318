// <selectedcontent>: what the standard copies into it while parsing, the chosen option of the
// select around it.
#pragma once

#include <html/document.hpp>

namespace freshet::html {

/// Fills every selectedcontent that is to show its select's option. Linear: what lies in an option
/// is not filled, so that nothing is copied twice.
void fill_selected_content(document& page);

}  // namespace freshet::html
