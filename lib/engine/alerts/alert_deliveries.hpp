// What is on its way to the operator's webhook: so many at once, whoever they are about.
#pragma once

#include <atomic>
#include <cstddef>

namespace freshet::detail {

inline constexpr std::size_t max_alert_deliveries = 256;

/// Thread-safe.
struct alert_deliveries {
  std::atomic<std::size_t> under_way = 0;
};

}  // namespace freshet::detail
