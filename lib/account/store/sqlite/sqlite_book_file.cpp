// Books as files: read in place, copied page by page into a backup, and out of one. A backup is one
// database with a table more, `backup`, which holds the pepper; nothing lies beside it.
#include <account/store/sqlite/book_copy.hpp>
#include <account/store/sqlite/book_state.hpp>
#include <account/store/sqlite/schema.hpp>
#include <account/store/sqlite/sqlite_book_file.hpp>
#include <account/store/sqlite/sqlite_snapshot.hpp>
#include <sqlite/database_files.hpp>
#include <thread>

namespace freshet::account {
namespace {

using sqlite::database;
using sqlite::database_use;
using sqlite::sqlite_ok;

/// How long whoever opens a book may take until its journal is there.
constexpr std::chrono::milliseconds opening_step{50};
constexpr int opening_steps = 100;

class sqlite_draft final : public book_draft {
 public:
  sqlite_draft(std::string path, std::string draft)
      : path_(std::move(path)), draft_(std::move(draft)) {}
  ~sqlite_draft() override {
    if (!is_kept_) sqlite::remove_file(draft_);
  }

  const std::string& pepper() const noexcept override { return pepper_; }
  result<void> read_snapshot(const std::function<void(ledger_snapshot&)>& read) override {
    database on;
    if (auto opened = on.open(draft_, database_use::still); !opened) return opened;
    return account::read_snapshot(on, read);
  }
  result<void> keep() override {
    if (is_book_)
      if (auto done = sqlite::write_private_file(sqlite::beside(path_, "pepper"), pepper_ + "\n");
          !done)
        return done;
    auto renamed = sqlite::rename_synced(draft_, path_);
    is_kept_ = renamed.has_value();
    return renamed;
  }
  std::int64_t bytes() const override { return sqlite::size_of(is_kept_ ? path_ : draft_); }

  void hold(sqlite::file_lock lock) { lock_ = std::move(lock); }

  /// Of an open book, with its pepper in it.
  result<void> copy_open(database& source, const std::string& pepper, const progress& watch) {
    pepper_ = pepper;
    if (auto copied = copy_book(source, draft_, watch); !copied) return copied;
    database on;
    if (auto opened = on.open(draft_, database_use::alone); !opened) return opened;
    if (on.execute("CREATE TABLE backup (only INTEGER PRIMARY KEY CHECK (only = 1), "
                   "pepper TEXT NOT NULL) STRICT") != sqlite_ok)
      return on.last_error("finishing the backup");
    sqlite::statement keep(on, "query", "INSERT INTO backup (only, pepper) VALUES (1, ?)");
    if (keep.bind(std::string_view(pepper)).run() != sqlite_ok)
      return on.last_error("finishing the backup");
    return {};
  }

  /// Of a backup, without the pepper in it.
  result<void> copy_backup(const std::string& backup, const progress& watch) {
    is_book_ = true;
    database from;
    if (auto opened = from.open(backup, database_use::still); !opened)
      return damaged(backup, opened);
    const auto is_backup = from.has_table("backup");
    if (!is_backup) return damaged(backup, is_backup.error());
    if (!*is_backup)
      return error(errc::invalid_request,
                   backup + " is no backup that `freshet backup` has made: it has no pepper");
    if (auto read = read_pepper(from); !read) return damaged(backup, read);
    if (auto copied = copy_book(from, draft_, watch); !copied) return copied;
    database on;
    if (auto opened = on.open(draft_, database_use::alone); !opened) return opened;
    // What is freed is overwritten: the pepper does not stay in the file.
    if (on.execute("PRAGMA secure_delete=ON; DROP TABLE backup; PRAGMA secure_delete=OFF") !=
        sqlite_ok)
      return damaged(backup, on.last_error("taking the pepper out"));
    if (auto done = migrate(on, migrations()); !done) return done;
    return check_pepper(on, pepper_, backup);
  }

 private:
  result<void> read_pepper(database& from) {
    sqlite::statement kept(from, "query", "SELECT pepper FROM backup");
    return kept.each_row("reading the pepper", [&] { pepper_ = kept.text(0); });
  }
  static error damaged(const std::string& backup, const result<void>& why) {
    return error(errc::invalid_request, backup + " is damaged: " + why.error().detail());
  }

