// What the request log keeps its calls in, whatever that is: calls in chunks, of one account each,
// so that a call costs a hundred bytes and no index of its own; what an operator has kept of their
// bodies; and the ids that callers gave themselves. It decides neither what is written nor when.
#pragma once

#include <base/disk_room.hpp>
#include <chrono>
#include <freshet/result.hpp>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <requests/call_record.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace freshet::postgres {
class read_replica;
}

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
  /// Of the disk of a log in a file, for the book: with less nothing more is written.
  std::int64_t left_bytes = base::room_of_book;
};

/// Calls of an account that ended one after another, on their way into the store.
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

/// The highest number of an account's calls, by account.
using newest_numbers = std::map<std::string, std::int64_t, std::less<>>;

/// What became of a batch.
struct write_outcome {
  result<void> done;
  bool is_broken = false;  ///< the file is no database any more
  /// Nobody knows whether it was written: the next write() of the same batch finds out.
  bool is_unsure = false;
  std::int64_t last = 0;  ///< the highest number given
};

/// Of one thread, but for list() and show(), which have connections of their own and which any
/// thread may call while the store lives.
class request_store {
 public:
  /// `database`: a file, whose folder must exist, or "postgresql://…". `replica`: where searches
  /// that may be some seconds old are read; null: in the database.
  [[nodiscard]] static std::unique_ptr<request_store> make(
      std::string database, store_limits limits,
      std::shared_ptr<postgres::read_replica> replica = {});
  request_store() = default;
  request_store(const request_store&) = delete;
  request_store& operator=(const request_store&) = delete;
  virtual ~request_store() = default;

  /// Makes what is missing. Error: storage_unavailable.
  [[nodiscard]] virtual write_outcome open() = 0;
  virtual void close() noexcept = 0;
  /// All or nothing. Numbers go on from the highest that was ever given.
  [[nodiscard]] virtual write_outcome write(const batch& batch, time_point now) = 0;
  /// Removes some of what is too old or too much: true if there is more to remove.
  [[nodiscard]] virtual result<bool> purge(time_point now) = 0;
  /// Removes some of an account's calls: true if there are more.
  [[nodiscard]] virtual result<bool> forget(std::string_view account) = 0;
  /// Puts away what is no database any more, so that the next open() begins anew: what to say of
  /// it.
  [[nodiscard]] virtual std::string put_aside() = 0;
  /// Whether other servers write there, too: it may be away, and calls wait for it.
  [[nodiscard]] virtual bool is_shared() const noexcept = 0;
  /// Whether its connection is gone: open() makes another.
  [[nodiscard]] virtual bool is_lost() const noexcept = 0;
  /// Those of some accounts, whoever wrote them. Error: storage_unavailable.
  [[nodiscard]] virtual result<newest_numbers> newest_of(
      const std::vector<std::string>& accounts) = 0;

  /// Newest first. Errors: storage_unavailable, cancelled.
  [[nodiscard]] virtual result<std::vector<call_record>> list(const call_query& query) const = 0;
  /// The last call of that id. Errors: not_found, storage_unavailable.
  [[nodiscard]] virtual result<shown_call> show(std::string_view account,
                                                std::string_view id) const = 0;

  std::function<bool(std::string_view)> fail;  ///< a step's name; for tests, set before open()
};

}  // namespace freshet::requests
