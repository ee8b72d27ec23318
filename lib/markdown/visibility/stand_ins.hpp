// What the functions of values that stand for others are made of. Shared by the files of
// style_rules.
#pragma once

#include <base/unicode.hpp>
#include <string_view>

namespace freshet::markdown {

/// A custom property of which too many rules speak.
inline constexpr std::string_view unknown_custom_value = "?";

/// Whether a value is of the kind that "type(<number>)" or a typed property asks for.
[[nodiscard]] bool is_of_type(std::string_view value, std::string_view type);

/// The colon of a branch of if(): "style(--a: b): none"; the size of the text where it has none.
[[nodiscard]] inline std::size_t end_of_condition(std::string_view branch) noexcept {
  std::size_t depth = 0;
  for (std::size_t at = 0; at < branch.size(); ++at) {
    if (branch[at] == '(') ++depth;
    if (branch[at] == ')' && depth > 0) --depth;
    if (branch[at] == ':' && depth == 0) return at;
  }
  return branch.size();
}

/// What stands behind it.
[[nodiscard]] inline std::string_view value_of_branch(std::string_view branch) noexcept {
  const auto colon = end_of_condition(branch);
  return colon == branch.size() ? std::string_view() : base::trim(branch.substr(colon + 1));
}

}  // namespace freshet::markdown
