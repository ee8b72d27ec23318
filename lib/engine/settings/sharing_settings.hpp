// What servers over one book share of their sources, as the configuration has it.
#pragma once

#include <account/accounts.hpp>
#include <engine/runtime/environment.hpp>
#include <freshet/config.hpp>
#include <freshet/result.hpp>
#include <optional>

namespace freshet::detail {

/// Null where this server is alone. `accounts`: null where there are none; else asked
/// until the sharing is stopped. Errors:
/// invalid_configuration, storage_unavailable.
[[nodiscard]] result<std::optional<sharing_options>> configured_sharing(const config& config,
                                                                        account::accounts* accounts,
                                                                        const log_function& log);

}  // namespace freshet::detail
