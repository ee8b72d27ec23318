// The identity that new connections get, and how it is replaced while the server runs: when the
// files have changed, when somebody asks for it, and twice a day, so that the keys of tickets do
// not grow old. A pair that cannot be used is said in the log, and the one before stays.
#pragma once

#include <sys/types.h>

#include <array>
#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <ctime>
#include <memory>
#include <mutex>
#include <server/log.hpp>
#include <server/wire/tls_identity.hpp>

namespace freshet::server {

/// Used on the context's thread, but for current().
class tls_watch {
 public:
  static constexpr std::chrono::milliseconds default_look_interval{2000};
  /// Reads the pair. The log must outlive it. Error: invalid_configuration.
  [[nodiscard]] static result<std::unique_ptr<tls_watch>> open(
      boost::asio::io_context& io, tls_files files, logger& log,
      std::chrono::milliseconds look_interval = default_look_interval);

  /// From any thread.
  [[nodiscard]] std::shared_ptr<const tls_identity> current() const;
  /// Looks at the files from now on; until stop(), which is needed for the context to end.
  void start();
  void stop();
  /// Reads the pair now.
  void reload();

 private:
  using timer =
      boost::asio::basic_waitable_timer<std::chrono::steady_clock,
                                        boost::asio::wait_traits<std::chrono::steady_clock>,
                                        boost::asio::io_context::executor_type>;
  /// What changes where a file is replaced or written.
  struct stamp {
    dev_t device = 0;
    ino_t number = 0;
    off_t size = 0;
    std::timespec changed{};
    [[nodiscard]] bool operator==(const stamp& other) const noexcept;
  };
  using stamps = std::array<stamp, 2>;

  tls_watch(boost::asio::io_context& io, tls_files files, logger& log,
            std::chrono::milliseconds look_interval)
      : timer_(io.get_executor()),
        files_(std::move(files)),
        log_(log),
        look_interval_(look_interval) {}
  [[nodiscard]] stamps look() const;
  void wait();
  void check();
  void take(std::shared_ptr<const tls_identity> fresh);

  timer timer_;
  const tls_files files_;
  logger& log_;
  const std::chrono::milliseconds look_interval_;
  stamps read_, seen_;  // as they were when the pair was read; at the last look
  std::chrono::steady_clock::time_point read_at_;
  bool stopped_ = false;
  mutable std::mutex mutex_;                      // guards the rest
  std::shared_ptr<const tls_identity> identity_;  // never null
};

}  // namespace freshet::server
