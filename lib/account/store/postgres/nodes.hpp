// Which servers write to the book: nodes, each with a number that is never used twice. A node is in
// service until it retires or, by the clock of the database, has not been seen for a while: then
// the others count it as gone. What was leased to it is free again, and nothing that it still sends
// is taken: a clock decides who is let in, never what is in the book.
//
// Whatever is said here of a node is written with the lock that every transaction of a store takes
// first, so that a node is never retired amid one of its own.
#pragma once

#include <chrono>
#include <postgres/postgres.hpp>
#include <string>
#include <string_view>

namespace freshet::account::on_postgres {

/// Waits in a transaction until no other one of a store runs beside it.
inline constexpr std::string_view take_turn = "SELECT 1 FROM state FOR UPDATE";
/// Begins one that does so.
[[nodiscard]] postgres::pg_outcome begin_alone(postgres::pg_connection& connection);

/// A node that has not been seen for so long counts as gone.
inline constexpr std::chrono::seconds gone_after{10};

/// Who a node is: its number, and a name that no node of any database has.
struct node_identity {
  std::int64_t id = 0;
  std::string token;
};

/// Gives a new node its number and its first sign of life. Error: storage_unavailable.
[[nodiscard]] result<node_identity> add_node(postgres::pg_connection& connection);
/// Whether the node is in service. Error: storage_unavailable.
[[nodiscard]] result<bool> is_in_service(postgres::pg_connection& connection, std::int64_t node);
/// Marks the connection as that of a server that writes, for as long as it lives; waits some
/// seconds for who writes alone. Errors: invalid_configuration (somebody does),
/// storage_unavailable.
[[nodiscard]] result<void> enter(postgres::pg_connection& connection, const std::string& url);
/// The node writes over this connection, and over no other: false while an earlier one of it is
/// there, whose end is asked for. Error: storage_unavailable.
[[nodiscard]] result<bool> take_over(postgres::pg_connection& connection, std::int64_t node);
/// How long who has just ended is waited for: its locks are held until PostgreSQL has seen that it
/// did.
inline constexpr std::chrono::seconds lock_patience{5};
/// Takes the lock of who writes alone, for as long as the connection lives. Errors:
/// invalid_configuration (a server is there), storage_unavailable.
[[nodiscard]] result<void> lock_alone(postgres::pg_connection& connection, const std::string& url,
                                      std::chrono::seconds patience = lock_patience);

/// Retires a node that is known to have ended. Error: storage_unavailable.
[[nodiscard]] result<void> retire(postgres::pg_connection& connection, std::int64_t node);
/// The same of that which has this token, if one has and its connection is not there: whose folder
/// was copied lives on beside the copy.
[[nodiscard]] result<void> retire_former(postgres::pg_connection& connection,
                                         const std::string& token);
/// Retires all that have not been seen for a while, and ends their connections. Nobody is retired
/// where the node that judges has not been seen just now either: a database that stood still has
/// seen nobody.
[[nodiscard]] result<void> retire_unseen(postgres::pg_connection& connection, std::int64_t judge);

}  // namespace freshet::account::on_postgres
