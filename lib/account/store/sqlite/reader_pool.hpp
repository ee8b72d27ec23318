// Connections for reports: some, so that a long one holds up nobody else's, and no more than some,
// so that reports do not crowd out everything else. Whoever finds none free waits.
#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <sqlite/sqlite.hpp>
#include <string>
#include <vector>

namespace freshet::account {

/// Thread-safe.
class reader_pool {
 public:
  static constexpr std::size_t most = 8;
  /// Of the database at `path`; they are opened when they are first needed.
  void begin(const std::string& path) { path_ = path; }
  /// Reads on one that nobody else uses meanwhile. Error: storage_unavailable.
  [[nodiscard]] result<void> read(const std::function<result<void>(sqlite::database&)>& reading);

 private:
  [[nodiscard]] result<std::unique_ptr<sqlite::database>> take();
  void give_back(std::unique_ptr<sqlite::database> one);

  std::string path_;
  std::mutex mutex_;
  std::condition_variable freed_;
  std::vector<std::unique_ptr<sqlite::database>> free_;
  std::size_t taken_ = 0;
};

}  // namespace freshet::account
