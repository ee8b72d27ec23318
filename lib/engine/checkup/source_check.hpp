// Finds where a service has changed: each configured source is asked a harmless question of each of
// its capabilities, and what it answers is held against the recorded answers of the sandbox. It
// judges shapes, never what is said.
#pragma once

#include <base/work.hpp>
#include <engine/runtime/environment.hpp>
#include <memory>
#include <string>
#include <string_view>
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

/// What all of them were at a moment.
struct source_checkup {
  time_point at{};
  std::vector<capability_check> checks;

  [[nodiscard]] std::int64_t count(std::string_view status) const;
};

/// Asks one after the other, at the sources' pace; minutes. Ends early where `work` is stopped or
/// late.
[[nodiscard]] std::vector<capability_check> check_sources(
    const environment& live, const environment& recorded,
    const std::shared_ptr<base::stop_token>& work);

/// {"checked_at", "changed", "failed", "checks": [...]}
[[nodiscard]] std::string checkup_json(const source_checkup& of);
/// What checkup_json() has written; null for anything else.
[[nodiscard]] std::optional<source_checkup> read_checkup(std::string_view text);

}  // namespace freshet::detail
