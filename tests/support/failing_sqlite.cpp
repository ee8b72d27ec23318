// The functions that stand around SQLite's. Those that only give back, or set what cannot be
// refused, are not among them. Files that fail (full, torn, not synced) are tests/faults.
#include <sqlite3.h>
#include <atomic>
#include <mutex>
#include <string_view>
#include <support/failing_sqlite.hpp>

// Each name is given to the linker (--wrap): a call of NAME comes to __wrap_NAME, and NAME itself
// is __real_NAME.
// NOLINTBEGIN(bugprone-reserved-identifier)

namespace {

std::atomic<int> sqlite_countdown = 0;
std::atomic<const char*> failed_sqlite = "";

bool sqlite_strikes(const char* name) {
  int left = sqlite_countdown;
  while (left > 0 && !sqlite_countdown.compare_exchange_weak(left, left - 1)) {
  }
  if (left == 1) failed_sqlite = name;
  return left == 1;
}

std::atomic<bool> has_first = false;
std::mutex first_mutex;
std::string first_words;
std::function<void()> first_done;

void do_first(sqlite3_stmt* of) {
  if (!has_first) return;
  std::function<void()> first;
  {
    const std::lock_guard lock(first_mutex);
    const char* const sql = sqlite3_sql(of);
    if (first_done && sql != nullptr &&
        std::string_view(sql).find(first_words) != std::string_view::npos)
      first = first_done;
  }
  if (first) first();
}

}  // namespace

namespace freshet::test {

void fail_sqlite_call(int n) {
  failed_sqlite = "";
  sqlite_countdown = n;
}

std::string failed_sqlite_call() {
  sqlite_countdown = 0;
  return failed_sqlite.load();
}

void before_sqlite_step(const std::string& words, std::function<void()> first) {
  const std::lock_guard lock(first_mutex);
  first_words = words;
  first_done = std::move(first);
  has_first = first_done != nullptr;
}

}  // namespace freshet::test

#define FRESHET_FAILING_SQLITE(result, name, refusal, parameters, arguments) \
  extern "C" result __real_##name parameters;                                \
  extern "C" result __wrap_##name parameters;                                \
  result __wrap_##name parameters {                                          \
    return sqlite_strikes(#name) ? refusal : __real_##name arguments;        \
  }

FRESHET_FAILING_SQLITE(int, sqlite3_open_v2, (*made = nullptr, SQLITE_CANTOPEN),
                       (const char* path, sqlite3** made, int flags, const char* files),
                       (path, made, flags, files))
FRESHET_FAILING_SQLITE(int, sqlite3_exec, SQLITE_IOERR,
                       (sqlite3 * on, const char* sql, int (*row)(void*, int, char**, char**),
                        void* whose, char** said),
                       (on, sql, row, whose, said))
FRESHET_FAILING_SQLITE(int, sqlite3_prepare_v3, (*made = nullptr, SQLITE_NOMEM),
                       (sqlite3 * on, const char* sql, int size, unsigned flags,
                        sqlite3_stmt** made, const char** left),
                       (on, sql, size, flags, made, left))
FRESHET_FAILING_SQLITE(int, sqlite3_bind_int64, SQLITE_NOMEM,
                       (sqlite3_stmt * to, int at, sqlite3_int64 value), (to, at, value))
FRESHET_FAILING_SQLITE(int, sqlite3_bind_text64, SQLITE_NOMEM,
                       (sqlite3_stmt * to, int at, const char* text, sqlite3_uint64 size,
                        void (*free)(void*), unsigned char coding),
                       (to, at, text, size, free, coding))
FRESHET_FAILING_SQLITE(int, sqlite3_bind_blob64, SQLITE_NOMEM,
                       (sqlite3_stmt * to, int at, const void* bytes, sqlite3_uint64 size,
                        void (*free)(void*)),
                       (to, at, bytes, size, free))
FRESHET_FAILING_SQLITE(int, sqlite3_bind_null, SQLITE_NOMEM, (sqlite3_stmt * to, int at), (to, at))
FRESHET_FAILING_SQLITE(int, sqlite3_step, SQLITE_IOERR, (sqlite3_stmt * of), ((do_first(of), of)))
FRESHET_FAILING_SQLITE(sqlite3_backup*, sqlite3_backup_init, nullptr,
                       (sqlite3 * to, const char* name, sqlite3* from, const char* from_name),
                       (to, name, from, from_name))
FRESHET_FAILING_SQLITE(int, sqlite3_backup_step, SQLITE_IOERR, (sqlite3_backup * of, int pages),
                       (of, pages))
// NOLINTEND(bugprone-reserved-identifier)
