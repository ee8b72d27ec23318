// An operator's commands on the accounts as a table: their names and arguments. The engine checks a
// command by it, the dashboard offers its rows, and the command line takes its options from it.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

namespace freshet {

/// One argument of an operator's command. Static storage.
struct admin_argument {
  /// What it may hold.
  enum class kind : std::uint8_t {
    text,     ///< a string
    integer,  ///< a whole number from `least` to `most`
    flag,     ///< true or false
  };

  std::string_view name;           ///< "monthly_budget"
  kind type = kind::text;          ///< what it may hold
  std::string_view value;          ///< what it takes, for a help: "EMAIL", "N"; "" for a flag
  std::string_view help;           ///< one line
  std::string_view required = {};  ///< what is said where it is missing; "" if it may be
  std::string_view unit = {};      ///< of an integer: "credits"
  std::int64_t least = 1;          ///< of an integer
  std::int64_t most = std::numeric_limits<std::int64_t>::max();  ///< of an integer
};

/// One command. Static storage.
struct admin_command {
  std::string_view name;                      ///< "keys.create"
  std::span<const admin_argument> arguments;  ///< those that a command line has no option for first
  bool changes = false;       ///< whether it changes something, and so stands in the audit log
  bool at_dashboard = false;  ///< whether operators may give it there, as "operator/" and its name
};

/// Every command that engine::run_admin_command() knows. Thread-safe.
[[nodiscard]] std::span<const admin_command> admin_commands() noexcept;

}  // namespace freshet
