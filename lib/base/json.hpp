// Reading JSON that others wrote: bounded, finite numbers only, and accessors that never throw,
// whatever type a field turns out to have.
#pragma once

#include <base/work.hpp>
#include <boost/json/value.hpp>
#include <cstdint>
#include <freshet/result.hpp>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace freshet::base {

namespace json = boost::json;

/// Limits of a document.
inline constexpr std::size_t max_json_depth = 512;

/// Parses one JSON text in UTF-8. Refuses depth over max_json_depth, non-finite numbers (1e999)
/// and duplicate keys only if `strict`. Error: invalid_json, with the byte where it stopped.
[[nodiscard]] result<json::value> parse_json(std::string_view text, bool strict = false,
                                             json::storage_ptr storage = {});

/// What parsing a text of others may take.
struct json_bounds {
  meter* counted = nullptr;  ///< null: nobody counts
  std::size_t most_objects = std::numeric_limits<std::size_t>::max();
};
/// The same, counted: a step for each value and for some bytes, and for each object as many as
/// whoever reads it is likely to take. Error: invalid_json also for more objects than there may be.
/// Throws what the meter throws.
[[nodiscard]] result<json::value> parse_json(std::string_view text, const json_bounds& within,
                                             json::storage_ptr storage);

/// The member `key` of an object; null value if `parent` is no object or has no such key.
[[nodiscard]] const json::value& member(const json::value& parent, std::string_view key) noexcept;
/// member(member(from, a), b), and so on.
template <class... Keys>
[[nodiscard]] const json::value& member(const json::value& parent, std::string_view key,
                                        Keys... more) noexcept {
  return member(member(parent, key), more...);
}

/// A string as it is, a number or a boolean as text, anything else "".
[[nodiscard]] std::string text_of(const json::value& value);
/// The string inside, without a copy; "" if it is no string. Lives as long as `value`.
[[nodiscard]] std::string_view view_of(const json::value& value) noexcept;
/// An integer, a float that is whole, or a string of digits; null otherwise and beyond 64 bits.
[[nodiscard]] std::optional<std::int64_t> integer_of(const json::value& value) noexcept;
/// A finite number, or a string that is one.
[[nodiscard]] std::optional<double> number_of(const json::value& value) noexcept;
[[nodiscard]] std::optional<bool> flag_of(const json::value& value) noexcept;
/// The elements; an empty array if it is none.
[[nodiscard]] const json::array& array_of(const json::value& value) noexcept;
/// The members; an empty object if it is none.
[[nodiscard]] const json::object& object_of(const json::value& value) noexcept;

/// Appends `text` as a JSON string, quotes included; ill-formed UTF-8 becomes U+FFFD.
void append_json_string(std::string& out, std::string_view text);

}  // namespace freshet::base
