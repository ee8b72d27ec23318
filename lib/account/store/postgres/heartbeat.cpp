// A beat that finds no row of its own is that of a node that was retired.
#include <account/store/postgres/heartbeat.hpp>
#include <account/store/postgres/nodes.hpp>
#include <new>

namespace freshet::account::on_postgres {

using postgres::pg_connection;
using postgres::pg_outcome;
using postgres::pg_statement;

namespace {

constexpr std::chrono::seconds beat_interval{1};
constexpr int beats_before_judging = gone_after / beat_interval;
/// One that is slow to answer must not look like one that is gone.
constexpr std::chrono::seconds beat_timeout{5};

constexpr const char* put_beat =
    "UPDATE heartbeats SET seen_at=clock_timestamp() WHERE node=$1 RETURNING node";
constexpr const char* other_nodes =
    "SELECT count(*) FROM heartbeats WHERE node<>$1 AND "
    "seen_at>=clock_timestamp()-$2*interval '1 second'";

/// It is seen at once: a disk or a standby that holds commits up makes nobody look gone, and a beat
/// that a crash undoes is missed by nobody.
constexpr const char* wait_for_no_disk = "SET synchronous_commit=off";

}  // namespace

result<std::int64_t> count_peers(pg_connection& connection, std::int64_t node) {
  pg_statement count(connection, "beat", other_nodes);
  if (count.bind(node, gone_after.count()).run() != pg_outcome::done || !count.next())
    return connection.last_error("counting the servers");
  return count.integer(0);
}

void heartbeat::start(postgres::connection_options where, std::int64_t node, int peers) {
  where_ = std::move(where);
  where_.statement_timeout = beat_timeout;
  node_ = node;
  peers_ = peers;
  thread_ = std::thread([this] { loop(); });
}

void heartbeat::stop() {
  {
    const std::lock_guard guard(mutex_);
    is_ending_ = true;
    ended_.notify_all();
  }
  if (thread_.joinable()) thread_.join();
}

void heartbeat::on_loss(std::function<void()> told) {
  const std::lock_guard guard(mutex_);
  told_ = std::move(told);
  if (is_lost_ && told_) told_();
}

void heartbeat::meet_peer() noexcept {
  int none = 0;
  peers_.compare_exchange_strong(none, 1);
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
  beats_ = 0;
  if (!on_.open(where_)) return false;
  if (on_.execute(wait_for_no_disk) == pg_outcome::done) return true;
  on_.close();
  return false;
}

bool heartbeat::renew() {
  try {
    if (!on_.is_open() && !connect()) return true;
    pg_statement put(on_, "beat", put_beat);
    if (put.bind(node_).run() != pg_outcome::done) return true;
    if (!put.next()) return false;
    // Who was away itself has not seen whether others were there. What cannot be done now is done
    // by the next beat, or by another server.
    if (++beats_ > beats_before_judging) static_cast<void>(retire_unseen(on_));
    if (const auto others = count_peers(on_, node_)) peers_ = static_cast<int>(*others);
    return true;
  } catch (const std::bad_alloc&) {
    return true;  // the next one comes in a second
  }
}

}  // namespace freshet::account::on_postgres
