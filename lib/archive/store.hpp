// What one platform's archive keeps: items, with an index over the same folded words that lib/query
// looks in, so that both find the same. Newest first, by the time that the items say. It knows
// neither where items come from nor who asks.
#pragma once

#include <archive/search_course.hpp>
#include <base/clock.hpp>
#include <freshet/item.hpp>
#include <freshet/result.hpp>
#include <memory>
#include <optional>
#include <query/text_query.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace freshet::archive {

/// An item as JSON is at most this long; a longer one is not kept.
inline constexpr std::size_t max_item_bytes = 256 * 1024;

struct item_store_options {
  /// A file, or the address of a database of PostgreSQL, which has the archives of all platforms.
  std::string path;
  std::string platform;                                  ///< a name of letters and _
  std::chrono::seconds age{std::chrono::hours{24 * 7}};  ///< older items go
  std::int64_t bytes = std::int64_t{1} << 30;            ///< beyond it the oldest items go
  const base::clock* clock = nullptr;                    ///< null: the machine's
  /// Whether to write. One process at a time does (a lock file, or a tenure in the database);
  /// others may read beside it.
  bool writes = true;
};

/// What happened upstream, in the order in which it did.
struct changes {
  enum class kind {
    keep,          ///< `what` is new, or replaces the item with its id
    erase,         ///< the item with the id `name` is gone
    erase_author,  ///< every item of the author with the id `name` is gone
    shut_author,   ///< the same, and nothing more of theirs is kept
    reopen_author  ///< what they write from now on is kept again
  };
  struct change {
    kind how = kind::keep;
    item what;
    std::string name;
  };
  std::vector<change> list;
  /// Positions in streams, written with the changes: name and value.
  std::vector<std::pair<std::string, std::string>> cursors;
  /// Under which they were read: they are written only while it lasts. 0: the store's own.
  std::int64_t tenure = 0;
};

struct search {
  const query::text_query* q = nullptr;  ///< null: everything
  std::optional<time_point> since;       ///< inclusive
  std::string lang;                      ///< BCP 47; also its regions. "" for any
  std::int64_t before = 0;               ///< a page's `next`; 0 is the first page
  std::size_t limit = 20;
  const search_course* course = nullptr;  ///< null: it goes on to its end
};

struct page {
  std::vector<std::string> items;  ///< as JSON; what is null or empty is left out
  std::int64_t next = 0;           ///< 0: this was the last
};

struct statistics {
  std::int64_t items = 0;
  std::int64_t bytes = 0;  ///< of the file or the tables that are in use
  std::string holder;      ///< who has the tenure; "": nobody, or there is no other who could
};

/// Thread-safe: searches run beside each other and beside a write.
class item_store {
 public:
  /// Errors: storage_unavailable, invalid_configuration (another process writes here; a file of a
  /// newer version).
  [[nodiscard]] static result<std::unique_ptr<item_store>> open(item_store_options options);
  item_store(const item_store&) = delete;
  item_store& operator=(const item_store&) = delete;
  virtual ~item_store() = default;

  /// All or nothing. Items without a time, or older than the age, are not kept. Requires `writes`.
  /// Error: storage_unavailable.
  [[nodiscard]] virtual result<void> write(const changes& what) = 0;
  /// Removes what is too old or too much, some of it: true if there is more to remove.
  [[nodiscard]] virtual result<bool> expire() = 0;
  /// Newest first. Positions stay valid while items come and go. Errors: storage_unavailable, the
  /// ending of its course.
  [[nodiscard]] virtual result<page> find(const search& what) = 0;
  /// What write() stored under this name; "" if nothing.
  [[nodiscard]] virtual result<std::string> cursor(std::string_view name) = 0;
  [[nodiscard]] virtual result<statistics> measure() = 0;
  /// Whether this store was opened for writing.
  [[nodiscard]] virtual bool writes() const noexcept = 0;

  /// Whether other servers share it: then a search waits for another machine, and who writes has a
  /// tenure for some seconds, which hold() takes or renews. It gives the tenure's number, which a
  /// later one never has again; 0: another server has it. Error: storage_unavailable.
  [[nodiscard]] virtual bool is_shared() const noexcept { return false; }
  [[nodiscard]] virtual result<std::int64_t> hold() { return tenure(); }
  /// The number that hold() has given, unless it was lost since. Whose store is not shared has the
  /// only one.
  [[nodiscard]] virtual std::int64_t tenure() const noexcept { return writes() ? 1 : 0; }
  /// Ends the tenure: another server need not wait until it is over.
  virtual void let_go() noexcept {}

 protected:
  item_store() = default;
};

}  // namespace freshet::archive
