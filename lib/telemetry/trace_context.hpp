// W3C Trace Context: which trace a request belongs to, as its `traceparent` and `tracestate` say
// it. What is malformed in any way counts as absent; nothing is repaired.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace freshet::telemetry {

using trace_id = std::array<std::uint8_t, 16>;  ///< all zero: none
using span_id = std::uint64_t;                  ///< 0: none

/// The limits of a tracestate; beyond them it is left out.
inline constexpr std::size_t max_tracestate_bytes = 512;
inline constexpr std::size_t max_tracestate_members = 32;

struct trace_context {
  trace_id trace{};
  span_id parent = 0;
  /// Of traceparent; only those bits that have a meaning to pass on.
  std::uint8_t flags = 0;
  std::string state;  ///< "" for none

  [[nodiscard]] bool is_sampled() const noexcept { return (flags & 1u) != 0; }
};

inline constexpr std::uint8_t sampled_flag = 1;
inline constexpr std::uint8_t random_flag = 2;  ///< the trace's number is random (level 2)

/// What the two fields say, each whole, several of tracestate joined by commas. Null where the
/// first is no traceparent. A tracestate that is none is left out alone.
[[nodiscard]] std::optional<trace_context> read_trace_context(std::string_view traceparent,
                                                              std::string_view tracestate);
/// Of version 00.
[[nodiscard]] std::string write_traceparent(const trace_id& trace, span_id span,
                                            std::uint8_t flags);
/// 32 and 16 lower case hexadecimal digits.
void append_hex(std::string& out, const trace_id& trace);
void append_hex(std::string& out, span_id span);

}  // namespace freshet::telemetry
