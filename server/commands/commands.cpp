// Finding and running a command, and its help.
#include <poll.h>
#include <unistd.h>
#include <algorithm>
#include <boost/json.hpp>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <freshet/version.hpp>
#include <server/commands/commands.hpp>
#include <server/nearest.hpp>
#include <server/terminal/cards.hpp>
#include <utility>
#include <vector>

namespace freshet::server {
namespace {

namespace json = boost::json;

/// Of a command that takes any number.
constexpr std::size_t most_operands = 100'000;

std::size_t count_words(std::string_view text) noexcept {
  const auto spaces = static_cast<std::size_t>(std::ranges::count(text, ' '));
  return text.empty() ? 0 : spaces + 1;
}

std::string overview(std::size_t columns) {
  constexpr std::size_t summary_column = 22;
  const auto what = "freshet " + std::string(version) + ": one API over public-data platforms";
  std::string out = paragraph(what, columns) + "\nusage: freshet COMMAND [OPTIONS]\n\n";
  for (const command_group& group : command_groups()) {
    out.append(group.title).append("\n");
    for (const auto& family : group.families) {
      for (const command& one : family) {
        out += definition("  " + std::string(one.name), first_sentence(one.summary), summary_column,
                          columns);
      }
    }
    out.append("\n");
  }
  out += paragraph("`freshet COMMAND --help` shows a command's options and an example.", columns);
  out.append("\nexample: freshet serve --listen 127.0.0.1:8080\n");
  return out;
}

/// Where a shell's line that is too long goes on: before its last option or redirection that still
/// leaves room for " \\"; npos where there is none.
std::size_t break_of(std::string_view line, std::size_t columns) {
  std::size_t found = std::string_view::npos;
  char quote = 0;
  for (std::size_t i = 1; i + 1 < line.size() && i + 2 <= columns; ++i) {
    if (quote != 0) {
      if (line[i] == quote) quote = 0;
    } else if (line[i] == '\'' || line[i] == '"') {
      quote = line[i];
    } else if (line[i] == ' ' && line[i - 1] != ' ' && (line[i + 1] == '-' || line[i + 1] == '>')) {
      found = i;
    }
  }
  return found;
}

/// A command's example, which stays one when it is copied: a shell reads on behind a backslash.
std::string example_lines(std::string_view example, std::size_t columns) {
  std::string out;
  std::string line = "example: " + std::string(example);
  while (columns_of(line) > columns) {
    const std::size_t end = break_of(line, columns);
    if (end == std::string::npos) break;
    out.append(line, 0, end).append(" \\\n");
    line.replace(0, end + 1, "    ");
  }
  return out.append(line).append("\n");
}

/// What may have been meant by words that are no command: one that is spelled alike, or one that
/// does as much to something else, as `credits grant` for `accounts grant`.
std::string meant_by(std::span<const std::string_view> words,
                     std::span<const std::string_view> names) {
  for (const std::string_view name : names) {
    const std::size_t space = name.find(' ');
    if (space != std::string_view::npos && name.substr(space + 1) == words.back())
      return "; did you mean '" + std::string(name) + "'?";
  }
  std::string written(words[0]);
  if (words.size() > 1) written.append(" ").append(words[1]);
  return did_you_mean(written, names);
}

/// "keys" alone or with a word it does not have: the commands of that family.
int explain_unknown(std::span<const std::string_view> words, std::size_t columns) {
  const std::string family = std::string(words[0]) + " ";
  std::string members;
  std::string_view example;
  std::vector<std::string_view> names;
  for (const command& one : commands()) {
    names.push_back(one.name);
    if (!one.name.starts_with(family)) continue;
    if (example.empty()) example = one.example;
    members.append("  freshet ").append(one.name).append(" ").append(one.operands).append("\n");
  }
  if (members.empty()) {
    return wrong_usage("unknown command '" + std::string(words[0]) + "'" +
                       meant_by(words.first(1), names) + "\ntry: freshet --help");
  }
  if (words.size() > 1 && (words[1] == "--help" || words[1] == "-h")) {
    members.append("\n").append(example_lines(example, columns));
    return finish(print(members));
  }
  members.pop_back();
  if (words.size() == 1) return wrong_usage("which of these?\n" + members);
  const std::string pair = family + std::string(words[1]);
  return wrong_usage("unknown command '" + pair + "'" + meant_by(words.first(2), names) + "\n" +
                     members);
}

void print_message(std::string_view what) {
  const bool is_seen = ::isatty(STDERR_FILENO) == 1;
  const std::string line =
      "freshet: " + (is_seen ? harmless(what, true) : std::string(what)) + "\n";
  std::fputs(line.c_str(), stderr);
}

/// Each line of a text as wide as a screen; what is to be copied, which is indented or behind
/// "try: ", stays whole.
std::string wrapped_lines(std::string_view text, std::size_t columns) {
  std::string out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    const bool is_copied = line.starts_with(" ") || line.starts_with("try: ");
    out += is_copied ? std::string(line) + "\n" : paragraph(line, columns);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

}  // namespace

std::string command_help(const command& one, std::size_t columns) {
  std::string out = "usage: freshet " + std::string(one.name);
  if (!one.operands.empty()) out.append(" ").append(one.operands);
  out.append(" [OPTIONS]\n\n");
  out += wrapped_lines(one.summary, columns);
  out.append("\n").append(describe_options(one.options, columns));
  return out.append("\n").append(example_lines(one.example, columns));
}

std::pair<const command*, std::size_t> find_command(std::span<const std::string_view> words) {
  const std::string pair =
      words.size() < 2 ? std::string() : std::string(words[0]) + " " + std::string(words[1]);
  for (const command& one : commands()) {
    if (one.name == pair) return {&one, 2};
    if (one.name == words[0]) return {&one, 1};
  }
  return {nullptr, 0};
}

std::size_t command::min_operands() const noexcept {
  const auto optional = std::ranges::count(operands, '[');
  return count_words(operands) - static_cast<std::size_t>(optional);
}

std::size_t command::max_operands() const noexcept {
  return operands.ends_with("...]") ? most_operands : count_words(operands);
}

std::span<const command_group> command_groups() {
  static const std::vector<command_group> groups{
      {"To call and to serve",
       {call_commands(), serve_commands(), mcp_commands(), markdown_commands(),
        sign_in_commands()}},
      {"Accounts, credits, keys and people", {account_commands(), user_commands(), log_commands()}},
      {"The book", {book_commands()}},
      {"About Freshet", {tool_commands(), shell_commands()}}};
  return groups;
}

std::string_view first_sentence(std::string_view summary) noexcept {
  const std::size_t stop = std::min(summary.find(". "), summary.find(".\n"));
  return stop == std::string_view::npos ? summary : summary.substr(0, stop + 1);
}

std::span<const command> commands() noexcept {
  static const std::vector<command> all = [] {
    std::vector<command> rows;
    for (const command_group& group : command_groups()) {
      for (const auto& family : group.families) {
        rows.insert(rows.end(), family.begin(), family.end());
      }
    }
    return rows;
  }();
  return all;
}

int run_program(std::span<const std::string_view> arguments, environment_block environment) {
  const std::size_t columns = help_columns(environment);
  if (arguments.empty()) {
    std::fputs(overview(columns).c_str(), stderr);
    return exit_usage;
  }
  const bool asks_help = arguments[0] == "--help" || arguments[0] == "-h" || arguments[0] == "help";
  if (asks_help && arguments.size() > 1) {
    std::vector<std::string_view> words(arguments.begin() + 1, arguments.end());
    words.emplace_back("--help");
    return run_program(words, environment);
  }
  if (asks_help) return finish(print(overview(columns)));
  // What everybody tries first.
  static constexpr std::string_view version_words[] = {"version"};
  const bool asks_version = arguments[0] == "--version" || arguments[0] == "-V";
  const auto words = asks_version ? std::span<const std::string_view>(version_words) : arguments;
  const auto [found, used] = find_command(words);
  if (found == nullptr) return explain_unknown(words, columns);
  parse_outcome parsed = parse_options(found->options, words.subspan(used));
  const std::string hint = "\ntry: freshet " + std::string(found->name) + " --help";
  if (parsed.options.has("--help") && found->name != "call") {
    return finish(print(command_help(*found, columns)));
  }
  if (parsed.wrong) return wrong_usage(*parsed.wrong + hint);
  const std::size_t operands = parsed.options.operands().size();
  if (parsed.options.has("--help")) {
    if (operands == 0 && !print(command_help(*found, columns) + "\n")) return output_ended();
    return found->run({std::move(parsed.options), environment, found->name});
  }
  if (operands < found->min_operands()) {
    return wrong_usage(std::string(found->name) + " needs " + std::string(found->operands) + hint);
  }
  if (operands > found->max_operands()) {
    return wrong_usage("'" + parsed.options.operands()[found->max_operands()] +
                       "' is one too many" + hint);
  }
  return found->run({std::move(parsed.options), environment, found->name});
}

bool print(std::string_view text) {
  return std::fwrite(text.data(), 1, text.size(), stdout) == text.size() &&
         std::fflush(stdout) == 0;
}

int output_ended() {
  const int why = errno;
  if (why == EPIPE) return exit_ok;
  std::fprintf(stderr, "freshet: standard output: %s\n", std::strerror(why));
  return exit_failed;
}

int finish(bool printed) { return printed ? exit_ok : output_ended(); }

bool has_reader() {
  pollfd output{STDOUT_FILENO, 0, 0};
  return ::poll(&output, 1, 0) <= 0 || (output.revents & POLLERR) == 0;
}

bool print_foreign(std::string_view text) {
  return ::isatty(STDOUT_FILENO) == 1 ? print(harmless(text, true)) : print(text);
}

void say_what_is_awaited(std::string_view what) {
  if (::isatty(STDIN_FILENO) == 1) print_message(what);
}

int wrong_usage(std::string_view what) {
  const std::vector<std::string_view> environment = own_environment();
  const auto columns = prose_columns(STDERR_FILENO, environment);
  if (columns) {
    std::fputs(wrapped_lines("freshet: " + harmless(what, true), *columns).c_str(), stderr);
  } else {
    print_message(what);
  }
  return exit_usage;
}

std::optional<screen> screen_of(const invocation& line) {
  if (line.options.has("--json")) return std::nullopt;
  return screen_behind(STDOUT_FILENO, line.environment);
}

int failed_with(const invocation& line, std::string_view problem_document) {
  std::string text = std::string(problem_document) + "\n";
  const auto seen = screen_behind(STDERR_FILENO, line.environment);
  boost::system::error_code unreadable;
  if (seen && !line.options.has("--json")) {
    const json::value read = json::parse(problem_document, unreadable);
    if (!unreadable && read.is_object()) text = problem_text(read.get_object(), *seen);
  }
  if (::isatty(STDERR_FILENO) == 1 && line.options.has("--json")) text = harmless(text, true);
  std::fwrite(text.data(), 1, text.size(), stderr);
  return exit_failed;
}

int failed_with(const invocation& line, const error& why) {
  const errc_info& about = describe(why.code());
  json::array parameters;
  for (const parameter_error& one : why.parameters) {
    parameters.push_back(
        json::object{{"pointer", one.pointer}, {"code", one.code}, {"detail", one.detail}});
  }
  json::value wait = nullptr;
  if (why.retry_after) wait = why.retry_after->count();
  return failed_with(line, json::serialize(json::object{
                               {"type", "/errors/" + std::string(about.name)},
                               {"title", about.title},
                               {"status", about.http_status},
                               {"detail", why.detail()},
                               {"code", about.name},
                               {"request_id", make_request_id()},
                               {"retryable", about.retryable},
                               {"retry_after_s", wait},
                               {"errors", std::move(parameters)},
                               {"credits", json::object{{"used", 0}, {"remaining", nullptr}}}}));
}

}  // namespace freshet::server
