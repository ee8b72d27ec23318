#include <account/fixture.hpp>
#include <account/users.hpp>
#include <account/users/password.hpp>
#include <account/users/throttle.hpp>
#include <base/whole_file.hpp>
#include <catch2/catch.hpp>
#include <sqlite/sqlite.hpp>

#include "support/sanitized.hpp"

using namespace freshet;
using namespace freshet::account;
using namespace freshet::sqlite;
using namespace freshet::account::test;
using namespace std::chrono_literals;

namespace {

constexpr std::string_view good_password = "a tide of gauges";
const origin home{"192.0.2.1", "test browser"};
const origin elsewhere{"198.51.100.7", "another browser"};

std::unique_ptr<users> people_of(accounts& accounts, users_options options = quick_hashing()) {
  auto opened = users::open(accounts, options);
  if (!opened) throw std::runtime_error(opened.error().detail());
  return std::move(*opened);
}

/// A store with people, in memory unless a folder is given.
struct town {
  manual_clock clock;
  accounts_options options = options_for(":memory:", clock);
  std::unique_ptr<accounts> books;
  std::unique_ptr<users> folk;

  explicit town(const std::string& path = ":memory:") {
    options.database_path = path;
    open();
  }
  ~town() { close(); }
  void open() {
    books = open_or_throw(options);
    folk = people_of(*books);
  }
  void close() {
    folk.reset();
    books.reset();
  }
  opened_session sign_up(const std::string& email = "a@example.org", const origin& origin = home) {
    const auto token = folk->begin_sign_up(email, origin).value().token.value();
    return folk->confirm_sign_up(token, good_password, "free", origin, "").value();
  }
  login who(const opened_session& by) { return folk->authenticate(by.token).value(); }
};

}  // namespace

TEST_CASE("an account comes to be when its address is proven, with a session") {
  town in;
  const auto token = in.folk->begin_sign_up("A@Example.org", home).value().token;
  REQUIRE(token.has_value());
  CHECK_FALSE(in.books->find_account("a@example.org").has_value());
  CHECK(code_of(in.folk->sign_in("a@example.org", good_password, home, "")) ==
        errc::invalid_credentials);
  const auto opened = in.folk->confirm_sign_up(*token, good_password, "free", home, "").value();
  CHECK(opened.account.email == "a@example.org");
  CHECK(opened.account.verified_at == start_time);
  CHECK_FALSE(opened.account.is_operator);
  CHECK(in.who(opened).account.public_id == opened.account.public_id);
  CHECK(in.books->balance_of({opened.account, {}, {}}).value().posted == credits{1000});
  // The link works once.
  CHECK(code_of(in.folk->confirm_sign_up(*token, good_password, "free", home, "")) ==
        errc::invalid_token);
}

TEST_CASE("links expire, and one is not good for the other's purpose") {
  town in;
  const auto verify = in.folk->begin_sign_up("a@example.org", home).value().token.value();
  CHECK(code_of(in.folk->confirm_reset(verify, good_password, home)) == errc::invalid_token);
  in.clock.advance(verify_lifetime - 1ms);
  CHECK(code_of(in.folk->confirm_sign_up("", good_password, "free", home, "")) ==
        errc::invalid_token);
  const auto late = in.folk->begin_sign_up("b@example.org", home).value().token.value();
  in.clock.advance(1ms);
  CHECK(code_of(in.folk->confirm_sign_up(verify, good_password, "free", home, "")) ==
        errc::invalid_token);
  CHECK(in.folk->confirm_sign_up(late, good_password, "free", home, "").has_value());

  const auto reset = in.folk->begin_reset("b@example.org", home).value().value();
  CHECK(code_of(in.folk->confirm_sign_up(reset, good_password, "free", home, "")) ==
        errc::invalid_token);
  in.clock.advance(reset_lifetime);
  CHECK(code_of(in.folk->confirm_reset(reset, good_password, home)) == errc::invalid_token);
}

