// Writes every exchange that the polite layers below have performed into a HAR file, which is valid
// JSON after each of them.
#pragma once

#include <base/clock.hpp>
#include <cstdio>
#include <functional>
#include <http/transport.hpp>
#include <memory>
#include <string>

namespace freshet::http {

/// A recording that has grown to this is not continued.
inline constexpr long max_recording_bytes = 1L << 30;

class har_file {
 public:
  /// Opens for appending, or creates (mode 0600). Error: invalid_configuration, also if there is a
  /// file that we have not written.
  [[nodiscard]] static result<std::unique_ptr<har_file>> open(const std::string& path);
  har_file(const har_file&) = delete;
  har_file& operator=(const har_file&) = delete;
  ~har_file();

  /// False if the file cannot take it.
  [[nodiscard]] bool append(std::string_view entry);

 private:
  har_file(std::FILE* file, long end, bool empty) : file_(file), end_(end), empty_(empty) {}

  std::FILE* file_;
  long end_;  ///< where the tail begins
  bool empty_;
};

/// For the scheduler's thread only.
class recorder final : public transport {
 public:
  recorder(transport& next, std::unique_ptr<har_file> file, const base::clock& clock,
           std::function<void(std::string_view, std::string_view)> log)
      : next_(next), file_(std::move(file)), clock_(clock), log_(std::move(log)) {}

  std::uint64_t submit(request&& request, deadline deadline, handler done) override;
  void cancel(std::uint64_t ticket) override { next_.cancel(ticket); }

 private:
  void write(const request& asked, const result<response>& got, time_point started);

  transport& next_;
  std::unique_ptr<har_file> file_;
  const base::clock& clock_;
  std::function<void(std::string_view, std::string_view)> log_;
  bool failed_ = false;
};

}  // namespace freshet::http
