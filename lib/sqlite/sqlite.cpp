// The calls into SQLite. Debian 12's 3.40.1 can corrupt a file when one connection checkpoints
// while another commits (fixed in 3.51.3), so a connection either writes and checkpoints or does
// neither, and memory mapping stays off.
#include <sqlite3.h>
#include <sqlite/sqlite.hpp>

namespace freshet::sqlite {
namespace {

constexpr int busy_timeout_ms = 5'000;

constexpr const char* writer_settings =
    "PRAGMA synchronous=FULL;"
    "PRAGMA foreign_keys=ON;"
    "PRAGMA mmap_size=0;"
    "PRAGMA trusted_schema=OFF;"
    "PRAGMA temp_store=MEMORY;"
    "PRAGMA wal_autocheckpoint=1000;"
    "PRAGMA journal_size_limit=67108864;";
constexpr const char* lone_settings =
    "PRAGMA locking_mode=EXCLUSIVE;"
    "PRAGMA journal_mode=DELETE;"
    "PRAGMA synchronous=OFF;"
    "PRAGMA foreign_keys=ON;"
    "PRAGMA mmap_size=0;"
    "PRAGMA trusted_schema=OFF;"
    "PRAGMA temp_store=MEMORY;";
constexpr const char* reader_settings =
    "PRAGMA query_only=ON;"
    "PRAGMA mmap_size=0;"
    "PRAGMA trusted_schema=OFF;"
    "PRAGMA temp_store=MEMORY;"
    "PRAGMA wal_autocheckpoint=0;";

constexpr int copied_pages_at_once = 256;
/// Instructions of SQLite's machine between two questions: well below a millisecond.
constexpr int watched_steps = 10'000;

const char* settings_for(database_use use) {
  if (use == database_use::write) return writer_settings;
  return use == database_use::alone ? lone_settings : reader_settings;
}

int flags_for(database_use use) {
  if (use == database_use::still) return SQLITE_OPEN_READONLY | SQLITE_OPEN_URI;
  return use == database_use::read ? SQLITE_OPEN_READWRITE
                                   : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
}

/// The address of a file that does not change.
std::string still_address(const std::string& path) {
  std::string address = "file:";
  for (const char c : path) {
    if (c == '%' || c == '?' || c == '#') {
      constexpr std::string_view digits = "0123456789ABCDEF";
      const auto byte = static_cast<unsigned char>(c);
      address += {'%', digits[byte >> 4], digits[byte & 15]};
    } else {
      address += c;
    }
  }
  return address + "?immutable=1";
}

int ask_watch(void* goes_on) { return (*static_cast<std::function<bool()>*>(goes_on))() ? 0 : 1; }

}  // namespace

static_assert(sqlite_ok == SQLITE_OK && sqlite_row == SQLITE_ROW && sqlite_done == SQLITE_DONE &&
              sqlite_failed_sync == SQLITE_IOERR_FSYNC);

bool is_fault_of_row(sqlite_code code) noexcept {
  const int primary = code & 0xff;
  return primary == SQLITE_CONSTRAINT || primary == SQLITE_TOOBIG || primary == SQLITE_MISMATCH;
}

bool is_uncertain(sqlite_code code) noexcept {
  const int primary = code & 0xff;
  return code == SQLITE_IOERR_FSYNC || code == SQLITE_IOERR_DIR_FSYNC ||
         primary == SQLITE_CORRUPT || primary == SQLITE_NOTADB;
}

database::~database() { close(); }

void database::close() noexcept {
  // Only fails while statements live, and those are members declared after their database.
  if (handle_ != nullptr) static_cast<void>(sqlite3_close(handle_));
  handle_ = nullptr;
}

void database::keep_journal(bool keeps) noexcept {
  sqlite3_db_config(handle_, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, keeps ? 1 : 0, nullptr);
}

result<void> database::open(const std::string& path, database_use use) {
  const bool writes = use == database_use::write;
  const std::string name = use == database_use::still ? still_address(path) : path;
  if (sqlite3_open_v2(name.c_str(), &handle_, flags_for(use) | SQLITE_OPEN_NOMUTEX, nullptr) !=
      SQLITE_OK)
    return last_error("opening " + path);
  sqlite3_extended_result_codes(handle_, 1);
  sqlite3_busy_timeout(handle_, busy_timeout_ms);
  sqlite3_db_config(handle_, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  // Of what cannot be opened, what lies beside it stays for whoever can.
  keep_journal(true);
  // Only a file that is still empty takes it: then what is deleted can leave the file.
  if (writes && execute("PRAGMA auto_vacuum=INCREMENTAL; PRAGMA journal_mode=WAL") != SQLITE_OK)
    return last_error("opening " + path);
  keep_journal(use == database_use::read);
  if (execute(settings_for(use)) != SQLITE_OK) return last_error("setting up " + path);
  return {};
}

result<bool> database::has_table(std::string_view name) {
  statement query(*this, "query",
                  "SELECT count(*) FROM sqlite_schema WHERE type='table' AND name=?");
  if (query.bind(name).step() != SQLITE_ROW) return last_error("reading the schema");
  return query.integer(0) != 0;
}

result<void> database::copy_to(database& target, const copy_watch& watch) {
  // Within a transaction, so that what others write does not begin the copy anew.
  if (execute("BEGIN; SELECT 1 FROM sqlite_schema") != SQLITE_OK) return last_error("copying");
  const auto end = [this](result<void> outcome) {
    static_cast<void>(execute("ROLLBACK"));
    return outcome;
  };
  sqlite3_backup* const copy = sqlite3_backup_init(target.handle_, "main", handle_, "main");
  if (copy == nullptr) return end(target.last_error("copying"));
  bool goes_on = true;
  int code = SQLITE_OK;
  while (code == SQLITE_OK && goes_on) {
    code = sqlite3_backup_step(copy, copied_pages_at_once);
    const std::int64_t all = sqlite3_backup_pagecount(copy);
    if (code == SQLITE_OK) goes_on = watch(all - sqlite3_backup_remaining(copy), all);
  }
  static_cast<void>(sqlite3_backup_finish(copy));
  if (!goes_on) return end(error(errc::cancelled, "the copy was ended"));
  if (code != SQLITE_DONE)
    return end(error(errc::storage_unavailable, std::string("copying: ") + sqlite3_errstr(code)));
  return end({});
}

void database::watch_steps(std::function<bool()> goes_on) {
  goes_on_ = std::move(goes_on);
  sqlite3_progress_handler(handle_, goes_on_ ? watched_steps : 0, goes_on_ ? ask_watch : nullptr,
                           &goes_on_);
}

void database::defend_schema(bool is_defended) noexcept {
  sqlite3_db_config(handle_, SQLITE_DBCONFIG_DEFENSIVE, is_defended ? 1 : 0, nullptr);
}

sqlite_code database::execute(const char* sql) noexcept {
  const int code = sqlite3_exec(handle_, sql, nullptr, nullptr, nullptr);
  return code == SQLITE_OK ? sqlite_ok : code;
}

sqlite_code database::execute(std::string_view stage, const char* sql) noexcept {
  return fails(stage) ? SQLITE_FULL : execute(sql);
}

result<std::int64_t> database::integer(const char* sql) {
  statement query(*this, "query", sql);
  if (query.step() != SQLITE_ROW) return last_error("reading");
  return query.integer(0);
}

bool database::in_transaction() const noexcept { return sqlite3_get_autocommit(handle_) == 0; }

std::int64_t database::last_insert_id() const noexcept {
  return sqlite3_last_insert_rowid(handle_);
}

error database::last_error(std::string_view doing) const {
  const char* const said = handle_ == nullptr ? "out of memory" : sqlite3_errmsg(handle_);
  return error(errc::storage_unavailable, std::string(doing) + ": " + said);
}

statement::statement(database& database, std::string_view stage, std::string_view sql)
    : on_(&database), stage_(stage) {
  sqlite3_stmt* handle = nullptr;
  failed_ = sqlite3_prepare_v3(database.handle_, sql.data(), static_cast<int>(sql.size()),
                               SQLITE_PREPARE_PERSISTENT, &handle, nullptr);
  handle_.reset(handle);
}

void statement::finalizer::operator()(sqlite3_stmt* handle) const noexcept {
  sqlite3_finalize(handle);
}

void statement::bind_one(std::int64_t value) noexcept {
  if (failed_ == SQLITE_OK) failed_ = sqlite3_bind_int64(handle_.get(), next_++, value);
}

void statement::bind_one(std::string_view text) noexcept {
  // A null pointer would bind NULL; an empty text is a text.
  const char* const data = text.data() == nullptr ? "" : text.data();
  if (failed_ == SQLITE_OK)
    failed_ =
        sqlite3_bind_text64(handle_.get(), next_++, data, text.size(), SQLITE_STATIC, SQLITE_UTF8);
}

void statement::bind_one(blob bytes) noexcept {
  const auto [from] = bytes;
  const char* const data = from.data() == nullptr ? "" : from.data();
  if (failed_ == SQLITE_OK)
    failed_ = sqlite3_bind_blob64(handle_.get(), next_++, data, from.size(), SQLITE_STATIC);
}

void statement::bind_null() noexcept {
  if (failed_ == SQLITE_OK) failed_ = sqlite3_bind_null(handle_.get(), next_++);
}

sqlite_code statement::step() noexcept {
  if (failed_ != SQLITE_OK) return failed_;
  if (handle_ == nullptr) return SQLITE_MISUSE;
  if (on_->fails(stage_)) return SQLITE_FULL;
  return sqlite3_step(handle_.get());
}

void statement::reset() noexcept {
  // The code of the last step again: it has been reported already.
  static_cast<void>(sqlite3_reset(handle_.get()));
  if (handle_ != nullptr) failed_ = SQLITE_OK;
  next_ = 1;
}

sqlite_code statement::run() noexcept {
  const sqlite_code code = step();
  reset();
  return code == SQLITE_DONE || code == SQLITE_ROW ? sqlite_ok : code;
}

std::int64_t statement::integer(int column) const noexcept {
  return sqlite3_column_int64(handle_.get(), column);
}

std::string_view statement::text(int column) const noexcept {
  // The blob is asked first: it is the bytes as stored, for text too.
  const auto* const data = static_cast<const char*>(sqlite3_column_blob(handle_.get(), column));
  const int size = sqlite3_column_bytes(handle_.get(), column);
  return data == nullptr ? std::string_view() : std::string_view(data, static_cast<size_t>(size));
}

bool statement::is_null(int column) const noexcept {
  return sqlite3_column_type(handle_.get(), column) == SQLITE_NULL;
}

}  // namespace freshet::sqlite
