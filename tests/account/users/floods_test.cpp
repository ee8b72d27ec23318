// Floods of strangers from many networks: what a site, an owner and a stranger feel of them.
#include <account/fixture.hpp>
#include <account/owners.hpp>
#include <account/users.hpp>
#include <account/users/email.hpp>
#include <catch2/catch.hpp>
#include <functional>
#include <support/eventually.hpp>
#include <support/failing_sqlite.hpp>

using namespace freshet;
using namespace freshet::account;
using namespace freshet::account::test;
using namespace std::chrono_literals;

namespace {

constexpr std::string_view words_of_owner = "a tide of gauges";
const origin owners_home{"192.0.2.1", "test browser"};
const std::string owners_email = "owner@example.org";

/// A store whose disk may fail, and one person.
struct flooded_town {
  manual_clock clock;
  std::string failing;  ///< the stage that fails; "" for none
  accounts_options options = options_for(":memory:", clock);
  std::unique_ptr<accounts> books;
  std::unique_ptr<users> folk;

  flooded_town() {
    options.fail = [this](std::string_view at) { return !failing.empty() && at == failing; };
    books = open_or_throw(options);
    folk = *users::open(*books, quick_hashing());
    const auto token = folk->begin_sign_up(owners_email, owners_home).value().token.value();
    REQUIRE(folk->confirm_sign_up(token, words_of_owner, "free", owners_home, "").has_value());
  }
  ~flooded_town() {
    folk.reset();
    books.reset();
  }
  auto sign_in(const origin& asker, std::string_view password = words_of_owner) {
    return folk->sign_in(owners_email, password, asker, "");
  }
};

/// Of a site its network of that number.
origin network_of_site(int site, int network) {
  return {"2001:db8:" + std::to_string(site) + ":" + std::to_string(network) + "::1", ""};
}

/// How often a thing may be done, each time from another network of one site, of `most` times.
int passed_from_site(int site, int most, const std::function<errc(int, const origin&)>& once) {
  int passed = 0;
  for (int i = 0; i < most; ++i)
    if (once(i, network_of_site(site, i)) != errc::rate_limited) ++passed;
  return passed;
}

template <class Result>
errc outcome_of(const Result& got) {
  return got ? errc{} : got.error().code();
}

}  // namespace

TEST_CASE("a site of IPv6 is five networks to every limit, however many it has") {
  flooded_town in;
  in.clock.advance(24h);
  users& folk = *in.folk;
  CHECK(passed_from_site(1, 150, [&](int i, const origin& at) {
          const auto email = "a" + std::to_string(i) + "@catch-all.example";
          return outcome_of(folk.begin_sign_up(email, at));
        }) == 100);
  CHECK(passed_from_site(2, 150, [&](int i, const origin& at) {
          return outcome_of(folk.begin_reset("b" + std::to_string(i) + "@example.org", at));
        }) == 100);
  CHECK(passed_from_site(3, 200, [&](int i, const origin& at) {
          return outcome_of(folk.sign_in("c" + std::to_string(i) + "@example.org", "x", at, ""));
        }) == 150);
  CHECK(passed_from_site(4, 400, [&](int, const origin& at) {
          return outcome_of(folk.check_link("verify", "nothing", at));
        }) == 300);
  // Another site is not held to it, nor are addresses of the old kind that look alike.
  CHECK(in.sign_in(network_of_site(5, 1)).has_value());
  CHECK(passed_from_site(6, 90, [&](int i, const origin&) {
          const origin at{"198.51.100." + std::to_string(i), ""};
          return outcome_of(folk.begin_sign_up("d" + std::to_string(i) + "@catch-all.example", at));
        }) == 90);
}

TEST_CASE("failures of a whole site do not lock out an owner who lives in it") {
  flooded_town in;
  REQUIRE(in.sign_in(network_of_site(1, 0)).has_value());
  passed_from_site(1, 200, [&](int i, const origin& at) {
    return outcome_of(in.folk->sign_in("c" + std::to_string(i + 1) + "@example.org", "x",
                                       {at.address + "1", ""}, ""));
  });
  CHECK(in.sign_in(network_of_site(1, 0)).has_value());
}

TEST_CASE("who has signed out comes in again from where they were, whatever others guess") {
  flooded_town in;
  const auto session = in.sign_in(owners_home).value();
  REQUIRE(in.folk->sign_out(session.token, owners_home).has_value());
  const auto who = in.folk->authenticate(in.sign_in(owners_home).value().token).value();
  for (const auto& each : in.folk->sessions_of(who.account.id))
    REQUIRE(in.folk->end_session(who.account.id, each.id, owners_home).has_value());
  errc last{};
  for (int i = 0; i < 80 && last != errc::rate_limited; ++i)
    last = outcome_of(in.sign_in({"198.51.100." + std::to_string(i), ""}, "a wrong guess"));
  REQUIRE(last == errc::rate_limited);
  CHECK(outcome_of(in.sign_in({"203.0.113.77", ""})) == errc::rate_limited);
  REQUIRE(in.sign_in(owners_home).has_value());
  // With a new password nobody is at home but who has set it.
  const origin far{"203.0.113.78", ""};
  const auto link = in.folk->begin_reset(owners_email, far).value().value();
  const auto changed = in.folk->confirm_reset(link, "another tide", far).value();
  for (int i = 0; i < 60; ++i)
    (void)in.sign_in({"198.51.100." + std::to_string(100 + i), ""}, "a wrong guess");
  CHECK(outcome_of(in.sign_in(owners_home, "another tide")) == errc::rate_limited);
  CHECK(in.folk->sign_in(owners_email, "another tide", far, "").has_value());
}

