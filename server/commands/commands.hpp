// The program's commands: one table, one function each. A command reads its options and prints;
// what it does is the library's.
#pragma once

#include <freshet/engine.hpp>
#include <server/commands/options.hpp>
#include <server/commands/settings.hpp>
#include <server/terminal/screen.hpp>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

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

/// Commands that belong together, as the help shows them.
struct command_group {
  std::string_view title;
  std::vector<std::span<const command>> families;
};
[[nodiscard]] std::span<const command_group> command_groups();

/// Every command, in the order of the help.
[[nodiscard]] std::span<const command> commands() noexcept;
/// The command that the first one or two words name, and how many they were; null and 0 for none.
[[nodiscard]] std::pair<const command*, std::size_t> find_command(
    std::span<const std::string_view> words);
/// A command's own help, in lines of at most so many columns; what is to be copied stays whole, and
/// a longer example goes on behind a backslash.
[[nodiscard]] std::string command_help(const command& one, std::size_t columns);

/// Runs the program: finds the command, reads its options, answers --help. Returns the exit status.
[[nodiscard]] int run_program(std::span<const std::string_view> arguments,
                              environment_block environment);

// The families of commands.
[[nodiscard]] std::span<const command> serve_commands() noexcept;
[[nodiscard]] std::span<const command> call_commands() noexcept;
[[nodiscard]] std::span<const command> sign_in_commands() noexcept;
[[nodiscard]] std::span<const command> account_commands() noexcept;
[[nodiscard]] std::span<const command> user_commands() noexcept;
[[nodiscard]] std::span<const command> log_commands() noexcept;
[[nodiscard]] std::span<const command> book_commands() noexcept;
[[nodiscard]] std::span<const command> markdown_commands() noexcept;
[[nodiscard]] std::span<const command> mcp_commands() noexcept;
[[nodiscard]] std::span<const command> tool_commands() noexcept;
[[nodiscard]] std::span<const command> shell_commands() noexcept;

// What they share.
/// A summary's first sentence, for lists of commands.
[[nodiscard]] std::string_view first_sentence(std::string_view summary) noexcept;
/// Prints to standard output, flushes, and says whether all of it went.
[[nodiscard]] bool print(std::string_view text);
/// The same of what others have written, a page or an answer: at a terminal without what that would
/// obey, to a pipe or a file as it is.
[[nodiscard]] bool print_foreign(std::string_view text);
/// What a command ends with whose standard output took nothing more: well where its reader has
/// gone, who had enough; else with a word why. Right behind print().
[[nodiscard]] int output_ended();
/// What a command ends with whose last word was `printed`, by print() or print_foreign().
[[nodiscard]] int finish(bool printed);
/// Whether anybody still reads standard output: a pipe's other end may have gone.
[[nodiscard]] bool has_reader();
/// Of a command that reads standard input, before it does: where that is a terminal, whoever sits
/// there is told what it waits for.
void say_what_is_awaited(std::string_view what);
/// "freshet: …" on standard error; returns exit_usage.
int wrong_usage(std::string_view what);
/// A problem document on standard error, for a person at a terminal in sentences unless the line
/// has
/// --json; returns exit_failed.
int failed_with(const invocation& line, std::string_view problem_document);
/// An error outside of an engine, as its problem document.
int failed_with(const invocation& line, const error& why);
/// The screen of whoever reads standard output; nothing for programs and where the line has --json.
[[nodiscard]] std::optional<screen> screen_of(const invocation& line);

}  // namespace freshet::server