TEST_CASE("of several links for one address the first that is used is the last") {
  town in;
  const auto one = in.folk->begin_sign_up("a@example.org", elsewhere).value().token;
  const auto two = in.folk->begin_sign_up("a@example.org", home).value().token;
  CHECK(in.folk->confirm_sign_up(two.value(), good_password, "free", home, "").has_value());
  CHECK(code_of(in.folk->confirm_sign_up(one.value(), "their password", "free", elsewhere, "")) ==
        errc::invalid_token);
  CHECK(code_of(in.folk->sign_in("a@example.org", "their password", home, "")) ==
        errc::invalid_credentials);
  CHECK(in.folk->sign_in("a@example.org", good_password, home, "").has_value());
}

TEST_CASE("a look at a link says whether it is good and leaves it as it is") {
  town in;
  const auto verify = in.folk->begin_sign_up("a@example.org", home).value().token.value();
  const auto other = in.folk->begin_sign_up("a@example.org", home).value().token.value();
  CHECK(in.folk->check_link("verify", verify, home).has_value());
  CHECK(in.folk->check_link("verify", verify, home).has_value());
  CHECK(code_of(in.folk->check_link("reset", verify, home)) == errc::invalid_token);
  REQUIRE(in.folk->confirm_sign_up(verify, good_password, "free", home, "").has_value());
  CHECK(code_of(in.folk->check_link("verify", verify, home)) == errc::invalid_token);
  CHECK(code_of(in.folk->check_link("verify", other, home)) == errc::invalid_token);

  const auto reset = in.folk->begin_reset("a@example.org", home).value().value();
  CHECK(in.folk->check_link("reset", reset, home).has_value());
  CHECK(in.folk->confirm_reset(reset, good_password, home).has_value());
  CHECK(code_of(in.folk->check_link("reset", reset, home)) == errc::invalid_token);
  const auto late = in.folk->begin_reset("a@example.org", home).value().value();
  in.clock.advance(1h);
  CHECK(code_of(in.folk->check_link("reset", late, home)) == errc::invalid_token);
}

TEST_CASE("one network looks at so many links, and another at its own") {
  town in;
  for (int i = 0; i < 60; ++i)
    REQUIRE(code_of(in.folk->check_link("reset", "guess", elsewhere)) == errc::invalid_token);
  const auto refused = in.folk->check_link("reset", "guess", elsewhere);
  REQUIRE(code_of(refused) == errc::rate_limited);
  CHECK(refused.error().retry_after == 10s);
  CHECK(code_of(in.folk->check_link("reset", "guess", home)) == errc::invalid_token);
}

TEST_CASE("a sign-up for a known address gives no link and changes nothing") {
  town in;
  in.sign_up();
  const auto again = in.folk->begin_sign_up("A@example.org", home).value();
  CHECK_FALSE(again.token.has_value());
  CHECK(again.known_as == "a@example.org");
  CHECK(in.folk->sign_in("a@example.org", good_password, home, "").has_value());
  CHECK_FALSE(in.folk->begin_reset("nobody@example.org", home).value().has_value());
}

TEST_CASE("passwords and addresses are checked, with the parameter named") {
  town in;
  const auto confirm = [&](const std::string& token, const std::string& password) {
    return in.folk->confirm_sign_up(token, password, "free", home, "");
  };
  const auto token = in.folk->begin_sign_up("a@example.org", home).value().token.value();
  for (const std::string bad : {"short", "nine char", "a@example.org", "A@EXAMPLE.ORG",
                                "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"}) {
    const auto refused = confirm(token, bad);
    REQUIRE(code_of(refused) == errc::invalid_request);
    CHECK(refused.error().parameters.at(0).pointer == "/password");
  }
  CHECK(code_of(confirm(token, std::string(201, 'x'))) == errc::invalid_request);
  // The link is still good.
  CHECK(confirm(token, std::string(200, 'x')).has_value());
  // Ten characters are ten, however many bytes they take.
  const auto second = in.folk->begin_sign_up("b@example.org", home).value().token.value();
  CHECK(confirm(second, "ÄÖÜäöüßÄÖÜ").has_value());
  for (const std::string bad : {"", "a", "a@", "@b", "a b@c.d", "a@b@c", "a@b\r\nBcc: x@y.z",
                                "<a@b.c>", "a@b,c@d.e", "\xc3\xa4@b.c", "a@b..c", "\"a\"@b.c"}) {
    const auto refused = in.folk->begin_sign_up(bad, home);
    REQUIRE(code_of(refused) == errc::invalid_request);
    CHECK(refused.error().parameters.at(0).pointer == "/email");
  }
}

