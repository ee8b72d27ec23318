// Finds where a service has changed: each configured source is asked a harmless question of each of
// its capabilities, and what it answers is held against the recorded answers of the sandbox. It
// judges shapes, never what is said.
#pragma once

#include <base/work.hpp>
#include <engine/runtime/core.hpp>
#include <memory>
#include <string>
#include <vector>

namespace freshet::detail {

/// What became of one capability of a source at one instance.
struct capability_check {
  std::string source, instance, endpoint;
  std::string status;  ///< "ok", "changed", "failed" or "not_asked"
  std::int64_t items = 0;
  std::int64_t elapsed_ms = 0;
  std::vector<std::string> findings;  ///< sentences
};

/// Asks one after the other, at the sources' pace; minutes. Ends early where `work` is stopped.
[[nodiscard]] std::vector<capability_check> check_sources(
    core& of, const std::shared_ptr<base::stop_token>& work);

/// {"checked_at", "changed", "failed", "checks": [...]}
[[nodiscard]] std::string checks_json(const std::vector<capability_check>& checks, time_point at);

}  // namespace freshet::detail
