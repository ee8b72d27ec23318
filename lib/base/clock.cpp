// The machine's clocks, behind the interface. Only the date of a mail, which nothing decides by, is
// asked of the system elsewhere.
#include <time.h>

#include <base/clock.hpp>

namespace freshet::base {
namespace {

class machine_clock final : public clock {
 public:
  [[nodiscard]] time_point now() const override {
    return std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
  }
  [[nodiscard]] std::chrono::steady_clock::time_point steady() const override {
    return std::chrono::steady_clock::now();
  }
};

}  // namespace

const clock& system_clock() {
  static const machine_clock instance;
  return instance;
}

std::chrono::nanoseconds thread_processor_time() noexcept {
  timespec used{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
  return std::chrono::seconds(used.tv_sec) + std::chrono::nanoseconds(used.tv_nsec);
}

}  // namespace freshet::base