TEST_CASE("a wrong password, an unknown address and an account without a password look alike") {
  town in;
  in.sign_up();
  CHECK(in.books->create_account("cli@example.org", "free").has_value());
  std::vector<std::string> said;
  for (const std::string email : {"a@example.org", "nobody@example.org", "cli@example.org"}) {
    const auto refused = in.folk->sign_in(email, "not the password", elsewhere, "");
    REQUIRE(code_of(refused) == errc::invalid_credentials);
    said.push_back(refused.error().detail());
  }
  CHECK(said[0] == said[1]);
  CHECK(said[0] == said[2]);
  // Each left one entry behind: the same commit, the same time.
  const auto log = in.folk->audit(0, 3).value();
  for (const auto& entry : log) CHECK(entry.action == "sign_in.failed");
}

TEST_CASE("signing in begins a session of its own and ends the one it came with") {
  town in;
  const auto first = in.sign_up();
  const auto second = in.folk->sign_in("a@example.org", good_password, home, first.token).value();
  CHECK(second.token != first.token);
  CHECK(code_of(in.folk->authenticate(first.token)) == errc::not_signed_in);
  const auto third = in.folk->sign_in("a@example.org", good_password, elsewhere, "").value();
  CHECK(in.folk->authenticate(second.token).has_value());
  CHECK(in.folk->sessions_of(first.account.id).size() == 2);
  CHECK(in.folk->csrf_token(second.token) != in.folk->csrf_token(third.token));
  CHECK(in.folk->csrf_token(second.token) == in.folk->csrf_token(second.token));
  CHECK(in.folk->sign_out(second.token, home).has_value());
  CHECK(in.folk->sign_out(second.token, home).has_value());
  CHECK(code_of(in.folk->authenticate(second.token)) == errc::not_signed_in);
  CHECK(in.folk->authenticate(third.token).has_value());
}

TEST_CASE("a session ends after idling, and in any case after its lifetime") {
  town in;
  const auto idle = in.sign_up();
  in.clock.advance(12h - 1ms);
  CHECK(in.folk->authenticate(idle.token).has_value());
  in.clock.advance(12h - 1ms);
  CHECK(in.folk->authenticate(idle.token).has_value());
  in.clock.advance(12h);
  CHECK(code_of(in.folk->authenticate(idle.token)) == errc::not_signed_in);
  const auto busy = in.folk->sign_in("a@example.org", good_password, home, "").value();
  for (int i = 0; i < 30 * 24 / 6 - 1; ++i) {
    in.clock.advance(6h);
    REQUIRE(in.folk->authenticate(busy.token).has_value());
  }
  in.clock.advance(6h);
  CHECK(code_of(in.folk->authenticate(busy.token)) == errc::not_signed_in);
  CHECK(in.folk->sessions_of(busy.account.id).empty());
}

TEST_CASE("sessions that ended by themselves leave the file when others begin") {
  const temporary_folder folder;
  town in(folder.file("freshet.db"));
  in.sign_up();
  const auto stored = [&] {
    database on;
    REQUIRE(on.open(folder.file("freshet.db"), database_use::read).has_value());
    return on.integer("SELECT count(*) FROM sessions").value();
  };
  CHECK(in.folk->sign_in("a@example.org", good_password, elsewhere, "").has_value());
  CHECK(stored() == 2);
  in.clock.advance(12h);
  in.sign_up("b@example.org");
  CHECK(stored() == 1);
  CHECK(in.folk->email_of("acc_none").empty());
}

TEST_CASE("a person ends their own sessions and nobody else's") {
  town in;
  const auto mine = in.sign_up();
  const auto other = in.sign_up("b@example.org", elsewhere);
  const auto theirs = in.who(other).session.id;
  for (const std::string& id : {theirs, std::string("ses_none"), std::string()}) {
    const auto refused = in.folk->end_session(mine.account.id, id, home);
    REQUIRE(code_of(refused) == errc::not_found);
    CHECK(refused.error().detail() == "no such session");
  }
  CHECK(in.folk->end_session(other.account.id, theirs, elsewhere).has_value());
  CHECK(code_of(in.folk->authenticate(other.token)) == errc::not_signed_in);
  CHECK(in.folk->authenticate(mine.token).has_value());
}

