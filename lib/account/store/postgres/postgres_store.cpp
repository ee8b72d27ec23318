// Opening the database, its transactions, and what is done when it goes away in the middle of one.
#include <account/store/pepper_check.hpp>
#include <account/store/postgres/durability.hpp>
#include <account/store/postgres/nodes.hpp>
#include <account/store/postgres/postgres_store.hpp>
#include <account/store/postgres/schema.hpp>
#include <sqlite/database_files.hpp>

namespace freshet::account::on_postgres {

using postgres::pg_connection;
using postgres::pg_outcome;
using postgres::pg_statement;

namespace {

/// Connections beside the one that writes: few, for a server of PostgreSQL has about a hundred.
constexpr std::size_t most_lookups = 4, most_reports = 4;
/// What waits for a lookup is a call; what waits for a report is a person. Readers wait for a lock
/// only while a table is altered.
constexpr std::chrono::seconds lookup_timeout{5}, lookup_lock_timeout{1}, report_timeout{60};
/// Between two tries to reach a server that does not answer.
constexpr std::chrono::milliseconds first_pause{50}, longest_pause{2'000};
/// The others wait for a transaction that stands still.
constexpr std::chrono::seconds longest_standstill{3};
/// For the lock that every transaction takes: beyond it somebody has it who is no server, as a
/// person at the database. Then it is only looked at.
constexpr std::chrono::milliseconds longest_turn = longest_standstill + first_pause, look{500};
/// The token of the node that a data folder has had last.
constexpr const char* node_file = "/node";

std::string counts_as_gone(const std::string& url) {
  return "the other servers count this one as gone: " + postgres::shown_url(url) +
         " had seen no sign of life of it for " + std::to_string(gone_after.count()) + " s";
}

}  // namespace

postgres_store::~postgres_store() {
  ears_.stop();
  sign_.stop();
  // So that nobody waits for what is leased to it. Where that fails the others see that it is gone.
  if (node_ != 0 && failure_.empty() && writer_.is_open())
    static_cast<void>(retire(writer_, node_));
}

result<void> postgres_store::open(const account_store_options& options) {
  where_.url = options.path;
  where_.idle_timeout = longest_standstill;
  where_.is_gone = [this] { return sign_.is_unheard(); };
  if (auto done = open_writer(options); !done) return done;
  transaction_ = std::make_unique<postgres_transaction>(writer_, node_);
  auto reading = where_;
  reading.statement_timeout = lookup_timeout;
  reading.lock_timeout = lookup_lock_timeout;
  lookups_.begin(reading, most_lookups);
  reading.statement_timeout = report_timeout;
  reports_.begin(reading, most_reports);
  replica_ = options.replica;
  return {};
}

result<void> postgres_store::open_writer(const account_store_options& options) {
  writer_.fail = options.fail;
  if (auto done = writer_.open(where_); !done)
    return error(done.error().code(),
                 postgres::shown_url(where_.url) + ": " + done.error().detail());
  if (auto entered = enter(writer_, where_.url); !entered) return entered;
  if (auto done = migrate(writer_, options.tell); !done) return done;
  // Who may not do that could never say that a commit lasts.
  if (make_durable(writer_) != pg_outcome::done) return writer_.last_error("opening the database");
  // Of servers that start at once one makes what is missing.
  if (begin_alone(writer_) != pg_outcome::done) return writer_.last_error("opening the database");
  const auto taken = take_pepper(options.folder);
  const auto ended = writer_.execute(taken ? "COMMIT" : "ROLLBACK");
  if (!taken) return taken;
  if (ended != pg_outcome::done) return writer_.last_error("opening the database");
  return add_this_node(options.folder);
}

result<void> postgres_store::add_this_node(const std::string& folder) {
  sqlite::short_file known;
  if (auto held = sqlite::file_lock::acquire(folder + node_file + ".lock")) {
    folder_ = std::move(*held);
    const std::string before = sqlite::short_file::read(folder + node_file);
    if (!before.empty())
      if (auto ended = retire_former(writer_, before); !ended) return ended;
    known.open(folder + node_file);
  }
  const auto node = add_node(writer_);
  if (!node) return node.error();
  known.write(node->token);
  node_ = node->id;
  const auto locked = take_over(writer_, node_);
  if (!locked) return locked.error();
  const auto peers = count_peers(writer_, node_);
  if (!peers) return peers.error();
  if (auto listening = ears_.start(where_, node_); !listening) return listening;
  sign_.start(where_, node_, static_cast<int>(*peers));
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
  const auto serves = is_in_service(writer_, node_);
  if (serves && !*serves) {
    give_up(counts_as_gone(where_.url));
    return false;
  }
  // While it is not taken over, our own lost connection is still there.
  const auto taken = serves && enter(writer_, where_.url) ? take_over(writer_, node_) : false;
  if (!taken || !*taken) {
    writer_.close();
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
  give_up(
      postgres::shown_url(where_.url) +
      " is not what it was: what had been committed is not there; it was put back to an earlier "
      "moment");
  return false;
}

pg_outcome postgres_store::begin() {
  if (writer_.fails("begin")) return pg_outcome::failed;
  form_ = sign_.peers() > 0 ? commit_form::in_halves : commit_form::whole;
  const auto begun = begin_for(writer_, form_, is_held_up_ ? look : longest_turn);
  is_held_up_ = begun == pg_outcome::held;
  // Not one account's: nobody can be charged.
  if (is_held_up_) return pg_outcome::failed;
  if (begun != pg_outcome::done) return begun;
  bool serves = false;
  const auto counted = transaction_->find_end(batches_ + 1, serves);
  if (counted == pg_outcome::done && !serves) give_up(counts_as_gone(where_.url));
  return counted;
}

store_status postgres_store::write(const std::function<void(transaction&)>& steps) {
  const std::lock_guard guard(mutex_);
  if (!failure_.empty()) return store_status::uncertain;
  if (!is_ready()) return failure_.empty() ? store_status::failed : store_status::uncertain;
  pg_outcome begun = begin();
  // It was lost since the last time: nothing has been done yet.
  if (begun == pg_outcome::lost && is_ready()) begun = begin();
  if (!failure_.empty()) {
    writer_.close();
    return store_status::uncertain;
  }
  postgres_transaction& running = *transaction_;
  running.begin(begun);
  if (running.is_good()) steps(running);
  running.flush();
  if (running.is_good() && writer_.fails("sync")) {
    writer_.close();
    return give_up("writing: a sync failed");
  }
  const bool is_sent = running.is_good();
  bool is_in = false;
  if (is_sent) running.end(commit_durably(writer_, form_, is_in));
  if (running.is_good()) {
    ++batches_;
    return store_status::done;
  }
  if (is_in || (is_sent && running.is_lost())) return resolve_commit();
  if (!writer_.is_open() ||
      (writer_.in_transaction() && writer_.execute("ROLLBACK") != pg_outcome::done))
    writer_.close();
  return running.status();
}

store_status postgres_store::resolve_commit() {
  auto wait = first_pause;
  for (;;) {
    // Its lock is ours again: the connection that was lost has ended, and with it the transaction.
    // So it has where this node was retired, which waits for whatever it has under way.
    if (reconnect() || (!failure_.empty() && writer_.is_open())) {
      pg_statement count(writer_, "open", "SELECT batches FROM nodes WHERE id=$1");
      if (count.bind(node_).run() == pg_outcome::done && count.next()) {
        const std::int64_t found = count.integer(0);
        if (found == batches_) return store_status::failed;
        if (found != batches_ + 1)
          return give_up("what had been committed is not in the database any more");
        // It is seen, which a crash may yet undo.
        if (make_durable(writer_) == pg_outcome::done) {
          ++batches_;
          return store_status::done;
        }
      }
      away_ = true;
      writer_.close();
    }
    if (!failure_.empty()) return store_status::uncertain;
    if (away_told_) away_told_();
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

void postgres_store::on_news(std::function<void(const peer_news&)> told) {
  if (!told) return ears_.on_news(nullptr);
  ears_.on_news([this, told = std::move(told)](const peer_news& what) {
    // A peer wants credits before its first beat is counted.
    if (what.what == peer_news::kind::recall) sign_.meet_peer();
    told(what);
  });
}

store_status postgres_store::probe() {
  const std::lock_guard guard(mutex_);
  if (writer_.fails("probe")) return store_status::failed;
  if (!failure_.empty()) return store_status::uncertain;
  // One message, one transaction.
  const std::string write_nothing = wait_at_most(look) + "; UPDATE state SET probes=probes+1";
  pg_outcome became = is_ready() ? writer_.execute(write_nothing.c_str()) : pg_outcome::failed;
  if (became == pg_outcome::lost && is_ready()) became = writer_.execute(write_nothing.c_str());
  if (became == pg_outcome::done) return store_status::done;
  return failure_.empty() ? store_status::failed : store_status::uncertain;
}

bool postgres_store::answers() noexcept { return sign_.is_answered(); }

}  // namespace freshet::account::on_postgres
