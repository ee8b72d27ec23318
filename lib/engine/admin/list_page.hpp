// One page of a list of an account or of the administration: its elements, and where the list goes
// on: behind the last one that was given. A caller's cursor is sealed like that of a search; an
// operator, who may see everything, gets the bare number, which scripts may keep.
#pragma once

#include <cstdint>
#include <freshet/item.hpp>
#include <freshet/result.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace freshet::detail {

/// By what the element is known behind which a list goes on. Stands in callers' cursors.
inline constexpr std::string_view number_cursor = "account";
inline constexpr std::string_view group_cursor = "group";

/// A place in a list.
struct list_cursor {
  std::string_view kind = number_cursor;  ///< number_cursor or group_cursor
  std::optional<std::string> after;       ///< null at the start
  std::optional<time_point> since = {};   ///< the whole list is read from one moment on

  /// `after` as a number; 0 at the start.
  [[nodiscard]] std::int64_t position() const;
};

/// To what a caller's cursor belongs: it is of no use for another account or other parameters.
struct cursor_seal {
  std::string identity;
  std::string_view secret;
};

/// Cuts a list that was read one element too long; the element behind which it goes on, as
/// `name_of` has it, or null where nothing was cut.
template <class Element, class Name>
[[nodiscard]] std::optional<std::string> cut_list(std::vector<Element>& list, std::size_t limit,
                                                  Name name_of) {
  if (list.size() <= limit) return std::nullopt;
  list.erase(list.begin() + static_cast<std::ptrdiff_t>(limit), list.end());
  return name_of(list.back());
}

/// Appends the elements as an array: `append` gets the text and an element.
template <class Element, class Append>
void append_list(std::string& out, const std::vector<Element>& list, Append append) {
  out += '[';
  for (const auto& one : list) {
    if (&one != &list.front()) out += ',';
    append(out, one);
  }
  out += ']';
}

/// A caller's cursor; empty: the start. Error: invalid_cursor.
[[nodiscard]] result<list_cursor> open_list_cursor(std::string_view text, std::string_view kind,
                                                   const cursor_seal& seal);
[[nodiscard]] std::string seal_list_cursor(const list_cursor& cursor, const cursor_seal& seal);

/// An operator's cursor; empty: the start. Error: invalid_request.
[[nodiscard]] result<list_cursor> read_list_cursor(std::string_view text);

}  // namespace freshet::detail
