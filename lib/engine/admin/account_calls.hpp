// The account endpoints: a caller reads and manages its own account, never another's.
#pragma once

#include <account/users.hpp>
#include <catalog/validate.hpp>
#include <freshet/config.hpp>
#include <freshet/response.hpp>
#include <freshet/result.hpp>
#include <functional>
#include <optional>
#include <requests/request_log.hpp>
#include <string>
#include <string_view>

namespace freshet::detail {

struct core;

/// `data` as JSON, and the page of a list.
struct account_response {
  std::string data;
  std::optional<page_info> page;
};

/// What one account call works on.
struct account_call {
  account::accounts& accounts;
  const account::principal& caller;
  const catalog::arguments& arguments;
  std::string_view cursor_secret;
  std::function<bool()> is_wanted;  ///< whether somebody still waits for the answer
  account::users* users;  ///< they keep the audit log of what is done to keys; null: none is kept
  requests::request_log* requests;  ///< null: no call is remembered
  core& shared;                     ///< what a test alert is sent by
};

/// Whether an account call reads what an account may have much of: it is long for who has.
[[nodiscard]] bool is_report(catalog::operation what) noexcept;

/// Answers what is short and waits for nothing, on any thread; null: answer_account_call() has to.
[[nodiscard]] std::optional<account_response> answer_at_once(const account_call& call);

/// Answers the account endpoint that the arguments are for. Errors: those of the accounts,
/// invalid_cursor.
[[nodiscard]] result<account_response> answer_account_call(const account_call& call);

}  // namespace freshet::detail
