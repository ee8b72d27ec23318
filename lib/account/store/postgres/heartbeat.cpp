// A beat that finds no row of its own is that of a node that was retired.
#include <account/store/postgres/heartbeat.hpp>
#include <account/store/postgres/nodes.hpp>
#include <new>
#include <utility>

namespace freshet::account::on_postgres {

using postgres::pg_connection;
using postgres::pg_outcome;
using postgres::pg_statement;
using steady = std::chrono::steady_clock;

namespace {

constexpr std::chrono::seconds beat_interval{1};
constexpr int beats_before_judging = gone_after / beat_interval;
/// One that is slow to answer must not look like one that is gone.
constexpr std::chrono::seconds beat_timeout{5};
/// Who was itself not seen for so long, whatever kept it, does not know whether others were kept,
/// too.
constexpr std::chrono::seconds long_gap{3};

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
  where_.is_gone = nullptr;  // it is the one that finds out
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

bool heartbeat::is_unheard() const noexcept {
  const auto asked_at = asked_at_.load();
  return asked_at != 0 &&
         steady::now().time_since_epoch() - steady::duration(asked_at) > beat_timeout;
}

bool heartbeat::connect() {
  beats_ = 0;
  if (!on_.open(where_)) return false;
  if (on_.execute(wait_for_no_disk) == pg_outcome::done) return true;
  on_.close();
  return false;
}

std::optional<bool> heartbeat::beat() {
  if (asked_at_ == 0) asked_at_ = steady::now().time_since_epoch().count();
  if (!on_.is_open() && !connect()) return std::nullopt;
  pg_statement put(on_, "beat", put_beat);
  if (put.bind(node_).run() != pg_outcome::done) return std::nullopt;
  asked_at_ = 0;
  const auto now = steady::now();
  if (now - std::exchange(answered_at_, now) > long_gap) beats_ = 0;
  return put.next();
}

bool heartbeat::renew() {
  try {
    const auto told = beat();
    is_answered_ = told.has_value();
    if (!told || !*told) return !told;
    // Who was away itself has not seen whether others were there. What cannot be done now is done
    // by the next beat, or by another server.
    if (++beats_ > beats_before_judging) static_cast<void>(retire_unseen(on_, node_));
    if (const auto others = count_peers(on_, node_)) peers_ = static_cast<int>(*others);
    return true;
  } catch (const std::bad_alloc&) {
    return true;  // the next one comes in a second
  }
}

}  // namespace freshet::account::on_postgres
