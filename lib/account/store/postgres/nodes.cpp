// A connection is known by its process in the server and by when it began: numbers of processes are
// used again.
#include <unistd.h>
#include <account/store/postgres/nodes.hpp>
#include <base/digest.hpp>
#include <chrono>
#include <thread>

namespace freshet::account::on_postgres {

using postgres::pg_connection;
using postgres::pg_outcome;
using postgres::pg_statement;

namespace {

constexpr std::chrono::milliseconds lock_pause{20};
/// Tried once.
constexpr std::chrono::seconds at_once{-1};
/// For PostgreSQL to see that a process was killed.
constexpr std::chrono::seconds former_patience{2};
constexpr std::size_t token_bytes = 16;

/// One for every database, and in it for every schema: servers share it.
constexpr const char* enter_shared =
    "SELECT pg_try_advisory_lock_shared(hashtext('freshet writer'), "
    "hashtext(current_schema()))::int";
constexpr const char* enter_alone =
    "SELECT pg_try_advisory_lock(hashtext('freshet writer'), hashtext(current_schema()))::int";
/// One for each node.
constexpr const char* lock_node =
    "SELECT pg_try_advisory_lock(hashtext('freshet node '||current_schema()), $1::bigint::int)"
    "::int";

constexpr const char* insert_node =
    "WITH node AS (INSERT INTO nodes (name, token) VALUES ($1, $2) RETURNING id) "
    "INSERT INTO heartbeats (node, seen_at, backend, connected_at) "
    "SELECT node.id, clock_timestamp(), pid, backend_start FROM node, pg_stat_activity "
    "WHERE pid=pg_backend_pid() RETURNING node";
constexpr const char* put_connection =
    "UPDATE heartbeats SET seen_at=clock_timestamp(), backend=pid, connected_at=backend_start "
    "FROM pg_stat_activity WHERE node=$1 AND pid=pg_backend_pid() RETURNING node";
constexpr const char* end_connection =
    "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity "
    "JOIN heartbeats ON backend=pid AND connected_at=backend_start "
    "WHERE node=$1 AND pid<>pg_backend_pid()";
/// Who judges was seen so long ago at most, when it is judged.
constexpr std::chrono::seconds judge_seen{3};
/// Which nodes are gone.
constexpr const char* unseen =
    "seen_at<clock_timestamp()-$1*interval '1 second' AND EXISTS (SELECT 1 FROM heartbeats AS "
    "judge WHERE judge.node=$2 AND judge.seen_at>=clock_timestamp()-$3*interval '1 second')";
/// Before they are retired: one may stand still amid a transaction.
constexpr const char* end_unseen =
    "SELECT count(*), count(pg_terminate_backend(pid)) FROM heartbeats "
    "LEFT JOIN pg_stat_activity ON backend=pid AND connected_at=backend_start WHERE ";

constexpr const char* retire_one =
    "UPDATE nodes SET retired_at=now() WHERE id=$1 AND retired_at IS NULL";
constexpr const char* find_named = "SELECT id FROM nodes WHERE token=$1 AND retired_at IS NULL";
constexpr const char* retire_all_unseen =
    "UPDATE nodes SET retired_at=now() FROM heartbeats WHERE node=id AND retired_at IS NULL AND ";
constexpr const char* remove_traces =
    "DELETE FROM leases USING nodes WHERE node=id AND retired_at IS NOT NULL; "
    "DELETE FROM running_calls USING nodes WHERE node=id AND retired_at IS NOT NULL; "
    "DELETE FROM heartbeats USING nodes WHERE node=id AND retired_at IS NOT NULL; COMMIT";

std::string host_name() {
  std::string name(256, '\0');
  if (::gethostname(name.data(), name.size() - 1) != 0) return "unknown";
  name.resize(name.find('\0'));
  return name;
}

/// Tries a statement that takes a lock, or gives 0, for so long.
template <class... Values>
result<bool> lock_in_time(pg_connection& connection, const char* sql, std::chrono::seconds patience,
                          const Values&... values) {
  const auto until = std::chrono::steady_clock::now() + patience;
  for (;;) {
    pg_statement lock(connection, "open", sql);
    if (lock.bind(values...).run() != pg_outcome::done || !lock.next())
      return connection.last_error("opening the database");
    if (lock.integer(0) != 0) return true;
    if (std::chrono::steady_clock::now() > until) return false;
    std::this_thread::sleep_for(lock_pause);
  }
}

template <class... Values>
result<void> retire_where(pg_connection& connection, const std::string& sql,
                          const Values&... values) {
  pg_statement mark(connection, "retire", sql);
  if (begin_alone(connection) == pg_outcome::done &&
      mark.bind(values...).run() == pg_outcome::done &&
      connection.execute("retire", remove_traces) == pg_outcome::done)
    return {};
  auto failed = connection.last_error("retiring a server");
  if (connection.in_transaction() && connection.execute("ROLLBACK") != pg_outcome::done)
    connection.close();
  return failed;
}

}  // namespace

pg_outcome begin_alone(pg_connection& connection) {
  return connection.execute(("BEGIN; " + std::string(take_turn)).c_str());
}

result<node_identity> add_node(pg_connection& connection) {
  node_identity made{0, base::hex(base::random_bytes(token_bytes))};
  pg_statement add(connection, "open", insert_node);
  if (add.bind(host_name(), made.token).run() != pg_outcome::done || !add.next())
    return connection.last_error("opening the database");
  made.id = add.integer(0);
  return made;
}

result<bool> is_in_service(pg_connection& connection, std::int64_t node) {
  pg_statement find(connection, "open", "SELECT 1 FROM nodes WHERE id=$1 AND retired_at IS NULL");
  if (find.bind(node).run() != pg_outcome::done)
    return connection.last_error("looking for the server in the database");
  return find.next();
}

result<void> enter(pg_connection& connection, const std::string& url) {
  const auto entered = lock_in_time(connection, enter_shared, lock_patience);
  if (!entered) return entered.error();
  if (*entered) return {};
  return error(errc::invalid_configuration,
               postgres::shown_url(url) +
                   " is in use by somebody who writes alone: `freshet migrate`, or a server of an "
                   "older program; wait until it has ended, or stop it");
}

result<bool> take_over(pg_connection& connection, std::int64_t node) {
  const auto locked = lock_in_time(connection, lock_node, at_once, node);
  if (!locked) return locked;
  if (!*locked) {
    pg_statement end(connection, "open", end_connection);
    if (end.bind(node).run() != pg_outcome::done)
      return connection.last_error("ending a lost connection");
    return false;
  }
  pg_statement put(connection, "open", put_connection);
  if (put.bind(node).run() != pg_outcome::done)
    return connection.last_error("opening the database");
  return put.next();
}

result<void> lock_alone(pg_connection& connection, const std::string& url,
                        std::chrono::seconds patience) {
  const auto locked = lock_in_time(connection, enter_alone, patience);
  if (!locked) return locked.error();
  if (*locked) return {};
  return error(errc::invalid_configuration, postgres::shown_url(url) +
                                                " is in use by a server: stop every server that "
                                                "writes to it");
}

result<void> retire(pg_connection& connection, std::int64_t node) {
  return retire_where(connection, retire_one, node);
}

result<void> retire_former(pg_connection& connection, const std::string& token) {
  pg_statement find(connection, "open", find_named);
  if (find.bind(std::string_view(token)).run() != pg_outcome::done)
    return connection.last_error("looking for the folder's last server");
  if (!find.next()) return {};
  const std::int64_t node = find.integer(0);
  const auto locked = lock_in_time(connection, lock_node, former_patience, node);
  if (!locked) return locked.error();
  if (!*locked) return {};
  return retire(connection, node);
}

result<void> retire_unseen(pg_connection& connection, std::int64_t judge) {
  pg_statement end(connection, "retire", std::string(end_unseen) + unseen);
  if (end.bind(gone_after.count(), judge, judge_seen.count()).run() != pg_outcome::done ||
      !end.next())
    return connection.last_error("looking for servers that are gone");
  if (end.integer(0) == 0) return {};
  return retire_where(connection, std::string(retire_all_unseen) + unseen, gone_after.count(),
                      judge, judge_seen.count());
}

}  // namespace freshet::account::on_postgres