TEST_CASE("an account has so many sessions; the least recently used one goes", "[alone]") {
  town in;
  const auto first = in.sign_up();
  in.clock.advance(1s);
  std::vector<opened_session> later;
  for (std::size_t i = 0; i < max_sessions_per_account; ++i) {
    in.clock.advance(1s);
    later.push_back(in.folk->sign_in("a@example.org", good_password, home, "").value());
  }
  CHECK(in.folk->sessions_of(first.account.id).size() == max_sessions_per_account);
  CHECK(code_of(in.folk->authenticate(first.token)) == errc::not_signed_in);
  for (const auto& one : later) CHECK(in.folk->authenticate(one.token).has_value());
}

TEST_CASE("a new password ends the other sessions and links") {
  town in;
  const auto one = in.sign_up();
  const auto two = in.folk->sign_in("a@example.org", good_password, elsewhere, "").value();
  const auto link = in.folk->begin_reset("a@example.org", home).value().value();
  const auto spare = in.folk->begin_reset("a@example.org", home).value().value();
  CHECK(code_of(in.folk->change_password(in.who(one), "wrong password", "another password",
                                         home)) == errc::invalid_credentials);
  CHECK(code_of(in.folk->change_password(in.who(one), good_password, "short", home)) ==
        errc::invalid_request);
  CHECK(code_of(in.folk->confirm_reset(link, "short", home)) == errc::invalid_request);
  const auto reset = in.folk->confirm_reset(link, "another password", home).value();
  CHECK(code_of(in.folk->confirm_reset(link, "another password", home)) == errc::invalid_token);
  CHECK(code_of(in.folk->confirm_reset(spare, "another password", home)) == errc::invalid_token);
  CHECK(code_of(in.folk->authenticate(one.token)) == errc::not_signed_in);
  CHECK(code_of(in.folk->authenticate(two.token)) == errc::not_signed_in);
  const auto changed =
      in.folk->change_password(in.who(reset), "another password", good_password, home).value();
  CHECK(code_of(in.folk->authenticate(reset.token)) == errc::not_signed_in);
  CHECK(in.folk->authenticate(changed.token).has_value());
  CHECK(in.folk->sign_in("a@example.org", good_password, home, "").has_value());
}

TEST_CASE("an account of the command line gets its password by a link") {
  town in;
  CHECK(in.books->create_account("op@example.org", "free").has_value());
  const audit_note note{"command line", "accounts.link", "", "", ""};
  CHECK(code_of(in.folk->make_link("nobody@example.org", note)) == errc::not_found);
  const auto token = in.folk->make_link("op@example.org", note).value();
  const auto opened = in.folk->confirm_reset(token, good_password, home).value();
  CHECK(opened.account.verified_at == start_time);
  const audit_note promotion{"command line", "accounts.operator", opened.account.public_id, "", ""};
  CHECK(in.folk->set_operator("op@example.org", true, promotion).value().is_operator);
  CHECK(in.who(opened).account.is_operator);
  CHECK_FALSE(in.folk->set_operator("op@example.org", false, promotion).value().is_operator);
  CHECK_FALSE(in.who(opened).account.is_operator);
}

