// The request log's tables in PostgreSQL: their numbered changes, and their parts by time. What is
// too old goes by whole parts, which costs nothing by the row.
#pragma once

#include <chrono>
#include <postgres/migrations.hpp>
#include <string>

namespace freshet::requests {

/// The log's own schema: it and the book's know nothing of each other.
[[nodiscard]] const postgres::pg_schema& request_schema() noexcept;

/// A part has the rows of so much time, so that there are some thirty of them, whatever is kept.
struct part_widths {
  std::chrono::hours calls{24}, bodies{1};
};
[[nodiscard]] part_widths widths_for(std::chrono::seconds keep,
                                     std::chrono::seconds keep_bodies) noexcept;

enum class part_kind : std::uint8_t { calls, bodies };

/// Parts for numbers from `first` to `last`, where the newest one that is there ends at `end`,
/// which is moved on. Within a transaction that has the log's turn.
[[nodiscard]] postgres::pg_outcome add_parts(postgres::pg_connection& connection, part_kind kind,
                                             std::chrono::hours width, std::int64_t first,
                                             std::int64_t last, std::int64_t& end);
/// Removes the oldest part that ends at or before `end`; `is_gone` tells whether there was one.
/// Within a transaction that has the log's turn.
[[nodiscard]] postgres::pg_outcome drop_part(postgres::pg_connection& connection, part_kind kind,
                                             std::int64_t end, bool& is_gone);

/// Begins a transaction beside which no other server writes to the log: numbers are given in the
/// order of commits.
inline constexpr const char* take_turn =
    "UPDATE request_state SET last=greatest(last, $1)+$2"
    " RETURNING last, calls_end, bodies_end, pg_current_xact_id()::text";

}  // namespace freshet::requests
