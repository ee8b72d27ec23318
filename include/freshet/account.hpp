// The accounts as an operator of an embedded engine sees them: typed wrappers of
// engine::administer.
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
  std::string id;  ///< "acc_…"
  std::string email, plan;
  std::int64_t balance = 0;
};

/// A key as it is shown, once.
struct key_info {
  std::string id;      ///< "key_…"
  std::string secret;  ///< only from create_key
};

/// Operator's view; needs an engine opened with accounts, and must not outlive it. Thread-safe.
class account_admin {
 public:
  explicit account_admin(engine& of) : engine_(&of) {}
  [[nodiscard]] result<account_info> create(std::string_view email, std::string_view plan = "free");
  [[nodiscard]] result<key_info> create_key(std::string_view email, bool test = false);
  /// The balance after it.
  [[nodiscard]] result<std::int64_t> grant(std::string_view email, std::int64_t credits,
                                           std::string_view reason);

 private:
  engine* engine_;
};

}  // namespace freshet
