// What `freshet doctor` found, as a person reads it: how much is ready, off and broken, and what is
// broken first.
#pragma once

#include <freshet/engine.hpp>
#include <server/terminal/screen.hpp>
#include <span>
#include <string>

namespace freshet::server {

[[nodiscard]] std::string checkup_text(std::span<const engine::finding> findings,
                                       const screen& screen);

}  // namespace freshet::server