TEST_CASE("guesses are throttled for an account and for an address, and only failures count",
          "[alone][many]") {
  town in;
  in.sign_up("a@example.org", origin{"203.0.113.9", ""});
  for (int i = 0; i < freshet::test::cases(60, 60, 20); ++i)
    REQUIRE(in.folk->sign_in("a@example.org", good_password, home, "").has_value());
  for (int i = 0; i < 10; ++i)
    REQUIRE(code_of(in.folk->sign_in("a@example.org", "a wrong guess", elsewhere, "")) ==
            errc::invalid_credentials);
  const auto refused = in.folk->sign_in("a@example.org", good_password, elsewhere, "");
  REQUIRE(code_of(refused) == errc::rate_limited);
  REQUIRE(refused.error().retry_after.has_value());
  in.clock.advance(*refused.error().retry_after - 1s);
  CHECK(code_of(in.folk->sign_in("a@example.org", "a wrong guess", elsewhere, "")) ==
        errc::rate_limited);
  in.clock.advance(1s);
  CHECK(in.folk->sign_in("a@example.org", good_password, elsewhere, "").has_value());

  // One address that tries many accounts, known or not.
  const origin sprayer{"2001:db8::1", ""}, neighbour{"2001:db8::ffff", ""};
  for (int i = 0; i < 30; ++i)
    REQUIRE(code_of(in.folk->sign_in("x" + std::to_string(i) + "@example.org", "a wrong guess",
                                     sprayer, "")) == errc::invalid_credentials);
  CHECK(code_of(in.folk->sign_in("a@example.org", good_password, sprayer, "")) ==
        errc::rate_limited);
  // Another address of the same network is the same person.
  CHECK(code_of(in.folk->sign_in("a@example.org", good_password, neighbour, "")) ==
        errc::rate_limited);
}

TEST_CASE("nobody is locked out for ever by failures of others", "[alone]") {
  town in;
  const auto owner = in.sign_up();
  // Many addresses use up what the account allows.
  int wrong = 0;
  errc last{};
  for (int i = 0; i < 80 && last != errc::rate_limited; ++i) {
    const origin bot{"198.51.100." + std::to_string(i), ""};
    last = code_of(in.folk->sign_in("a@example.org", "a wrong guess", bot, ""));
    wrong += last == errc::invalid_credentials ? 1 : 0;
  }
  CHECK(wrong == 50);
  const origin fresh{"203.0.113.77", ""};
  CHECK(code_of(in.folk->sign_in("a@example.org", good_password, fresh, "")) == errc::rate_limited);
  // From where a session lives, the owner comes in as before.
  CHECK(in.folk->sign_in("a@example.org", good_password, home, "").has_value());
  // And the mail opens the account everywhere.
  const auto link = in.folk->begin_reset("a@example.org", fresh).value().value();
  CHECK(in.folk->confirm_reset(link, good_password, fresh).has_value());
  const origin third{"203.0.113.78", ""};
  CHECK(in.folk->sign_in("a@example.org", good_password, third, "").has_value());
  CHECK(owner.account.id == 1);
}

TEST_CASE("mails are throttled alike for known and unknown addresses") {
  town in;
  in.sign_up();
  in.clock.advance(24h);
  for (const std::string email : {"a@example.org", "nobody@example.org"}) {
    for (int i = 0; i < 5; ++i) REQUIRE(in.folk->begin_reset(email, home).has_value());
    const auto refused = in.folk->begin_reset(email, home);
    REQUIRE(code_of(refused) == errc::rate_limited);
    CHECK(refused.error().retry_after == 720s);
  }
}

TEST_CASE("a flood of sign-ups sends one person a few mails an hour, and keeps none from a reset") {
  town in;
  in.sign_up("known@example.org");
  in.clock.advance(24h);
  for (const std::string person : {"known", "new"}) {
    int mails = 0;
    // Every try from another network, and in another spelling of the same mailbox.
    for (int i = 0; i < 600; ++i) {
      const origin bot{"203.0.113." + std::to_string(i % 250), ""};
      const std::string email =
          person + (i % 3 == 0 ? "" : "+" + std::to_string(i)) + "@example.org";
      const auto asked = in.folk->begin_sign_up(email, bot);
      if (!asked) {
        REQUIRE(code_of(asked) == errc::rate_limited);
      } else {
        ++mails;
      }
      in.clock.advance(6s);
    }
    CHECK(mails == 4);
    CHECK(in.folk->begin_reset(person + "@example.org", home).has_value());
  }
}

TEST_CASE("who has mailboxes without end signs up for few accounts a day") {
  town in;
  in.clock.advance(24h);
  int made = 0;
  for (int i = 0; i < 24 * 20; ++i) {
    const auto asked = in.folk->begin_sign_up(std::to_string(i) + "@catch-all.example", home);
    if (asked) ++made;
    in.clock.advance(180s);
  }
  CHECK(made == 20 + 23);
  CHECK(in.folk->begin_sign_up("last@catch-all.example", home).has_value());  // a day has passed
  const auto once_more = in.folk->begin_sign_up("one-more@catch-all.example", home);
  REQUIRE(code_of(once_more) == errc::rate_limited);
  CHECK(once_more.error().retry_after == 1h);
  CHECK(in.folk->begin_reset("known@example.org", home).has_value());
  CHECK(in.folk->begin_sign_up("a@example.net", {"198.51.100.7", ""}).has_value());
}

