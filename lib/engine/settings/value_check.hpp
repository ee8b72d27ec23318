// Whether the values of a configuration can be meant: a rate above 0, a price that is not negative.
#pragma once

#include <freshet/config.hpp>
#include <freshet/result.hpp>

namespace freshet::detail {

/// Error: invalid_configuration, which names the key.
[[nodiscard]] result<void> check_values(const config& from);

}  // namespace freshet::detail
