// The way of ended spans to the collector: a bounded queue, and a thread that sends what is in it
// by OTLP over HTTP. Whoever adds to it never waits: where there is no room, or the collector is
// slow or gone, spans are dropped and counted.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <freshet/result.hpp>
#include <functional>
#include <http/transport.hpp>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <telemetry/otlp_json.hpp>
#include <thread>
#include <vector>

namespace freshet::telemetry {

inline constexpr std::size_t max_waiting_spans = 4'096;
inline constexpr std::size_t max_batch_spans = 512;
/// Of one call; a batch holds whole calls.
inline constexpr std::size_t max_call_spans = 256;

struct exporter_options {
  std::string endpoint;   ///< http(s)://HOST:PORT, to which /v1/traces is added
  http::headers headers;  ///< what the collector wants beside, such as a credential
  std::string ca_file;    ///< who may vouch for it, in PEM; empty: whom the system trusts
  span_resource resource;
  std::chrono::milliseconds batch_delay{5'000};  ///< the longest that a span waits for others
  std::chrono::milliseconds attempt_time{10'000};
  /// Between attempts, doubled each time, unless the collector says when to come back.
  std::chrono::milliseconds first_pause{1'000}, longest_pause{30'000};
  int attempts = 6;
  std::chrono::milliseconds flush_time{2'000};  ///< at the end, for all that waits
  std::function<void(std::string_view level, std::string_view line)> log;
};

struct span_figures {
  std::uint64_t exported = 0;  ///< the collector has them
  std::uint64_t failed = 0;    ///< the collector refused them, or was gone for too long
  std::uint64_t dropped = 0;   ///< there was no room for them
  std::size_t waiting = 0;
};

/// Thread-safe. Its destructor sends what waits, for as long as the options say.
class exporter {
 public:
  /// Error: invalid_configuration (an endpoint that is no address), internal (no thread).
  [[nodiscard]] static result<std::unique_ptr<exporter>> open(exporter_options options);
  ~exporter();
  exporter(const exporter&) = delete;
  exporter& operator=(const exporter&) = delete;

  void add(span_group group) noexcept;
  /// Spans that were not even kept until they could be added.
  void count_dropped(std::size_t spans) noexcept;
  [[nodiscard]] span_figures figures() const;

 private:
  exporter(exporter_options options, std::unique_ptr<http::transport> transport);
  using time = std::chrono::steady_clock::time_point;
  enum class fate : std::uint8_t { delivered, refused, again };
  struct judgement {
    fate what = fate::delivered;
    std::string why;
    std::int64_t rejected = 0;
    std::optional<std::chrono::milliseconds> come_back;  ///< as the collector says
  };

  void run();
  [[nodiscard]] std::vector<span_group> take_batch();
  void deliver(std::unique_lock<std::mutex>& lock, const std::vector<span_group>& batch);
  [[nodiscard]] result<http::response> post(std::unique_lock<std::mutex>& lock,
                                            const std::string& body);
  [[nodiscard]] static judgement judge(const result<http::response>& got);
  [[nodiscard]] bool wait_before_retry(std::unique_lock<std::mutex>& lock, const judgement& said,
                                       std::chrono::milliseconds& pause);
  void warn(std::uint64_t lost, std::string_view why);

  exporter_options options_;
  mutable std::mutex mutex_;  ///< guards the following
  std::condition_variable wake_;
  std::deque<span_group> queue_;
  span_figures figures_;
  bool stopping_ = false;
  time flush_by_{};
  std::uint64_t attempt_ = 0;  ///< the one under way; what an earlier one brings is of no use
  std::optional<result<http::response>> answer_;
  std::optional<time> warned_;
  std::uint64_t unsaid_ = 0;  ///< lost since the last warning

  std::unique_ptr<http::transport> transport_;  ///< after the mutex, which its thread takes
  std::thread thread_;
};

}  // namespace freshet::telemetry
