// The plans by which accounts are billed, as the configuration has them.
#pragma once

#include <account/accounts.hpp>
#include <freshet/config.hpp>
#include <map>
#include <string>

namespace freshet::detail {

/// By their names; `free` is always there. Their values were checked before.
[[nodiscard]] std::map<std::string, account::plan> configured_plans(const config& from);

}  // namespace freshet::detail
