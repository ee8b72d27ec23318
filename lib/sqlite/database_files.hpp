// The files beside the database: the lock that lets one process at a time open it, and the pepper,
// the secret under which keys are hashed. Whoever has only the database can check no key.
#pragma once

#include <freshet/result.hpp>
#include <string>

namespace freshet::sqlite {

/// An exclusive lock, held while the object lives. Move-only. Children that this process executes
/// do not inherit it.
class file_lock {
 public:
  file_lock() = default;
  file_lock(file_lock&& other) noexcept;
  file_lock& operator=(file_lock&& other) noexcept;
  ~file_lock();
  /// Errors: storage_unavailable (the file cannot be made), invalid_configuration (another holds
  /// it). Never waits.
  [[nodiscard]] static result<file_lock> acquire(const std::string& path);

 private:
  int file_ = -1;
};

/// Makes an empty file of mode 0600 unless there is one. Error: storage_unavailable.
[[nodiscard]] result<void> make_private_file(const std::string& path);

/// The pepper in `path`: 64 hexadecimal digits, mode 0600. Makes one if the file is missing and
/// `may_create`. Errors: storage_unavailable, invalid_configuration (missing or malformed).
[[nodiscard]] result<std::string> load_pepper(const std::string& path, bool may_create);

/// "folder/name" beside `database_path`.
[[nodiscard]] std::string beside(const std::string& database_path, const std::string& name);

}  // namespace freshet::sqlite
