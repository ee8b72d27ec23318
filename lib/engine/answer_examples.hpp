// Answers as the sandbox gives them, for the examples of the description.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace freshet::detail {

/// For each endpoint that the sandbox answers, by path: the envelope of its example call, one item
/// long. The same text on every call: what would differ, a cursor and a request id, is a fixed one.
/// Empty if the sandbox cannot be opened. Takes a few hundredths of a second; thread-safe.
[[nodiscard]] std::map<std::string, std::string, std::less<>> answer_examples();

}  // namespace freshet::detail
