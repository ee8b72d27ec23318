// One table. How much there is of whom is known in memory, so that no picture is read to find out.
#include "pictures/picture_store.hpp"

#include <algorithm>
#include <base/disk_room.hpp>
#include <cstdint>
#include <sqlite/database_files.hpp>

namespace freshet::pictures {

using sqlite::sqlite_ok;
using sqlite::statement;

namespace {

constexpr std::int64_t schema_version = 1;
constexpr const char* schema =
    "CREATE TABLE pictures(account TEXT NOT NULL, name BLOB NOT NULL, at INTEGER NOT NULL,"
    " bytes INTEGER NOT NULL, picture BLOB NOT NULL, PRIMARY KEY(account, name));"
    "CREATE INDEX pictures_by_age ON pictures(account, at);"
    "PRAGMA user_version=1";
/// What a row takes beside what is in it.
constexpr std::int64_t row_bytes = 128;
/// Of the disk: with less nobody is helped.
constexpr std::int64_t worth_giving = 1 << 20;
/// Pictures that one step removes.
constexpr std::int64_t max_removed = 16;

std::int64_t size_of(std::string_view picture) {
  return static_cast<std::int64_t>(picture.size()) + row_bytes;
}

}  // namespace

result<std::unique_ptr<picture_store>> picture_store::open(store_options options) {
  std::unique_ptr<picture_store> made(new picture_store(std::move(options)));
  auto done = made->set_up();
  if (!done) done = made->begin_anew();  // nobody has to have it back
  if (!done) return done.error();
  return made;
}

result<void> picture_store::begin_anew() {
  db_.close();
  held_.clear();
  for (const auto* end : {"", "-wal", "-shm"}) sqlite::remove_file(options_.path + end);
  return set_up();
}

bool picture_store::has_disk(std::int64_t size) {
  // It is written twice, the first time beside the file.
  const std::int64_t free = base::free_bytes_beside(options_.path);
  if (free - 2 * size >= options_.left_bytes) return true;
  // Rows that go leave the files as large as they were. Where they cannot be made anew all that
  // comes later fails, which is to keep nothing.
  const auto has = sqlite::size_of(options_.path) + sqlite::size_of(options_.path + "-wal");
  if (free < options_.left_bytes / 2 && has >= worth_giving) static_cast<void>(begin_anew());
  return false;
}

result<void> picture_store::set_up() {
  if (auto file = sqlite::make_private_file(options_.path); !file) return file;
  if (auto opened = db_.open(options_.path, sqlite::database_use::write); !opened) return opened;
  if (db_.execute("PRAGMA synchronous=NORMAL") != sqlite_ok)
    return db_.last_error("setting up " + options_.path);
  const auto made = db_.has_table("pictures");
  if (!made) return made.error();
  if (!*made && db_.execute(schema) != sqlite_ok) return db_.last_error("making " + options_.path);
  const auto version = db_.integer("PRAGMA user_version");
  if (!version) return version.error();
  if (*version != schema_version)
    return error(errc::storage_unavailable, options_.path + " is of another version");
  held_.clear();
  statement sums(db_, "measure", "SELECT account, sum(bytes) FROM pictures GROUP BY account");
  return sums.each_row("measuring pictures",
                       [&] { held_[std::string(sums.text(0))] = sums.integer(1); });
}

std::optional<std::string> picture_store::find(std::string_view account, std::string_view address,
                                               time_point now) {
  const auto name = base::sha256(address);
  const std::lock_guard lock(mutex_);
  statement get(db_, "find", "SELECT picture FROM pictures WHERE account=? AND name=? AND at>?");
  get.bind(account, name, now - options_.keep);
  if (get.step() != sqlite::sqlite_row) return std::nullopt;
  return std::string(get.text(0));
}

void picture_store::put(std::string_view account, std::string_view address,
                        std::string_view picture, time_point now) {
  const auto size = size_of(picture);
  if (size > options_.bytes) return;
  const auto name = base::sha256(address);
  const std::lock_guard lock(mutex_);
  if (!has_disk(size)) return;
  statement old(db_, "find", "SELECT bytes FROM pictures WHERE account=? AND name=?");
  old.bind(account, name);
  const auto before = old.step() == sqlite::sqlite_row ? old.integer(0) : 0;
  old.reset();
  statement add(db_, "put",
                "INSERT OR REPLACE INTO pictures(account, name, at, bytes, picture)"
                " VALUES(?,?,?,?,?)");
  if (add.bind(account, name, now, size, sqlite::blob{picture}).run() != sqlite_ok) return;
  held_[std::string(account)] += size - before;
  while (make_room()) {
  }
}

/// Removes some of whoever has the most while there is too much: whether it removed any.
bool picture_store::make_room() {
  std::int64_t all = 0;
  auto most = held_.end();
  for (auto each = held_.begin(); each != held_.end(); ++each) {
    all += each->second;
    if (most == held_.end() || each->second > most->second) most = each;
  }
  if (all <= options_.bytes || most == held_.end()) return false;
  struct old_picture {
    std::int64_t row = 0, bytes = 0;
  };
  std::vector<old_picture> oldest;
  statement list(db_, "purge",
                 "SELECT rowid, bytes FROM pictures WHERE account=? ORDER BY at, rowid LIMIT ?");
  list.bind(std::string_view(most->first), max_removed);
  if (list.each_row([&] { oldest.push_back({list.integer(0), list.integer(1)}); }) != sqlite_ok)
    return false;
  statement erase(db_, "purge", "DELETE FROM pictures WHERE rowid=?");
  bool removed = false;
  for (const auto& one : oldest) {
    if (all <= options_.bytes || erase.bind(one.row).run() != sqlite_ok) break;
    all -= one.bytes;
    most->second -= one.bytes;
    removed = true;
  }
  if (most->second <= 0) held_.erase(most);
  return removed;
}

void picture_store::forget(std::string_view account) {
  const std::lock_guard lock(mutex_);
  statement erase(db_, "forget", "DELETE FROM pictures WHERE account=?");
  if (erase.bind(account).run() != sqlite_ok) return;
  if (const auto found = held_.find(account); found != held_.end()) held_.erase(found);
}

std::int64_t picture_store::bytes() const {
  const std::lock_guard lock(mutex_);
  std::int64_t all = 0;
  for (const auto& [account, bytes] : held_) all += bytes;
  return all;
}

}  // namespace freshet::pictures
