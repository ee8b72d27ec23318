// A value that may be there at once or come later, on another thread. The one who needs it and the
// one who brings it each come by once, in either order; the second of them goes on with the work,
// and the first does not wait.
#pragma once

#include <atomic>
#include <optional>
#include <utility>

namespace freshet::detail {

/// For two threads, each of which calls its function once.
template <class Value>
class late_value {
 public:
  /// Brings the value. Whether it was needed before: then the bringer goes on.
  [[nodiscard]] bool bring(Value value) {
    value_.emplace(std::move(value));
    return was_here_.exchange(true, std::memory_order_acq_rel);
  }
  /// Whether the value is there already; if not, the bringer goes on.
  [[nodiscard]] bool need() noexcept { return was_here_.exchange(true, std::memory_order_acq_rel); }
  /// For whoever goes on.
  [[nodiscard]] Value take() { return std::move(*value_); }

 private:
  std::optional<Value> value_;
  std::atomic<bool> was_here_ = false;
};

}  // namespace freshet::detail