TEST_CASE("sessions, passwords and links outlive a restart; tokens are not in the file") {
  const temporary_folder folder;
  town in(folder.file("freshet.db"));
  const auto opened = in.sign_up();
  const auto link = in.folk->begin_reset("a@example.org", home).value().value();
  const auto csrf = in.folk->csrf_token(opened.token);
  in.clock.advance(6h);
  CHECK(in.folk->authenticate(opened.token).has_value());
  in.close();
  for (const std::string name : {"freshet.db", "freshet.db-wal"}) {
    const std::string bytes = base::read_whole(folder.file(name));
    CHECK(bytes.find(opened.token) == std::string::npos);
    CHECK(bytes.find(link) == std::string::npos);
    CHECK(bytes.find(good_password) == std::string::npos);
  }
  // The last use was written: the session idles from then on, not from its beginning.
  in.clock.advance(12h - 61s);
  in.open();
  CHECK(in.folk->authenticate(opened.token).has_value());
  CHECK(in.folk->csrf_token(opened.token) == csrf);
  CHECK(in.folk->sign_in("a@example.org", good_password, home, "").has_value());
  in.close();
  in.clock.advance(31 * 24h);
  in.open();
  CHECK(code_of(in.folk->authenticate(opened.token)) == errc::not_signed_in);
  CHECK(code_of(in.folk->confirm_reset(link, good_password, home)) == errc::invalid_token);
}

TEST_CASE("deleting an account forgets the person and keeps the books", "[alone]") {
  const temporary_folder folder;
  town in(folder.file("freshet.db"));
  const auto opened = in.sign_up();
  const auto account = opened.account;
  const auto key = in.books->create_key(account.id, {}).value();
  const auto who = in.books->authenticate(key.secret).value();
  CHECK_FALSE(in.books->begin_idempotent(who, "k", "f").value().has_value());
  usage what;
  what.idempotency_key = "k";
  what.answer = {"f", 200, "application/json", "{\"secret\":\"their search\"}", 3, 0, 0};
  CHECK(settle(*in.books, in.books->reserve(who, {3}).value(), 3, what).has_value());
  CHECK(code_of(in.folk->erase(in.who(opened), "not the password", home)) ==
        errc::invalid_credentials);
  CHECK(in.books->authenticate(key.secret).has_value());
  REQUIRE(in.folk->erase(in.who(opened), good_password, home).has_value());

  const auto check_gone = [&] {
    CHECK(code_of(in.folk->authenticate(opened.token)) == errc::not_signed_in);
    CHECK(code_of(in.books->authenticate(key.secret)) == errc::revoked_api_key);
    CHECK(code_of(in.books->find_account("a@example.org")) == errc::not_found);
    CHECK(code_of(in.folk->sign_in("a@example.org", good_password, home, "")) ==
          errc::invalid_credentials);
    CHECK(in.books->ledger(account.id, 0, 10).value().size() == 2);
    CHECK(in.books->verify().value().ok);
    for (const auto& entry : in.folk->audit(0, 100).value()) {
      const auto text = entry.actor + entry.action + entry.subject + entry.detail;
      CHECK(text.find('@') == std::string::npos);
    }
    CHECK(in.folk->email_of(account.public_id).empty());
  };
  check_gone();
  in.close();
  {
    const std::string bytes = base::read_whole(folder.file("freshet.db"));
    CHECK(bytes.find("a@example.org") == std::string::npos);
    CHECK(bytes.find("their search") == std::string::npos);
    CHECK(bytes.find("argon2id") == std::string::npos);
  }
  in.open();
  check_gone();
}

