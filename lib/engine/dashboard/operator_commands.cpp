// An operator's commands by session: those rows of the administration's table that are at the
// dashboard, in the operator's name.
#include <engine/admin/admin_command.hpp>
#include <engine/dashboard/dashboard_command.hpp>

namespace freshet::detail {
namespace {

constexpr std::string_view operator_prefix = "operator/";

dashboard_result operate(dashboard_command& command) {
  const auto name = std::string_view(command.request.command).substr(operator_prefix.size());
  const admin_caller caller{"operator:" + command.login->account.public_id, command.origin.address};
  auto done = run_admin_command(command.parts.core, caller, name, std::move(command.arguments));
  if (!done) return done.error();
  return dashboard_answer{.body = std::move(*done)};
}

/// The rows with their names, to which they point.
struct operator_table {
  std::vector<std::string> names;
  std::vector<dashboard_row> rows;
};

operator_table make_operator_table() {
  operator_table made;
  made.names.reserve(admin_commands().size());
  for (const auto& command : admin_commands()) {
    if (!command.at_dashboard) continue;
    const auto& name = made.names.emplace_back(std::string(operator_prefix).append(command.name));
    made.rows.push_back({{name, required_role::operators, true}, lane::reporting, {}, operate});
  }
  return made;
}

}  // namespace

std::span<const dashboard_row> operator_rows() noexcept {
  static const operator_table made = make_operator_table();
  return made.rows;
}

}  // namespace freshet::detail
