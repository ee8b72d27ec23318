// The account endpoints: a caller reads and manages its own account, never another's.
#pragma once

#include <account/users.hpp>
#include <catalog/validate.hpp>
#include <freshet/response.hpp>
#include <freshet/result.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace freshet::detail {

/// `data` as JSON, and the page of a list.
struct account_response {
  std::string data;
  std::optional<page_info> page;
};

/// Answers the account endpoint that `what` is for. What is done to keys stands in the audit log,
/// which `people` keep; null: it is not kept. Errors: those of the accounts, invalid_cursor.
[[nodiscard]] result<account_response> call_account(account::accounts& on,
                                                    const account::principal& who,
                                                    const catalog::arguments& what,
                                                    std::string_view cursor_secret,
                                                    account::users* users);

}  // namespace freshet::detail
