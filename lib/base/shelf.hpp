// Immutable things under names, within one bound in bytes: what was fetched, and what was made of
// it. Who fills it crowds out himself: what goes is the least recently used of whoever takes up the
// most. It does not know what it keeps.
#pragma once

#include <atomic>
#include <base/text_hash.hpp>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace freshet::base {

/// One thing takes at most this share of a shelf.
inline constexpr std::size_t largest_shelf_share = 8;

/// Thread-safe.
class shelf {
 public:
  using thing = std::shared_ptr<const void>;

  /// `bytes`: of names and things together; 0 keeps nothing.
  explicit shelf(std::size_t bytes) : capacity_(bytes) {}

  /// What stands under a name, which is now the most recently used; null if nothing does.
  [[nodiscard]] thing find(std::string_view name);
  /// Puts a thing in the place of what stands there. `owner`: who crowds out himself. What is
  /// larger than the share of one is not kept, and what stood there goes.
  void put(std::string name, std::int64_t owner, std::size_t size, thing thing);
  /// What stands there has grown by so much, or less than nothing.
  void grow(std::string_view name, std::int64_t bytes);
  void remove(std::string_view name);
  /// Removes what an owner has put under names that begin so; others' things stay.
  void remove_beginning(std::string_view beginning, std::int64_t owner);
  /// Forgets everything: memory is short.
  void drop();

  [[nodiscard]] std::size_t capacity() const noexcept { return capacity_; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }

 private:
  struct entry {
    std::string name;
    std::int64_t owner = 0;
    std::size_t size = 0;
    thing what;
  };
  using entries = std::list<entry>;
  struct share {
    entries order;  ///< most recently used first
    std::size_t size = 0;
  };

  void add(entry&& fresh);
  void take_out(entries::iterator entry, entries& gone);
  void resize(std::int64_t owner, std::size_t size);
  void make_room(entries& gone);

  const std::size_t capacity_;
  std::mutex mutex_;
  std::unordered_map<std::int64_t, share> shares_;  ///< by owner; guarded, like the three below
  std::set<std::pair<std::size_t, std::int64_t>> by_size_;  ///< the owners
  std::unordered_map<std::string_view, entries::iterator, base::text_hash> by_name_;
  std::set<std::string_view> names_;  ///< the same, sorted
  std::atomic<std::size_t> size_ = 0;
};

}  // namespace freshet::base
