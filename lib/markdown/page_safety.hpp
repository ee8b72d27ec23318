// What becomes of a document's safety marks: it is given with them, without what they stand on, or
// not at all.
#pragma once

#include <markdown/page.hpp>
#include <markdown/safety/marks.hpp>
#include <optional>

namespace freshet::markdown {

/// Marks the texts of a document beside what was found while it was read, and does what `how` says.
/// Error: unsafe_content.
[[nodiscard]] std::optional<error> apply_safety(page_result& made, mark_list marks,
                                                const page_options& how);

}  // namespace freshet::markdown
