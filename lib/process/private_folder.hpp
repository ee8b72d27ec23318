// A folder for one child: only ours to enter, and gone with its owner. Those left behind by a
// process that was killed are swept away by the next one.
#pragma once

#include <sys/types.h>

#include <freshet/result.hpp>
#include <optional>
#include <process/file_descriptor.hpp>
#include <string>
#include <string_view>
#include <utility>

namespace freshet::process {

/// Owns a folder under /tmp. Not thread-safe.
class private_folder {
 public:
  /// `purpose` is a part of its name: "browser". `user`: who may enter it in our place. Error:
  /// internal.
  [[nodiscard]] static result<private_folder> make(std::string_view purpose,
                                                   std::optional<uid_t> user = {});
  private_folder(private_folder&& other) noexcept
      : path_(std::exchange(other.path_, {})), lock_(std::move(other.lock_)) {}
  private_folder& operator=(private_folder&&) = delete;
  ~private_folder();

  [[nodiscard]] const std::string& path() const noexcept { return path_; }

  /// Removes folders of this purpose and this user whose owners are gone.
  static void sweep(std::string_view purpose) noexcept;

 private:
  private_folder(std::string path, file_descriptor lock)
      : path_(std::move(path)), lock_(std::move(lock)) {}

  std::string path_;
  file_descriptor lock_;  ///< held by the living: what nobody holds is swept
};

}  // namespace freshet::process
