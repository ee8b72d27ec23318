// Identifiers we make, and the ids of items: `<source>:<native id>`.
#pragma once

#include <freshet/item.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace freshet::base {

/// "req_" and a ULID: sortable by time, unguessable.
[[nodiscard]] std::string make_id(std::string_view prefix, time_point time);
/// The moment in an id that make_id() made; null if it is none with that prefix.
[[nodiscard]] std::optional<time_point> time_of_id(std::string_view prefix,
                                                   std::string_view id) noexcept;
/// Whether a caller's X-Request-Id may be echoed: 1 to 128 of [A-Za-z0-9._:-], and no API key.
[[nodiscard]] bool is_valid_request_id(std::string_view text) noexcept;

/// The two halves of an item's id. Views into the text given.
struct item_id {
  std::string_view source;
  std::string_view native;  ///< may begin with "host/"
};
/// Null if `text` has no "source:" in front.
[[nodiscard]] std::optional<item_id> parse_item_id(std::string_view text) noexcept;

}  // namespace freshet::base
