// What the configuration says of telemetry, as the tracer of an engine.
#pragma once

#include <freshet/config.hpp>
#include <freshet/result.hpp>
#include <functional>
#include <memory>
#include <string_view>
#include <telemetry/tracer.hpp>

namespace freshet::detail {

/// Null where telemetry.otlp_endpoint is empty: nothing is made then. Error:
/// invalid_configuration.
[[nodiscard]] result<std::unique_ptr<telemetry::tracer>> open_tracer(
    const config& config, const std::function<void(std::string_view, std::string_view)>& log);

}  // namespace freshet::detail
