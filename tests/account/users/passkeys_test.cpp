#include <account/fixture.hpp>
#include <account/rules/one_time_code.hpp>
#include <account/users.hpp>
#include <account/users/challenges.hpp>
#include <catch2/catch.hpp>
#include <thread>

#include "support/soft_authenticator.hpp"

using namespace freshet;
using namespace freshet::account;
using namespace freshet::account::test;
using freshet::test::passkey_terms;
using freshet::test::soft_authenticator;
using namespace std::chrono_literals;

namespace {

constexpr std::string_view holder_password = "a tide of gauges";
constexpr std::string_view holder_email = "a@example.org";
const origin at_desk{"192.0.2.1", "test browser"};

passkey_terms terms_of(const passkey_question& asked) {
  passkey_terms made;
  made.challenge = asked.challenge;
  return made;
}

/// Somebody with authenticators, and a store on the disk.
struct passkey_holder {
  temporary_folder folder;
  manual_clock clock;
  accounts_options options = options_for(folder.file("ledger.db"), clock);
  std::string base_url = "https://api.example.org";
  std::unique_ptr<accounts> books;
  std::unique_ptr<users> folk;
  soft_authenticator phone;
  std::vector<std::string> recovery;

  passkey_holder() {
    open();
    sign_up(holder_email);
  }
  ~passkey_holder() { close(); }
  void open() {
    books = open_or_throw(options);
    users_options with = quick_hashing();
    with.site = passkey_site_of(base_url);
    folk = users::open(*books, with).value();
  }
  void close() {
    folk.reset();
    books.reset();
  }
  opened_session sign_up(std::string_view email) {
    const auto token = folk->begin_sign_up(email, at_desk).value().token.value();
    return folk->confirm_sign_up(token, holder_password, "free", at_desk, "").value();
  }
  auto sign_in(const factor_proof& proof = {}) {
    return folk->sign_in(holder_email, holder_password, at_desk, "", proof);
  }
  passkey_question ask() {
    return folk->ask_for_passkey(holder_email, holder_password, at_desk).value();
  }
  auto sign_in_by_phone() {
    const std::string shown = phone.show(terms_of(ask()));
    return sign_in({{}, shown});
  }
  login who(const opened_session& by) { return folk->authenticate(by.token).value(); }
  auto add(const login& who, soft_authenticator& device, const factor_proof& proof = {}) {
    const auto asked = folk->begin_passkey(who, holder_password, proof, at_desk).value();
    return folk->add_passkey(who, "Phone", device.make(terms_of(asked)), at_desk);
  }
  /// The session that made the first passkey.
  opened_session protect() {
    auto session = sign_in().value();
    recovery = add(who(session), phone).value();
    return session;
  }
  std::vector<passkey_record> passkeys(const login& of) {
    return folk->second_factor_of(of.account.id).value().passkeys;
  }
};

}  // namespace

TEST_CASE("with a passkey the password alone opens nothing", "[alone]") {
  passkey_holder in;
  const auto other = in.sign_in().value();
  const auto session = in.protect();
  CHECK(code_of(in.folk->authenticate(other.token)) == errc::not_signed_in);
  const auto factor = in.folk->second_factor_of(session.account.id).value();
  CHECK(factor.is_on());
  CHECK_FALSE(factor.has_codes);
  CHECK(factor.recovery_codes == 10);
  CHECK(factor.passkeys.at(0).name == "Phone");
  CHECK(factor.passkeys.at(0).id.starts_with("psk_"));
  CHECK_FALSE(factor.passkeys.at(0).last_used_at);

  CHECK(code_of(in.sign_in()) == errc::second_factor_required);
  CHECK(code_of(in.sign_in({"123456"})) == errc::invalid_second_factor);
  CHECK(in.sign_in_by_phone().has_value());
  CHECK(in.passkeys(in.who(session)).at(0).last_used_at == in.clock.now());
  CHECK(in.sign_in({in.recovery[0]}).has_value());
  CHECK(code_of(in.sign_in({in.recovery[0]})) == errc::invalid_second_factor);
  CHECK(code_of(in.folk->ask_for_passkey(holder_email, "not it", at_desk)) ==
        errc::invalid_credentials);
  CHECK(code_of(in.folk->ask_for_passkey("b@example.org", holder_password, at_desk)) ==
        errc::invalid_credentials);
}

