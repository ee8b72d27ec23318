// The request log in a file of SQLite, which one process writes.
#pragma once

#include <limits>
#include <map>
#include <requests/request_store.hpp>
#include <sqlite/sqlite.hpp>

namespace freshet::requests {

class sqlite_request_store final : public request_store {
 public:
  sqlite_request_store(std::string path, store_limits limits);

  [[nodiscard]] write_outcome open() override;
  void close() noexcept override;
  [[nodiscard]] write_outcome write(const batch& batch, time_point now) override;
  [[nodiscard]] result<bool> purge(time_point now) override;
  [[nodiscard]] result<bool> forget(std::string_view account) override;
  [[nodiscard]] std::string put_aside() override;
  [[nodiscard]] bool is_shared() const noexcept override { return false; }
  [[nodiscard]] bool is_lost() const noexcept override { return false; }
  /// Nobody else writes: there is no news.
  [[nodiscard]] result<newest_numbers> newest_of(const std::vector<std::string>&) override {
    return newest_numbers();
  }
  [[nodiscard]] result<std::vector<call_record>> list(const call_query& query) const override;
  [[nodiscard]] result<shown_call> show(std::string_view account,
                                        std::string_view id) const override;

 private:
  struct held_rows {
    std::int64_t calls = 0, bodies = 0;  ///< bytes
    [[nodiscard]] std::int64_t all() const noexcept { return calls + bodies; }
  };
  using held_account = std::pair<const std::string, held_rows>;
  /// Which chunks or bodies go: the oldest below a number, of one account or ("") of all, until so
  /// many bytes are free.
  struct doomed_rows {
    std::string_view account = {};
    std::int64_t below = 0;
    std::int64_t bytes = std::numeric_limits<std::int64_t>::max();
  };
  using steps = std::function<sqlite::sqlite_code()>;
  [[nodiscard]] write_outcome set_up();
  [[nodiscard]] sqlite::sqlite_code measure();
  [[nodiscard]] sqlite::sqlite_code insert(const std::string& account, const chunk& one,
                                           bool names_all);
  [[nodiscard]] sqlite::sqlite_code drop_chunks(const doomed_rows& which, std::int64_t& removed);
  [[nodiscard]] sqlite::sqlite_code drop_bodies(const doomed_rows& which, std::int64_t& removed);
  [[nodiscard]] sqlite::sqlite_code drop_excess(std::int64_t& removed);
  [[nodiscard]] write_outcome commit(std::string_view doing, const steps& run);

  const std::string path_;
  const store_limits limits_;
  sqlite::database db_;
  std::int64_t last_ = 0;  ///< the highest number given
  std::map<std::string, held_rows, std::less<>> held_;
};

}  // namespace freshet::requests
