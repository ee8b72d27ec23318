// What stands between a child and the machine, tried once before anything hostile is given to one:
// which walls this kernel and this user let us raise, and whether they hide what is to be hidden.
// The walls themselves are raised by child.cpp, anew for each child.
#pragma once

#include <sys/types.h>

#include <freshet/result.hpp>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace freshet::process {

/// How children are walled in. By itself it promises nothing: survey() has tried what it gives.
struct walls {
  /// The program that gives a child an empty root with what it needs to read; "": not used.
  std::string bubblewrap;
  int landlock = 0;           ///< the version used; 0: not used, also where there is bubblewrap
  std::optional<uid_t> user;  ///< the children's own, where we are the superuser
  bool own_network = false;   ///< and a /tmp of its own in memory, in namespaces
  bool call_filter = false;   ///< seccomp: no sockets, no other processes, no mounts
  /// Whether a child may make user namespaces: Chromium's own sandbox is built of them.
  bool nests = false;
  std::vector<std::string> hidden;  ///< folders that no child can read: where our secrets are
  /// Why programs that read what strangers wrote are not started, and what to do; "" if they are.
  std::string refusal;
  bool is_whole = false;  ///< what is hidden was tried and cannot be read, nor a network reached

  /// In a line: "bubblewrap, user 60913, seccomp".
  [[nodiscard]] std::string description() const;
  /// Error: invalid_configuration, with `refusal`.
  [[nodiscard]] result<void> check() const;
};

/// The walls of one engine, tried on first use by starting harmless programs behind them. Thread-
/// safe.
class wall_survey {
 public:
  /// `allowed_without`: the operator would rather have no walls than no rendering.
  explicit wall_survey(std::vector<std::string> hidden = {}, bool allowed_without = false)
      : hidden_(std::move(hidden)), allowed_without_(allowed_without) {}

  /// Waits for up to a few seconds on the first call. The reference lives as long as this.
  [[nodiscard]] const walls& get() const;

 private:
  std::vector<std::string> hidden_;
  bool allowed_without_;
  mutable std::once_flag once_;
  mutable walls found_;
};

/// What children may read of the machine: programs, libraries, fonts, certificates. No homes, no
/// data, nothing of other programs.
[[nodiscard]] const std::vector<std::string>& readable_places();
/// The devices that they may read and write.
[[nodiscard]] const std::vector<std::string>& open_devices();
/// The folder of a program that lies in none of the readable places; "" if it does, or if it lies
/// in the root itself.
[[nodiscard]] std::string folder_beside(const std::string& program);
/// Whether `path` is `folder` or beneath it; both absolute.
[[nodiscard]] bool is_beneath(std::string_view path, std::string_view folder) noexcept;

}  // namespace freshet::process
