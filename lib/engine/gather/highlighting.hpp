// The passages of an item that a call asks for: lib/query finds them, what they cost is counted
// here.
#pragma once

#include <base/work.hpp>
#include <catalog/validate.hpp>
#include <freshet/item.hpp>

namespace freshet::detail {

/// Fills item_common::highlights: of a document those of its markdown, else those of its text.
/// Where they are wanted in place of a text, one that is short enough has none. Counts its work;
/// throws what that throws.
void add_highlights(item& item, const catalog::highlight_choice& wanted, base::meter& counted);

/// What they take of a budget of tokens, about, as JSON.
[[nodiscard]] std::int64_t tokens_of(const std::vector<highlight>& passages);

}  // namespace freshet::detail
