// The file of the request log: calls in chunks, of one account each, so that a call costs a hundred
// bytes and no index of its own; what an operator has kept of their bodies; and the ids that
// callers gave themselves. The only place here that knows SQL. It decides neither what is written
// nor when.
#pragma once

#include <chrono>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <requests/call_record.hpp>
#include <sqlite/sqlite.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace freshet::requests {

/// Calls of one chunk, at most.
inline constexpr std::uint32_t max_chunk_calls = 256;
/// Between a call's beginning, which its id tells, and its end in the log. One that took longer is
/// found like those whose callers gave them an id.
inline constexpr std::chrono::minutes longest_way{15};

struct store_limits {
  std::chrono::seconds keep{std::chrono::hours{24 * 30}};
  std::chrono::seconds keep_bodies{0};
  std::int64_t bytes_of_account = 64 << 20;  ///< beyond it the oldest calls of the account go
  std::int64_t bytes_of_all = 1 << 30;       ///< beyond it the oldest of whoever has the most
  std::int64_t body_bytes_of_account = 16 << 20;
};

/// Calls of an account that ended one after another, on their way into the file.
struct chunk {
  struct extra {
    std::uint32_t index = 0;  ///< which call
    std::string name;         ///< under which it is found; "": by the time in its id
    call_bodies bodies;
  };
  std::string packed;
  std::uint32_t calls = 0;
  call_marks marks;
  std::vector<extra> extras;
};

/// What is to be written in one transaction, by account.
using batch = std::map<std::string, std::vector<chunk>, std::less<>>;

/// Whether a call's id says when it began, and says it as the clock does.
[[nodiscard]] bool is_found_by_time(std::string_view request_id, time_point ended) noexcept;

struct call_query {
  std::string_view account;
  std::int64_t before = 0;  ///< only calls with lower numbers; 0: from the newest
  std::int64_t after = 0;   ///< only calls with higher numbers
  request_filter filter = {};
  std::size_t limit = 20;
  std::function<bool()> is_wanted = {};  ///< asked now and then; false ends it. May be null
};

struct shown_call {
  call_record call;
  call_bodies bodies;
};

/// What became of a batch. `is_broken`: the file is no database any more.
struct write_outcome {
  result<void> done;
  bool is_broken = false;
};

/// Of one thread, but for list() and show(), which open connections of their own and which any
/// thread may call while the store lives.
class request_store {
 public:
  explicit request_store(std::string path, store_limits limits);

  /// Makes the file where it is missing. Error: storage_unavailable.
  [[nodiscard]] write_outcome open();
  void close() noexcept;
  /// All or nothing. Numbers go on from the highest that was ever given.
  [[nodiscard]] write_outcome write(const batch& batch, time_point now);
  /// Removes some of what is too old or too much: true if there is more to remove.
  [[nodiscard]] result<bool> purge(time_point now);
  /// Removes some of an account's calls: true if there are more.
  [[nodiscard]] result<bool> forget(std::string_view account);
  [[nodiscard]] const std::string& path() const noexcept { return path_; }

  /// Newest first. Errors: storage_unavailable, cancelled.
  [[nodiscard]] result<std::vector<call_record>> list(const call_query& query) const;
  /// The last call of that id. Errors: not_found, storage_unavailable.
  [[nodiscard]] result<shown_call> show(std::string_view account, std::string_view id) const;

  sqlite::fail_hook fail;  ///< for tests; set before open()

 private:
  struct held_rows {
    std::int64_t calls = 0, bodies = 0;  ///< bytes
  };
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
  [[nodiscard]] write_outcome commit(std::string_view doing, const steps& run);

  const std::string path_;
  const store_limits limits_;
  sqlite::database db_;
  std::int64_t last_ = 0;  ///< the highest number given
  std::map<std::string, held_rows, std::less<>> held_;
};

}  // namespace freshet::requests
