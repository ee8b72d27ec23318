// Whether a text speaks to a model instead of to people: by the rules of instruction_rules.def, in
// one pass. It judges words, not intentions, and promises no safety: what is new to the table is
// not found.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace freshet::markdown {

/// A place that a rule matches.
struct instruction {
  std::string_view rule;           ///< with its version, static: "override_previous.1"
  std::size_t begin = 0, end = 0;  ///< bytes of the text
};

/// The first `most` of them, in the order in which they end. Linear in the text, whatever it holds.
[[nodiscard]] std::vector<instruction> find_instructions(std::string_view text, std::size_t most);

/// Every rule once, with its version: for documents and tests. Static.
[[nodiscard]] const std::vector<std::string_view>& instruction_rules();

}  // namespace freshet::markdown
