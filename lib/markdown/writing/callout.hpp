// Boxes that pages set beside their text: notes, tips, warnings. Only how they are recognised.
#pragma once

#include <html/document.hpp>
#include <markdown/tree/tree.hpp>
#include <optional>
#include <string>

namespace freshet::markdown {

struct callout {
  std::string type;                     ///< "note", "tip", ...
  std::string title;                    ///< as the page shows it; else the type, capitalised
  html::node_id title_at = html::none;  ///< the element that shows it
  std::string_view fold;                ///< "-" or "+" where the box can be folded
};

/// The box that an element is; none for other elements. Costs a look at its class only.
[[nodiscard]] std::optional<callout> callout_at(const page_tree& tree, html::node_id id);

}  // namespace freshet::markdown
