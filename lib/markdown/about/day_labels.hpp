// What the words beside a day say of it, in some thirty languages. Pure.
#pragma once

#include <string_view>

namespace freshet::markdown {

/// Whether words that base::fold() has folded say that something was changed on the day.
[[nodiscard]] bool says_change(std::string_view folded);
/// That somebody became a member on it.
[[nodiscard]] bool says_joining(std::string_view folded);
/// That something was published on it.
[[nodiscard]] bool says_publication(std::string_view folded);

}  // namespace freshet::markdown
