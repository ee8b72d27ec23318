// One command of an operator on its way: who gives it, with which checked arguments. The commands
// are functions of it, which answer a JSON object as text; the table of them is in admin_table.cpp.
#pragma once

#include <base/json.hpp>
#include <boost/json/object.hpp>
#include <catalog/validate.hpp>
#include <engine/runtime/core.hpp>
#include <freshet/admin.hpp>
#include <freshet/result.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace freshet::detail {

/// Who gives a command.
struct admin_caller {
  std::string actor;    ///< "command line", "operator:acc_…"
  std::string address;  ///< of the network; "" for the command line
};

/// A command, and what it works on. The arguments are what its row says, once it runs.
struct admin_call {
  detail::core& core;
  const admin_caller& caller;
  std::string_view name;  ///< "keys.create"
  boost::json::object arguments;

  /// A text of the arguments; "" if it is not there.
  [[nodiscard]] std::string text(std::string_view argument) const {
    return base::text_of(value(argument));
  }
  [[nodiscard]] std::optional<std::int64_t> integer(std::string_view argument) const {
    return base::integer_of(value(argument));
  }
  [[nodiscard]] bool flag(std::string_view argument) const {
    return base::flag_of(value(argument)).value_or(false);
  }
  /// The account that `email` names. Error: not_found.
  [[nodiscard]] result<account::account_record> account() const {
    return core.accounts->find_account(text("email"));
  }
  /// What the audit log says of it: to what it was done, and its arguments but `left_out`.
  [[nodiscard]] account::audit_note note(std::string_view left_out = {}) const;
  /// Those of `names` that were given as texts, added to `given`: checked as the endpoint's
  /// parameters, by its row in the catalogue. Error: invalid_request.
  [[nodiscard]] result<catalog::arguments> parameters_of(catalog::operation endpoint,
                                                         std::span<const std::string_view> names,
                                                         boost::json::object given = {}) const;

 private:
  [[nodiscard]] const boost::json::value& value(std::string_view argument) const {
    static const boost::json::value absent;
    const auto* found = arguments.if_contains(argument);
    return found == nullptr ? absent : *found;
  }
};

using admin_result = result<std::string>;

/// When a command comes into the audit log.
enum class audit_time : std::uint8_t {
  never,  ///< it changes nothing
  first,  ///< before it is done, since nothing may be done unseen
  inside  ///< it writes the log itself, together with what it does
};

/// A row of the table.
struct admin_row {
  admin_command command;
  audit_time audited;
  bool needs_accounts;
  admin_result (*run)(const admin_call&);
};

/// Null: there is no such command.
[[nodiscard]] const admin_row* find_admin_row(std::string_view name) noexcept;

/// Checks a command's arguments and runs it, in the caller's name. What changes something stands in
/// the audit log before it is done. Errors: those of the commands, invalid_configuration (an engine
/// without accounts), storage_unavailable (the log cannot be written: then nothing was done).
[[nodiscard]] admin_result run_admin_command(core& shared, const admin_caller& caller,
                                             std::string_view name, boost::json::object arguments);

}  // namespace freshet::detail

/// The commands, by their subject.
namespace freshet::detail::admin {

[[nodiscard]] admin_result create_account(const admin_call& call);
[[nodiscard]] admin_result list_accounts(const admin_call& call);
[[nodiscard]] admin_result show_account(const admin_call& call);
[[nodiscard]] admin_result change_plan(const admin_call& call);
[[nodiscard]] admin_result set_operator(const admin_call& call);
[[nodiscard]] admin_result make_link(const admin_call& call);
[[nodiscard]] admin_result reset_factor(const admin_call& call);
[[nodiscard]] admin_result grant_credits(const admin_call& call);
[[nodiscard]] admin_result refund_credits(const admin_call& call);
[[nodiscard]] admin_result list_ledger(const admin_call& call);
[[nodiscard]] admin_result verify_ledger(const admin_call& call);
[[nodiscard]] admin_result show_usage(const admin_call& call);
[[nodiscard]] admin_result create_key(const admin_call& call);
[[nodiscard]] admin_result list_keys(const admin_call& call);
[[nodiscard]] admin_result rotate_key(const admin_call& call);
[[nodiscard]] admin_result revoke_key(const admin_call& call);
[[nodiscard]] admin_result list_requests(const admin_call& call);
[[nodiscard]] admin_result show_request(const admin_call& call);
[[nodiscard]] admin_result list_audit(const admin_call& call);
[[nodiscard]] admin_result show_service(const admin_call& call);

}  // namespace freshet::detail::admin
