// What `freshet doctor` finds.
#pragma once

#include <engine/core.hpp>
#include <freshet/engine.hpp>
#include <vector>

namespace freshet::detail {

/// See engine::examine.
[[nodiscard]] std::vector<engine::finding> examine(core& of, bool offline);

}  // namespace freshet::detail
