// What people do at a dashboard: joins the people of the accounts, the mail, and the operator's
// commands. Sessions and their CSRF tokens are checked here, before a command runs, whatever door
// it came through.
#pragma once

#include <engine/runtime/core.hpp>
#include <freshet/dashboard.hpp>
#include <functional>
#include <memory>

namespace freshet::detail {

/// Thread-safe. Built after the core's other parts, gone before them.
class dashboard_service {
 public:
  using done_handler = std::function<void(dashboard_response)>;

  [[nodiscard]] static std::unique_ptr<dashboard_service> open(core& shared);
  ~dashboard_service();

  /// See engine::submit_dashboard.
  void submit(freshet::dashboard_request given, done_handler done);

  struct parts;

 private:
  explicit dashboard_service(std::unique_ptr<parts> inside);
  std::unique_ptr<parts> parts_;
};

/// Whoever calls an endpoint by a session. Errors: not_signed_in, csrf_failed.
[[nodiscard]] result<account::principal> authenticate_session(const core& shared,
                                                              const request& call);

/// People as the configuration has them: lifetimes, sign-up, mail. Error: invalid_configuration.
[[nodiscard]] result<void> check_dashboard(const config& settings);

}  // namespace freshet::detail
