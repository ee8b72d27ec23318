// Where the configuration has the accounts' database.
#pragma once

#include <freshet/config.hpp>
#include <freshet/result.hpp>
#include <string>

namespace freshet::detail {

/// Error: invalid_configuration.
[[nodiscard]] result<std::string> database_path(const config& from);

}  // namespace freshet::detail
