// What became of calls, by endpoint and code, and of the sources they asked. Everything is named by
// the catalogue, errc.def and sources.def: what callers send makes no series.
#pragma once

#include <catalog/endpoint.hpp>
#include <chrono>
#include <freshet/error.hpp>
#include <freshet/metrics.hpp>
#include <freshet/response.hpp>
#include <memory>
#include <span>
#include <string_view>

namespace freshet::detail {

/// Thread-safe.
class call_metrics {
 public:
  call_metrics();
  ~call_metrics();

  /// A call has its answer. `endpoint` null: there is none of that name.
  void ended(const catalog::endpoint* endpoint, const response& answer,
             std::span<const source_report> asked, std::chrono::nanoseconds took) noexcept;
  void write(metrics_text& to) const;

 private:
  struct counts;
  const std::unique_ptr<counts> counts_;
};

}  // namespace freshet::detail