  std::string path_, draft_, pepper_;
  bool is_book_ = false, is_kept_ = false;
  sqlite::file_lock lock_;
};

class sqlite_book_file final : public book_file {
 public:
  result<void> open(const std::string& path) {
    path_ = path;
    if (!sqlite::is_there(path)) return error(errc::not_found, "there is no book at " + path);
    if (auto opened = open_database(); !opened) return opened;
    if (auto fits = check_schema(on_, path); !fits) return fits;
    if (!has_journal_)
      if (auto whole = check_marked_closed(on_, path); !whole) return whole;
    const std::string file = sqlite::beside(path, "pepper");
    auto pepper = sqlite::load_pepper(file, false);
    if (!pepper) return pepper.error();
    pepper_ = std::move(*pepper);
    if (auto fits = check_pepper(on_, pepper_, file); !fits) return fits;
    return check_head(on_, path, pepper_);
  }

  const std::string& pepper() const noexcept override { return pepper_; }
  result<void> read_snapshot(const std::function<void(ledger_snapshot&)>& read) override {
    return account::read_snapshot(on_, read);
  }
  std::optional<chain_head> sound_until() const override {
    return read_sealed_text(sqlite::short_file::read(sound_path(path_)), sound_pepper());
  }
  void put_sound_until(const chain_head& head) override {
    sqlite::short_file kept;
    kept.open(sound_path(path_));
    kept.write(sealed_text(head, seal(head, sound_pepper())));
  }
  result<std::unique_ptr<book_draft>> begin_backup(const std::string& file, bool replaces,
                                                   const progress& watch) override {
    if (!replaces && sqlite::is_there(file))
      return error(errc::invalid_request, file + " is there already; --force replaces it");
    auto draft = std::make_unique<sqlite_draft>(file, file + ".part");
    if (auto copied = draft->copy_open(on_, pepper_, watch); !copied) return copied.error();
    return std::unique_ptr<book_draft>(std::move(draft));
  }

 private:
  /// Where nobody has it open nobody can while it is read: nothing but the file is touched then.
  result<void> open_database() {
    const std::string journal = journal_path(path_);
    auto taken = sqlite::file_lock::acquire(lock_path(path_));
    if (!taken && taken.error().code() != errc::invalid_configuration) return taken.error();
    if (taken) lock_ = std::move(*taken);
    has_journal_ = sqlite::is_there(journal);
    for (int i = 0; !taken && !has_journal_ && i < opening_steps; ++i) {
      std::this_thread::sleep_for(opening_step);
      has_journal_ = sqlite::is_there(journal);
    }
    if (!taken && !has_journal_)
      return error(errc::storage_unavailable, path_ + " is being opened or closed; try again");
    return on_.open(path_, has_journal_ ? database_use::read : database_use::still);
  }

  /// Another seal than the head's: a head that was only written was not verified.
  [[nodiscard]] std::string sound_pepper() const { return pepper_ + " sound"; }

  std::string path_, pepper_;
  bool has_journal_ = false;
  sqlite::file_lock lock_;
  database on_;
};

}  // namespace

result<std::unique_ptr<book_file>> open_book(const std::string& path) {
  auto opened = std::make_unique<sqlite_book_file>();
  if (auto done = opened->open(path); !done) return done.error();
  return std::unique_ptr<book_file>(std::move(opened));
}

result<std::unique_ptr<book_draft>> restore_book(const std::string& backup, const std::string& path,
                                                 const progress& watch) {
  if (!sqlite::is_there(backup)) return error(errc::invalid_request, "there is no file " + backup);
  const std::string lock = lock_path(path);
  const std::string name = lock.substr(sqlite::beside(lock, "").size());
  auto taken = sqlite::file_lock::acquire(lock);
  if (!taken) return taken.error();
  if (const std::string found = sqlite::stranger_beside(path, {name}); !found.empty()) {
    return error(errc::invalid_request, sqlite::beside(path, found) +
                                            " is there: a book is restored into an empty folder");
  }
  auto draft = std::make_unique<sqlite_draft>(path, path + ".restoring");
  draft->hold(std::move(*taken));
  if (auto copied = draft->copy_backup(backup, watch); !copied) return copied.error();
  return std::unique_ptr<book_draft>(std::move(draft));
}

}  // namespace freshet::account
