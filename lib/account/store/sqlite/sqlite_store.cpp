// Opening the file, and its transactions. After a failure it makes sure that the file is what it
// was before, or says that nobody knows. A file that lacks what it was known to have is not opened.
#include <account/store/sqlite/book_copy.hpp>
#include <account/store/sqlite/book_state.hpp>
#include <account/store/sqlite/schema.hpp>
#include <account/store/sqlite/sqlite_store.hpp>

namespace freshet::account {
namespace {

using sqlite::database_use;
using sqlite::sqlite_code;
using sqlite::sqlite_ok;

constexpr const char* last_seq_sql = "SELECT ifnull(max(seq), 0) FROM ledger";
/// The latest moment of all: that of the last top, or of what lies behind it.
constexpr const char* newest_sql =
    "SELECT max(ifnull((SELECT max(top) FROM ledger_tops), 0), ifnull((SELECT max(at) FROM ledger "
    "WHERE seq>=ifnull((SELECT max(seq) FROM ledger_tops), 0)), 0))";

}  // namespace

result<void> sqlite_store::open(const account_store_options& options) {
  path_ = options.path;
  in_memory_ = path_ == ":memory:";
  writer_.fail = options.fail;
  if (auto done = open_files(options); !done) return done;
  if (auto done = check_pepper(); !done) return done;
  if (!in_memory_) {
    if (auto whole = check_head(writer_, path_, pepper_); !whole) return whole;
    if (auto done = mark_open(); !done) return done;
    head_.open(head_path(path_));
  }
  const auto newest = writer_.integer(newest_sql);
  if (!newest) return newest.error();
  transaction_ = std::make_unique<sqlite_transaction>(
      writer_, path_, time_point(std::chrono::milliseconds(*newest)));
  begin_ = sqlite::statement(writer_, "begin", "BEGIN IMMEDIATE");
  commit_ = sqlite::statement(writer_, "commit", "COMMIT");
  // Whoever held them was in this file alone.
  if (writer_.execute("open", "UPDATE mails SET is_held=0 WHERE is_held=1") != sqlite_ok)
    return writer_.last_error("opening the database");
  const auto last = writer_.integer(last_seq_sql);
  if (!last) return last.error();
  committed_seq_ = *last;
  return {};
}

result<void> sqlite_store::open_files(const account_store_options& options) {
  if (!in_memory_) {
    auto taken = sqlite::file_lock::acquire(path_ + ".lock");
    if (!taken) return taken.error();
    lock_ = std::move(*taken);
    if (auto made = sqlite::make_private_file(path_); !made) return made;
  }
  const bool has_journal = in_memory_ || sqlite::is_there(journal_path(path_));
  if (auto done = writer_.open(path_, database_use::write); !done) return done;
  const auto is_backup = writer_.has_table("backup");
  if (!is_backup) return is_backup.error();
  if (*is_backup)
    return error(errc::invalid_configuration,
                 path_ + " is a backup: `freshet restore` makes a book of it");
  // What a killed process has left is needed until the book is closed in good order.
  if (has_journal) writer_.keep_journal(true);
  if (!has_journal) {
    if (auto whole = check_marked_closed(writer_, path_); !whole) return whole;
  }
  if (auto done = bring_up_to_date(options.tell); !done) return done;
  if (in_memory_) return {};
  for (sqlite::database* const one : {&lookup_reader_, &people_reader_})
    if (auto done = one->open(path_, database_use::read); !done) return done;
  reports_.begin(path_);
  return {};
}

result<void> sqlite_store::bring_up_to_date(const std::function<void(std::string_view)>& tell) {
  const auto schema = outdated_schema(writer_, migrations());
  if (!schema) return schema.error();
  const auto say = [&](const std::string& line) {
    if (tell) tell(line);
  };
  if (!*schema || in_memory_) return migrate(writer_, migrations());
  const std::string copy = path_ + ".schema-" + std::to_string(**schema);
  const std::string draft = copy + ".part";
  say("the book has schema " + std::to_string(**schema) + ": copying it to " + copy + " first");
  std::int64_t told = 0;
  const auto watch = [&](std::string_view, std::int64_t done, std::int64_t all) {
    const std::int64_t tenths = all == 0 ? 0 : 10 * done / all;
    if (tenths > told) say("copied " + std::to_string(10 * tenths) + " %");
    told = tenths;
    return true;
  };
  auto copied = copy_book(writer_, draft, watch);
  if (copied) copied = sqlite::rename_synced(draft, copy);
  if (!copied) {
    sqlite::remove_file(draft);
    return error(errc::storage_unavailable,
                 "the book is left as it is, since no copy of it can be "
                 "made before its migration: " +
                     copied.error().detail());
  }
  if (auto done = migrate(writer_, migrations(), tell); !done) return done;
  say("the book has schema " + std::to_string(migrations().back().number) + "; " + copy +
      " can be removed");
  return {};
}

result<void> sqlite_store::check_pepper() {
  bool is_new = true;
  const auto find = [&](const std::string& name, const std::string&) {
    is_new = is_new && name != pepper_check_name;
  };
  if (auto done = read_secrets(find); !done) return done;
  const std::string file = sqlite::beside(path_, "pepper");
  if (in_memory_) {
    pepper_ = base::hex(base::random_bytes(32));
  } else {
    auto loaded = sqlite::load_pepper(file, is_new);
    if (!loaded) return loaded.error();
    pepper_ = std::move(*loaded);
  }
  if (!is_new) return account::check_pepper(writer_, pepper_, file);
  const base::sha256_digest check = pepper_check_of(pepper_);
  sqlite::statement insert(writer_, "open", "INSERT INTO secrets (name, value) VALUES (?, ?)");
  if (insert.bind(pepper_check_name, check).run() != sqlite_ok)
    return writer_.last_error("storing the pepper's check");
  return {};
}

result<void> sqlite_store::mark_open() {
  writer_.keep_journal(true);
  // In the file itself, not only in its -wal: there it would be missing with what it tells of.
  if (writer_.execute("UPDATE state SET is_open=1; PRAGMA wal_checkpoint(PASSIVE)") != sqlite_ok)
    return writer_.last_error("opening " + path_);
  is_marked_ = true;
  return {};
}

sqlite_store::~sqlite_store() {
  if (!is_marked_ || !failure_.empty()) return;
  // Where that cannot be written the journal stays, as after a kill.
  const bool is_closed =
      writer_.execute("close", "UPDATE state SET is_open=0; PRAGMA wal_checkpoint(PASSIVE)") ==
      sqlite_ok;
  writer_.keep_journal(!is_closed);
}

store_status sqlite_store::write(const std::function<void(transaction&)>& steps) {
  const std::lock_guard guard(writer_.mutex);
  sqlite_transaction& running = *transaction_;
  running.begin(begin_.run());
  if (running.is_good()) steps(running);
  if (running.is_good()) running.finish();
  std::string why;
  if (running.is_good()) running.end(commit(why));
  const store_status status = running.status();
  if (status == store_status::done) {
    committed_seq_ = std::max(committed_seq_, running.last_seq());
    if (!running.head().empty()) head_.write(running.head());
    return status;
  }
  // Asked before the rollback, which has outcomes of its own.
  if (why.empty()) why = writer_.last_error("writing").detail();
  const bool is_undone = rollback();
  if (status == store_status::uncertain) return give_up(std::move(why));
  return is_undone ? status : give_up(why + "; undoing it: " + writer_.last_error("").detail());
}

store_status sqlite_store::give_up(std::string why) {
  if (failure_.empty()) failure_ = std::move(why);
  return store_status::uncertain;
}

sqlite_code sqlite_store::commit(std::string& why) {
  const bool pretends = writer_.fails("sync");
  const sqlite_code code = pretends ? sqlite::sqlite_failed_sync : commit_.run();
  if (code == sqlite::sqlite_failed_sync) why = "writing: a sync failed";
  return code;
}

bool sqlite_store::rollback() {
  // After some errors SQLite has rolled back by itself.
  if (writer_.in_transaction() && writer_.execute("ROLLBACK") != sqlite_ok) return false;
  const auto last = writer_.integer(last_seq_sql);
  return last && *last <= committed_seq_;
}

store_status sqlite_store::probe() {
  const std::lock_guard guard(writer_.mutex);
  sqlite_code code = writer_.execute("probe", "BEGIN IMMEDIATE");
  if (code == sqlite_ok) code = writer_.execute("UPDATE probe SET writes=writes+1");
  if (code == sqlite_ok) code = writer_.execute("COMMIT");
  if (code == sqlite_ok) return store_status::done;
  std::string why = writer_.last_error("probing").detail();
  if (writer_.in_transaction() && writer_.execute("ROLLBACK") != sqlite_ok)
    return give_up(std::move(why));
  return sqlite::is_uncertain(code) ? give_up(std::move(why)) : store_status::failed;
}

bool sqlite_store::answers() noexcept {
  sqlite::database& reader = lookups();
  const std::unique_lock guard(reader.mutex, std::try_to_lock);
  // Somebody reads just now: it answers.
  if (!guard.owns_lock()) return true;
  return reader.execute("SELECT only FROM probe") == sqlite_ok;
}

}  // namespace freshet::account
