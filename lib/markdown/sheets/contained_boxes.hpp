// Boxes that do not ask what is in them how large they are: "contain: size", and what is asked for
// its size by queries. Where nothing else says it, they have none.
#pragma once

#include <markdown/sheets/declarations.hpp>
#include <string_view>

namespace freshet::markdown {

/// Its height is not asked of what is in it.
[[nodiscard]] bool is_sized_without_content(std::string_view contain) noexcept;
/// "card / size": so is what is asked for its size.
[[nodiscard]] bool is_size_container(std::string_view container) noexcept;
/// So one is as high as nothing where nothing else says how high it is.
[[nodiscard]] bool is_left_without_height(const cascaded_style& own) noexcept;
/// A box that would be as wide as what is in it, if it were asked.
[[nodiscard]] bool is_left_without_width(const cascaded_style& own) noexcept;

}  // namespace freshet::markdown
