// The file in which the counts of a day stand, written by a thread of its own: whoever counts does
// not wait for a disk, but where it has to know that something is on it.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

namespace freshet::http {

/// Used by one thread, beside its own.
class quota_file {
 public:
  using log_function = std::function<void(std::string_view, std::string_view)>;

  /// `path`: "" for none, which keeps nothing.
  quota_file(std::string path, log_function log);
  quota_file(const quota_file&) = delete;
  quota_file& operator=(const quota_file&) = delete;
  /// Writes what waits.
  ~quota_file();

  [[nodiscard]] bool is_kept() const noexcept { return !path_.empty(); }
  /// What the file says; "" where there is none.
  [[nodiscard]] std::string read() const;
  /// Has the file hold this text, soon, in the place of all that was given before. Its number.
  std::uint64_t put(std::string text);
  /// Whether the text of that number, or a later one, is on the disk. Waits for it for so long, but
  /// not where the last one could not be written.
  [[nodiscard]] bool has_written(std::uint64_t number, std::chrono::milliseconds patience);

 private:
  void run();
  void write(std::unique_lock<std::mutex>& lock);

  const std::string path_;
  const log_function log_;
  std::mutex mutex_;  ///< guards the following
  std::condition_variable wake_, written_;
  std::string text_;
  std::uint64_t given_ = 0, taken_ = 0, done_ = 0;
  bool is_failing_ = false, is_stopping_ = false;
  std::thread thread_;  ///< begun with the first text
};

}  // namespace freshet::http
