// One platform's archive in one SQLite file, with an FTS5 index.
#pragma once

#include <archive/store.hpp>
#include <condition_variable>
#include <mutex>
#include <sqlite/database_files.hpp>
#include <sqlite/sqlite.hpp>

namespace freshet::archive {

/// Searches at once; more wait.
inline constexpr std::size_t max_readers = 4;

/// Writes come one after another on one connection, searches have their own.
class sqlite_item_store final : public item_store {
 public:
  explicit sqlite_item_store(item_store_options options);
  ~sqlite_item_store() override;
  [[nodiscard]] result<void> prepare();

  [[nodiscard]] result<void> write(const changes& what) override;
  [[nodiscard]] result<bool> expire() override;
  [[nodiscard]] result<page> find(const search& what) override;
  [[nodiscard]] result<std::string> cursor(std::string_view name) override;
  [[nodiscard]] result<statistics> measure() override;
  [[nodiscard]] bool writes() const noexcept override { return writer_ != nullptr; }

 private:
  struct writer;
  struct reader;
  struct returner {
    sqlite_item_store* of = nullptr;
    void operator()(reader* one) const;
  };
  /// A reader for the time of one search.
  using lease = std::unique_ptr<reader, returner>;

  [[nodiscard]] result<std::unique_ptr<reader>> make_reader();
  [[nodiscard]] result<lease> take_reader();

  item_store_options options_;
  sqlite::file_lock lock_;
  std::mutex write_mutex_;
  std::unique_ptr<writer> writer_;
  std::mutex read_mutex_;
  std::condition_variable reader_free_;
  std::vector<std::unique_ptr<reader>> idle_;
  std::size_t readers_ = 0;
};

}  // namespace freshet::archive
