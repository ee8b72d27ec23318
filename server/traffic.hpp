// What the doors of the process have answered, counted for the operators: by status, which is a
// fixed set, and never by what callers send.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <freshet/metrics.hpp>

namespace freshet::server {

/// Thread-safe.
class traffic {
 public:
  void answered(int status, std::chrono::nanoseconds took, std::uint64_t bytes) noexcept;
  void write(metrics_text& to) const;

 private:
  static constexpr int first_status = 100, last_status = 599;
  std::array<std::atomic<std::uint64_t>, last_status - first_status + 1> statuses_{};
  std::atomic<std::uint64_t> bytes_ = 0;
  histogram took_;
};

/// What the kernel says of the process, under the names that Prometheus's own libraries use.
void write_process_metrics(metrics_text& to);

}  // namespace freshet::server
