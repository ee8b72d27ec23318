// All that an engine tells of itself, for whoever watches it over years.
#pragma once

#include <engine/runtime/core.hpp>
#include <freshet/metrics.hpp>

namespace freshet::detail {

/// Thread-safe; asks each owner for what he has counted, and computes nothing.
void write_metrics(metrics_text& metrics, const core& core);

}  // namespace freshet::detail
