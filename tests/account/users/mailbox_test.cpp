// One mailbox, one account of who signs up: however its address is spelled.
#include <account/fixture.hpp>
#include <account/owners.hpp>
#include <account/users.hpp>
#include <account/users/email.hpp>
#include <catch2/catch.hpp>
#include <latch>
#include <postgres/postgres.hpp>
#include <sqlite/sqlite.hpp>

using namespace freshet;
using namespace freshet::account;
using namespace freshet::account::test;
using namespace std::chrono_literals;

namespace {

constexpr std::string_view password_of_all = "a tide of gauges";
const origin somewhere{"192.0.2.1", "test browser"};

/// A store with people; in memory unless a folder is given.
struct post_office {
  explicit post_office(const std::string& path = ":memory:") : options(options_for(path, clock)) {
    open();
  }
  ~post_office() { close(); }
  void open() {
    books = open_or_throw(options);
    folk = *users::open(*books, quick_hashing());
  }
  void close() {
    folk.reset();
    books.reset();
  }
  sign_up_request ask(const std::string& email) {
    clock.advance(1h);  // so that no limit of mails is met
    return folk->begin_sign_up(email, somewhere).value();
  }
  result<opened_session> confirm(const std::string& token) {
    return folk->confirm_sign_up(token, password_of_all, "free", somewhere, "");
  }
  opened_session sign_up(const std::string& email) {
    return confirm(ask(email).token.value()).value();
  }
  void erase(const opened_session& whose) {
    const auto who = folk->authenticate(whose.token).value();
    REQUIRE(folk->erase(who, password_of_all, somewhere).has_value());
  }
  std::int64_t balance(const account_record& of) {
    return books->balance_of({of, {}, {}}).value().posted.value;
  }
  void make(const std::string& email) { REQUIRE(books->create_account(email, "free").has_value()); }

  manual_clock clock;
  accounts_options options;
  std::unique_ptr<accounts> books;
  std::unique_ptr<users> folk;
};

/// What the database of closed accounts is told.
void tell(const accounts_options& options, const std::string& sql) {
  INFO(sql);
  if (on_postgres_server()) {
    postgres::pg_connection on;
    postgres::connection_options where;
    where.url = options.database_path;
    REQUIRE(on.open(where).has_value());
    REQUIRE(on.execute(sql.c_str()) == postgres::pg_outcome::done);
  } else {
    sqlite::database on;
    REQUIRE(on.open(options.database_path, sqlite::database_use::write).has_value());
    REQUIRE(on.execute(sql.c_str()) == sqlite::sqlite_ok);
  }
}

}  // namespace

TEST_CASE("a mailbox is an address without its tag, at Gmail without dots") {
  CHECK(mailbox_of("a@example.org") == "a@example.org");
  CHECK(mailbox_of("a+1@example.org") == "a@example.org");
  CHECK(mailbox_of("a+1+2@example.org") == "a@example.org");
  CHECK(mailbox_of("a+@example.org") == "a@example.org");
  CHECK(mailbox_of("a.b@example.org") == "a.b@example.org");
  CHECK(mailbox_of("a-b@example.org") == "a-b@example.org");
  CHECK(mailbox_of("a.b@gmail.com") == "ab@gmail.com");
  CHECK(mailbox_of("a.b+c.d@googlemail.com") == "ab@gmail.com");
  CHECK(mailbox_of("a.b@mail.gmail.com") == "a.b@mail.gmail.com");
  CHECK(mailbox_of("a.b@notgmail.com") == "a.b@notgmail.com");
  // One that begins so is nobody's other spelling, and what follows the "@" is left alone.
  CHECK(mailbox_of("+1@example.org") == "+1@example.org");
  CHECK(mailbox_of("+1+2@example.org") == "+1+2@example.org");
  CHECK(mailbox_of("a@b+c.org") == "a@b+c.org");
}

TEST_CASE("a mailbox has one account of who signs up, however the address is spelled") {
  post_office in;
  in.sign_up("a.b@gmail.com");
  for (const auto* spelled : {"a.b@gmail.com", "ab@gmail.com", "A.B+1@Gmail.com",
                              "a.b@googlemail.com", "a.b+x+y@googlemail.com"}) {
    CAPTURE(spelled);
    const auto asked = in.ask(spelled);
    CHECK_FALSE(asked.token.has_value());
    CHECK(asked.known_as == "a.b@gmail.com");
  }
  in.sign_up("a.b+1@example.org");
  CHECK(in.ask("a.b@example.org").known_as == "a.b+1@example.org");
  CHECK(in.ask("a.b+2@example.org").known_as == "a.b+1@example.org");
  CHECK(in.ask("ab@example.org").token.has_value());
  CHECK(in.ask("ab@gmail.example").token.has_value());
  // The address that the account has is the one that signs in and is sent a link.
  CHECK(in.folk->begin_reset("a.b+1@example.org", somewhere).value().has_value());
  CHECK_FALSE(in.folk->begin_reset("a.b@example.org", somewhere).value().has_value());
}

