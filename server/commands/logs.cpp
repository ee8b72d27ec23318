// The request log of an account: a table for people, a line of JSON a call with --json, and with
// --follow what comes from now on.
#include <array>
#include <boost/json.hpp>
#include <chrono>
#include <server/commands/administration.hpp>
#include <thread>

namespace freshet::server {
namespace {

namespace json = boost::json;

constexpr std::chrono::seconds between_looks{1};
constexpr int most_followed = 500;

struct log_column {
  std::string_view name;   ///< of the member
  std::string_view title;  ///< as wide as what stands below
  bool is_number = false;
};

constexpr log_column columns[] = {
    {"created_at", "time                    "},
    {"status", "status", true},
    {"endpoint", "endpoint                  "},
    {"mode", "mode"},
    {"key_name", "key             "},
    {"credits", "credits", true},
    {"elapsed_ms", "     ms", true},
    {"items", "items", true},
    {"id", "request                       "},
    {"code", "code"},
};

/// Cells below their titles: a longer one moves only its own line.
std::string table_line(std::string (*cell)(const json::object&, const log_column&),
                       const json::object& row) {
  std::string line;
  for (const auto& column : columns) {
    const auto text = cell(row, column);
    std::size_t letters = 0;
    for (const char c : text) letters += (static_cast<unsigned char>(c) & 0xc0u) != 0x80u ? 1 : 0;
    const auto width = column.title.size();
    const std::string gap(letters < width ? width - letters : 0, ' ');
    line.append(line.empty() ? "" : "  ").append(column.is_number ? gap + text : text + gap);
  }
  line.resize(line.find_last_not_of(' ') + 1);
  return line;
}

std::string title_cell(const json::object&, const log_column& column) {
  return std::string(column.title);
}

std::string request_cell(const json::object& one, const log_column& column) {
  const auto text = shown(one, column.name);
  const bool is_key = column.name == "key_name" && text == "-";
  return is_key ? shown(one, "key_id") : text;
}

std::string request_line(const json::object& one) { return table_line(request_cell, one); }

std::string titles() { return table_line(title_cell, {}) + "\n"; }

std::string shown_requests(const json::object& answer) {
  const auto lines = shown_list(answer, "requests", request_line);
  return lines.empty() ? "no calls\n" : titles() + lines + shown_cursor(answer);
}

constexpr table_column terminal_columns[] = {{"time", false, false},
                                             {"status", true, false},
                                             {"endpoint"},
                                             {"key"},
                                             {"mode"},
                                             {"credits", true},
                                             {"ms", true},
                                             {"items", true},
                                             {"code"},
                                             {"request"}};

table_row terminal_row(const json::object& one) {
  const auto name = shown(one, "key_name");
  return {shown_moment(one, "created_at"),
          shown(one, "status"),
          shown(one, "endpoint"),
          name == "-" ? shown(one, "key_id") : name,
          shown(one, "mode"),
          shown(one, "credits"),
          shown(one, "elapsed_ms"),
          shown(one, "items"),
          shown(one, "code"),
          shown(one, "id")};
}

std::string requests_on(const json::object& answer, const screen& screen) {
  return shown_table(answer, "requests", terminal_columns, terminal_row, "no calls", screen);
}

/// The calls of an answer, the oldest first: as one reads what goes on.
bool print_in_order(const json::object& answer, bool as_json) {
  const json::value* list = answer.if_contains("requests");
  if (list == nullptr || !list->is_array()) return true;
  const json::array& calls = list->get_array();
  std::string out;
  for (auto one = calls.rbegin(); one != calls.rend(); ++one) {
    if (!one->is_object()) continue;
    out += as_json ? json::serialize(*one) : request_line(one->get_object());
    out += '\n';
  }
  return print_foreign(out);
}

int follow(const invocation& line) {
  const bool as_json = line.options.has("--json");
  json::object arguments{{"limit", 10}};
  if (!as_json && !print(titles())) return output_ended();
  while (true) {
    const admin_outcome done = carry_out(line, arguments);
    if (done.failed) return *done.failed;
    if (!print_in_order(done.answer, as_json)) return output_ended();
    arguments = {{"limit", most_followed}, {"after", shown(done.answer, "newest")}};
    std::this_thread::sleep_for(between_looks);
    if (!has_reader()) return exit_ok;
  }
}

int show_logs(const invocation& line) {
  if (!line.options.has("--follow"))
    return run_admin_command(line, shown_requests, {}, requests_on);
  if (line.options.has("--cursor") || line.options.has("--after")) {
    return wrong_usage("--follow begins with the newest calls: leave out --cursor and --after");
  }
  return follow(line);
}

constexpr command log_lines[] = {
    {"logs", "EMAIL", "Show an account's calls, the newest first.",
     "freshet logs me@example.org --status failed --follow", show_logs},
};

}  // namespace

std::span<const command> log_commands() noexcept {
  static const admin_rows made = [] {
    admin_rows rows = with_options(log_lines);
    auto& options = rows.options.front();
    options.insert(options.begin(), {"--follow", "", "go on with what comes, until Ctrl-C"});
    rows.rows.front().options = options;
    return rows;
  }();
  return made.rows;
}

}  // namespace freshet::server
