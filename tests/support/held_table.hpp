// A table of PostgreSQL's that a test holds with its parts, so that whoever reads it waits.
#pragma once

#include <catch2/catch.hpp>
#include <postgres/postgres.hpp>
#include <string>

#include "eventually.hpp"

namespace freshet::test {

class held_table {
 public:
  held_table(const std::string& url, const std::string& table) {
    postgres::connection_options where;
    where.url = url;
    where.idle_timeout = {};
    REQUIRE(holder_.open(where));
    REQUIRE(beside_.open(where));
    REQUIRE(holder_.execute(("BEGIN; LOCK TABLE " + table).c_str()) == postgres::pg_outcome::done);
  }

  /// The server's process that waits for it, once there is one.
  [[nodiscard]] std::int64_t who_waits() const {
    std::int64_t pid = 0;
    CHECK(eventually([&] {
      pid =
          ask("SELECT coalesce(max(pid), 0) FROM pg_locks JOIN pg_class ON relation=pg_class.oid "
              "WHERE NOT granted AND relnamespace=current_schema()::regnamespace");
      return pid != 0;
    }));
    return pid;
  }
  [[nodiscard]] bool is_gone(std::int64_t pid) const {
    return ask("SELECT count(*) FROM pg_stat_activity WHERE pid=" + std::to_string(pid)) == 0;
  }

 private:
  [[nodiscard]] std::int64_t ask(const std::string& sql) const {
    return beside_.integer(sql.c_str()).value();
  }

  mutable postgres::pg_connection holder_, beside_;
};

}  // namespace freshet::test
