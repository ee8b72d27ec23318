// What is counted of a running program, and its text as Prometheus reads it: engine::metrics() is
// such a text, and a program may put its own behind it.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

namespace freshet {

/// Counts durations by upper bounds. Thread-safe; counts of one moment may be apart by those that
/// are being counted.
class histogram {
 public:
  /// Seconds; beyond the last is one bucket more.
  static constexpr std::array bounds{.001, .0025, .005, .01, .025, .05, .1,
                                     .25,  .5,    1.,   2.5, 5.,   10., 30.};

  /// Counts one duration.
  void observe(std::chrono::nanoseconds took) noexcept;

 private:
  friend class metrics_text;
  std::array<std::atomic<std::uint64_t>, bounds.size() + 1> counts_{};
  std::atomic<std::uint64_t> sum_ns_ = 0;
};

/// The text format of Prometheus, version 0.0.4, family by family. For one thread.
class metrics_text {
 public:
  /// Names and values. Let the values be of a fixed set: each new one is a series for ever.
  using labels = std::initializer_list<std::pair<std::string_view, std::string_view>>;
  /// What a family's samples are.
  enum class kind : std::uint8_t {
    counter,   ///< only grows, but for a restart; its name ends in `_total`
    gauge,     ///< goes up and down
    histogram  ///< durations in seconds
  };

  /// Begins a family: all samples until the next are its. `help` is one sentence.
  void family(std::string_view name, kind kind, std::string_view help);
  /// A sample of the family.
  void sample(double value, labels labels = {});
  /// The buckets, the sum and the count of a histogram.
  void sample(const histogram& values, labels labels = {});
  /// A family of one sample.
  void gauge(std::string_view name, std::string_view help, double value);
  /// A family of one sample.
  void counter(std::string_view name, std::string_view help, double value);

  /// What has been written; it begins anew.
  [[nodiscard]] std::string take() { return std::exchange(text_, {}); }

 private:
  void line(std::string_view suffix, labels labels, std::string_view bound, double value);

  std::string text_, name_;
};

}  // namespace freshet
