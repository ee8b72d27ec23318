// The statements of a store, and a batch applied: first what goes, then what comes, each in the
// order of positions, for FTS5 writes a new segment whenever it is given a smaller one.
#include "archive/sqlite/store_parts.hpp"

namespace freshet::archive {

using sqlite::sqlite_code;
using sqlite::sqlite_done;
using sqlite::sqlite_ok;
using sqlite::sqlite_row;
using sqlite::statement;

result<std::int64_t> used_bytes_of(sqlite::database& db) {
  return db.integer(
      "SELECT (c.page_count-f.freelist_count)*s.page_size FROM pragma_page_count c,"
      " pragma_freelist_count f, pragma_page_size s");
}

void sqlite_item_store::writer::prepare() {
  by_key = statement(db, "archive", "SELECT position, item FROM items WHERE key=?");
  by_author = statement(db, "archive", "SELECT position FROM items WHERE author=?");
  at_position = statement(db, "archive", "SELECT 1 FROM items WHERE position=?");
  shut_author = statement(db, "archive", "INSERT OR IGNORE INTO shut(author) VALUES(?)");
  reopen_author = statement(db, "archive", "DELETE FROM shut WHERE author=?");
  below = statement(db, "archive",
                    "SELECT position FROM items WHERE position<? ORDER BY position LIMIT ?");
  erase_item = statement(db, "archive", "DELETE FROM items WHERE position=?");
  erase_words = statement(db, "archive", "DELETE FROM words WHERE rowid=?");
  insert_item =
      statement(db, "archive", "INSERT INTO items(position, key, author, item) VALUES(?,?,?,?)");
  insert_words = statement(db, "archive", "INSERT INTO words(rowid, text) VALUES(?,?)");
  put_cursor = statement(db, "archive",
                         "INSERT INTO cursors(name, value) VALUES(?,?)"
                         " ON CONFLICT(name) DO UPDATE SET value=excluded.value");
}

result<void> sqlite_item_store::writer::load_shut() {
  statement all(db, "archive", "SELECT author FROM shut");
  return all.each_row("reading the archive", [&] { shut.insert(all.integer(0)); });
}

void sqlite_item_store::reader::prepare() {
  // CROSS JOIN keeps the order: the index leads, so that the first rows come without the others.
  matching = statement(db, "archive",
                       "SELECT i.position, i.item FROM words w CROSS JOIN items i"
                       " ON i.position=w.rowid WHERE w.words MATCH ? AND w.rowid>=? AND w.rowid<?"
                       " ORDER BY w.rowid DESC LIMIT ?");
  newest = statement(db, "archive",
                     "SELECT position, item FROM items WHERE position>=? AND position<?"
                     " ORDER BY position DESC LIMIT ?");
  cursor = statement(db, "archive", "SELECT value FROM cursors WHERE name=?");
}

/// The positions that the batch makes empty, and the ids that are kept as they stand.
sqlite_code sqlite_item_store::writer::find_replaced(const pending& batch,
                                                     std::set<std::int64_t>& removed,
                                                     std::set<std::int64_t>& unchanged) {
  for (const auto author : batch.authors) {
    const auto code =
        by_author.bind(author).each_row([&] { removed.insert(by_author.integer(0)); });
    by_author.reset();
    if (code != sqlite_ok) return code;
  }
  for (const auto& [key, kept] : batch.by_key) {
    const sqlite_code code = by_key.bind(key).step();
    if (code == sqlite_row) {
      const auto position = by_key.integer(0);
      if (kept && without_fetched_at(kept->item) == without_fetched_at(by_key.text(1)) &&
          !removed.contains(position)) {
        unchanged.insert(key);
      } else {
        removed.insert(position);
      }
    }
    by_key.reset();
    if (code != sqlite_row && code != sqlite_done) return code;
  }
  return sqlite_ok;
}

sqlite_code sqlite_item_store::writer::remove(const std::set<std::int64_t>& positions) {
  for (const auto position : positions) {
    if (const auto code = erase_words.bind(position).run(); code != sqlite_ok) return code;
    if (const auto code = erase_item.bind(position).run(); code != sqlite_ok) return code;
  }
  return sqlite_ok;
}

/// Another position of the same millisecond, if the one wanted is taken.
sqlite_code sqlite_item_store::writer::place(std::int64_t& position,
                                             const std::map<std::int64_t, const item_row*>& map) {
  const auto time = position & ~tie_mask;
  for (std::int64_t step = 0; step <= tie_mask; ++step) {
    const auto tried = time | ((position + step) & tie_mask);
    if (map.contains(tried)) continue;
    const auto code = at_position.bind(tried).step();
    at_position.reset();
    if (code == sqlite_row) continue;
    position = tried;
    return code == sqlite_done ? sqlite_ok : code;
  }
  position = 0;  // a million items in this millisecond
  return sqlite_ok;
}

sqlite_code sqlite_item_store::writer::apply(const pending& batch) {
  std::set<std::int64_t> removed;
  std::set<std::int64_t> unchanged;
  if (const auto code = find_replaced(batch, removed, unchanged); code != sqlite_ok) return code;
  if (const auto code = remove(removed); code != sqlite_ok) return code;
  for (const auto& [author, is_shut] : batch.shut) {
    // Nearly every one is reopened without having been shut.
    if (is_shut == shut.contains(author)) continue;
    auto& change = is_shut ? shut_author : reopen_author;
    if (const auto code = change.bind(author).run(); code != sqlite_ok) return code;
  }
  std::map<std::int64_t, const item_row*> placed;
  for (const auto& [key, kept] : batch.by_key) {
    if (!kept || unchanged.contains(key)) continue;
    if (kept->unless_shut && shut.contains(kept->author)) continue;
    auto position = kept->position;
    if (const auto code = place(position, placed); code != sqlite_ok) return code;
    if (position != 0) placed.emplace(position, &*kept);
  }
  for (const auto& [position, one] : placed) {
    auto code = insert_item.bind(position, one->key, one->author, one->item).run();
    if (code == sqlite_ok) code = insert_words.bind(position, one->words).run();
    if (code != sqlite_ok) return code;
  }
  return sqlite_ok;
}

void sqlite_item_store::writer::note_shut(const pending& batch) {
  for (const auto& [author, is_shut] : batch.shut) {
    if (is_shut) {
      shut.insert(author);
    } else {
      shut.erase(author);
    }
  }
}

result<void> sqlite_item_store::writer::commit(std::string_view doing,
                                               const std::function<sqlite_code()>& steps) {
  sqlite_code code = db.execute("begin", "BEGIN IMMEDIATE");
  if (code == sqlite_ok) code = steps();
  if (code == sqlite_ok) code = db.execute("commit", "COMMIT");
  if (code == sqlite_ok) return {};
  auto failure = db.last_error(doing);
  if (db.in_transaction() && db.execute("ROLLBACK") != sqlite_ok) return db.last_error("undoing");
  return failure;
}

sqlite_code sqlite_item_store::writer::remove_below(std::int64_t position, std::int64_t most,
                                                    std::int64_t& removed) {
  std::set<std::int64_t> positions;
  const auto code =
      below.bind(position, most).each_row([&] { positions.insert(below.integer(0)); });
  below.reset();
  if (code != sqlite_ok) return code;
  removed = static_cast<std::int64_t>(positions.size());
  return remove(positions);
}

}  // namespace freshet::archive
