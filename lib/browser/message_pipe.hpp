// The wire of the DevTools protocol: messages that end in NUL, over two pipes. It does not look
// into them.
#pragma once

#include <deque>
#include <process/file_descriptor.hpp>
#include <string>
#include <vector>

namespace freshet::browser {

/// Our ends of the two pipes. Non-blocking; not thread-safe.
class message_pipe {
 public:
  message_pipe(process::file_descriptor reading, process::file_descriptor writing)
      : reading_(std::move(reading)), writing_(std::move(writing)) {}

  /// Queues a message and writes what fits.
  void send(std::string message);
  /// Writes what fits. False once the other side is gone.
  bool flush();
  /// Appends the messages that have come whole. False once the other side is gone, or sends one
  /// that is too long.
  bool receive(std::vector<std::string>& into);

  [[nodiscard]] int reading() const noexcept { return reading_.number(); }
  [[nodiscard]] int writing() const noexcept { return writing_.number(); }
  [[nodiscard]] bool has_unsent() const noexcept { return !unsent_.empty(); }

 private:
  process::file_descriptor reading_, writing_;
  std::deque<std::string> unsent_;
  std::size_t sent_ = 0;  ///< of the first
  bool broken_ = false;
  std::string partial_;
};

}  // namespace freshet::browser
