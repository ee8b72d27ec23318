// MathML to TeX, for pages that say their formulas only as trees. It never asks what surrounds the
// formula.
#pragma once

#include <html/document.hpp>
#include <span>
#include <string>
#include <string_view>

namespace freshet::markdown {

/// The TeX of the <math> at `math`: the page's own annotation if it has one that says no more
/// than is seen, else its elements converted. "" if there is nothing in it, or if it is too large
/// to be a formula.
/// `unseen`: texts of which nothing is seen, in the order of the page.
[[nodiscard]] std::string tex_of_math(const html::document& page, html::node_id math,
                                      std::span<const html::node_id> unseen = {});

/// TeX as pages write it, for one line: white space collapsed; without what only asks for a style.
[[nodiscard]] std::string tidy_tex(std::string_view tex);

}  // namespace freshet::markdown
