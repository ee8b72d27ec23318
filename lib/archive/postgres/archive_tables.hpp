// An archive's tables in PostgreSQL: their numbered changes, and the parts of each platform by
// time. What is too old goes by whole parts, which costs nothing by the row.
#pragma once

#include <chrono>
#include <postgres/migrations.hpp>
#include <set>
#include <string>
#include <string_view>

namespace freshet::archive {

/// The archives' own schema: the book's and the log's know nothing of it.
[[nodiscard]] const postgres::pg_schema& archive_schema() noexcept;

/// The rows of so much time lie together, in whole hours: some fifty parts of what is kept.
[[nodiscard]] std::chrono::hours part_width(std::chrono::seconds age) noexcept;

/// The parts of one platform, in which one server at a time changes something.
class archive_parts {
 public:
  archive_parts(std::string_view platform, std::chrono::seconds age);
  /// Makes the platform's own table, where it is missing.
  [[nodiscard]] postgres::pg_outcome prepare(postgres::pg_connection& connection) const;
  /// Makes the parts that these positions want, and that of `now` and the next, so far as they are
  /// missing: a few at a time, each as large as its neighbours leave it. What finds no part lies in
  /// the rest, and moves when its part is made.
  [[nodiscard]] postgres::pg_outcome add(postgres::pg_connection& connection,
                                         const std::set<std::int64_t>& positions,
                                         std::int64_t now) const;
  /// Removes the oldest part if it ends at or before `below`; `is_gone` tells whether there was
  /// one.
  [[nodiscard]] postgres::pg_outcome drop(postgres::pg_connection& connection, std::int64_t below,
                                          bool& is_gone) const;
  /// Ends the part with this position there, if it has more bytes than that; another begins.
  [[nodiscard]] postgres::pg_outcome cut(postgres::pg_connection& connection, std::int64_t end,
                                         std::int64_t bytes) const;
  /// Sorts into the parts' indexes of words what waits to be: each search looks through that.
  [[nodiscard]] postgres::pg_outcome sort_in(postgres::pg_connection& connection) const;
  /// The platform's table.
  [[nodiscard]] const std::string& table() const noexcept { return table_; }
  [[nodiscard]] std::string rest() const { return table_ + "_rest"; }

 private:
  [[nodiscard]] postgres::pg_outcome make(postgres::pg_connection& connection, std::int64_t first,
                                          std::int64_t last) const;
  /// Where the part of a position begins, unless a neighbour reaches beyond that.
  [[nodiscard]] std::int64_t first_of(std::int64_t position) const noexcept {
    return position - position % size_;
  }
  [[nodiscard]] std::string name_of(std::int64_t first) const;

  std::string platform_, table_;
  std::int64_t size_;  ///< of a part, in positions
};

}  // namespace freshet::archive