TEST_CASE("an address that comes back gets no second grant in the same month") {
  const temporary_folder folder;
  town in(folder.file("freshet.db"));
  const auto first = in.sign_up();
  const auto balance = [&](const account_record& of) {
    return in.books->balance_of({of, {}, {}}).value().posted.value;
  };
  CHECK(balance(first.account) == 1000);
  REQUIRE(in.folk->erase(in.who(first), good_password, home).has_value());
  const auto second = in.sign_up();
  CHECK(second.account.id != first.account.id);
  CHECK(balance(second.account) == 0);
  in.close();
  in.open();
  CHECK(balance(second.account) == 0);
  REQUIRE(in.folk->erase(in.who(second), good_password, home).has_value());
  CHECK(balance(in.books->create_account("a@example.org", "free").value()) == 0);
  CHECK(balance(in.sign_up("b@example.org").account) == 1000);
  in.clock.advance(24h * 10);
  CHECK(balance(in.books->find_account("a@example.org").value()) == 1000);
  CHECK(in.books->verify().value().ok);
}

TEST_CASE("the audit log only grows") {
  const temporary_folder folder;
  town in(folder.file("freshet.db"));
  const auto opened = in.sign_up();
  for (int i = 0; i < 5; ++i)
    CHECK(in.folk->record({"command line", "credits.grant", "acc_x", std::to_string(i), ""})
              .has_value());
  const auto page = in.folk->audit(0, 2).value();
  REQUIRE(page.size() == 2);
  CHECK(page[0].detail == "4");
  const auto next = in.folk->audit(page[1].id, 100).value();
  REQUIRE(next.size() == 5);
  CHECK(next[0].detail == "2");
  CHECK(next.back().action == "sign_up.request");
  CHECK(next[3].action == "sign_up");
  CHECK(next[3].actor == "account:" + opened.account.public_id);
  CHECK(next[3].address == home.address);
  in.close();
  database on;
  REQUIRE(on.open(folder.file("freshet.db"), database_use::write).has_value());
  CHECK(on.execute("UPDATE audit SET detail='' WHERE id=1") != sqlite_ok);
  CHECK(on.execute("DELETE FROM audit WHERE id=1") != sqlite_ok);
  CHECK(on.integer("SELECT count(*) FROM audit").value() == 7);
}

