// The numbers of calls: times with a count behind them, so that what is old is what has a low
// number. What both stores make of them, and of chunks.
#pragma once

#include <requests/request_store.hpp>

namespace freshet::requests {

/// Bits of a number below its millisecond.
inline constexpr unsigned count_bits = 20;
/// What a row takes beside what is in it.
inline constexpr std::int64_t row_bytes = 160;
/// Beyond it an id tells another time than its number does.
inline constexpr std::chrono::seconds most_clock_drift{30};

[[nodiscard]] std::int64_t first_number(time_point at) noexcept;

/// The calls of a chunk, the oldest first. What cannot be read ends it.
[[nodiscard]] std::vector<call_record> calls_of(std::int64_t last, std::int64_t count,
                                                std::string_view packed);

/// What a chunk and the bodies of a call take in the store.
[[nodiscard]] inline std::int64_t kept_bytes(const chunk& one) noexcept {
  return static_cast<std::int64_t>(one.packed.size()) + row_bytes;
}
/// 0: there is nothing to keep.
[[nodiscard]] inline std::int64_t kept_bytes(const call_bodies& one) noexcept {
  const auto size = one.sent.size() + one.answered.size();
  return size == 0 ? 0 : static_cast<std::int64_t>(size) + row_bytes;
}

/// Under which names calls of a chunk are found. All have one where `names_all`.
using named_calls = std::vector<std::pair<std::int64_t, std::string>>;
[[nodiscard]] named_calls names_of(const chunk& one, std::int64_t last, bool names_all);

/// Which calls of a query a chunk has, the newest first, up to its limit.
void take_wanted(std::vector<call_record>& found, const call_query& query,
                 std::vector<call_record> calls);

/// That nobody waits for a list any more; and that there is no such call.
[[nodiscard]] error nobody_waits();
[[nodiscard]] error no_such_call(std::string_view id);

}  // namespace freshet::requests
