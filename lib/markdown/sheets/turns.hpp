// What functions of "transform" that stand behind each other make of a flat box: turned twice by
// half of a quarter it is seen from its edge. What moves it, and from where it is looked at, is
// for others.
#pragma once

#include <string_view>

namespace freshet::markdown {

/// The factor by which the side of a box shrinks that shrinks most; 1 where it cannot be known.
[[nodiscard]] double least_stretch(std::string_view transform) noexcept;

}  // namespace freshet::markdown
