// Administration of people: operators, links to set a password, and the audit log.
#include <array>
#include <boost/json.hpp>
#include <server/commands/administration.hpp>

namespace freshet::server {
namespace {

namespace json = boost::json;

std::string shown_operator(const json::object& done) {
  const bool on = done.contains("operator") && done.at("operator") == json::value(true);
  return shown(done, "email") + (on ? " is an operator now\n" : " is no operator any more\n");
}

/// Both ways stand in the audit log in words.
int set_operator(const invocation& line) {
  return run_admin_command(line, shown_operator, {{"off", false}});
}

/// The link, alone, for scripts and for copying.
std::string link_alone(const json::object& made) { return shown(made, "link") + "\n"; }

std::string without_factor(const json::object& done) {
  return shown(done, "email") + " signs in with the password alone now\n";
}

std::string entry_line(const json::object& entry) {
  std::string line;
  for (const char* name : {"at", "actor", "action", "subject", "address", "detail"}) {
    const std::string text = shown(entry, name);
    line.append(line.empty() ? "" : "  ").append(text.empty() ? "-" : text);
  }
  return line;
}

std::string shown_audit(const json::object& answer) {
  return shown_list(answer, "entries", entry_line) + shown_cursor(answer);
}

constexpr table_column audit_columns[] = {{"at", false, false}, {"who"},     {"what"},
                                          {"subject"},          {"address"}, {"detail"}};

table_row audit_row(const json::object& entry) {
  return {shown_moment(entry, "at"), shown(entry, "actor"),   shown(entry, "action"),
          shown(entry, "subject"),   shown(entry, "address"), shown(entry, "detail")};
}

std::string audit_on(const json::object& answer, const screen& screen) {
  return shown_table(answer, "entries", audit_columns, audit_row, "nothing has been done yet",
                     screen);
}

constexpr command user_lines[] = {
    {"accounts operator", "EMAIL", "Make an account an operator's, or no longer.",
     "freshet accounts operator boss@example.org", set_operator},
    {"accounts link", "EMAIL", "Print a link to set a password, good for an hour.",
     "freshet accounts link me@example.org", administer<link_alone>},
    {"accounts recover", "EMAIL", "Remove the second factor of somebody who has lost theirs.",
     "freshet accounts recover me@example.org", administer<without_factor>},
    {"audit list", "", "Show who did what, the newest first.", "freshet audit list --json",
     administer<shown_audit, audit_on>},
};

}  // namespace

std::span<const command> user_commands() noexcept {
  static const admin_rows made = with_options(user_lines);
  return made.rows;
}

}  // namespace freshet::server
