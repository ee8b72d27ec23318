// An operator's commands by session: the same as the command line's, in the operator's name.
#include <boost/json/serialize.hpp>
#include <engine/admin/operators.hpp>
#include <engine/dashboard/dashboard_command.hpp>

namespace freshet::detail {
namespace {

constexpr std::string_view prefix = "operator/";

dashboard_result operate(dashboard_command& of) {
  const auto command = std::string_view(of.asked.command).substr(prefix.size());
  const auto done = run_admin_command_as({"operator:" + of.who->account.public_id, of.from.address},
                                         of.with.in, command, json::serialize(of.arguments));
  if (!done) return done.error();
  auto parsed = base::parse_json(*done);
  if (!parsed || !parsed->is_object()) return error(errc::internal, "unreadable answer");
  dashboard_answer made;
  made.body = std::move(parsed->as_object());
  return made;
}

constexpr dashboard_row row_of(std::string_view name) {
  return {{name, required_role::operators, true}, lane::reporting, {}, operate};
}

// Not keys.create and accounts.link: an operator at a dashboard gets no secret of another's
// account.
constexpr dashboard_row operator_table[] = {
    row_of("operator/accounts.list"),  row_of("operator/accounts.create"),
    row_of("operator/accounts.plan"),  row_of("operator/credits.grant"),
    row_of("operator/credits.refund"), row_of("operator/keys.list"),
    row_of("operator/keys.revoke"),    row_of("operator/ledger.verify"),
    row_of("operator/ledger.list"),    row_of("operator/audit.list"),
};

}  // namespace

std::span<const dashboard_row> operator_rows() noexcept { return operator_table; }

}  // namespace freshet::detail
