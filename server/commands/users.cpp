// Administration of people: operators, links to set a password, and the audit log.
#include <array>
#include <boost/json.hpp>
#include <charconv>
#include <server/commands/administration.hpp>

namespace freshet::server {
namespace {

namespace json = boost::json;

int set_operator(const invocation& with) {
  return run_admin_command(
      with, "accounts.operator",
      {{"email", with.options.operands()[0]}, {"off", with.options.has("--off")}},
      [](const json::object& done) {
        const bool on = done.contains("operator") && done.at("operator") == json::value(true);
        return shown(done, "email") + (on ? " is an operator now\n" : " is no operator any more\n");
      });
}

/// The link, alone, for scripts and for copying.
int make_link(const invocation& with) {
  return run_admin_command(with, "accounts.link", {{"email", with.options.operands()[0]}},
                           [](const json::object& made) { return shown(made, "link") + "\n"; });
}

std::string audit_lines(const json::object& answer) {
  std::string out;
  const json::value* entries = answer.if_contains("entries");
  if (entries == nullptr || !entries->is_array()) return out;
  for (const json::value& one : entries->get_array()) {
    if (!one.is_object()) continue;
    const json::object& entry = one.get_object();
    std::string line;
    for (const char* name : {"at", "actor", "action", "subject", "address", "detail"}) {
      const std::string text = shown(entry, name);
      line.append(line.empty() ? "" : "  ").append(text.empty() ? "-" : text);
    }
    out.append(line).append("\n");
  }
  if (const std::string next = shown(answer, "next_cursor"); next != "-") {
    out.append("more: --cursor ").append(next).append("\n");
  }
  return out;
}

int list_audit(const invocation& with) {
  json::object arguments;
  if (with.options.has("--cursor")) arguments["cursor"] = with.options.text("--cursor");
  if (with.options.has("--limit")) {
    const std::string text = with.options.text("--limit");
    std::int64_t limit = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), limit);
    if (read.ec != std::errc() || read.ptr != text.data() + text.size()) {
      return wrong_usage("--limit takes a whole number");
    }
    arguments["limit"] = limit;
  }
  return run_admin_command(with, "audit.list", arguments, audit_lines);
}

constexpr std::array plain_options{json_option, config_option, set_option, data_option};
constexpr std::array operator_options{option_spec{"--off", "", "take the right away again"},
                                      json_option, config_option, set_option, data_option};
constexpr std::array audit_options{
    option_spec{"--limit", "N", "so many entries, 1 to 500 (default: 50)"},
    option_spec{"--cursor", "CURSOR", "where the page before ended"},
    json_option,
    config_option,
    set_option,
    data_option};

constexpr std::array user_rows{
    command{"accounts operator", "EMAIL", "Make an account an operator's, or no longer.",
            "freshet accounts operator boss@example.org", operator_options, 1, 1, set_operator},
    command{"accounts link", "EMAIL", "Print a link to set a password, good for an hour.",
            "freshet accounts link me@example.org", plain_options, 1, 1, make_link},
    command{"audit list", "", "Show who did what, the newest first.", "freshet audit list --json",
            audit_options, 0, 0, list_audit},
};

}  // namespace

std::span<const command> user_commands() noexcept { return user_rows; }

}  // namespace freshet::server
