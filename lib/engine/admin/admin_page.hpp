// A page of a list that an operator reads: how much of it and where it goes on, out of the
// command's arguments.
#pragma once

#include <engine/admin/admin_command.hpp>
#include <engine/admin/list_page.hpp>
#include <model/object_writer.hpp>

namespace freshet::detail {

inline constexpr std::int64_t default_admin_page = 50;

/// Which page of a list a command asks for.
struct admin_page {
  std::size_t limit = 0;
  std::int64_t before = 0;  ///< lists are the newest first: the last number given, or 0

  /// What is read of the list: one element more than is shown tells whether it goes on.
  [[nodiscard]] int read_limit() const { return static_cast<int>(limit) + 1; }
};

/// Error: invalid_request (the cursor).
[[nodiscard]] inline result<admin_page> page_of(const admin_call& call) {
  const auto cursor = read_list_cursor(call.text("cursor"));
  if (!cursor) return cursor.error();
  const auto limit = call.integer("limit").value_or(default_admin_page);
  return admin_page{static_cast<std::size_t>(limit), cursor->position()};
}

}  // namespace freshet::detail
