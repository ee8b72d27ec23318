// A connection is known by its process in the server and by when it began: numbers of processes are
// used again. A book that is moved in holds the lock without a sign of life, and nobody ends it.
#include <account/store/postgres/heartbeat.hpp>
#include <new>

namespace freshet::account::on_postgres {

using postgres::pg_connection;
using postgres::pg_outcome;
using postgres::pg_statement;

namespace {

constexpr std::chrono::seconds beat_interval{1};
/// One that is slow to answer must not look like one that is gone.
constexpr std::chrono::seconds beat_timeout{5};

constexpr const char* insert_writer =
    "WITH node AS (INSERT INTO nodes (name) VALUES ($1) RETURNING id), "
    "beat AS (INSERT INTO heartbeats (node, seen_at, backend, connected_at) "
    "SELECT node.id, clock_timestamp(), pid, backend_start FROM node, pg_stat_activity "
    "WHERE pid=pg_backend_pid()) "
    "UPDATE state SET writer=node.id FROM node RETURNING node.id";
constexpr const char* put_connection =
    "UPDATE heartbeats SET seen_at=clock_timestamp(), backend=pid, connected_at=backend_start "
    "FROM pg_stat_activity WHERE node=$1 AND pid=pg_backend_pid() RETURNING node";
constexpr const char* put_beat =
    "UPDATE heartbeats SET seen_at=clock_timestamp() WHERE node=$1 "
    "AND EXISTS (SELECT 1 FROM state WHERE writer=$1) RETURNING node";

/// It is seen at once: a disk or a standby that holds commits up makes nobody look gone, and a beat
/// that a crash undoes is missed by nobody.
constexpr const char* wait_for_no_disk = "SET synchronous_commit=off";

/// A server of a schema without signs of life may still hold the lock.
constexpr const char* has_heartbeats = "SELECT (to_regclass('heartbeats') IS NOT NULL)::int";
constexpr const char* end_connection =
    "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity "
    "JOIN heartbeats ON backend=pid AND connected_at=backend_start "
    "JOIN state ON writer=node "
    "WHERE node=$1 OR seen_at<clock_timestamp()-interval '10 seconds'";

}  // namespace

result<std::int64_t> add_writer(pg_connection& connection, const std::string& name) {
  pg_statement add(connection, "open", insert_writer);
  if (add.bind(name).run() != pg_outcome::done || !add.next())
    return connection.last_error("opening the database");
  return add.integer(0);
}

bool move_writer(pg_connection& connection, std::int64_t node) {
  pg_statement put(connection, "open", put_connection);
  return put.bind(node).run() == pg_outcome::done && put.next();
}

result<void> end_lost_writer(pg_connection& connection, std::int64_t node) {
  const auto known = connection.integer(has_heartbeats);
  if (!known) return known.error();
  if (*known == 0) return {};
  pg_statement end(connection, "open", end_connection);
  if (end.bind(node).run() != pg_outcome::done)
    return connection.last_error("looking for the server that writes");
  return {};
}

heartbeat::~heartbeat() {
  {
    const std::lock_guard guard(mutex_);
    is_ending_ = true;
    ended_.notify_all();
  }
  if (thread_.joinable()) thread_.join();
}

void heartbeat::start(postgres::connection_options where, std::int64_t node) {
  where_ = std::move(where);
  where_.statement_timeout = beat_timeout;
  node_ = node;
  thread_ = std::thread([this] { loop(); });
}

void heartbeat::on_loss(std::function<void()> told) {
  const std::lock_guard guard(mutex_);
  told_ = std::move(told);
  if (is_lost_ && told_) told_();
}

void heartbeat::loop() {
  std::unique_lock guard(mutex_);
  while (!ended_.wait_for(guard, beat_interval, [this] { return is_ending_; })) {
    guard.unlock();
    const bool is_in_place = renew();
    guard.lock();
    if (is_in_place) continue;
    is_lost_ = true;
    if (told_) told_();
    return;
  }
}

bool heartbeat::connect() {
  if (!on_.open(where_)) return false;
  if (on_.execute(wait_for_no_disk) == pg_outcome::done) return true;
  on_.close();
  return false;
}

bool heartbeat::renew() {
  try {
    if (!on_.is_open() && !connect()) return true;
    pg_statement put(on_, "beat", put_beat);
    return put.bind(node_).run() != pg_outcome::done || put.next();
  } catch (const std::bad_alloc&) {
    return true;  // the next one comes in a second
  }
}

}  // namespace freshet::account::on_postgres
