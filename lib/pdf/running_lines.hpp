// Page numbers, running heads and feet: what stands at the edge of page after page.
#pragma once

#include <pdf/words.hpp>

namespace freshet::pdf {

/// Removes from a document the lines near the upper and lower edges that recur, digits aside, at
/// the same place of several pages; none where nothing else stands in the document.
void drop_running_lines(text_document& document, reading_meter& counted);

}  // namespace freshet::pdf