TEST_CASE("neither strangers nor an owner make the audit log grow without end", "[alone]") {
  town in;
  const auto count = [&](std::string_view action) {
    std::int64_t found = 0;
    std::vector<audit_entry> page;
    do {
      page = in.folk->audit(page.empty() ? 0 : page.back().id, 500).value();
      found += std::ranges::count(page, action, &audit_entry::action);
    } while (!page.empty());
    return found;
  };
  for (int i = 0; i < 1'100; ++i) {
    const origin one{"10.1." + std::to_string(i / 250) + "." + std::to_string(i % 250), ""};
    REQUIRE(in.folk->begin_sign_up("a" + std::to_string(i) + "@example.org", one).has_value());
  }
  CHECK(count("sign_up.request") == 1'000);
  // What is known of an account is written all the same, and then how much was not.
  const auto opened = in.sign_up("owner@example.org");
  CHECK(code_of(in.folk->sign_in("owner@example.org", "a wrong guess", elsewhere, "")) ==
        errc::invalid_credentials);
  CHECK(count("sign_in.failed") == 1);
  in.clock.advance(10s);
  REQUIRE(in.folk->begin_sign_up("late@example.org", elsewhere).has_value());
  CHECK(in.folk->audit(0, 1).value().front().detail == "101 such lines before it were left out");
  const auto who = in.who(opened);
  for (int i = 0; i < 200; ++i) REQUIRE(in.folk->take_change(who).has_value());
  CHECK(code_of(in.folk->take_change(who)) == errc::rate_limited);
  CHECK(code_of(in.folk->sign_in("owner@example.org", good_password, home, "")) ==
        errc::rate_limited);
  in.clock.advance(20s);
  CHECK(in.folk->sign_in("owner@example.org", good_password, home, "").has_value());
}

TEST_CASE("when the disk fails nothing has happened, and it works again afterwards") {
  manual_clock clock;
  std::atomic<bool> broken{false};
  std::string stage;
  auto options = options_for(":memory:", clock);
  options.fail = [&](std::string_view at) { return broken && at == stage; };
  const auto books = open_or_throw(options);
  const auto folk = people_of(*books);
  const auto token = folk->begin_sign_up("a@example.org", home).value().token.value();
  for (const std::string at : {"begin", "account", "session", "token", "audit", "commit"}) {
    stage = at;
    broken = true;
    const auto failed = folk->confirm_sign_up(token, good_password, "free", home, "");
    REQUIRE(code_of(failed) == errc::storage_unavailable);
    broken = false;
    CHECK_FALSE(books->find_account("a@example.org").has_value());
  }
  const auto opened = folk->confirm_sign_up(token, good_password, "free", home, "").value();
  const auto who = folk->authenticate(opened.token).value();
  for (const std::string at : {"account", "key", "answer", "session", "audit", "commit"}) {
    stage = at;
    broken = true;
    CHECK(code_of(folk->erase(who, good_password, home)) == errc::storage_unavailable);
    broken = false;
    CHECK(folk->authenticate(opened.token).has_value());
    CHECK(books->find_account("a@example.org").has_value());
  }
  stage = "audit";
  broken = true;
  CHECK(code_of(folk->sign_in("a@example.org", good_password, home, "")) ==
        errc::storage_unavailable);
  broken = false;
  CHECK(folk->sessions_of(opened.account.id).size() == 1);
  CHECK(folk->sign_in("a@example.org", good_password, home, "").has_value());
}

TEST_CASE("passwords are Argon2id, salted, and seen to be outdated") {
  const auto hash = hash_password(good_password).value();
  CHECK(hash.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"));
  CHECK(hash_password(good_password).value() != hash);
  CHECK(verify_password(hash, good_password).value().matches);
  CHECK_FALSE(verify_password(hash, good_password).value().outdated);
  CHECK_FALSE(verify_password(hash, "a tide of gauge").value().matches);
  CHECK_FALSE(verify_password("", "").value().matches);
  // "password" under m=4096,t=1,p=1.
  const std::string old =
      "$argon2id$v=19$m=4096,t=1,p=1$c29tZXNhbHRzb21lc2FsdA$"
      "2gwotFrXd0+zAFJqh3DHaDnAxcUpU8hrA/whR9a0Ls0";
  CHECK(verify_password(old, "password").value().matches);
  CHECK(verify_password(old, good_password).value().outdated);
}

TEST_CASE("a password under old parameters is hashed again when it is used") {
  const temporary_folder folder;
  town in(folder.file("freshet.db"));
  in.sign_up();
  in.close();
  // As an earlier version with less memory would have stored "password".
  constexpr const char* old_hash =
      "$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4";
  {
    database on;
    REQUIRE(on.open(folder.file("freshet.db"), database_use::write).has_value());
    statement update(on, "test", "UPDATE accounts SET password=?");
    CHECK(update.bind(std::string_view(old_hash)).run() == sqlite_ok);
  }
  in.open();
  in.folk.reset();
  in.folk = people_of(*in.books, users_options());  // as shipped
  REQUIRE(in.folk->sign_in("a@example.org", "password", home, "").has_value());
  in.close();
  database on;
  REQUIRE(on.open(folder.file("freshet.db"), database_use::write).has_value());
  CHECK(on.integer("SELECT count(*) FROM accounts WHERE password LIKE '%m=19456,%'").value() == 1);
}

TEST_CASE("a throttle takes a burst, refills, gives back and forgets") {
  throttle of;
  constexpr throttle_rule rule{3, 10s};
  throttle::time now{1000s};
  for (int i = 0; i < 3; ++i) CHECK(of.take("a", rule, now).has_value());
  auto refused = of.take("a", rule, now);
  REQUIRE_FALSE(refused.has_value());
  CHECK(refused.error().retry_after == 10s);
  CHECK(of.take("b", rule, now).has_value());
  of.give_back(std::vector<throttle_count>{{"a", rule}});
  CHECK(of.take("a", rule, now).has_value());
  now += 9s;
  CHECK(of.take("a", rule, now).error().retry_after == 1s);
  now += 1s;
  CHECK(of.take("a", rule, now).has_value());
  CHECK_FALSE(of.take("a", rule, now).has_value());
  of.forget("a");
  for (int i = 0; i < 3; ++i) CHECK(of.take("a", rule, now).has_value());
}
