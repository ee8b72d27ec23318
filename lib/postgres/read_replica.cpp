// A standby has at a moment what the database had written down when it was last seen at or before
// the standby's place: so far behind it is at most.
#include <new>
#include <postgres/read_replica.hpp>

namespace freshet::postgres {
namespace {

constexpr std::size_t most_connections = 4;
constexpr std::chrono::seconds look_timeout{3};
constexpr int most_first_looks = 20;
constexpr std::chrono::milliseconds first_look_pause{10};

constexpr const char* place_of_primary =
    "SELECT pg_wal_lsn_diff(pg_current_wal_flush_lsn(), '0/0')::bigint, system_identifier "
    "FROM pg_control_system()";
constexpr const char* place_of_standby =
    "SELECT pg_is_in_recovery(), "
    "coalesce(pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0'), 0)::bigint, system_identifier "
    "FROM pg_control_system()";

connection_options looking_at(const std::string& url) {
  connection_options options;
  options.url = url;
  options.statement_timeout = look_timeout;
  return options;
}

}  // namespace

read_replica::read_replica(replica_options options) : options_(std::move(options)) {
  auto reading = looking_at(options_.url);
  reading.statement_timeout = options_.statement_timeout;
  reading.wants_standby = true;
  reading.is_gone = [this] { return !is_fit_; };
  pool_.begin(std::move(reading), most_connections);
}

read_replica::~read_replica() {
  {
    const std::lock_guard guard(mutex_);
    is_ending_ = true;
    ended_.notify_all();
  }
  if (thread_.joinable()) thread_.join();
}

void read_replica::start() {
  look();
  thread_ = std::thread([this] { loop(); });
}

void read_replica::loop() {
  std::unique_lock guard(mutex_);
  while (!ended_.wait_for(guard, options_.look_interval, [this] { return is_ending_; })) {
    guard.unlock();
    look();
    guard.lock();
  }
}

void read_replica::look() {
  bool is_fit = false;
  try {
    auto why = find_fault();
    is_fit = why.empty();
    const std::lock_guard guard(mutex_);
    why_ = std::move(why);
  } catch (const std::bad_alloc&) {
    return;  // the next look comes soon
  }
  is_fit_ = is_fit;
  if (std::exchange(was_told_, true) && is_fit == was_fit_) return;
  was_fit_ = is_fit;
  if (options_.changed) options_.changed(is_fit, count().why);
}

void read_replica::note_place_of_primary() {
  if (!primary_.is_open() && !primary_.open(looking_at(options_.primary_url))) return;
  const auto at = steady::now();
  pg_statement ask(primary_, "look", place_of_primary);
  // One that is no primary has no such place; who was seen before it still counts.
  if (ask.run() != pg_outcome::done || !ask.next()) return;
  passed_.push_back({at, ask.integer(0)});
  system_ = ask.integer(1);
}

std::string read_replica::find_fault() {
  note_place_of_primary();
  if (!standby_.is_open()) {
    auto where = looking_at(options_.url);
    where.wants_standby = true;
    if (auto opened = standby_.open(where); !opened) return opened.error().detail();
  }
  std::int64_t place = 0;
  // At first nothing is known that it has passed: it is given a moment.
  for (int left = passed_.size() > 1 ? 1 : most_first_looks; left > 0; --left) {
    pg_statement ask(standby_, "look", place_of_standby);
    if (ask.run() != pg_outcome::done || !ask.next())
      return standby_.last_error("looking at it").detail();
    if (ask.integer(0) == 0) {
      standby_.close();  // of several hosts another one may be
      return "it is no standby";
    }
    if (system_ == 0) return "the database itself does not answer";
    if (ask.integer(2) != system_) return "it is a standby of another database";
    place = ask.integer(1);
    if (place >= passed_.front().place) break;
    if (left > 1) std::this_thread::sleep_for(first_look_pause);
  }
  const auto now = steady::now();
  while (passed_.size() > 1 && passed_[1].place <= place) passed_.pop_front();
  const auto behind = std::chrono::ceil<std::chrono::milliseconds>(now - passed_.front().at);
  const bool is_passed = passed_.front().place <= place;
  // What is older than anybody may be behind tells nothing more.
  while (passed_.size() > 1 && now - passed_[1].at > options_.most_behind) passed_.pop_front();
  {
    const std::lock_guard guard(mutex_);
    behind_ = behind;
  }
  if (is_passed && behind <= options_.most_behind) return {};
  return "it is too far behind";
}

result<pg_outcome> read_replica::read(connection_pool& primary,
                                      const std::function<pg_outcome(pg_connection&)>& reading) {
  if (is_fit_) {
    const auto began = steady::now();
    auto became = pool_.read(reading);
    if (became && *became == pg_outcome::done) {
      ++reads_;
      return became;
    }
    if (became && *became == pg_outcome::unwanted) return became;
    if (!became || *became == pg_outcome::lost)
      is_fit_ = false;  // until the next look
    else if (steady::now() - began >= options_.statement_timeout)
      return became;  // it would take as long there
    ++returns_;
  }
  return primary.read(reading);
}

replica_figures read_replica::count() const {
  const std::lock_guard guard(mutex_);
  return {is_fit_, why_, behind_, reads_, returns_};
}

}  // namespace freshet::postgres
