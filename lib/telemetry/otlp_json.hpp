// Spans as OTLP wants them over HTTP in JSON (ExportTraceServiceRequest), and what a collector
// answers. It sends nothing.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <telemetry/span.hpp>

namespace freshet::telemetry {

/// Who tells of the spans.
struct span_resource {
  std::string version;   ///< of the program
  std::string instance;  ///< a UUID of this run
};

[[nodiscard]] std::string otlp_json(const span_resource& resource,
                                    std::span<const span_group> groups);

/// What a collector did not take of what it accepted, and why.
struct partial_success {
  std::int64_t rejected = 0;
  std::string why;
};
/// Nothing where the answer says nothing, or is no JSON.
[[nodiscard]] partial_success read_partial_success(std::string_view body);

}  // namespace freshet::telemetry
