// What stores have in common: where an item stands, what is stored of it, and what a batch of
// changes comes to. An item's position is its time and, in the low bits, a part of its id's digest,
// so that the order of positions is the order of time: pages, `since` and expiry are ranges of
// positions. Private to the stores.
#pragma once

#include <archive/store.hpp>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>

namespace freshet::archive {

/// Bits of a position below the time: a million items in one millisecond.
inline constexpr unsigned tie_bits = 20;
inline constexpr std::int64_t tie_mask = (std::int64_t{1} << tie_bits) - 1;
/// Beyond every position.
inline constexpr std::int64_t last_position = std::int64_t{1} << 62;

/// The least position that an item of this time can have.
[[nodiscard]] std::int64_t oldest_position(time_point at) noexcept;
/// Under which an id or an author is looked up: 8 bytes of its SHA-256.
[[nodiscard]] std::int64_t key_of(std::string_view name);
/// What an item says as it is stored, without when it came.
[[nodiscard]] std::string_view without_fetched_at(std::string_view stored);

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

}  // namespace freshet::archive
