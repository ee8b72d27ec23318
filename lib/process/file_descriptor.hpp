// A file descriptor that is closed with its owner, and pipes made of two of them.
#pragma once

#include <freshet/result.hpp>
#include <string_view>
#include <utility>

namespace freshet::process {

/// Owns a descriptor; -1 is none. Not thread-safe.
class file_descriptor {
 public:
  file_descriptor() = default;
  explicit file_descriptor(int owned) noexcept : number_(owned) {}
  file_descriptor(file_descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  file_descriptor& operator=(file_descriptor&& other) noexcept {
    if (this != &other) {
      close();
      number_ = std::exchange(other.number_, -1);
    }
    return *this;
  }
  ~file_descriptor() { close(); }

  [[nodiscard]] int number() const noexcept { return number_; }
  [[nodiscard]] bool is_open() const noexcept { return number_ >= 0; }
  void close() noexcept;
  /// Makes reads and writes return at once. Error: internal.
  result<void> set_nonblocking() noexcept;

 private:
  int number_ = -1;
};

struct pipe_ends {
  file_descriptor reading, writing;
};

/// A pipe whose ends no program that is started inherits unless it is told to. Error: internal.
[[nodiscard]] result<pipe_ends> make_pipe();
/// The same out of sockets: send() with MSG_NOSIGNAL survives a reader that has gone, where write()
/// into a pipe would end the whole process of a host that does not ignore SIGPIPE.
[[nodiscard]] result<pipe_ends> make_socket_pipe();

/// A file in memory that holds `content`: for programs that read files only, as /proc/self/fd/N.
/// Error: internal.
[[nodiscard]] result<file_descriptor> make_memory_file(std::string_view content);

}  // namespace freshet::process
