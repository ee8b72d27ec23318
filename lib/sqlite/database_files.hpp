// The files beside the database: the lock that lets one process at a time open it, and the pepper,
// the secret under which keys are hashed. Whoever has only the database can check no key. What the
// superuser makes here belongs to whom the folder is of.
#pragma once

#include <cstdint>
#include <freshet/result.hpp>
#include <string>
#include <string_view>
#include <vector>

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

/// Replaces the file, for its owner alone: a crash leaves the one before or this one. Error:
/// storage_unavailable.
[[nodiscard]] result<void> write_private_file(const std::string& path, std::string_view text);
/// Gives a finished file its name, durably, in place of what has it. Error: storage_unavailable.
[[nodiscard]] result<void> rename_synced(const std::string& draft, const std::string& path);
/// Writes what was written to the file to the disk. Error: storage_unavailable.
[[nodiscard]] result<void> sync_file(const std::string& path);
[[nodiscard]] bool is_there(const std::string& path) noexcept;
/// 0 for none.
[[nodiscard]] std::int64_t size_of(const std::string& path) noexcept;
void remove_file(const std::string& path) noexcept;  ///< if it is there
/// A name in the folder of `path` that is not among `expected`; "" for none, or for no folder.
[[nodiscard]] std::string stranger_beside(const std::string& path,
                                          const std::vector<std::string>& expected);

/// A short text that is overwritten in place again and again. It outlives the process, and perhaps
/// not the power: whoever reads it must be able to tell whether it is whole.
class short_file {
 public:
  static constexpr std::size_t most_bytes = 256;
  short_file() = default;
  short_file(const short_file&) = delete;
  short_file& operator=(const short_file&) = delete;
  ~short_file();
  /// Without a file it remembers nothing.
  void open(const std::string& path) noexcept;
  void write(std::string_view text) noexcept;
  /// "" where there is none.
  [[nodiscard]] static std::string read(const std::string& path);

 private:
  int file_ = -1;
};

/// The pepper in `path`: 64 hexadecimal digits, mode 0600. Makes one if the file is missing and
/// `may_create`. Errors: storage_unavailable, invalid_configuration (missing or malformed).
[[nodiscard]] result<std::string> load_pepper(const std::string& path, bool may_create);

/// "folder/name" beside `database_path`.
[[nodiscard]] std::string beside(const std::string& database_path, const std::string& name);

}  // namespace freshet::sqlite
