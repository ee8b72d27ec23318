// The accounts as an operator of an embedded engine sees them: typed wrappers of
// engine::run_admin_command.
#pragma once

#include <cstdint>
#include <freshet/engine.hpp>
#include <freshet/result.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace freshet {

/// An account. A value.
struct account_info {
  std::string id;            ///< "acc_…"
  std::string email;         ///< in lower case
  std::string plan;          ///< "free", or one of the configuration's
  std::int64_t balance = 0;  ///< whole credits
};

/// A key as it is shown, once.
struct key_info {
  std::string id;      ///< "key_…"
  std::string secret;  ///< only from create_key
};

/// Operator's view; needs an engine opened with accounts, and must not outlive it. Thread-safe.
/// Every call waits until it is on the disk. Errors of all: storage_unavailable,
/// invalid_configuration (an engine without accounts), invalid_request (an argument).
class account_admin {
 public:
  /// Of the accounts that `of` has open; it has to outlive this.
  explicit account_admin(engine& of) : engine_(&of) {}
  /// Makes an account and its grant of this month. An address that has one is invalid_request.
  [[nodiscard]] result<account_info> create(std::string_view email, std::string_view plan = "free");
  /// Makes a key with both scopes, without budget and end; `test`: for the sandbox. Error:
  /// not_found (no such account).
  [[nodiscard]] result<key_info> create_key(std::string_view email, bool test = false);
  /// Adds credits, which do not expire; `reason` stands in the ledger. Answers the balance after
  /// it, in credits. Error: not_found (no such account).
  [[nodiscard]] result<std::int64_t> grant(std::string_view email, std::int64_t credits,
                                           std::string_view reason);

 private:
  engine* engine_;
};

}  // namespace freshet
