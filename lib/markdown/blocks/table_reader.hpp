// Takes numbers from the front of a fitted table, each within its bounds.
#pragma once

#include <cstdint>
#include <span>

namespace freshet::markdown {

class table_reader {
 public:
  explicit table_reader(std::span<const std::int64_t> left) : left_(left) {}

  std::int64_t take(std::int64_t least, std::int64_t most) {
    if (left_.empty() || left_.front() < least || left_.front() > most) failed_ = true;
    if (failed_) return least;
    const auto one = left_.front();
    left_ = left_.subspan(1);
    return one;
  }
  [[nodiscard]] bool failed() const { return failed_; }
  [[nodiscard]] bool ended() const { return !failed_ && left_.empty(); }

 private:
  std::span<const std::int64_t> left_;
  bool failed_ = false;
};

}  // namespace freshet::markdown