TEST_CASE("a server that starts anew knows where owners were, of those with today's password") {
  flooded_town in;
  const origin before{"203.0.113.80", ""};
  REQUIRE(in.folk->sign_out(in.sign_in(before).value().token, before).has_value());
  const auto start_anew_in_a_flood = [&] {
    in.clock.advance(48h);
    in.folk.reset();
    in.folk = users::open(*in.books, quick_hashing()).value();
    CHECK(in.folk->knows(before));
    errc last{};
    for (int i = 0; i < 80 && last != errc::rate_limited; ++i)
      last = outcome_of(in.sign_in({"198.51.100." + std::to_string(i), ""}, "a wrong guess"));
    REQUIRE(last == errc::rate_limited);
  };
  start_anew_in_a_flood();
  CHECK(outcome_of(in.sign_in({"203.0.113.77", ""})) == errc::rate_limited);
  CHECK(in.sign_in(before).has_value());
  CHECK(in.sign_in(owners_home).has_value());
  const origin far{"203.0.113.78", ""};
  const auto link = in.folk->begin_reset(owners_email, far).value().value();
  REQUIRE(in.folk->confirm_reset(link, "another tide", far).has_value());
  start_anew_in_a_flood();
  CHECK(outcome_of(in.sign_in(before, "another tide")) == errc::rate_limited);
  CHECK(in.sign_in(far, "another tide").has_value());
  // What is set anew while it runs ends what was known at its start.
  in.clock.advance(1h);
  const auto again = in.folk->begin_reset(owners_email, before).value().value();
  REQUIRE(in.folk->confirm_reset(again, "a third tide", before).has_value());
  for (int i = 0; i < 60; ++i)
    (void)in.sign_in({"198.51.100." + std::to_string(100 + i), ""}, "a wrong guess");
  CHECK(outcome_of(in.sign_in(far, "a third tide")) == errc::rate_limited);
}

TEST_CASE("beside a flood of strangers the disk does not tell who has an account") {
  flooded_town in;
  for (int i = 0; i < 1'100; ++i) {
    const origin one{"10.1." + std::to_string(i / 250) + "." + std::to_string(i % 250), ""};
    REQUIRE(in.folk->begin_reset("a" + std::to_string(i) + "@example.org", one).has_value());
  }
  // A disk that fails fails whoever writes to it: all do, or who does not is told from the others.
  for (const std::string stage : {"token", "commit"}) {
    in.failing = stage;
    for (const std::string& email : {std::string("nobody@example.org"), owners_email}) {
      CHECK(outcome_of(in.folk->begin_reset(email, owners_home)) == errc::storage_unavailable);
      CHECK(outcome_of(in.folk->begin_sign_up(email, owners_home)) == errc::storage_unavailable);
    }
    in.failing.clear();
  }
  in.failing = "token";
  CHECK(outcome_of(in.folk->sign_in("nobody@example.org", "x", owners_home, "")) ==
        errc::storage_unavailable);
}

TEST_CASE("who shows no good key is told so without the lock that good ones wait for") {
  flooded_town in;
  const auto key =
      in.books->create_key(in.books->find_account(owners_email).value().id, {}).value();
  const std::string guess = generate_key(key_mode::live);
  REQUIRE(in.books->check_key(key.secret).has_value());
  const auto judge_all = [&] {
    return outcome_of(in.books->authenticate(guess)) == errc::invalid_api_key &&
           outcome_of(in.books->check_key(guess)) == errc::invalid_api_key &&
           !in.books->is_key_good(guess) && in.books->is_key_good(key.secret) &&
           // One that has been noted as used lately, as the next connection's.
           in.books->check_key(key.secret).has_value();
  };
  std::future<bool> judged;
  {
    const auto guard = in.books->inside().queue.lock();
    judged = std::async(std::launch::async, judge_all);
    CHECK(judged.wait_for(freshet::test::patience) == std::future_status::ready);
  }
  CHECK(judged.get());
}

TEST_CASE("who signs in holds up nobody who calls with a key", "[sqlite]") {
  const temporary_folder folder;
  manual_clock clock;
  const auto options = options_for(folder.file("ledger.db"), clock);
  std::string key;
  {
    const auto books = open_or_throw(options);
    const auto account = books->create_account(owners_email, "free").value();
    key = books->create_key(account.id, {}).value().secret;
  }
  const auto books = open_or_throw(options);
  const auto folk = *users::open(*books, quick_hashing());
  gate looked_up;
  looked_up.close();
  freshet::test::before_sqlite_step("WHERE email=?", [&] { looked_up.pass(); });
  auto refused = std::async(std::launch::async, [&] {
    return outcome_of(folk->sign_in(owners_email, "a wrong guess", owners_home, ""));
  });
  looked_up.await();
  // The first call since the start: account and key are read.
  auto called =
      std::async(std::launch::async, [&] { return books->authenticate(key).has_value(); });
  CHECK(called.wait_for(freshet::test::patience) == std::future_status::ready);
  looked_up.open();
  CHECK(called.get());
  CHECK(refused.get() == errc::invalid_credentials);
  freshet::test::before_sqlite_step("");
}
