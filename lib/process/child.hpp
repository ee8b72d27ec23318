// A program as a child process: started without a shell, with nothing of ours but what it is given,
// in a process group of its own; ended with everything that it has started. What it may take (time,
// output) is watched by run.hpp or by whoever holds it.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <freshet/result.hpp>
#include <optional>
#include <process/file_descriptor.hpp>
#include <span>
#include <string>
#include <vector>

namespace freshet::process {

struct walls;
struct raising;

/// What to start, and the bounds that the kernel keeps. 0 is no bound.
struct command_line {
  std::string program;                   ///< an absolute path; no PATH is searched
  std::vector<std::string> arguments;    ///< without the program's own name
  std::vector<std::string> environment;  ///< "NAME=value"; nothing is inherited
  std::string folder = "/";              ///< where it works; made in a /tmp of its own
  std::uint64_t address_space = 0;       ///< bytes, of each process
  std::uint64_t cpu_seconds = 0;         ///< of each process
  std::uint64_t file_bytes = 0;          ///< the largest file that it may write
  /// The walls between it and the machine; null: none, for programs of ours. Must live until it has
  /// started. Where they give it a /tmp of its own, that is in memory.
  const walls* behind = nullptr;
  bool nests = false;                     ///< a browser: it raises walls of its own behind ours
  std::uint64_t wall_bytes = 256u << 20;  ///< of that /tmp
};

/// One of our descriptors and the number under which the program finds it.
struct inherited_file {
  int ours = -1;
  int theirs = -1;
};

/// How a program ended.
struct ending {
  int status = 0;  ///< its exit status, if it was not killed
  int signal = 0;  ///< what killed it; 0: nothing
  /// That it took, with those that it has started and waited for.
  std::chrono::nanoseconds processor{0};
  [[nodiscard]] bool is_success() const noexcept { return status == 0 && signal == 0; }
};

/// Owns a running program. Killed and reaped with its owner, and by the kernel when the thread that
/// started it ends, so that thread must live as long. Not thread-safe.
class child {
 public:
  /// Every descriptor not listed is closed in it; 0, 1 and 2 that are not listed lead to nowhere.
  /// Errors: internal, saying why it does not start; invalid_configuration (its walls are refused).
  [[nodiscard]] static result<child> start(const command_line& command,
                                           std::span<const inherited_file> files);

  child(child&& other) noexcept;
  child& operator=(child&& other) noexcept;
  ~child();

  [[nodiscard]] pid_t id() const noexcept { return id_; }
  /// Whether it has a network and a /tmp of its own.
  [[nodiscard]] bool is_walled() const noexcept { return walled_; }
  /// How it ended, if it has; reaps it.
  [[nodiscard]] std::optional<ending> poll() noexcept;
  /// The same, waiting up to `longest`.
  std::optional<ending> wait(std::chrono::milliseconds longest) noexcept;
  /// Ends it and all its descendants, and reaps what is ours to reap. Nothing if it has ended and
  /// was killed before.
  void kill() noexcept;

 private:
  static result<child> fork_into(const command_line& command, std::span<const inherited_file> files,
                                 const raising* walls);
  child(pid_t id, bool walled) noexcept : id_(id), walled_(walled) {}

  pid_t id_ = -1;
  bool walled_ = false;
  bool killed_ = false;
  std::optional<ending> ended_;
};

}  // namespace freshet::process
