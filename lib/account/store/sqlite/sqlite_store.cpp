// Opening the file, and its transactions. After a failure it makes sure that the file is what it
// was before, or says that nobody knows.
#include <account/store/sqlite/schema.hpp>
#include <account/store/sqlite/sqlite_store.hpp>

namespace freshet::account {
namespace {

using sqlite::database_use;
using sqlite::sqlite_code;
using sqlite::sqlite_ok;

constexpr std::string_view pepper_check_name = "pepper_check";
constexpr const char* last_seq_sql = "SELECT ifnull(max(seq), 0) FROM ledger";

}  // namespace

result<std::unique_ptr<account_store>> account_store::open(const account_store_options& options) {
  auto opened = std::make_unique<sqlite_store>();
  if (auto done = opened->open(options); !done) return done.error();
  return std::unique_ptr<account_store>(std::move(opened));
}

result<void> sqlite_store::open(const account_store_options& options) {
  path_ = options.path;
  in_memory_ = path_ == ":memory:";
  writer_.fail = options.fail;
  if (auto done = open_files(); !done) return done;
  if (auto done = check_pepper(); !done) return done;
  transaction_ = std::make_unique<sqlite_transaction>(writer_);
  const auto last = writer_.integer(last_seq_sql);
  if (!last) return last.error();
  committed_seq_ = *last;
  return {};
}

result<void> sqlite_store::open_files() {
  if (!in_memory_) {
    auto taken = sqlite::file_lock::acquire(path_ + ".lock");
    if (!taken) return taken.error();
    lock_ = std::move(*taken);
    if (auto made = sqlite::make_private_file(path_); !made) return made;
  }
  if (auto done = writer_.open(path_, database_use::write); !done) return done;
  if (auto done = migrate(writer_, migrations()); !done) return done;
  if (in_memory_) return {};
  if (auto done = lookup_reader_.open(path_, database_use::read); !done) return done;
  return report_reader_.open(path_, database_use::read);
}

result<void> sqlite_store::check_pepper() {
  std::optional<std::string> known;
  const auto keep = [&](const std::string& name, const std::string& value) {
    if (name == pepper_check_name) known = value;
  };
  if (auto done = read_secrets(keep); !done) return done;
  const bool is_new = !known;
  const std::string file = sqlite::beside(path_, "pepper");
  if (in_memory_) {
    pepper_ = base::hex(base::random_bytes(32));
  } else {
    auto loaded = sqlite::load_pepper(file, is_new);
    if (!loaded) return loaded.error();
    pepper_ = std::move(*loaded);
  }
  const base::sha256_digest check = base::hmac_sha256(pepper_, "freshet pepper check");
  if (!is_new) {
    if (*known == base::as_text(check)) return {};
    return error(errc::invalid_configuration, file + " does not belong to the database");
  }
  sqlite::statement insert(writer_, "open", "INSERT INTO secrets (name, value) VALUES (?, ?)");
  if (insert.bind(pepper_check_name, check).run() != sqlite_ok)
    return writer_.last_error("storing the pepper's check");
  return {};
}

store_status sqlite_store::write(const std::function<void(transaction&)>& steps) {
  const std::lock_guard guard(writer_.mutex);
  sqlite_transaction& running = *transaction_;
  running.begin(writer_.execute("begin", "BEGIN IMMEDIATE"));
  if (running.is_good()) steps(running);
  if (running.is_good()) running.end(commit());
  const store_status status = running.status();
  if (status == store_status::done) {
    committed_seq_ = std::max(committed_seq_, running.last_seq());
    return status;
  }
  return rollback() ? status : store_status::uncertain;
}

sqlite_code sqlite_store::commit() {
  if (writer_.fails("sync")) return sqlite::sqlite_failed_sync;
  return writer_.execute("commit", "COMMIT");
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
  if (writer_.in_transaction() && writer_.execute("ROLLBACK") != sqlite_ok)
    return store_status::uncertain;
  return sqlite::is_uncertain(code) ? store_status::uncertain : store_status::failed;
}

bool sqlite_store::answers() noexcept {
  sqlite::database& reader = lookups();
  const std::unique_lock guard(reader.mutex, std::try_to_lock);
  // Somebody reads just now: it answers.
  if (!guard.owns_lock()) return true;
  return reader.execute("SELECT only FROM probe") == sqlite_ok;
}

}  // namespace freshet::account
