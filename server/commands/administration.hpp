// What the administration commands share: options and arguments out of the engine's table of
// commands, an order carried out wherever the accounts are, and its answer printed.
#pragma once

#include <boost/json/object.hpp>
#include <deque>
#include <optional>
#include <server/commands/commands.hpp>
#include <server/terminal/table.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace freshet::server {

inline constexpr option_spec json_option{"--json", "", "print the answer as JSON"};

/// What an administration command has answered.
struct admin_outcome {
  std::optional<int> failed;  ///< the exit status of what went wrong and was printed
  std::string body;           ///< the answer as it came
  boost::json::object answer;
};

/// Carries out the command that the line names ("keys create": keys.create), wherever the accounts
/// are. `unless_given`: arguments that are sent where the line does not name them.
[[nodiscard]] admin_outcome carry_out(const invocation& line,
                                      const boost::json::object& unless_given = {});

using printer = std::string (*)(const boost::json::object& answer);
/// The same for a person at a terminal.
using screen_printer = std::string (*)(const boost::json::object& answer, const screen& on);

/// carry_out(), and prints what was answered: as it is with --json, on a terminal as `show_on` says
/// it, where there is one, else as `show` does. Returns the exit status.
int run_admin_command(const invocation& line, printer show,
                      const boost::json::object& unless_given = {},
                      screen_printer show_on = nullptr);
/// run_admin_command() as a row's function.
template <printer show, screen_printer show_on = nullptr>
int administer(const invocation& line) {
  return run_admin_command(line, show, {}, show_on);
}

/// Rows of the command line with options that were made for them; rows point into the rest.
struct admin_rows {
  std::deque<std::string> names;
  std::deque<std::vector<option_spec>> options;
  std::vector<command> rows;
};

/// Gives rows their options: the arguments of the engine's command that are no operands, then those
/// of every administration command.
[[nodiscard]] admin_rows with_options(std::span<const command> rows);

/// A member as text: a string as it is, but for spaces behind spaces, of which two part the fields
/// of a line; null and absence as "-".
[[nodiscard]] std::string shown(const boost::json::object& answer, std::string_view name);
/// The objects of a list, each as `line` says it.
[[nodiscard]] std::string shown_list(const boost::json::object& answer, std::string_view name,
                                     std::string (*line)(const boost::json::object& one));
/// The objects of a list as a table, a row each, and how the list goes on; `none` where it is
/// empty.
[[nodiscard]] std::string shown_table(const boost::json::object& answer, std::string_view name,
                                      std::span<const table_column> columns,
                                      table_row (*row)(const boost::json::object& one),
                                      std::string_view none, const screen& screen);
/// "2026-11-23 22:14" of a moment in an answer; "-" where it is null.
[[nodiscard]] std::string shown_moment(const boost::json::object& answer, std::string_view name);
/// How a list goes on; "" at its end.
[[nodiscard]] std::string shown_cursor(const boost::json::object& answer);

}  // namespace freshet::server
