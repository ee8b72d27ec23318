// The work of one part, counted against a bound of its own and spent of the whole when the part is
// over.
#pragma once

#include <base/work.hpp>
#include <cstdint>

namespace freshet::base {

/// For one thread; `whole` must outlive it and may be null.
class part_meter {
 public:
  part_meter(meter* whole, std::uint64_t bound)
      : steps(whole == nullptr ? meter(nullptr, bound) : whole->part(bound)), whole_(whole) {}
  ~part_meter() {
    try {
      if (whole_ != nullptr) whole_->spend(steps.spent());
    } catch (const work_ended&) {
      // Whoever counts on finds it at an end.
    }
  }
  part_meter(const part_meter&) = delete;
  part_meter& operator=(const part_meter&) = delete;

  meter steps;  ///< what the part spends

 private:
  meter* whole_;
};

}  // namespace freshet::base
