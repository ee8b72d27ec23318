// What was fetched of pictures, on the disk, within one bound and with a share for each account:
// what goes is the oldest of whoever has the most. Nobody is shown what another account has
// fetched. It fetches nothing, and may lose everything.
#pragma once

#include <base/disk_room.hpp>
#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <sqlite/sqlite.hpp>
#include <string>
#include <string_view>

namespace freshet::pictures {

struct store_options {
  std::string path;           ///< a file; its folder must exist
  std::int64_t bytes = 0;     ///< of all pictures
  std::chrono::seconds keep;  ///< an older one counts as gone
  /// Of the disk, for the book, which can be nowhere else: with less nothing more is kept, and with
  /// less than half of it nothing at all.
  std::int64_t left_bytes = base::room_of_book;
};

/// Thread-safe. Waits for the disk.
class picture_store {
 public:
  /// A file that is no store of this version is made anew. Error: storage_unavailable.
  [[nodiscard]] static result<std::unique_ptr<picture_store>> open(store_options options);

  /// Null: there is none, or it is too old.
  [[nodiscard]] std::optional<std::string> find(std::string_view account, std::string_view address,
                                                time_point now);
  /// What cannot be kept is not.
  void put(std::string_view account, std::string_view address, std::string_view picture,
           time_point now);
  /// All that an account has.
  void forget(std::string_view account);
  /// Of all accounts.
  [[nodiscard]] std::int64_t bytes() const;

 private:
  explicit picture_store(store_options options) : options_(std::move(options)) {}
  [[nodiscard]] result<void> set_up();
  /// Makes the file anew, empty.
  [[nodiscard]] result<void> begin_anew();
  /// Whether the disk has room for so much.
  [[nodiscard]] bool has_disk(std::int64_t size);
  [[nodiscard]] bool make_room();

  const store_options options_;
  mutable std::mutex mutex_;
  sqlite::database db_;
  std::map<std::string, std::int64_t, std::less<>> held_;  ///< bytes, by account
};

}  // namespace freshet::pictures
