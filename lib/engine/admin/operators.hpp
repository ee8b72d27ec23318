// An operator's commands with their names in the audit log: whoever gives one, by the command line
// or at a dashboard, comes through here. What changes something is written down before it is done.
#pragma once

#include <engine/runtime/core.hpp>
#include <freshet/result.hpp>
#include <string>
#include <string_view>

namespace freshet::detail {

/// Who gives a command.
struct operator_name {
  std::string actor;    ///< "command line", "operator:acc_…"
  std::string address;  ///< of the network; "" for the command line
};

/// See engine::administer. Errors: those of the commands, storage_unavailable (the audit log cannot
/// be written: then nothing was done).
[[nodiscard]] result<std::string> run_admin_command_as(const operator_name& who, core& in,
                                                       std::string_view command,
                                                       std::string_view arguments);

}  // namespace freshet::detail
