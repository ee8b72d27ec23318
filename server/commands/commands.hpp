// The program's commands: one table, one function each. A command reads its options and prints;
// what it does is the library's.
#pragma once

#include <freshet/engine.hpp>
#include <server/commands/options.hpp>
#include <server/commands/settings.hpp>
#include <span>
#include <string_view>

namespace freshet::server {

/// The program's exit statuses.
enum exit_status : int { exit_ok = 0, exit_failed = 1, exit_usage = 2 };

/// What a command is given.
struct invocation {
  parsed_options options;
  environment_block environment;
  std::string_view command;  ///< its row's name
};

/// One row of the table. Static storage.
struct command {
  std::string_view name;      ///< "keys create"
  std::string_view operands;  ///< "ID", "EMAIL [PART]" or "[FILE...]", for the usage line
  std::string_view summary;
  std::string_view example;
  int (*run)(const invocation&);
  std::span<const option_spec> options{};

  /// How many operands a line must have, and may have.
  [[nodiscard]] std::size_t min_operands() const noexcept;
  [[nodiscard]] std::size_t max_operands() const noexcept;
};

/// Every command, in the order of the help.
[[nodiscard]] std::span<const command> commands() noexcept;

/// Runs the program: finds the command, reads its options, answers --help. Returns the exit status.
[[nodiscard]] int run_program(std::span<const std::string_view> arguments,
                              environment_block environment);

// The families of commands.
[[nodiscard]] std::span<const command> serve_commands() noexcept;
[[nodiscard]] std::span<const command> call_commands() noexcept;
[[nodiscard]] std::span<const command> account_commands() noexcept;
[[nodiscard]] std::span<const command> user_commands() noexcept;
[[nodiscard]] std::span<const command> book_commands() noexcept;
[[nodiscard]] std::span<const command> markdown_commands() noexcept;
[[nodiscard]] std::span<const command> mcp_commands() noexcept;
[[nodiscard]] std::span<const command> tool_commands() noexcept;

// What they share.
/// Prints to standard output, flushes, and says whether all of it went.
[[nodiscard]] bool print(std::string_view text);
/// "freshet: …" on standard error; returns exit_usage.
int wrong_usage(std::string_view what);
/// A problem document on standard error; returns exit_failed.
int failed_with(std::string_view problem_document);
/// An error outside of an engine as its problem document on standard error; returns exit_failed.
int failed_with(const error& why);

}  // namespace freshet::server
