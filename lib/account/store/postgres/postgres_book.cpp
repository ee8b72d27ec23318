// A book in PostgreSQL for who verifies it, beside the server that writes it. It is copied by the
// database's own tools, so that nothing here makes a backup.
#include <account/store/pepper_check.hpp>
#include <account/store/postgres/postgres_book.hpp>
#include <account/store/postgres/postgres_snapshot.hpp>
#include <account/store/postgres/schema.hpp>
#include <sqlite/database_files.hpp>

namespace freshet::account::on_postgres {
namespace {

using postgres::pg_outcome;

class postgres_book final : public book_file {
 public:
  result<void> open(const book_place& at) {
    if (at.folder.empty())
      return error(errc::invalid_configuration, "storage.data_dir: name the folder of the pepper");
    const std::string url = postgres::shown_url(at.database);
    if (auto opened = open_for_snapshot(on_, at.database); !opened)
      return error(opened.error().code(), url + ": " + opened.error().detail());
    if (auto fits = check(on_); !fits)
      return error(fits.error().code(), url + ": " + fits.error().detail());
    const std::string file = at.folder + "/pepper";
    auto pepper = sqlite::load_pepper(file, false);
    if (!pepper) return pepper.error();
    pepper_ = std::move(*pepper);
    sound_path_ = at.folder + "/postgres.sound";
    return check_pepper(file);
  }

  const std::string& pepper() const noexcept override { return pepper_; }
  result<void> read_snapshot(const std::function<void(ledger_snapshot&)>& read) override {
    return on_postgres::read_snapshot(on_, read);
  }
  std::optional<chain_head> sound_until() const override {
    return read_sealed_text(sqlite::short_file::read(sound_path_), sound_pepper());
  }
  void put_sound_until(const chain_head& head) override {
    sqlite::short_file kept;
    kept.open(sound_path_);
    kept.write(sealed_text(head, seal(head, sound_pepper())));
  }
  result<std::unique_ptr<book_draft>> begin_backup(const std::string&, bool,
                                                   const progress&) override {
    return error(errc::invalid_request,
                 "a book in PostgreSQL is backed up by PostgreSQL: pg_dump, or a base backup with "
                 "its WAL; keep the file pepper of the data folder with it");
  }

 private:
  result<void> check_pepper(const std::string& file) {
    postgres::pg_statement known(on_, "query", "SELECT value FROM secrets WHERE name=$1");
    if (known.bind(pepper_check_name).run() != pg_outcome::done)
      return on_.last_error("reading the secrets");
    const base::sha256_digest wanted = pepper_check_of(pepper_);
    if (known.next() && known.text(0) == base::as_text(wanted)) return {};
    return error(errc::invalid_configuration, file + " does not belong to the database");
  }
  /// Another seal than the head's: a head that was only written was not verified.
  [[nodiscard]] std::string sound_pepper() const { return pepper_ + " sound"; }

  std::string pepper_, sound_path_;
  postgres::pg_connection on_;
};

}  // namespace

result<std::unique_ptr<book_file>> open_book(const book_place& at) {
  auto opened = std::make_unique<postgres_book>();
  if (auto done = opened->open(at); !done) return done.error();
  return std::unique_ptr<book_file>(std::move(opened));
}

error no_restore() {
  return error(errc::invalid_request,
               "a book in PostgreSQL is restored by PostgreSQL: pg_restore, and the file pepper "
               "that was kept with it, into the data folder");
}

}  // namespace freshet::account::on_postgres
