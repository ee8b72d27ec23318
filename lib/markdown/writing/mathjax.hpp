// Formulas that MathJax 3 or 4 has drawn and said nowhere else: its elements and the parts of its
// pictures are named after those of MathML, and characters stand in class names and attributes.
#pragma once

#include <markdown/tree/tree.hpp>
#include <string>

namespace freshet::markdown {

/// A <math> that says what is drawn below `drawing`, a container of MathJax; "" where nothing is,
/// or where it is nested deeper than formulas are.
[[nodiscard]] std::string mathml_of_drawing(const page_tree& tree, html::node_id drawing);

}  // namespace freshet::markdown
