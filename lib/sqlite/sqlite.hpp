// SQLite, wrapped thinly: one connection, its statements, and the codes as they are. No other
// module and no header of this one sees sqlite3.h. A connection is used by one thread at a time.
#pragma once

#include <base/digest.hpp>
#include <concepts>
#include <cstdint>
#include <freshet/item.hpp>
#include <freshet/result.hpp>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace freshet::sqlite {

/// A result code of SQLite, extended. The names are those that this module decides by.
using sqlite_code = int;
inline constexpr sqlite_code sqlite_ok = 0;
inline constexpr sqlite_code sqlite_row = 100;
inline constexpr sqlite_code sqlite_done = 101;
inline constexpr sqlite_code sqlite_failed_sync = 1034;

/// Whether the fault lies in what was written (a constraint, a size), not in the storage.
[[nodiscard]] bool is_fault_of_row(sqlite_code code) noexcept;
/// Whether nobody can say what is on the disk: a failed sync, a corrupt file.
[[nodiscard]] bool is_uncertain(sqlite_code code) noexcept;

/// Asked before a step with the step's name; true makes the step fail as a full disk would. For
/// tests.
using fail_hook = std::function<bool(std::string_view)>;

/// What a connection is for.
enum class database_use {
  write,  ///< the only one that writes and checkpoints
  read,   ///< never writes, never checkpoints
  still,  ///< a file that nobody changes meanwhile: makes no file beside it
  alone,  ///< a file of whoever opens it, without one beside it; syncs nothing by itself
};

/// Told how many pages of a copy are made, of how many; false ends it.
using copy_watch = std::function<bool(std::int64_t done, std::int64_t all)>;

/// One connection. Closed by its destructor. Neither copied nor moved.
class database {
 public:
  database() = default;
  database(const database&) = delete;
  database& operator=(const database&) = delete;
  ~database();

  /// Errors: storage_unavailable.
  [[nodiscard]] result<void> open(const std::string& path, database_use use);
  void close() noexcept;
  /// Whether what is only in the -wal stays there when the connection closes.
  void keep_journal(bool keeps) noexcept;
  /// Whether no statement can change what the file says of its tables; so it is from the start.
  void defend_schema(bool is_defended) noexcept;
  /// Runs statements that give no rows.
  [[nodiscard]] sqlite_code execute(const char* sql) noexcept;
  /// execute(), unless the hook fails `stage`.
  [[nodiscard]] sqlite_code execute(std::string_view stage, const char* sql) noexcept;
  /// The first column of the first row as an integer. Error: storage_unavailable.
  [[nodiscard]] result<std::int64_t> integer(const char* sql);
  /// Whether there is a table of this name. Error: storage_unavailable.
  [[nodiscard]] result<bool> has_table(std::string_view name);
  /// Copies all of it as it is at one moment, some pages at a time, into an empty file. Whoever
  /// writes meanwhile is not held up. Errors: storage_unavailable, cancelled (by `watch`).
  [[nodiscard]] result<void> copy_to(database& target, const copy_watch& watch);
  /// Asked now and then while a statement runs; false ends it. Null for none.
  void watch_steps(std::function<bool()> goes_on);
  [[nodiscard]] bool in_transaction() const noexcept;
  [[nodiscard]] std::int64_t last_insert_id() const noexcept;
  /// What SQLite says of the last failure, as an error.
  [[nodiscard]] error last_error(std::string_view doing) const;
  [[nodiscard]] bool fails(std::string_view stage) const noexcept { return fail && fail(stage); }

  fail_hook fail;
  std::mutex mutex;  ///< for those who share the connection

 private:
  friend class statement;
  sqlite3* handle_ = nullptr;
  std::function<bool()> goes_on_;
};

/// Bytes that are bound as a blob.
struct blob {
  std::string_view bytes;
};

/// A prepared statement: bind in order, step, read the columns, reset. A failed preparation or
/// binding is reported by the next step(). Must go before its database.
class statement {
 public:
  statement() = default;
  /// `stage` is the name that the fail hook is asked for; it must have static storage.
  statement(database& database, std::string_view stage, std::string_view sql);

  /// Binds values in their order: whole numbers, texts, blobs, times as milliseconds, digests as
  /// blobs, null for an optional without a value. Texts, blobs and digests must live until reset()
  /// or the destructor.
  template <class... Values>
  statement& bind(const Values&... values) noexcept {
    (bind_one(values), ...);
    return *this;
  }
  /// sqlite_row, sqlite_done or an error's code.
  [[nodiscard]] sqlite_code step() noexcept;
  /// Binds again from the first parameter.
  void reset() noexcept;
  /// step() and reset(), for a statement without rows: sqlite_ok or an error's code.
  [[nodiscard]] sqlite_code run() noexcept;
  /// Steps through all rows, each told to `give`: sqlite_ok or an error's code.
  template <class Give>
  [[nodiscard]] sqlite_code each_row(Give give) {
    sqlite_code code = step();
    for (; code == sqlite_row; code = step()) give();
    return code == sqlite_done ? sqlite_ok : code;
  }
  /// The same. Error: storage_unavailable, in which `doing` failed.
  template <class Give>
  [[nodiscard]] result<void> each_row(std::string_view doing, Give give) {
    if (each_row(give) != sqlite_ok) return on_->last_error(doing);
    return {};
  }

  /// Reads the columns from the first on, as bind() writes them. A view lives until the next step()
  /// or reset().
  template <class... Fields>
  void read(Fields&... fields) const {
    int column = 0;
    (read_one(column++, fields), ...);
  }
  [[nodiscard]] std::int64_t integer(int column) const noexcept;
  /// Text or blob; lives until the next step() or reset().
  [[nodiscard]] std::string_view text(int column) const noexcept;
  [[nodiscard]] bool is_null(int column) const noexcept;

 private:
  struct finalizer {
    void operator()(sqlite3_stmt* handle) const noexcept;
  };
  void bind_one(std::int64_t value) noexcept;
  void bind_one(std::string_view text) noexcept;
  void bind_one(time_point at) noexcept { bind_one(at.time_since_epoch().count()); }
  void bind_one(blob bytes) noexcept;
  void bind_one(const base::sha256_digest& digest) noexcept {
    bind_one(blob{base::as_text(digest)});
  }
  template <class Value>
  void bind_one(const std::optional<Value>& value) noexcept {
    value ? bind_one(*value) : bind_null();
  }
  void bind_null() noexcept;

  template <std::integral Number>
  void read_one(int column, Number& field) const noexcept {
    field = static_cast<Number>(integer(column));
  }
  void read_one(int column, std::string& field) const { field = text(column); }
  void read_one(int column, std::string_view& field) const noexcept { field = text(column); }
  void read_one(int column, base::sha256_digest& field) const noexcept {
    field = base::as_digest(text(column));
  }
  void read_one(int column, time_point& field) const noexcept {
    field = time_point(std::chrono::milliseconds(integer(column)));
  }
  template <class Value>
  void read_one(int column, std::optional<Value>& field) const {
    if (!is_null(column)) read_one(column, field.emplace());
  }

  database* on_ = nullptr;
  std::unique_ptr<sqlite3_stmt, finalizer> handle_;
  std::string_view stage_;
  int next_ = 1;
  sqlite_code failed_ = sqlite_ok;
};

}  // namespace freshet::sqlite
