// An operator's commands on the accounts: JSON in, JSON out, the same whether they come from the
// command line or over the administration socket of a running server.
#pragma once

#include <account/accounts.hpp>
#include <freshet/config.hpp>
#include <freshet/result.hpp>
#include <string>
#include <string_view>

namespace freshet::detail {

/// See engine::administer. Errors: invalid_request (an unknown command or argument), those of the
/// accounts.
[[nodiscard]] result<std::string> run_admin_command(account::accounts& on, const config& settings,
                                                    std::string_view command,
                                                    std::string_view arguments);

/// "30d" and the like, or "" for none. Error: invalid_request, naming `what`.
[[nodiscard]] result<std::optional<std::chrono::seconds>> parse_lifetime(std::string_view text,
                                                                         std::string_view what);

}  // namespace freshet::detail
