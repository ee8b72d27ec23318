// What CSS says about being seen: inline styles, and the simple rules of the page's own <style>
// elements. Nothing else of CSS is understood; layout is not computed.
#pragma once

#include <cstdint>
#include <string_view>

namespace freshet::markdown {

/// How a part of a page is hidden. Scripts may show what is hidden `until_shown`; what is off the
/// screen or has no size was never meant to be read.
enum class hiding : std::uint8_t { none, until_shown, for_good };

/// What the declarations of a style attribute or of a rule say.
[[nodiscard]] hiding hiding_by_style(std::string_view declarations) noexcept;

}  // namespace freshet::markdown
