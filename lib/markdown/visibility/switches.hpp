// What a person clicks to open a part of a page: buttons and their like, labels, links that lead
// nowhere. Pure; it drops nothing, and does not say whether one is seen.
#pragma once

#include <base/text_hash.hpp>
#include <markdown/tree/tree.hpp>
#include <string_view>
#include <unordered_map>

namespace freshet::markdown {

/// Whether a click is told to open or close something here.
[[nodiscard]] bool is_switch(const page_tree& tree, html::node_id id);

/// Whether a click here may do something on this page: a switch, a label of a box that is checked,
/// a link that leads nowhere, a short text whose names say that it opens something.
[[nodiscard]] bool may_be_clicked(const page_tree& tree, html::node_id id);

/// The id of what a click here opens. Where what a link leads to is hidden, a script shows it.
[[nodiscard]] std::string_view opened_by(const page_tree& tree, html::node_id id);

/// The first element that opens something, by the id of that.
using opening_elements = std::unordered_map<std::string_view, html::node_id, base::text_hash>;
[[nodiscard]] opening_elements opening_elements_of(const page_tree& tree);

}  // namespace freshet::markdown
