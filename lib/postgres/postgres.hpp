// PostgreSQL, wrapped thinly: one connection, its statements, and what became of each. No other
// module and no header of this one sees libpq-fe.h. A connection is used by one thread at a time;
// one that was lost stays lost until it is opened again. A server that stands still ends no
// statement, and its machine acknowledges what is sent to it all the same: who has not answered for
// so long that the statement's timeout must have ended it is lost.
#pragma once

#include <base/digest.hpp>
#include <chrono>
#include <concepts>
#include <cstdint>
#include <freshet/item.hpp>
#include <freshet/result.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

struct pg_conn;
struct pg_result;

namespace freshet::postgres {

/// What became of a statement.
enum class pg_outcome : std::uint8_t {
  done,
  refused,   ///< the fault lies in what was written: a constraint, a text that is none
  held,      ///< somebody else holds what it needs, for longer than `lock_timeout`
  failed,    ///< the server would not, and goes on
  lost,      ///< the connection is gone: nobody answered
  unwanted,  ///< who asked waits for it no more (pg_connection::watched); the connection is closed
};

/// Asked before a step with the step's name; true makes the step fail as a full disk would. For
/// tests.
using fail_hook = std::function<bool(std::string_view)>;

/// Where a database is and how long anything there may take.
struct connection_options {
  /// "postgresql://…", as libpq reads it. Of several hosts the one that can be written to is
  /// wanted, unless it says otherwise by `target_session_attrs`.
  std::string url;
  bool wants_standby = false;  ///< of several hosts rather one that cannot
  std::chrono::milliseconds statement_timeout{10'000};
  /// For a lock, beyond which what asked for it is held; 0: as long as for the statement.
  std::chrono::milliseconds lock_timeout{0};
  /// Within a transaction: a process that stands still must not hold others up.
  std::chrono::milliseconds idle_timeout{10'000};
  /// Asked every second while an answer is awaited; true: none will come, and the connection is
  /// given up. Any thread. May be null.
  std::function<bool()> is_gone = {};
};

/// Whether `text` is an address of a database of PostgreSQL.
[[nodiscard]] bool is_url(std::string_view text) noexcept;
/// The address without its password, for people.
[[nodiscard]] std::string shown_url(std::string_view url);

class pg_connection {
 public:
  pg_connection() = default;
  pg_connection(const pg_connection&) = delete;
  pg_connection& operator=(const pg_connection&) = delete;

  /// In the place of the connection that there was. Waits for a few seconds at most. Errors:
  /// invalid_configuration (an address that is none, a server before version 15, a database that
  /// cannot keep every text, a pooler that keeps no sessions), storage_unavailable.
  [[nodiscard]] result<void> open(const connection_options& options);
  void close() noexcept;
  /// Whether it was opened, and was not lost since.
  [[nodiscard]] bool is_open() const noexcept;
  [[nodiscard]] bool in_transaction() const noexcept;
  /// Runs statements without parameters, whose rows nobody wants.
  [[nodiscard]] pg_outcome execute(const char* sql);
  /// execute(), unless the hook fails `stage`.
  [[nodiscard]] pg_outcome execute(std::string_view stage, const char* sql);
  /// Runs statements one after the other, of which those behind one that fails are not run; `done`
  /// tells how many are done.
  [[nodiscard]] pg_outcome execute_each(const char* sql, std::size_t& done);
  /// The first column of the first row as an integer. Error: storage_unavailable.
  [[nodiscard]] result<std::int64_t> integer(const char* sql);
  /// Waits for what others notify this connection of, by LISTEN, until there is something or
  /// `wake`, a file, can be read. Each is told to `notices`. Whether the connection still stands.
  [[nodiscard]] bool await_notices(int wake, const std::function<void(std::string_view)>& notices);
  /// Waits for answers for as long as they take, as long as it lives; else a while longer than the
  /// statement's timeout.
  class patience {
   public:
    explicit patience(pg_connection& on) noexcept
        : on_(&on), before_(std::exchange(on.answer_timeout_, {})) {}
    patience(const patience&) = delete;
    patience& operator=(const patience&) = delete;
    ~patience() { on_->answer_timeout_ = before_; }

   private:
    pg_connection* on_;
    std::chrono::milliseconds before_;
  };
  /// Asks `goes_on` while an answer is awaited, as long as it lives; where it says false, the
  /// statement is unwanted. One that takes no time is answered all the same.
  class watched {
   public:
    watched(pg_connection& connection, std::function<bool()> goes_on)
        : on_(&connection), before_(std::exchange(connection.goes_on_, std::move(goes_on))) {}
    watched(const watched&) = delete;
    watched& operator=(const watched&) = delete;
    ~watched() { on_->goes_on_ = std::move(before_); }

   private:
    pg_connection* on_;
    std::function<bool()> before_;
  };
  /// What the server says of the last failure, as an error.
  [[nodiscard]] error last_error(std::string_view doing) const;
  [[nodiscard]] bool fails(std::string_view stage) const noexcept { return fail && fail(stage); }

  fail_hook fail;

 private:
  friend class pg_statement;
  struct closer {
    void operator()(pg_conn* handle) const noexcept;
  };
  struct clearer {
    void operator()(pg_result* answer) const noexcept;
  };
  using answer = std::unique_ptr<pg_result, clearer>;
  [[nodiscard]] result<void> connect(const connection_options& options);
  [[nodiscard]] result<void> prepare_session(const connection_options& options);
  /// The server's process that answers just now; 0 where nobody does.
  [[nodiscard]] int server_process();
  /// Whether what answers is a pooler that gives a session to others while this connection does
  /// nothing, so that what is told to a session holds for them.
  [[nodiscard]] bool shares_session(const connection_options& options);
  [[nodiscard]] pg_outcome judge(const answer& given);
  /// Waits until the next answer to what was sent can be taken, and takes it: null behind the last,
  /// and where the connection is lost.
  [[nodiscard]] answer next_answer();
  /// The last of all answers, if `is_sent`.
  [[nodiscard]] answer last_answer(bool is_sent);
  /// Waits until `events` of the connection, or an answer; false where none came in time.
  [[nodiscard]] bool await(short events, std::chrono::steady_clock::time_point began);
  void give_up(std::chrono::steady_clock::time_point began);
  /// The name of the statement as it is prepared; null where it cannot be.
  [[nodiscard]] const std::string* prepare(const std::string& sql, pg_outcome& became);

  std::unique_ptr<pg_conn, closer> handle_;
  std::unordered_map<std::string, std::string> prepared_;  ///< text to name
  std::string said_;
  std::chrono::milliseconds answer_timeout_{0};  ///< 0: none
  std::function<bool()> is_gone_;
  std::function<bool()> goes_on_;
  bool is_unwanted_ = false;  ///< why it was closed
};

/// Bytes that are bound as bytea.
struct pg_bytes {
  std::string_view bytes;
};

/// Values of many rows as one array each, for `unnest`.
class pg_array {
 public:
  void add(std::int64_t value);
  void add(std::string_view text);
  void add(time_point at) { add(static_cast<std::int64_t>(at.time_since_epoch().count())); }
  void add(pg_bytes bytes);
  void add_null();
  void add(const base::sha256_digest& digest) { add(pg_bytes{base::as_text(digest)}); }
  /// "{…}"
  [[nodiscard]] std::string text() const { return "{" + text_ + "}"; }
  [[nodiscard]] bool empty() const noexcept { return text_.empty(); }
  void clear() noexcept { text_.clear(); }

 private:
  void separate();
  std::string text_;
};

/// A statement that is prepared by its text, once a connection: bind, run, read the rows. A failed
/// preparation is what run() gives. Must go before its connection.
class pg_statement {
 public:
  /// `stage` is the name that the fail hook is asked for; it must have static storage.
  pg_statement(pg_connection& connection, std::string_view stage, std::string sql)
      : on_(&connection), sql_(std::move(sql)), stage_(stage) {}

  /// Binds values in their order, $1 first: whole numbers, texts, blobs, arrays, times as
  /// milliseconds, digests as blobs, null for an optional without a value.
  template <class... Values>
  pg_statement& bind(const Values&... values) {
    (bind_one(values), ...);
    return *this;
  }
  /// Runs it with what is bound; the next bind() begins anew.
  [[nodiscard]] pg_outcome run();
  /// The next row of those that run() has brought; false behind the last.
  [[nodiscard]] bool next() noexcept;
  [[nodiscard]] std::size_t rows() const noexcept;
  /// How many rows a statement has changed that gives none.
  [[nodiscard]] std::int64_t changed() const noexcept;

  /// Reads the columns of a row from the first on, as bind() writes them. A view lives until the
  /// next run().
  template <class... Fields>
  void read(Fields&... fields) const {
    int column = 0;
    (read_one(column++, fields), ...);
  }
  /// Of a column that is a number of any width, or true or false.
  [[nodiscard]] std::int64_t integer(int column) const noexcept;
  [[nodiscard]] std::string_view text(int column) const noexcept;
  [[nodiscard]] bool is_null(int column) const noexcept;

 private:
  struct value {
    std::string bytes;
    bool is_null = false, is_binary = false;
  };
  void bind_one(std::int64_t number);
  void bind_one(std::string_view text) { values_.push_back({std::string(text), false, true}); }
  void bind_one(time_point at) { bind_one(std::int64_t{at.time_since_epoch().count()}); }
  void bind_one(pg_bytes bytes) { bind_one(bytes.bytes); }
  void bind_one(const pg_array& many) { values_.push_back({many.text(), false, false}); }
  void bind_one(const base::sha256_digest& digest) { bind_one(base::as_text(digest)); }
  template <class Value>
  void bind_one(const std::optional<Value>& one) {
    if (one)
      bind_one(*one);
    else
      values_.push_back({{}, true, false});
  }

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

  pg_connection* on_;
  std::string sql_;
  std::string_view stage_;
  std::vector<value> values_;
  pg_connection::answer answer_;
  int row_ = -1;
};

}  // namespace freshet::postgres
