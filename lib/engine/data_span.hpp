// Where `data` stands in an envelope that came over the wire.
#pragma once

#include <cstddef>
#include <string_view>
#include <utility>

namespace freshet::detail {

/// Offset and size of the value of the top-level key "data"; {0, 0} if there is none. `body` must
/// be one JSON object.
[[nodiscard]] std::pair<std::size_t, std::size_t> find_data(std::string_view body) noexcept;

}  // namespace freshet::detail
