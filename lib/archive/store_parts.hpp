// The connections of a store and what they do in one transaction. Private to the store.
#pragma once

#include <archive/store.hpp>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <sqlite/sqlite.hpp>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace freshet::archive {

/// Beyond every position.
inline constexpr std::int64_t last_position = std::int64_t{1} << 62;

/// The least position that an item of this time can have.
[[nodiscard]] std::int64_t oldest_position(time_point at) noexcept;
/// Under which an id or an author is looked up: 8 bytes of its SHA-256.
[[nodiscard]] std::int64_t key_of(std::string_view name);
[[nodiscard]] result<std::int64_t> used_bytes_of(sqlite::database& db);

/// An item on its way into the file.
struct item_row {
  std::int64_t position = 0;  ///< the one it would like to have
  std::int64_t key = 0;
  std::int64_t author = 0;
  std::string item, words;
  bool unless_shut = false;  ///< the batch has not said yet whether the author is
};

/// What a batch of changes comes to: for each id what it is in the end.
class pending {
 public:
  pending(time_point now, std::int64_t oldest) : now_(now), oldest_(oldest) {}
  void add(const changes::change& one);

  std::unordered_map<std::int64_t, std::optional<item_row>> by_key;  ///< null: erased
  std::set<std::int64_t> authors;                                    ///< of whom all goes
  std::unordered_map<std::int64_t, bool> shut;  ///< authors: shut, or no longer

 private:
  void keep(const item& what);
  void lose(std::int64_t author);
  time_point now_;
  std::int64_t oldest_;
};

struct item_store::writer {
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

struct item_store::reader {
  sqlite::database db;
  sqlite::statement matching, newest, cursor;

  void prepare();
};

}  // namespace freshet::archive
