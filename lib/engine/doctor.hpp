// What `freshet doctor` finds.
#pragma once

#include <engine/runtime/core.hpp>
#include <freshet/engine.hpp>
#include <vector>

namespace freshet::detail {

/// The sources that are left alone just now, as JSON:
/// {"suspended": [{"source", "host", "code", "seconds"}]}.
[[nodiscard]] std::string suspended_sources(const core& of);

/// See engine::examine.
[[nodiscard]] std::vector<engine::finding> run_doctor(core& core, bool offline);

}  // namespace freshet::detail
