// The connections of a store and what they do in one transaction. Private to the store.
#pragma once

#include <archive/pending.hpp>
#include <archive/sqlite/sqlite_item_store.hpp>
#include <functional>
#include <map>
#include <set>
#include <sqlite/sqlite.hpp>
#include <string>
#include <string_view>
#include <unordered_set>

namespace freshet::archive {

[[nodiscard]] result<std::int64_t> used_bytes_of(sqlite::database& db);

struct sqlite_item_store::writer {
  sqlite::database db;
  sqlite::statement by_key, by_author, at_position, below;
  sqlite::statement erase_item, erase_words, insert_item, insert_words;
  sqlite::statement put_cursor, shut_author, reopen_author;
  std::unordered_set<std::int64_t> shut;  ///< authors; the table, in memory

  void prepare();
  [[nodiscard]] result<void> load_shut();
  /// Runs `steps` in a transaction, which leaves all as it was unless they go well.
  [[nodiscard]] result<void> commit(std::string_view doing,
                                    const std::function<sqlite::sqlite_code()>& steps);
  [[nodiscard]] sqlite::sqlite_code apply(const pending& batch);
  /// After the commit.
  void note_shut(const pending& batch);
  [[nodiscard]] sqlite::sqlite_code remove_below(std::int64_t position, std::int64_t most,
                                                 std::int64_t& removed);

 private:
  sqlite::sqlite_code find_replaced(const pending& batch, std::set<std::int64_t>& removed,
                                    std::set<std::int64_t>& unchanged);
  sqlite::sqlite_code remove(const std::set<std::int64_t>& positions);
  sqlite::sqlite_code place(std::int64_t& position,
                            const std::map<std::int64_t, const item_row*>& map);
};

struct sqlite_item_store::reader {
  sqlite::database db;
  sqlite::statement matching, newest, cursor;

  void prepare();
};

}  // namespace freshet::archive
