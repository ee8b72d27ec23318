// Both halves go in one message. PostgreSQL ends a transaction before it says that its COMMIT is
// done, and what follows an error in a message is not run.
#include <account/store/postgres/durability.hpp>
#include <account/store/postgres/nodes.hpp>

namespace freshet::account::on_postgres {

using postgres::pg_connection;
using postgres::pg_outcome;

namespace {

/// Behind the lock that all wait for. Any other is held by nobody who commits.
constexpr std::chrono::milliseconds short_wait{250};
/// A mark that belongs to a transaction, which then has a commit to wait for. It changes no row.
constexpr const char* leave_mark = "SELECT pg_logical_emit_message(true, 'freshet', '')";
constexpr const char* both_halves = "COMMIT; SELECT pg_logical_emit_message(true, 'freshet', '')";
constexpr const char* leave_mark_of_reader =
    "BEGIN; SET LOCAL synchronous_commit=local; SELECT pg_logical_emit_message(true, 'freshet', "
    "'') WHERE NOT pg_is_in_recovery(); COMMIT";

}  // namespace

std::string wait_at_most(std::chrono::milliseconds wait) {
  return "SET LOCAL lock_timeout=" + std::to_string(wait.count());
}

pg_outcome begin_for(pg_connection& connection, commit_form form, std::chrono::milliseconds wait) {
  std::string sql = "BEGIN; ";
  if (form == commit_form::in_halves) sql += "SET LOCAL synchronous_commit=off; ";
  sql += wait_at_most(wait) + "; ";
  sql.append(take_turn) += "; " + wait_at_most(short_wait);
  return connection.execute(sql.c_str());
}

pg_outcome commit_durably(pg_connection& connection, commit_form form, bool& is_in) {
  is_in = false;
  if (connection.fails("commit")) return pg_outcome::failed;
  if (connection.fails("reply")) {
    // As if it were lost between the halves.
    is_in = connection.execute("COMMIT") == pg_outcome::done;
    connection.close();
    return pg_outcome::lost;
  }
  std::size_t done = 0;
  const char* const sql = form == commit_form::in_halves ? both_halves : "COMMIT";
  const auto became = connection.execute_each(sql, done);
  is_in = done > 0;
  return became;
}

pg_outcome make_durable(pg_connection& connection) { return connection.execute(leave_mark); }

pg_outcome settle_reading(pg_connection& connection) {
  return connection.execute(leave_mark_of_reader);
}

}  // namespace freshet::account::on_postgres
