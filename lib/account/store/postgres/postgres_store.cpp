// Opening the database, its transactions, and what is done when it goes away in the middle of one.
#include <unistd.h>
#include <account/store/pepper_check.hpp>
#include <account/store/postgres/postgres_store.hpp>
#include <account/store/postgres/schema.hpp>
#include <sqlite/database_files.hpp>
#include <thread>

namespace freshet::account::on_postgres {

using postgres::pg_connection;
using postgres::pg_outcome;
using postgres::pg_statement;

namespace {

/// Connections beside the one that writes: few, for a server of PostgreSQL has about a hundred.
constexpr std::size_t most_lookups = 4, most_reports = 4;
/// What waits for a lookup is a call; what waits for a report is a person.
constexpr std::chrono::seconds lookup_timeout{5}, report_timeout{60};
/// Between two tries to reach a server that does not answer.
constexpr std::chrono::milliseconds first_pause{50}, longest_pause{2'000};
/// A server that has just ended holds its lock until PostgreSQL has seen that it did.
constexpr std::chrono::seconds lock_patience{5};
constexpr std::chrono::milliseconds lock_pause{20};

/// The number of no node.
constexpr std::int64_t nobody = 0;

/// One for every database, and in it for every schema.
constexpr const char* try_lock =
    "SELECT pg_try_advisory_lock(hashtext('freshet writer'), hashtext(current_schema()))::int";

std::string host_name() {
  std::string name(256, '\0');
  if (::gethostname(name.data(), name.size() - 1) != 0) return "unknown";
  name.resize(name.find('\0'));
  return name;
}

error in_use(const std::string& url) {
  return error(errc::invalid_configuration,
               postgres::shown_url(url) +
                   " is in use by another server: one at a time writes to a database; stop that "
                   "one, or give this command where it runs");
}

}  // namespace

result<void> lock_writer(pg_connection& connection, const std::string& url) {
  const auto until = std::chrono::steady_clock::now() + lock_patience;
  for (;;) {
    const auto locked = connection.integer(try_lock);
    if (!locked) return locked.error();
    if (*locked != 0) return {};
    if (auto looked = end_lost_writer(connection, nobody); !looked) return looked;
    if (std::chrono::steady_clock::now() > until) return in_use(url);
    std::this_thread::sleep_for(lock_pause);
  }
}

postgres_store::~postgres_store() = default;

result<void> postgres_store::open(const account_store_options& options) {
  where_.url = options.path;
  if (auto done = open_writer(options); !done) return done;
  transaction_ = std::make_unique<postgres_transaction>(writer_);
  sign_.start(where_, node_);
  auto reading = where_;
  reading.statement_timeout = lookup_timeout;
  lookups_.begin(reading, most_lookups);
  reading.statement_timeout = report_timeout;
  reports_.begin(reading, most_reports);
  return {};
}

result<void> postgres_store::open_writer(const account_store_options& options) {
  writer_.fail = options.fail;
  if (auto done = writer_.open(where_); !done)
    return error(done.error().code(),
                 postgres::shown_url(where_.url) + ": " + done.error().detail());
  if (auto locked = lock_writer(writer_, where_.url); !locked) return locked;
  if (auto done = migrate(writer_, migrations(), options.tell); !done) return done;
  if (auto done = take_pepper(options.folder); !done) return done;
  const auto node = add_writer(writer_, host_name());
  if (!node) return node.error();
  node_ = *node;
  return {};
}

result<void> postgres_store::take_pepper(const std::string& folder) {
  if (folder.empty())
    return error(errc::invalid_configuration, "storage.data_dir: name the folder of the pepper");
  pg_statement known(writer_, "open", "SELECT value FROM secrets WHERE name=$1");
  if (known.bind(pepper_check_name).run() != pg_outcome::done)
    return writer_.last_error("reading the secrets");
  const bool is_new = !known.next();
  if (is_new) {
    const auto accounts = writer_.integer("SELECT count(*) FROM accounts");
    if (!accounts) return accounts.error();
    if (*accounts > 0)
      return error(errc::invalid_configuration,
                   postgres::shown_url(where_.url) +
                       " has a part of a book: end the `freshet migrate` that has begun it");
  }
  const std::string file = folder + "/pepper";
  auto loaded = sqlite::load_pepper(file, is_new);
  if (!loaded) return loaded.error();
  pepper_ = std::move(*loaded);
  const base::sha256_digest check = pepper_check_of(pepper_);
  if (!is_new) {
    if (known.text(0) == base::as_text(check)) return {};
    return error(errc::invalid_configuration, file + " does not belong to the database");
  }
  pg_statement insert(writer_, "open", "INSERT INTO secrets (name, value) VALUES ($1, $2)");
  if (insert.bind(pepper_check_name, check).run() != pg_outcome::done)
    return writer_.last_error("storing the pepper's check");
  return {};
}

bool postgres_store::reconnect() {
  away_ = true;
  if (!writer_.open(where_)) return false;
  const auto locked = writer_.integer(try_lock);
  const auto writer = writer_.integer("SELECT writer FROM state");
  if (!locked || !writer) {
    writer_.close();
    return false;
  }
  if (*writer == node_) {
    // Without the lock, and with nobody else writing, it is held by our own lost connection.
    if (*locked == 0) static_cast<void>(end_lost_writer(writer_, node_));
    if (*locked == 0 || !move_writer(writer_, node_)) {
      writer_.close();
      return false;
    }
  } else {
    give_up("another server has begun to write to " + postgres::shown_url(where_.url));
    return false;
  }
  away_ = false;
  return true;
}

bool postgres_store::is_ready() {
  if (writer_.is_open()) return true;
  if (!reconnect()) return false;
  pg_statement count(writer_, "open", "SELECT batches FROM nodes WHERE id=$1");
  if (count.bind(node_).run() != pg_outcome::done || !count.next()) {
    writer_.close();
    return false;
  }
  if (count.integer(0) == batches_) return true;
  give_up(postgres::shown_url(where_.url) +
          " is not what it was: what had been committed is not there; another server has taken its "
          "place, or it was put back to an earlier moment");
  return false;
}

pg_outcome postgres_store::begin() {
  if (writer_.fails("begin")) return pg_outcome::failed;
  const std::string sql = "BEGIN; UPDATE nodes SET batches=" + std::to_string(batches_ + 1) +
                          " WHERE id=" + std::to_string(node_);
  return writer_.execute(sql.c_str());
}

store_status postgres_store::write(const std::function<void(transaction&)>& steps) {
  const std::lock_guard guard(mutex_);
  if (!failure_.empty()) return store_status::uncertain;
  if (!is_ready()) return failure_.empty() ? store_status::failed : store_status::uncertain;
  pg_outcome begun = begin();
  // It was lost since the last time: nothing has been done yet.
  if (begun == pg_outcome::lost && is_ready()) begun = begin();
  if (!failure_.empty()) return store_status::uncertain;
  postgres_transaction& running = *transaction_;
  running.begin(begun);
  if (running.is_good()) steps(running);
  running.flush();
  if (running.is_good() && writer_.fails("sync")) {
    writer_.close();
    return give_up("writing: a sync failed");
  }
  const bool is_sent = running.is_good();
  if (is_sent) {
    running.end(writer_.execute("commit", "COMMIT"));
    if (running.is_good() && writer_.fails("reply")) {
      writer_.close();
      running.end(pg_outcome::lost);
    }
  }
  if (running.is_good()) {
    ++batches_;
    return store_status::done;
  }
  if (is_sent && running.is_lost()) return resolve_commit();
  if (!writer_.is_open() ||
      (writer_.in_transaction() && writer_.execute("ROLLBACK") != pg_outcome::done))
    writer_.close();
  return running.status();
}

store_status postgres_store::resolve_commit() {
  auto wait = first_pause;
  for (;;) {
    // Its lock is ours again: the connection that was lost has ended, and with it the transaction.
    if (reconnect()) {
      pg_statement count(writer_, "open", "SELECT batches FROM nodes WHERE id=$1");
      if (count.bind(node_).run() == pg_outcome::done && count.next()) {
        const std::int64_t found = count.integer(0);
        if (found == batches_) return store_status::failed;
        if (found == batches_ + 1) {
          ++batches_;
          return store_status::done;
        }
        return give_up("what had been committed is not in the database any more");
      }
      away_ = true;
      writer_.close();
    }
    if (!failure_.empty()) return store_status::uncertain;
    if (!pause(wait)) return give_up("the server was ended before its last commit was answered");
  }
}

bool postgres_store::pause(std::chrono::milliseconds& before) {
  std::unique_lock guard(stopping_mutex_);
  const bool ends = stopped_.wait_for(guard, before, [this] { return stopping_; });
  before = std::min(before * 2, longest_pause);
  return !ends;
}

void postgres_store::stop_waiting() noexcept {
  const std::lock_guard guard(stopping_mutex_);
  stopping_ = true;
  stopped_.notify_all();
}

store_status postgres_store::give_up(std::string why) {
  if (failure_.empty()) failure_ = std::move(why);
  return store_status::uncertain;
}

void postgres_store::on_loss(std::function<void()> told) { sign_.on_loss(std::move(told)); }

store_status postgres_store::probe() {
  const std::lock_guard guard(mutex_);
  if (writer_.fails("probe")) return store_status::failed;
  if (!failure_.empty()) return store_status::uncertain;
  constexpr const char* write_nothing = "UPDATE state SET probes=probes+1";
  pg_outcome became = is_ready() ? writer_.execute(write_nothing) : pg_outcome::failed;
  if (became == pg_outcome::lost && is_ready()) became = writer_.execute(write_nothing);
  if (became == pg_outcome::done) return store_status::done;
  return failure_.empty() ? store_status::failed : store_status::uncertain;
}

bool postgres_store::answers() noexcept {
  const auto became = lookups_.read(
      [](postgres::pg_connection& on) { return on.execute("SELECT only_one FROM state"); });
  return became && *became == pg_outcome::done;
}

}  // namespace freshet::account::on_postgres