TEST_CASE("an answer is good once, for a while, and for what was asked", "[alone]") {
  passkey_holder in;
  const auto session = in.protect();
  const login who = in.who(session);
  const auto refused = [&](const std::string& shown) {
    CHECK(code_of(in.sign_in({{}, shown})) == errc::invalid_second_factor);
  };
  const std::string once = in.phone.show(terms_of(in.ask()));
  CHECK(in.sign_in({{}, once}).has_value());
  refused(once);
  const std::string late = in.phone.show(terms_of(in.ask()));
  in.clock.advance(5min);
  refused(late);
  passkey_terms invented;
  invented.challenge = "aW52ZW50ZWQ";
  refused(in.phone.show(invented));
  // What the session asked for opens no other door, nor does what was asked to make one.
  refused(in.phone.show(terms_of(in.folk->ask_for_passkey(who).value())));
  const std::string shown = in.phone.show(terms_of(in.folk->ask_for_passkey(who).value()));
  const auto begun = in.folk->begin_passkey(who, holder_password, {{}, shown}, at_desk).value();
  refused(in.phone.show(terms_of(begun)));
  // A refused answer uses its question up, too.
  const auto asked = in.ask();
  refused(in.phone.show(terms_of(asked), true));
  refused(in.phone.show(terms_of(asked)));
}

TEST_CASE("an answer of another page, site or account's passkey is refused and written down",
          "[alone]") {
  passkey_holder in;
  const auto session = in.protect();
  passkey_terms wrong = terms_of(in.ask());
  SECTION("page") { wrong.origin = "https://api.example.org.evil.example"; }
  SECTION("site") { wrong.host = "evil.example"; }
  std::string shown = in.phone.show(wrong);
  SECTION("account") {
    soft_authenticator foreign;
    shown = foreign.show(wrong);
  }
  SECTION("signature") { shown = in.phone.show(wrong, true); }
  CHECK(code_of(in.sign_in({{}, shown})) == errc::invalid_second_factor);
  const auto line = in.folk->audit(0, 1).value().front();
  CHECK(line.action == "sign_in.failed");
  CHECK(line.detail == "passkey");
  CHECK(line.subject == session.account.public_id);
}

TEST_CASE("a counter that goes back is a copy's", "[alone]") {
  passkey_holder in;
  in.phone.uses = 10;
  const auto session = in.protect();
  CHECK(in.sign_in_by_phone().has_value());
  CHECK(in.passkeys(in.who(session)).at(0).uses == 11);
  in.phone.uses = 9;
  const auto copied = in.sign_in_by_phone();
  CHECK(code_of(copied) == errc::invalid_second_factor);
  CHECK(copied.error().detail().find("counter went back") != std::string::npos);
  in.phone.uses = 12;
  CHECK(in.sign_in_by_phone().has_value());
}

