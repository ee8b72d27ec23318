// A span that has ended, as a value: what OpenTelemetry keeps of one piece of work. Names and keys
// are of fixed sets; texts of callers are no part of it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <telemetry/trace_context.hpp>
#include <utility>
#include <variant>
#include <vector>

namespace freshet::telemetry {

/// What a span is of a request, in the numbers of the protocol, which calls it its kind.
enum class span_role : std::uint8_t { internal = 1, server = 2, client = 3 };

/// The key stands in static storage.
using span_attribute =
    std::pair<std::string_view, std::variant<std::string_view, std::string, std::int64_t, bool>>;

struct span_record {
  span_id id = 0, parent = 0;
  std::string name;
  span_role role = span_role::internal;
  std::int64_t began_ns = 0, ended_ns = 0;  ///< since 1970, UTC
  std::vector<span_attribute> attributes;
  bool failed = false;
  /// The parent is another program's, as its traceparent has said.
  bool has_remote_parent = false;
};

/// The spans of one call that go to the collector together.
struct span_group {
  trace_id trace{};
  std::uint8_t flags = 0;
  std::string state;
  std::vector<span_record> spans;
};

}  // namespace freshet::telemetry
