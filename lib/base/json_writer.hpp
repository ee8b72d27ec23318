// JSON of a tree as text, in the one way that answers have it: no spaces, members in their order,
// numbers as the shortest text that reads back the same.
#pragma once

#include <base/json.hpp>
#include <string>

namespace freshet::base {

/// Appends a value of any depth. A number that JSON cannot say is null.
void append_json(std::string& out, const json::value& value);

}  // namespace freshet::base
