#include <sys/stat.h>
#include <account/book.hpp>
#include <account/fixture.hpp>
#include <base/whole_file.hpp>
#include <catch2/catch.hpp>
#include <fstream>
#include <sqlite/sqlite.hpp>
#include <support/eventually.hpp>
#include <thread>

using namespace freshet;
using namespace freshet::account;
using namespace freshet::account::test;

namespace {

/// An open store with a key and so many debits.
struct filled_store {
  filled_store(const temporary_folder& folder, const base::clock& clock, int debits = 20)
      : options(options_for(folder.file("freshet.db"), clock, 1'000'000)) {
    store = open_or_throw(options);
    const auto account = store->create_account("a@example.com", "free").value();
    key = store->create_key(account.id, {}).value().secret;
    who = store->authenticate(key).value();
    for (int i = 0; i < debits; ++i) debit();
  }
  void debit() { REQUIRE(settle(*store, store->reserve(who, {1}).value(), 1).has_value()); }

  accounts_options options;
  std::string key;
  std::unique_ptr<accounts> store;
  principal who;
};

void write_content(const std::string& path, std::string_view content) {
  std::ofstream(path, std::ios::binary) << content;
}

void copy(const temporary_folder& source, const std::string& name, const temporary_folder& target) {
  std::filesystem::copy_file(source.file(name), target.file(name));
}

/// Why it was refused, or "" if it was not.
std::string why(const auto& outcome) { return outcome ? "" : outcome.error().detail(); }

bool says(const std::string& text, std::string_view part) {
  CAPTURE(text);
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("a backup of an open book is restored whole: accounts, keys, pepper, ledger",
          "[sqlite]") {
  const temporary_folder folder, other;
  manual_clock clock;
  filled_store book(folder, clock);
  const std::string file = folder.file("backup");
  const auto made = back_up(book.options.database_path, file, {});
  REQUIRE(why(made).empty());
  CHECK(made->rows == 21);
  CHECK(made->head.seq == 21);
  CHECK(made->head.hash == book.store->verify().value().head.hash);
  CHECK(made->bytes == static_cast<std::int64_t>(std::filesystem::file_size(file)));
  struct stat found {};
  REQUIRE(::stat(file.c_str(), &found) == 0);
  CHECK((found.st_mode & 0777) == 0600);
  // One file, and nothing of its making.
  CHECK_FALSE(std::filesystem::exists(file + ".part"));
  CHECK_FALSE(std::filesystem::exists(file + "-wal"));
  book.debit();  // after it

  const auto back = restore(file, other.file("freshet.db"), nullptr);
  REQUIRE(why(back).empty());
  CHECK(back->rows == 21);
  CHECK(back->head.hash == made->head.hash);
  const auto store = open_or_throw(options_for(other.file("freshet.db"), clock, 1'000'000));
  const auto who = store->authenticate(book.key).value();
  CHECK(store->balance_of(who).value().posted == credits{1'000'000 - 20});
  CHECK(store->verify({.known = made->head}).value().ok);
  CHECK(settle(*store, store->reserve(who, {1}).value(), 1).has_value());
  CHECK(store->verify({.known = made->head}).value().ok);
  // The pepper has left the database again.
  const std::string pepper = base::read_whole(other.file("pepper")).substr(0, 64);
  CHECK(pepper == base::read_whole(folder.file("pepper")).substr(0, 64));
  CHECK_FALSE(says(base::read_whole(other.file("freshet.db")), pepper));
  CHECK(says(base::read_whole(file), pepper));
}

TEST_CASE("backups under load are prefixes of the book, and commits do not wait for them",
          "[sqlite]") {
  const temporary_folder folder;
  manual_clock clock;
  filled_store book(folder, clock);
  std::atomic<bool> stop{false};
  std::atomic<int> charged = 0;
  std::thread load([&] {
    while (!stop)
      if (auto held = book.store->reserve(book.who, {1}))
        charged += settle(*book.store, std::move(*held), 1).has_value() ? 1 : 0;
  });
  std::vector<book_report> made;
  for (int i = 0; i < 5; ++i) {
    const int before = charged;
    CHECK(freshet::test::eventually([&] { return charged > before; }));
    auto one = back_up(book.options.database_path, folder.file("backup"), {.replaces = i > 0});
    REQUIRE(why(one).empty());
    if (i > 0) CHECK(one->rows > made.back().rows);
    made.push_back(*one);
    const temporary_folder other;
    const auto back = restore(folder.file("backup"), other.file("freshet.db"), nullptr);
    REQUIRE(why(back).empty());
    CHECK(back->head.hash == one->head.hash);
  }
  stop = true;
  load.join();
  for (const auto& one : made) CHECK(book.store->verify({.known = one.head}).value().ok);
}

TEST_CASE("a backup replaces no file unless it is told to, and one that is ended leaves none",
          "[sqlite]") {
  const temporary_folder folder;
  manual_clock clock;
  const filled_store book(folder, clock);
  const std::string file = folder.file("backup");
  write_content(file, "mine");
  CHECK(back_up(book.options.database_path, file, {}).error().code() == errc::invalid_request);
  for (const char* step : {"copying", "checking the file", "replaying"}) {
    const auto watch = [&](std::string_view at, std::int64_t, std::int64_t) { return at != step; };
    const auto ended = back_up(book.options.database_path, file, {true, watch});
    // A short book is replayed without a word between.
    if (!ended) CHECK(ended.error().code() == errc::cancelled);
    if (!ended) CHECK(base::read_whole(file) == "mine");
    CHECK_FALSE(std::filesystem::exists(file + ".part"));
  }
  CHECK(back_up(folder.file("absent.db"), file, {true, {}}).error().code() == errc::not_found);
}

TEST_CASE("a copy of a book in use without its -wal is called what it is", "[sqlite]") {
  const temporary_folder folder, other;
  manual_clock clock;
  const filled_store book(folder, clock);
  copy(folder, "freshet.db", other);
  copy(folder, "pepper", other);
  const std::string path = other.file("freshet.db");
  for (int i = 0; i < 2; ++i) {  // looking at it does not hide it
    const auto looked = verify_book(path, {});
    CHECK(code_of(looked) == errc::invalid_configuration);
    CHECK(says(why(looked), "was copied while it was open, without " + path + "-wal"));
    CHECK(says(why(back_up(path, other.file("backup"), {})), "rows may be missing"));
    CHECK(says(why(accounts::open(options_for(path, clock))), "rows may be missing"));
  }
  // Who knows what is missing can go on with the rest.
  write_content(path + "-wal", "");
  CHECK(open_or_throw(options_for(path, clock))->verify().value().ok);
  CHECK(verify_book(path, {}).value().ok);
}

TEST_CASE("copies that are whole are not suspected: with the -wal, of a closed book, after a kill",
          "[sqlite]") {
  const temporary_folder folder, other, third;
  manual_clock clock;
  {
    const filled_store book(folder, clock);
    for (const char* name : {"freshet.db", "freshet.db-wal", "pepper", "freshet.db.head"})
      copy(folder, name, other);
  }
  CHECK(verify_book(other.file("freshet.db"), {}).value().rows == 21);
  const auto killed = open_or_throw(options_for(other.file("freshet.db"), clock));
  CHECK(killed->verify().value().rows == 21);
  copy(folder, "freshet.db", third);
  copy(folder, "pepper", third);
  CHECK(verify_book(third.file("freshet.db"), {}).value().rows == 21);
  CHECK(open_or_throw(options_for(third.file("freshet.db"), clock))->verify().value().ok);
}

TEST_CASE("an older book in the place of a newer one is called what it is", "[sqlite]") {
  const temporary_folder folder, older;
  manual_clock clock;
  const std::string path = folder.file("freshet.db");
  { const filled_store book(folder, clock); }
  copy(folder, "freshet.db", older);
  const auto before = verify_book(path, {}).value();
  {
    const auto store = open_or_throw(options_for(path, clock));
    CHECK(store->create_account("b@example.com", "free").has_value());
    CHECK(store->grant(2, {5}, "x").has_value());
  }
  const auto after = verify_book(path, {.known = before.head}).value();
  CHECK(after.ok);
  CHECK(after.head.seq == before.head.seq + 2);
  std::filesystem::copy_file(older.file("freshet.db"), path,
                             std::filesystem::copy_options::overwrite_existing);
  CHECK(says(why(accounts::open(options_for(path, clock))), "ends at row 21"));
  CHECK(says(why(verify_book(path, {})), "reached " + head_name(after.head) + " before"));
  // Without what is remembered beside it only a head that was kept elsewhere tells.
  std::filesystem::remove(path + ".head");
  CHECK(verify_book(path, {}).value().ok);
  const auto found = verify_book(path, {.known = after.head}).value();
  CHECK_FALSE(found.ok);
  CHECK(found.findings == std::vector<std::string>{"known head: the book is older than " +
                                                   head_name(after.head) + ": it ends at row 21"});
  const temporary_folder another;
  clock.advance(std::chrono::hours(1));
  const filled_store stranger(another, clock, 30);
  CHECK_FALSE(stranger.store->verify({.known = before.head}).value().ok);
}

TEST_CASE("a page that was overwritten in the book or in the backup is found before a file is kept",
          "[alone][sqlite]") {
  const temporary_folder folder, other;
  manual_clock clock;
  const std::string path = folder.file("freshet.db"), file = folder.file("backup");
  { const filled_store book(folder, clock, 400); }
  REQUIRE(why(back_up(path, file, {})).empty());
  const std::string good = base::read_whole(file);
  const std::size_t pages = good.size() / 4096;
  REQUIRE(pages > 20);
  for (std::size_t page = 0; page < pages; page += 3) {
    std::string bad = good;
    for (std::size_t i = 0; i < 4096; ++i)
      bad[page * 4096 + i] = static_cast<char>(bad[page * 4096 + i] ^ 0x55);
    write_content(file, bad);
    const temporary_folder target;
    const auto back = restore(file, target.file("freshet.db"), nullptr);
    CAPTURE(page);
    // A page that nothing is in may be anything.
    if (!back) CHECK_FALSE(std::filesystem::exists(target.file("freshet.db")));
    if (!back) CHECK_FALSE(std::filesystem::exists(target.file("freshet.db.restoring")));
    if (back) CHECK(back->rows == 401);
  }
  std::string book = base::read_whole(path);
  const auto at = book.find("microblog/search");
  REQUIRE(at != std::string::npos);
  book[at] = 'M';
  write_content(path, book);
  const auto made = back_up(path, folder.file("second"), {});
  CHECK(says(why(made), "is not sound"));
  CHECK_FALSE(std::filesystem::exists(folder.file("second")));
}

TEST_CASE("a backup is restored into an empty folder alone, and only a backup is", "[sqlite]") {
  const temporary_folder folder, other, running;
  manual_clock clock;
  const filled_store book(folder, clock), server(running, clock);
  const std::string file = folder.file("backup");
  REQUIRE(back_up(book.options.database_path, file, {}).has_value());
  CHECK(says(why(restore(file, running.file("freshet.db"), nullptr)), "another process holds"));
  write_content(other.file("notes"), "mine");
  CHECK(says(why(restore(file, other.file("freshet.db"), nullptr)), "an empty folder"));
  std::filesystem::remove(other.file("notes"));
  CHECK(says(why(restore(other.file("absent"), other.file("freshet.db"), nullptr)), "no file"));
  const temporary_folder files;
  write_content(files.file("junk"), std::string(8192, 'x'));
  CHECK(says(why(restore(files.file("junk"), other.file("freshet.db"), nullptr)), "is damaged"));
  write_content(files.file("short"), base::read_whole(file).substr(0, 20'000));
  CHECK_FALSE(restore(files.file("short"), other.file("freshet.db"), nullptr).has_value());
  {
    const temporary_folder closed;
    { const filled_store bare(closed, clock); }
    CHECK(says(why(restore(closed.file("freshet.db"), other.file("freshet.db"), nullptr)),
               "has no pepper"));
  }
  CHECK(restore(file, other.file("freshet.db"), nullptr).has_value());
  CHECK(says(why(restore(file, other.file("freshet.db"), nullptr)), "an empty folder"));
  // A backup is no book to be opened.
  const temporary_folder misused;
  std::filesystem::copy_file(file, misused.file("freshet.db"));
  CHECK(says(why(accounts::open(options_for(misused.file("freshet.db"), clock))), "is a backup"));
}

TEST_CASE("a verification goes on where one before has come to, and forgets nothing by it",
          "[sqlite]") {
  const temporary_folder folder;
  manual_clock clock;
  const std::string path = folder.file("freshet.db");
  filled_store book(folder, clock);
  CHECK(verify_book(path, {.resumes = true}).value().rows == 21);  // nothing was verified before
  for (int i = 0; i < 3; ++i) book.debit();
  auto report = verify_book(path, {.resumes = true}).value();
  CHECK(report.ok);
  CHECK(report.begun_after == 21);
  CHECK(report.rows == 3);
  CHECK(report.head.seq == 24);
  CHECK(verify_book(path, {.resumes = true}).value().rows == 0);
  // A head from before it is found all the same.
  const auto old = verify_book(path, {}).value();
  CHECK(old.rows == 24);
  book.debit();
  CHECK(verify_book(path, {.known = old.head, .resumes = true}).value().ok);
  auto wrong = old.head;
  wrong.hash[3] ^= 1;
  CHECK_FALSE(verify_book(path, {.known = wrong, .resumes = true}).value().ok);
  // What was altered behind it is found, what was altered before it by looking at all.
  book.debit();
  const auto alter = [&](const char* which) {
    const std::string sql =
        "PRAGMA ignore_check_constraints=ON; DROP TRIGGER IF EXISTS "
        "ledger_never_changes; UPDATE ledger SET " +
        std::string(which);
    book.store.reset();
    sqlite::database on;
    REQUIRE(on.open(path, sqlite::database_use::write).has_value());
    REQUIRE(on.execute(sql.c_str()) == sqlite::sqlite_ok);
  };
  alter("balance=balance+1 WHERE seq=26");
  report = verify_book(path, {.resumes = true}).value();
  CHECK(report.begun_after == 25);
  CHECK_FALSE(report.ok);
  alter("balance=balance-1 WHERE seq=26");
  CHECK(verify_book(path, {.resumes = true}).value().ok);
  alter("reason='x' WHERE seq=7");
  CHECK(verify_book(path, {.resumes = true}).value().ok);
  CHECK_FALSE(verify_book(path, {}).value().ok);
  // Nobody without the pepper says that it is sound.
  alter("reason='' WHERE seq=7");
  alter("hash=zeroblob(32) WHERE seq=9");
  write_content(path + ".sound", base::read_whole(path + ".head"));
  CHECK_FALSE(verify_book(path, {.resumes = true}).value().ok);
}

TEST_CASE("a journal is kept until the book is closed in good order", "[sqlite]") {
  const temporary_folder folder, other;
  manual_clock clock;
  {
    const filled_store book(folder, clock);
    for (const char* name : {"freshet.db", "freshet.db-wal", "pepper"}) copy(folder, name, other);
  }
  const std::string path = other.file("freshet.db");
  // As a kill has left it; an attempt to open it that fails changes nothing.
  const std::string pepper = base::read_whole(other.file("pepper"));
  write_content(other.file("pepper"), std::string(64, '0') + "\n");
  CHECK(says(why(accounts::open(options_for(path, clock))), "does not belong to the database"));
  write_content(other.file("pepper"), pepper);
  {
    // Nor does closing it on a full disk.
    std::atomic<bool> full{false};
    auto options = options_for(path, clock);
    options.fail = [&](std::string_view stage) { return full && stage == "close"; };
    const auto store = open_or_throw(options);
    CHECK(store->verify().value().rows == 21);
    full = true;
  }
  CHECK(std::filesystem::exists(path + "-wal"));
  CHECK(verify_book(path, {}).value().rows == 21);
  static_cast<void>(open_or_throw(options_for(path, clock)));
  CHECK_FALSE(std::filesystem::exists(path + "-wal"));
  CHECK(verify_book(path, {}).value().rows == 21);
}
