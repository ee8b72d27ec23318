// What `freshet doctor` found, as a person reads it: how much is ready, off and broken, and what is
// broken first.
#pragma once

#include <freshet/engine.hpp>
#include <server/terminal/screen.hpp>
#include <span>
#include <string>
#include <vector>

namespace freshet::server {

/// Those with the same advice one after the other, where the first of them stood; the others as
/// they were. Without a network every source has the same.
[[nodiscard]] std::vector<engine::finding> by_advice(std::span<const engine::finding> findings);
/// Whether the advice of a finding stands below the next one, which has the same.
[[nodiscard]] bool is_said_below(std::span<const engine::finding> findings, std::size_t index);

[[nodiscard]] std::string checkup_text(std::span<const engine::finding> findings,
                                       const screen& screen);

}  // namespace freshet::server
