// What forms say of their fields: whether values are valid, in range, wanted, or decided, as a page
// at rest has them. Every element that is looked at is counted. Shared by the files of the matcher
// only.
#pragma once

#include <base/work.hpp>
#include <html/document.hpp>
#include <html/select/selector_program.hpp>

namespace freshet::html {

/// A state from `valid` to `chosen_first` of an element.
[[nodiscard]] bool form_state_matches(const document& tree, node_id element, simple_type state,
                                      base::meter& counted);

/// Whether it, or a fieldset around it, is switched off.
[[nodiscard]] bool is_disabled(const document& tree, node_id element, base::meter& counted);

}  // namespace freshet::html