TEST_CASE("more passkeys come and go by who has the password and a second factor", "[alone]") {
  passkey_holder in;
  const auto session = in.protect();
  const login who = in.who(session);
  soft_authenticator key;
  CHECK(code_of(in.folk->begin_passkey(who, holder_password, {}, at_desk)) ==
        errc::second_factor_required);
  CHECK(code_of(in.folk->begin_passkey(who, "not it", {in.recovery[0]}, at_desk)) ==
        errc::invalid_credentials);
  CHECK(in.add(who, key, {in.recovery[0]}).value().empty());
  CHECK(code_of(in.add(who, key, {in.recovery[1]})) == errc::invalid_request);
  REQUIRE(in.passkeys(who).size() == 2);
  const std::string first = in.passkeys(who)[0].id, second = in.passkeys(who)[1].id;

  CHECK(code_of(in.folk->remove_passkey(who, first, holder_password, {}, at_desk)) ==
        errc::second_factor_required);
  CHECK(code_of(in.folk->remove_passkey(who, "psk_none", holder_password, {in.recovery[2]},
                                        at_desk)) == errc::not_found);
  const std::string shown = key.show(terms_of(in.folk->ask_for_passkey(who).value()));
  CHECK(in.folk->remove_passkey(who, first, holder_password, {{}, shown}, at_desk).has_value());
  CHECK(code_of(in.sign_in_by_phone()) == errc::invalid_second_factor);
  CHECK(in.folk->second_factor_of(who.account.id).value().recovery_codes == 7);
  CHECK(
      in.folk->remove_passkey(who, second, holder_password, {in.recovery[3]}, at_desk).has_value());
  // With the last of them the recovery codes went.
  CHECK(in.sign_in().has_value());
  CHECK(in.folk->second_factor_of(who.account.id).value().recovery_codes == 0);
  CHECK(code_of(in.folk->ask_for_passkey(who)) == errc::not_found);
}

TEST_CASE("passkeys and codes by time stand side by side, and either opens", "[alone]") {
  passkey_holder in;
  const auto session = in.protect();
  const login who = in.who(session);
  CHECK(code_of(in.folk->begin_second_factor(who, holder_password, at_desk)) ==
        errc::second_factor_required);
  const std::string shown = in.phone.show(terms_of(in.folk->ask_for_passkey(who).value()));
  const auto begun =
      in.folk->begin_second_factor(who, holder_password, at_desk, {{}, shown}).value();
  CHECK(in.folk->second_factor_of(who.account.id).value().recovery_codes == 10);
  const auto equals = begun.uri.find("secret=") + 7;
  CHECK(begun.uri.substr(equals, begun.secret.size()) == begun.secret);
  std::string secret;
  std::uint32_t pending = 0;
  int bits = 0;
  for (const char c : begun.secret) {
    pending = pending << 5 | static_cast<std::uint32_t>(c >= 'A' ? c - 'A' : c - '2' + 26);
    if ((bits += 5) < 8) continue;
    bits -= 8;
    secret += static_cast<char>(pending >> bits & 0xFF);
  }
  const auto code = [&] { return code_of_step(secret, code_step_at(in.clock.now())); };
  // The recovery codes are those of before.
  CHECK(in.folk->confirm_second_factor(who, code(), at_desk).value().empty());
  in.clock.advance(30s);
  CHECK(in.sign_in({code()}).has_value());
  CHECK(in.sign_in_by_phone().has_value());
  in.clock.advance(30s);
  CHECK(in.folk->remove_second_factor(who, holder_password, {code()}, at_desk).has_value());
  CHECK(code_of(in.sign_in()) == errc::second_factor_required);
  CHECK(in.sign_in_by_phone().has_value());
  CHECK(in.sign_in({in.recovery[0]}).has_value());
}

TEST_CASE("who reads the mail shows the passkey for that link", "[alone]") {
  passkey_holder in;
  in.protect();
  const auto link = in.folk->begin_reset(holder_email, at_desk).value().value();
  CHECK(code_of(in.folk->confirm_reset(link, "another tide", at_desk)) ==
        errc::second_factor_required);
  CHECK(code_of(in.folk->ask_for_passkey("no token")) == errc::invalid_token);
  const std::string elsewhere = in.phone.show(terms_of(in.ask()));
  CHECK(code_of(in.folk->confirm_reset(link, "another tide", at_desk, {{}, elsewhere})) ==
        errc::invalid_second_factor);
  const std::string shown = in.phone.show(terms_of(in.folk->ask_for_passkey(link).value()));
  CHECK(in.folk->confirm_reset(link, "another tide", at_desk, {{}, shown}).has_value());
}

