// Answers and errors as the sandbox gives them, for the examples of the description.
#pragma once

#include <map>
#include <string>

namespace freshet::detail {

/// Envelopes by the path of their endpoint, and problem documents by their code.
struct answer_examples {
  std::map<std::string, std::string, std::less<>> answers, problems;
};

/// For every endpoint the envelope of its example call, one item long, and for the codes that the
/// sandbox can provoke a problem document. The same text on every call: what would differ, a cursor
/// and a request id, is a fixed one. Account calls have made-up values. No platform's and no
/// error's if the sandbox cannot be opened. Takes a few hundredths of a second; thread-safe.
[[nodiscard]] answer_examples make_answer_examples();

}  // namespace freshet::detail
