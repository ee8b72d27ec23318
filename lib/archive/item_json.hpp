// An item as the archive stores it: the JSON of lib/model without what says nothing.
#pragma once

#include <freshet/item.hpp>
#include <string>

namespace freshet::archive {

/// Reads back, with model::read_item, as the same item.
[[nodiscard]] std::string stored_json(const item& what);

}  // namespace freshet::archive
