// The two forms of a list's cursor: sealed in the state of a search's, and bare.
#include "engine/admin/list_page.hpp"

#include <base/clock.hpp>
#include <base/invalid_parameter.hpp>
#include <base/number.hpp>
#include <engine/gather/cursor.hpp>
#include <limits>

namespace freshet::detail {

std::int64_t list_cursor::position() const {
  return after ? base::parse_number<std::int64_t>(*after).value_or(0) : 0;
}

result<list_cursor> open_list_cursor(std::string_view text, std::string_view kind,
                                     const cursor_seal& seal) {
  list_cursor cursor{kind, std::nullopt};
  if (text.empty()) return cursor;
  auto state = read_cursor(text, seal.identity, seal.secret, base::system_clock().now());
  if (!state) return state.error();
  const auto found = state->next.find(std::string(kind));
  if (found != state->next.end()) cursor.after = std::move(found->second);
  cursor.since = state->since;
  return cursor;
}

std::string seal_list_cursor(const list_cursor& cursor, const cursor_seal& seal) {
  cursor_state state;
  state.since = cursor.since;
  state.next[std::string(cursor.kind)] = cursor.after.value_or("");
  return write_cursor(state, seal.identity, seal.secret, base::system_clock().now());
}

result<list_cursor> read_list_cursor(std::string_view text) {
  if (text.empty()) return list_cursor{};
  constexpr auto most = std::numeric_limits<std::int64_t>::max();
  if (base::parse_number<std::int64_t>(text, 1, most)) {
    return list_cursor{number_cursor, std::string(text)};
  }
  return base::invalid_parameter("/cursor", "invalid_format",
                                 "give the next_cursor of the page before");
}

}  // namespace freshet::detail
