// The opaque position of a walk: where each source goes on, and short fingerprints of what was
// given. Signed, bound to the endpoint and its parameters, and all that a server needs to go on.
#pragma once

#include <cstdint>
#include <freshet/item.hpp>
#include <freshet/result.hpp>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace freshet::detail {

/// Limits of a cursor.
inline constexpr std::size_t max_cursor_bytes = 8192;
inline constexpr std::size_t max_fingerprints = 1000;
inline constexpr std::chrono::hours cursor_lifetime{24};

/// By which a circle of pages is told: how many a branch has left behind, and one of them, which
/// is another whenever their number has doubled (Brent). A circle comes back to it, however long.
struct page_mark {
  std::int64_t pages = 0;
  std::uint32_t position = 0;  ///< its fingerprint

  void pass(std::string_view left) noexcept;
  [[nodiscard]] bool is_at(std::string_view position) const noexcept;
  friend bool operator==(const page_mark&, const page_mark&) = default;
};

/// What a cursor carries.
struct cursor_state {
  std::int64_t given = 0;           ///< items so far: the next rank minus one
  std::optional<time_point> since;  ///< fixed at the first call
  /// Of the last item given by time, of each part (gather_part::name) that is ordered by it.
  std::map<std::string, time_point> last_times;
  std::map<std::string, std::string> next;  ///< branch -> position
  std::set<std::string> ended;              ///< branches with nothing more
  std::map<std::string, page_mark> marks;   ///< of branches that have left pages behind
  std::vector<std::uint32_t> fingerprints;  ///< oldest first
  std::int64_t page_size = 0;               ///< of upstream pages, through the whole walk
  std::int64_t block = 0;                   ///< of a document cut by max_tokens
};

/// The short form of an item's identity, or of a position.
[[nodiscard]] std::uint32_t fingerprint(std::string_view identity) noexcept;

/// `identity`: catalog::arguments::query_identity(). Drops the oldest fingerprints if it must to
/// stay under max_cursor_bytes.
[[nodiscard]] std::string write_cursor(const cursor_state& state, std::string_view identity,
                                       std::string_view secret, time_point now);
/// Error: invalid_cursor, saying which of the three it is.
[[nodiscard]] result<cursor_state> read_cursor(std::string_view cursor, std::string_view identity,
                                               std::string_view secret, time_point now);

}  // namespace freshet::detail
