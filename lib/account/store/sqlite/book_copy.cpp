// The disk is given the copy bit by bit, so that commits beside it never wait for much of it.
#include <account/store/sqlite/book_copy.hpp>
#include <sqlite/database_files.hpp>

namespace freshet::account {
namespace {

using sqlite::database;
using sqlite::database_use;

constexpr std::int64_t synced_at_once = 16 << 20;

/// Says that nobody has the copy open, whoever has the other.
result<void> mark_closed(const std::string& path) {
  database on;
  if (auto opened = on.open(path, database_use::alone); !opened) return opened;
  const auto has_mark = on.has_table("state");
  if (!has_mark) return has_mark.error();
  if (!*has_mark || on.execute("UPDATE state SET is_open=0") == sqlite::sqlite_ok) return {};
  return on.last_error("finishing the copy");
}

}  // namespace

result<void> copy_book(database& source, const std::string& path, const progress& watch) {
  sqlite::remove_file(path);
  if (auto made = sqlite::make_private_file(path); !made) return made;
  const auto page_size = source.integer("PRAGMA page_size");
  if (!page_size) return page_size.error();
  database to;
  if (auto opened = to.open(path, database_use::alone); !opened) return opened;
  std::int64_t synced = 0;
  bool is_stored = true;
  auto copied = source.copy_to(to, [&](std::int64_t done, std::int64_t all) {
    if ((done - synced) * *page_size >= synced_at_once) {
      is_stored = sqlite::sync_file(path).has_value();
      synced = done;
    }
    return is_stored && watch("copying", done * *page_size, all * *page_size);
  });
  if (!is_stored) return sqlite::sync_file(path);
  if (!copied) return copied;
  to.close();
  return mark_closed(path);
}

}  // namespace freshet::account
