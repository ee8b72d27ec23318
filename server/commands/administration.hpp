// What the administration commands share: an order carried out wherever the accounts are, and its
// answer printed.
#pragma once

#include <boost/json/object.hpp>
#include <server/commands/commands.hpp>
#include <string>
#include <string_view>

namespace freshet::server {

using printer = std::string (*)(const boost::json::object& answer);

/// Carries out a command and prints what it answers: as it is with --json, else as `show` says it.
/// Returns the exit status.
int run_admin_command(const invocation& with, std::string_view command,
                      const boost::json::object& arguments, printer show);
/// A member as text: a string as it is, null and absence as "-".
[[nodiscard]] std::string shown(const boost::json::object& of, std::string_view name);

inline constexpr option_spec json_option{"--json", "", "print the answer as JSON"};

}  // namespace freshet::server