TEST_CASE("of links for one mailbox the first that is used makes the account, the others nothing") {
  post_office in;
  const auto one = in.ask("a@example.org").token.value();
  const auto two = in.ask("a+2@example.org").token.value();
  const auto three = in.ask("a+3@example.org").token.value();
  CHECK(in.folk->check_link("verify", three, somewhere).has_value());
  std::latch both(2);
  std::atomic<int> made{0};
  std::vector<std::jthread> folk;
  for (const auto* token : {&one, &two}) {
    folk.emplace_back([&, token] {
      both.arrive_and_wait();
      const auto opened = in.confirm(*token);
      if (opened) ++made;
      if (!opened && opened.error().code() != errc::invalid_token) made = 99;
    });
  }
  folk.clear();
  CHECK(made == 1);
  CHECK(in.folk->check_link("verify", three, somewhere).error().code() == errc::invalid_token);
  CHECK(in.confirm(three).error().code() == errc::invalid_token);
  CHECK(in.books->find_account("a+3@example.org").error().code() == errc::not_found);
}

TEST_CASE("operators give one mailbox as many accounts as they like") {
  post_office in;
  in.make("b+2@example.org");
  in.make("b@example.org");
  in.make("b+1@example.org");
  // Who asks is told of the one with that address, or else of the oldest.
  CHECK(in.ask("b+1@example.org").known_as == "b+1@example.org");
  CHECK(in.ask("b@example.org").known_as == "b@example.org");
  CHECK(in.ask("b+9@example.org").known_as == "b+2@example.org");
  CHECK_FALSE(in.books->create_account("b+1@example.org", "free").has_value());
}

TEST_CASE("a mailbox that comes back in another spelling gets no second grant in the same month") {
  const temporary_folder folder;
  post_office in(folder.file("freshet.db"));
  const auto first = in.sign_up("a@example.org");
  CHECK(in.balance(first.account) == 1000);
  in.erase(first);
  const auto second = in.sign_up("a+1@example.org");
  CHECK(in.balance(second.account) == 0);
  in.close();
  in.open();
  CHECK(in.balance(second.account) == 0);
  in.erase(second);
  const auto third = in.sign_up("a+2@example.org");
  CHECK(in.balance(third.account) == 0);
  in.clock.advance(24h * 10);
  CHECK(in.balance(in.books->find_account("a+2@example.org").value()) == 1000);
  CHECK(in.books->verify().value().ok);
}

TEST_CASE("who deletes one of several accounts of a mailbox keeps the grants of the others") {
  const temporary_folder folder;
  post_office in(folder.file("freshet.db"));
  in.make("a+old@example.org");
  const auto old = in.books->find_account("a+old@example.org").value();
  CHECK(in.balance(old) == 1000);
  in.clock.set(december + 1h);
  const audit_note note{"command line", "accounts.link", "", "", ""};
  in.make("a@example.org");
  const auto link = in.folk->make_link("a@example.org", note).value();
  const auto opened = in.folk->confirm_reset(link, password_of_all, somewhere).value();
  CHECK(in.balance(opened.account) == 1000);
  in.erase(opened);
  // So that it is read anew, with what was granted to the mailbox.
  in.close();
  in.open();
  CHECK(in.balance(in.books->find_account("a+old@example.org").value()) == 1000);
  CHECK(in.books->ledger(old.id, 0, 10).value().at(0).reason == "monthly grant 2026-12");
  in.make("a+new@example.org");
  CHECK(in.balance(in.books->find_account("a+new@example.org").value()) == 0);
}

TEST_CASE("accounts of before have the mailboxes of their addresses", "[alone]") {
  const temporary_folder folder;
  post_office in(folder.file("freshet.db"));
  const std::vector<std::string> emails = {
      "a@example.org",      "b+1@example.org",          "c.d+1+2@example.org", "+e@example.org",
      "+f+g@example.org",   "h.i.j@gmail.com",          "k.l+m.n@gmail.com",   "o.p@googlemail.com",
      "q.r@mail.gmail.com", "s.t@notgmail.com",         "u@v+w.org",           "x.@gmail.com",
      "+y.z@gmail.com",     "\xc3\xa4.b+c@example.org", "root+cron@localhost"};
  for (const auto& email : emails) in.make(email);
  const auto gone = in.sign_up("gone@example.org");
  in.erase(gone);
  in.close();
  const bool is_server = on_postgres_server();
  tell(in.options, "DROP INDEX accounts_mailbox");
  tell(in.options, "ALTER TABLE accounts DROP COLUMN mailbox");
  tell(in.options, "DROP TABLE mails");
  tell(in.options, is_server ? "UPDATE freshet_schema SET version=4" : "PRAGMA user_version=18");
  in.open();
  for (const auto& email : emails) {
    CAPTURE(email);
    const auto found = in.books->inside().books->find_account_by_mailbox(mailbox_of(email), email);
    REQUIRE(found.value().has_value());
    CHECK((*found)->record.email == email);
  }
  CHECK(in.ask("hij@gmail.com").known_as == "h.i.j@gmail.com");
  CHECK(in.sign_up("gone+1@example.org").account.email == "gone+1@example.org");
}
