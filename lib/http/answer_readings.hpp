// What readers make of a kept answer, beside it: whoever asks the same of it again need not read
// it again. It does not know what a reading is.
#pragma once

#include <base/shelf.hpp>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace freshet::http {

/// Readings of one answer at once; beyond, the oldest goes.
inline constexpr std::size_t max_readings = 8;

/// Thread-safe. It lives as long as somebody has the answer.
class answer_readings {
 public:
  /// `shelf`: where the answer stands, under `name`; what is kept here counts there.
  answer_readings(std::weak_ptr<base::shelf> shelf, std::string name)
      : shelf_(std::move(shelf)), name_(std::move(name)) {}

  /// `purpose`: all that a reading depends on beside the answer. Null if there is none.
  [[nodiscard]] std::shared_ptr<const void> find(std::string_view purpose) const;
  /// Keeps an immutable reading of so many bytes, unless there is one for the same purpose.
  void put(std::string_view purpose, std::shared_ptr<const void> kept, std::size_t bytes);
  [[nodiscard]] std::size_t bytes() const;

 private:
  struct reading {
    std::string purpose;
    std::shared_ptr<const void> what;
    std::size_t bytes = 0;
  };

  const std::weak_ptr<base::shelf> shelf_;
  const std::string name_;
  mutable std::mutex mutex_;
  std::vector<reading> all_;  ///< the oldest first
};

}  // namespace freshet::http
