// From a line to an order and its answer. Each order goes to the server that runs on the data
// folder, or opens the accounts itself when none does. What an argument may be, the engine's table
// says; nothing here knows a command.
#include <algorithm>
#include <boost/json.hpp>
#include <freshet/admin.hpp>
#include <server/commands/admin_socket.hpp>
#include <server/commands/administration.hpp>
#include <server/number.hpp>

namespace freshet::server {
namespace {

namespace json = boost::json;

/// The engine's name of a row: "keys create" is keys.create, and what everybody calls the log is
/// its list.
std::string engine_name(std::string_view row) {
  if (row == "logs") return "requests.list";
  std::string name(row);
  std::ranges::replace(name, ' ', '.');
  return name;
}

std::span<const admin_argument> arguments_of(std::string_view row) {
  const auto all = admin_commands();
  const auto found = std::ranges::find(all, engine_name(row), &admin_command::name);
  return found == all.end() ? std::span<const admin_argument>() : found->arguments;
}

/// "--monthly-budget" of monthly_budget.
std::string option_name(std::string_view argument) {
  std::string name = "--" + std::string(argument);
  std::ranges::replace(name, '_', '-');
  return name;
}

/// "a whole number of credits, at least 1", "a whole number from 1 to 500".
std::string integer_text(const admin_argument& argument) {
  std::string text = "a whole number";
  if (!argument.unit.empty()) text.append(" of ").append(argument.unit);
  const std::string least = std::to_string(argument.least);
  if (argument.most != std::numeric_limits<std::int64_t>::max())
    return text + " from " + least + " to " + std::to_string(argument.most);
  return text + ", at least " + least;
}

/// A value as the engine wants it. Error: invalid_request, for the user to read.
result<json::value> read_value(const admin_argument& argument, const std::string& text,
                               bool is_operand) {
  if (argument.type != admin_argument::kind::integer) return json::value(text);
  if (const auto number = parse_number(text, argument.least, argument.most))
    return json::value(*number);
  const std::string name = is_operand ? std::string(argument.value) : option_name(argument.name);
  return error(errc::invalid_request,
               name + " is " + integer_text(argument) + ", not '" + text + "'");
}

/// What the line gives: operands are the first arguments, the others are options. Error:
/// invalid_request, for the user to read.
result<json::object> read_arguments(const invocation& line) {
  const auto& operands = line.options.operands();
  json::object read;
  std::size_t place = 0;
  for (const admin_argument& argument : arguments_of(line.command)) {
    const bool is_operand = place < operands.size();
    const std::string option = option_name(argument.name);
    if (!is_operand && !line.options.has(option)) {
      if (argument.required.empty()) continue;
      return error(errc::invalid_request, std::string(line.command) + " needs " + option + " " +
                                              std::string(argument.value));
    }
    if (argument.type == admin_argument::kind::flag) {
      read[argument.name] = true;
      continue;
    }
    const auto value = read_value(
        argument, is_operand ? operands[place++] : line.options.text(option), is_operand);
    if (!value) return value.error();
    read[argument.name] = *value;
  }
  return read;
}

/// Who looks in another folder than the server's finds nothing there: says which folder it was.
error told_with_folder(const error& why, const std::string& data_dir) {
  if (why.code() != errc::not_found) return why;
  return error(why.code(),
               why.detail() + " (looked in " + data_dir +
                   ", where no server runs; --config FILE or --data DIR names another)");
}

/// Errors: what stops the order from being heard; a command's own error is in the answer.
result<admin_answer> give_order(const config& settings, std::string_view command,
                                const std::string& arguments) {
  const std::string data_dir = settings.text("storage.data_dir");
  auto asked = ask_running_server(data_dir, command, arguments);
  if (!asked) return asked.error();
  if (*asked) return std::move(**asked);
  if (const auto made = make_data_dir(data_dir); !made) return made.error();
  const auto opened = engine::open({settings, true, nullptr, false});
  if (!opened) return opened.error();
  const result<std::string> done = (*opened)->run_admin_command(command, arguments);
  if (done) return admin_answer{true, *done};
  const error why = told_with_folder(done.error(), data_dir);
  return admin_answer{false, (*opened)->problem(why, make_request_id()).body};
}

admin_outcome failed_outcome(int status) { return {status, {}, {}}; }

}  // namespace

admin_outcome carry_out(const invocation& line, const json::object& unless_given) {
  auto arguments = read_arguments(line);
  if (!arguments) return failed_outcome(wrong_usage(arguments.error().detail()));
  for (const auto& [name, value] : unless_given) arguments->emplace(name, value);
  const result<config> settings = load_settings(line.options, line.environment);
  if (!settings) return failed_outcome(wrong_usage(settings.error().detail()));
  auto answer = give_order(*settings, engine_name(line.command), json::serialize(*arguments));
  if (!answer) return failed_outcome(failed_with(line, answer.error()));
  if (!answer->ok) return failed_outcome(failed_with(line, answer->body));
  boost::system::error_code unreadable;
  json::value read = json::parse(answer->body, unreadable);
  if (unreadable || !read.is_object()) {
    return failed_outcome(failed_with(line, error(errc::internal, "unreadable answer")));
  }
  return {std::nullopt, std::move(answer->body), std::move(read.get_object())};
}

int run_admin_command(const invocation& line, printer show, const json::object& unless_given,
                      screen_printer show_on) {
  const admin_outcome done = carry_out(line, unless_given);
  if (done.failed) return *done.failed;
  const auto seen = screen_of(line);
  if (seen && show_on != nullptr) return finish(print(show_on(done.answer, *seen)));
  return finish(print_foreign(line.options.has("--json") ? done.body + "\n" : show(done.answer)));
}

admin_rows with_options(std::span<const command> rows) {
  admin_rows made;
  for (command row : rows) {
    auto& options = made.options.emplace_back();
    const auto arguments = arguments_of(row.name);
    for (const admin_argument& argument :
         arguments.subspan(std::min(row.max_operands(), arguments.size()))) {
      const std::string& name = made.names.emplace_back(option_name(argument.name));
      options.push_back({name, argument.value, argument.help});
    }
    options.insert(options.end(), {json_option, config_option, set_option, data_option});
    row.options = options;
    made.rows.push_back(row);
  }
  return made;
}

std::string shown(const json::object& answer, std::string_view name) {
  const json::value* found = answer.if_contains(name);
  if (found == nullptr || found->is_null()) return "-";
  if (!found->is_string()) return json::serialize(*found);
  std::string text(std::string_view(found->get_string()));
  const auto is_second = [](char a, char b) { return a == ' ' && b == ' '; };
  text.erase(std::unique(text.begin(), text.end(), is_second), text.end());
  return text;
}

std::string shown_list(const json::object& answer, std::string_view name,
                       std::string (*line)(const json::object& one)) {
  std::string out;
  const json::value* list = answer.if_contains(name);
  if (list == nullptr || !list->is_array()) return out;
  for (const json::value& one : list->get_array()) {
    if (one.is_object()) out.append(line(one.get_object())).append("\n");
  }
  return out;
}

std::string shown_table(const json::object& answer, std::string_view name,
                        std::span<const table_column> columns,
                        table_row (*row)(const json::object& one), std::string_view none,
                        const screen& screen) {
  std::vector<table_row> rows;
  const json::value* list = answer.if_contains(name);
  if (list != nullptr && list->is_array()) {
    for (const json::value& one : list->get_array()) {
      if (one.is_object()) rows.push_back(row(one.get_object()));
    }
  }
  if (rows.empty()) return std::string(none) + "\n";
  return table_text(columns, rows, screen) + shown_cursor(answer);
}

std::string shown_moment(const json::object& answer, std::string_view name) {
  constexpr std::size_t day = 10;  // of "2026-11-23T22:14:05Z"
  constexpr std::size_t minute = 16;
  std::string text = shown(answer, name);
  if (text.size() < minute) return text;
  return text.substr(0, day) + " " + text.substr(day + 1, minute - day - 1);
}

std::string shown_cursor(const json::object& answer) {
  const std::string next = shown(answer, "next_cursor");
  return next == "-" ? "" : "more: --cursor " + next + "\n";
}

}  // namespace freshet::server
