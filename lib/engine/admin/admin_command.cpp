// From an operator's order to its command: the row, the accounts, the arguments, the audit log.
// What an argument may be says the table alone; a command checks only what a type cannot say.
#include "engine/admin/admin_command.hpp"

#include <algorithm>
#include <base/invalid_parameter.hpp>
#include <boost/json/serialize.hpp>

namespace freshet::detail {
namespace {

namespace json = boost::json;

error wrong_argument(std::string_view name, std::string_view code, std::string_view detail) {
  return base::invalid_parameter("/" + std::string(name), code, detail);
}

result<void> check_integer(const admin_argument& argument, const json::value& given) {
  const auto value = base::integer_of(given);
  if (value && *value >= argument.least && *value <= argument.most) return {};
  const bool is_open = argument.most == std::numeric_limits<std::int64_t>::max();
  return wrong_argument(argument.name, "invalid_format",
                        is_open ? "give a whole number above " + std::to_string(argument.least - 1)
                                : "give a whole number from " + std::to_string(argument.least) +
                                      " to " + std::to_string(argument.most));
}

result<void> check_argument(const admin_argument& argument, const json::value* given) {
  const bool is_integer = argument.type == admin_argument::kind::integer;
  if (given != nullptr && is_integer) return check_integer(argument, *given);
  const bool is_absent =
      given == nullptr || given->is_null() || (given->is_string() && given->get_string().empty());
  if (is_absent) {
    if (argument.required.empty()) return {};
    return wrong_argument(argument.name, "invalid_format", argument.required);
  }
  if (argument.type == admin_argument::kind::flag) {
    if (given->is_bool()) return {};
    return wrong_argument(argument.name, "wrong_type", "give true or false");
  }
  // A number or a flag is as good as its text: scripts send both.
  if (!given->is_structured()) return {};
  return wrong_argument(argument.name, "wrong_type", "give a string");
}

result<void> check_arguments(const admin_command& command, const json::object& given) {
  for (const auto& [name, value] : given) {
    const auto known = std::ranges::find_if(
        command.arguments,
        [&name = name](const admin_argument& argument) { return argument.name == name; });
    if (known != command.arguments.end()) continue;
    return wrong_argument(name, "unknown_parameter",
                          "unknown argument of " + std::string(command.name));
  }
  for (const auto& argument : command.arguments) {
    if (auto fine = check_argument(argument, given.if_contains(argument.name)); !fine) return fine;
  }
  return {};
}

admin_result check_and_run(const admin_row& row, const admin_call& call) {
  if (auto fine = check_arguments(row.command, call.arguments); !fine) return fine.error();
  return row.run(call);
}

}  // namespace

// Neither an address nor what an owner calls a key: nothing can be taken out of the log again.
account::audit_note admin_call::note(std::string_view left_out) const {
  account::audit_note made{caller.actor, std::string(name), text("id"), "", caller.address};
  if (made.subject.empty()) made.subject = text("request_id");
  auto shown = arguments;
  if (!left_out.empty()) shown.erase(left_out);
  if (const auto email = text("email"); !email.empty()) {
    const auto found = core.accounts->find_account(email);
    made.subject = found ? found->public_id : "";
    shown.erase("email");
  }
  shown.erase("name");
  // A flag that is off is as good as not given.
  for (auto each = shown.begin(); each != shown.end();)
    each = each->value().is_bool() && !each->value().get_bool() ? shown.erase(each) : each + 1;
  if (!shown.empty()) made.detail = json::serialize(shown);
  return made;
}

result<catalog::arguments> admin_call::parameters_of(catalog::operation endpoint,
                                                     std::span<const std::string_view> names,
                                                     json::object given) const {
  for (const auto each : names) {
    if (auto value = text(each); !value.empty()) given[each] = std::move(value);
  }
  return catalog::validate(catalog::find_endpoint(endpoint), json::serialize(given));
}

admin_result run_admin_command(core& shared, const admin_caller& caller, std::string_view name,
                               json::object arguments) {
  const auto* const row = find_admin_row(name);
  if (shared.accounts == nullptr && (row == nullptr || row->needs_accounts)) {
    return error(errc::invalid_configuration, "this engine was opened without accounts");
  }
  if (row == nullptr) return error(errc::invalid_request, "no command '" + std::string(name) + "'");
  const admin_call call{shared, caller, name, std::move(arguments)};
  if (row->audited != audit_time::first) return check_and_run(*row, call);
  const auto note = call.note();
  if (auto written = shared.users->record(note); !written) return written.error();
  auto done = check_and_run(*row, call);
  if (!done) {
    // The entry stands already: this one says that nothing came of it.
    auto failed = note;
    failed.action += ".failed";
    failed.detail = describe(done.error().code()).name;
    if (auto written = shared.users->record(failed); !written) return written.error();
  }
  return done;
}

}  // namespace freshet::detail