TEST_CASE("an operator helps who has lost all, and who goes is forgotten", "[alone]") {
  passkey_holder in;
  const auto session = in.protect();
  const audit_note note{"command line", "accounts.recover", session.account.public_id, "", ""};
  CHECK(in.folk->drop_second_factor(holder_email, note).has_value());
  CHECK(in.sign_in().has_value());
  CHECK(in.passkeys(in.who(session)).empty());
  in.protect();
  const auto again = in.sign_in_by_phone().value();
  CHECK(in.folk->erase(in.who(again), holder_password, at_desk).has_value());
  CHECK(in.folk->second_factor_of(again.account.id).value().passkeys.empty());
}

TEST_CASE("an account has a few passkeys, each for one account, with a name", "[alone]") {
  passkey_holder in;
  const auto session = in.protect();
  const login who = in.who(session);
  const auto prove = [&] { return in.phone.show(terms_of(in.folk->ask_for_passkey(who).value())); };
  for (std::size_t i = 1; i < max_passkeys_per_account; ++i) {
    soft_authenticator one;
    CHECK(in.add(who, one, {{}, prove()}).has_value());
  }
  CHECK(code_of(in.folk->begin_passkey(who, holder_password, {{}, prove()}, at_desk)) ==
        errc::invalid_request);

  const login other = in.who(in.sign_up("b@example.org"));
  CHECK(code_of(in.add(other, in.phone)) == errc::invalid_request);
  CHECK_FALSE(in.folk->second_factor_of(other.account.id).value().is_on());
  soft_authenticator theirs;
  for (const std::string& bad : {std::string(), std::string(65, 'x'), std::string("a\nb")}) {
    const auto asked = in.folk->begin_passkey(other, holder_password, {}, at_desk).value();
    CHECK(code_of(in.folk->add_passkey(other, bad, theirs.make(terms_of(asked)), at_desk)) ==
          errc::invalid_request);
  }
  // Another session of the same account asked: this one cannot answer.
  const auto asked = in.folk->begin_passkey(other, holder_password, {}, at_desk).value();
  const login second =
      in.who(in.folk->sign_in("b@example.org", holder_password, at_desk, "").value());
  CHECK(code_of(in.folk->add_passkey(second, "Key", theirs.make(terms_of(asked)), at_desk)) ==
        errc::invalid_second_factor);
}

TEST_CASE("passkeys outlive the process, and a server at another address takes none", "[alone]") {
  passkey_holder in;
  const auto session = in.protect();
  in.close();
  in.open();
  CHECK(in.sign_in_by_phone().has_value());
  in.close();
  in.base_url = "https://192.0.2.1";
  in.open();
  CHECK(code_of(in.folk->ask_for_passkey(holder_email, holder_password, at_desk)) ==
        errc::not_found);
  CHECK(code_of(in.sign_in()) == errc::second_factor_required);
  const login who = in.who(in.sign_in({in.recovery[0]}).value());
  CHECK(code_of(in.folk->begin_passkey(who, holder_password, {in.recovery[1]}, at_desk)) ==
        errc::invalid_request);
}

TEST_CASE("of two who show the same answer at once one gets in") {
  passkey_holder in;
  in.protect();
  const std::string shown = in.phone.show(terms_of(in.ask()));
  std::atomic<int> entered{0};
  std::vector<std::thread> all;
  for (int i = 0; i < 4; ++i)
    all.emplace_back([&] { entered += in.sign_in({{}, shown}).has_value() ? 1 : 0; });
  for (auto& each : all) each.join();
  CHECK(entered == 1);
}

TEST_CASE("an account's questions push out its own alone", "[alone]") {
  challenges all;
  const challenges::time now{};
  const std::string other = all.make(2, "sign in", now);
  const std::string first = all.make(1, "sign in", now);
  for (int i = 0; i < 8; ++i) static_cast<void>(all.make(1, "sign in", now));
  CHECK_FALSE(all.take(first, 1, "sign in", now));
  CHECK(all.take(other, 2, "sign in", now));
  CHECK_FALSE(all.take(other, 2, "sign in", now));
  const std::string mine = all.make(1, "sign in", now);
  CHECK_FALSE(all.take(mine, 2, "sign in", now));
}
