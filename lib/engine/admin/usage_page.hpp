// One page of what an account has used, by the parameters of account/usage: for its owner and for
// an operator.
#pragma once

#include <account/accounts.hpp>
#include <catalog/validate.hpp>
#include <engine/admin/list_page.hpp>
#include <functional>
#include <model/account_json.hpp>

namespace freshet::detail {

struct usage_page {
  std::vector<model::usage_answer> rows;
  list_cursor cursor;  ///< where the list goes on
};

/// Goes on behind the last group that was given: calls that come between two pages neither move
/// nor repeat a row. The whole list counts from one moment. Errors: invalid_request (parameters
/// that do not go together), cancelled (`is_wanted`), those of the accounts.
[[nodiscard]] result<usage_page> read_usage(const account::accounts& accounts,
                                            std::int64_t account_id,
                                            const catalog::arguments& arguments,
                                            const list_cursor& cursor, std::size_t limit,
                                            const std::function<bool()>& is_wanted);

}  // namespace freshet::detail
