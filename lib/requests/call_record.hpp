// A call as the log keeps it, and the bytes that it is kept as: about a hundred, written where the
// call ends and read where somebody looks for it. Knows neither the file nor who asks.
#pragma once

#include <cstdint>
#include <freshet/item.hpp>
#include <freshet/response.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace freshet::requests {

/// Sources of one call that are kept; the rest is left out.
inline constexpr std::size_t max_kept_sources = 64;

/// How complete an answer was. A failure has none.
enum class completeness : std::uint8_t { none, complete, partial };

/// What is known of a call when it ends. Borrows its texts.
struct call_facts {
  std::string_view account;  ///< "acc_…"
  std::string_view request_id;
  time_point at;  ///< when it began
  std::string_view endpoint;
  std::string_view key_id;  ///< "key_…", or what stands for a signed-in person
  bool is_test = false;
  int status = 0;         ///< as over HTTP
  std::string_view code;  ///< of a failure; "" for a success
  std::int64_t credits = 0;
  std::int64_t elapsed_ms = 0;
  std::optional<std::int64_t> items;  ///< in the answer; null where there are none to count
  requests::completeness completeness = requests::completeness::none;
  bool is_replayed = false;
  std::span<const source_report> sources;
};

/// The same, read back. `number` says where in the log it stands: later calls have higher ones.
struct call_record {
  std::int64_t number = 0;
  std::string request_id, endpoint, key_id, code;
  time_point at;
  bool is_test = false, is_replayed = false;
  int status = 0;
  std::int64_t credits = 0, elapsed_ms = 0;
  std::optional<std::int64_t> items;
  requests::completeness completeness = requests::completeness::none;
  std::vector<source_report> sources;  ///< without the times of what they fetched
};

/// What a call was given and what it answered, where an operator has them kept.
struct call_bodies {
  std::string sent, answered;  ///< "": not kept
};

/// Appends a call.
void pack_call(std::string& out, const call_facts& facts);
/// Takes one call off the front; false if the bytes are none.
[[nodiscard]] bool unpack_call(std::string_view& packed, call_record& record);

/// Which calls are wanted. Empty texts and zeroes say nothing.
struct request_filter {
  int least_status = 0, most_status = 0;  ///< inclusive
  std::string_view endpoint = {}, key_id = {}, code = {};
  std::optional<bool> is_test = {};
  std::optional<time_point> since = {};  ///< inclusive, by when they began

  [[nodiscard]] bool takes(const call_record& one) const noexcept;
  bool operator==(const request_filter&) const = default;
};

/// What the calls of a chunk have between them, as bits: a chunk that lacks a bit of the filter has
/// no call for it, one that has all may.
struct call_marks {
  std::int64_t kinds = 0;  ///< the mode and the class of the status
  std::int64_t codes = 0, endpoints = 0, keys = 0;

  void add(const call_facts& one) noexcept;
  void add(const call_marks& other) noexcept;
  /// Those of which a chunk must have one, by member; 0: any chunk will do.
  [[nodiscard]] static call_marks classes_of(const request_filter& filter) noexcept;
  [[nodiscard]] static call_marks of(const request_filter& filter) noexcept;
};

}  // namespace freshet::requests
