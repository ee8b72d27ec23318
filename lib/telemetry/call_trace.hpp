// The spans of one call while it runs. They go to the exporter together when the call has ended, so
// that a trace arrives whole or not at all; what ends later follows by itself.
#pragma once

#include <chrono>
#include <mutex>
#include <string>
#include <telemetry/exporter.hpp>
#include <telemetry/span.hpp>
#include <vector>

namespace freshet::telemetry {

/// A span that has begun.
struct span_start {
  span_id id = 0, parent = 0;
  std::chrono::steady_clock::time_point began{};
};

/// What is known of a span once it has ended.
struct span_end {
  std::string name;
  span_role role = span_role::internal;
  std::vector<span_attribute> attributes{};
  bool failed = false;
};

/// Thread-safe. The exporter outlives it.
class call_trace {
 public:
  /// `seed` is random: what spans are numbered from.
  call_trace(trace_context context, std::uint64_t seed, exporter& exporter);

  /// Whether anything is told; spans are numbered in any case, for those that we ask.
  [[nodiscard]] bool is_told() const noexcept { return context_.is_sampled(); }
  /// The call's own span.
  [[nodiscard]] const span_start& root() const noexcept { return root_; }
  [[nodiscard]] span_start begin(span_id parent) noexcept;
  void end(const span_start& which, span_end how) noexcept;
  /// The call has ended: its own span, and with it all others so far.
  void end_call(span_end how) noexcept;

  /// For a request whose span this is.
  [[nodiscard]] std::string traceparent(span_id span) const;
  [[nodiscard]] const std::string& tracestate() const noexcept { return context_.state; }

 private:
  [[nodiscard]] span_record record(const span_start& which, span_end&& how) const;
  [[nodiscard]] std::int64_t unix_ns(std::chrono::steady_clock::time_point at) const noexcept;
  void give(std::vector<span_record> spans);

  const trace_context context_;
  exporter& exporter_;
  const std::int64_t began_ns_;
  span_start root_;

  std::mutex mutex_;  ///< guards the following
  std::uint64_t seed_;
  std::vector<span_record> ended_;
  bool is_over_ = false;
};

}  // namespace freshet::telemetry
