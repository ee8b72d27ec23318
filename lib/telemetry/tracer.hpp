// Begins the trace of a call: goes on with the caller's, or begins one and draws whether it is
// told. All that is told goes to one exporter.
#pragma once

#include <memory>
#include <string_view>
#include <telemetry/call_trace.hpp>
#include <telemetry/exporter.hpp>

namespace freshet::telemetry {

struct tracer_options {
  /// Of the calls that come without a trace of their own, which share is told: 0 to 1.
  double sampling = 1;
  exporter_options exporting;
};

/// Thread-safe. Outlives the traces that it has begun.
class tracer {
 public:
  /// Error: invalid_configuration.
  [[nodiscard]] static result<std::unique_ptr<tracer>> open(tracer_options options);

  /// `traceparent` and `tracestate` as the caller has sent them; "" or malformed: none.
  [[nodiscard]] std::shared_ptr<call_trace> begin(std::string_view traceparent,
                                                  std::string_view tracestate);
  [[nodiscard]] span_figures figures() const { return exporter_->figures(); }

 private:
  tracer(double sampling, std::unique_ptr<exporter> exporting)
      : sampling_(sampling), exporter_(std::move(exporting)) {}

  double sampling_;
  std::unique_ptr<exporter> exporter_;
};

}  // namespace freshet::telemetry
