#include <account/fixture.hpp>
#include <account/rules/one_time_code.hpp>
#include <account/users.hpp>
#include <base/digest.hpp>
#include <base/whole_file.hpp>
#include <catch2/catch.hpp>
#include <set>

using namespace freshet;
using namespace freshet::account;
using namespace freshet::account::test;
using namespace std::chrono_literals;

namespace {

constexpr std::string_view owner_password = "a tide of gauges";
const origin at_home{"192.0.2.1", "test browser"};
const origin away{"198.51.100.7", "another browser"};

std::string bytes_of_base32(std::string_view text) {
  std::string out;
  std::uint32_t pending = 0;
  int bits = 0;
  for (const char c : text) {
    pending = pending << 5 | static_cast<std::uint32_t>(c >= 'A' ? c - 'A' : c - '2' + 26);
    if ((bits += 5) < 8) continue;
    bits -= 8;
    out += static_cast<char>(pending >> bits & 0xFF);
  }
  return out;
}

/// Somebody with an authenticator, and a store on the disk.
struct owner {
  temporary_folder folder;
  manual_clock clock;
  accounts_options options = options_for(folder.file("ledger.db"), clock);
  std::unique_ptr<accounts> books;
  std::unique_ptr<users> folk;
  std::string secret;
  std::vector<std::string> recovery;

  owner() {
    open();
    const auto token = folk->begin_sign_up("a@example.org", at_home).value().token.value();
    REQUIRE(folk->confirm_sign_up(token, owner_password, "free", at_home, "").has_value());
  }
  ~owner() { close(); }
  void open() {
    books = open_or_throw(options);
    folk = users::open(*books, quick_hashing()).value();
  }
  void close() {
    folk.reset();
    books.reset();
  }
  std::string code() { return code_of_step(secret, code_step_at(clock.now())); }
  auto sign_in(std::string_view code = {}, const origin& origin = at_home) {
    return folk->sign_in("a@example.org", owner_password, origin, "", {code});
  }
  login who(const opened_session& by) { return folk->authenticate(by.token).value(); }
  /// Turns the factor on; the session that did.
  opened_session protect() {
    auto session = sign_in().value();
    const auto begun = folk->begin_second_factor(who(session), owner_password, at_home).value();
    secret = bytes_of_base32(begun.secret);
    recovery = folk->confirm_second_factor(who(session), code(), at_home).value();
    clock.advance(30s);
    return session;
  }
};

}  // namespace

TEST_CASE("nothing asks for a second factor until one was shown to work") {
  owner in;
  const auto session = in.sign_in().value();
  CHECK(code_of(in.folk->begin_second_factor(in.who(session), "not it", at_home)) ==
        errc::invalid_credentials);
  CHECK(code_of(in.folk->confirm_second_factor(in.who(session), "123456", at_home)) ==
        errc::invalid_request);
  const auto begun = in.folk->begin_second_factor(in.who(session), owner_password, at_home).value();
  CHECK(begun.uri ==
        "otpauth://totp/Freshet:a%40example.org?secret=" + begun.secret + "&issuer=Freshet");
  CHECK(code_of(in.folk->confirm_second_factor(in.who(session), "000000", at_home)) ==
        errc::invalid_second_factor);
  CHECK_FALSE(in.folk->second_factor_of(session.account.id).value().is_on());
  CHECK(in.sign_in().has_value());
}

TEST_CASE("with a second factor the password alone opens nothing, and a code is good once",
          "[alone]") {
  owner in;
  const auto other = in.sign_in({}, away).value();
  const auto session = in.protect();
  CHECK(code_of(in.folk->authenticate(other.token)) == errc::not_signed_in);
  CHECK(in.folk->authenticate(session.token).has_value());
  CHECK(in.folk->second_factor_of(session.account.id).value().recovery_codes == 10);

  CHECK(code_of(in.sign_in()) == errc::second_factor_required);
  CHECK(code_of(in.sign_in("000000")) == errc::invalid_second_factor);
  const std::string code = in.code();
  CHECK(in.sign_in(code.substr(0, 3) + " " + code.substr(3)).has_value());
  CHECK(code_of(in.sign_in(code)) == errc::invalid_second_factor);
  in.clock.advance(30s);
  CHECK(in.sign_in(in.code()).has_value());
  // Whoever does not know the password learns nothing of it.
  CHECK(code_of(in.folk->sign_in("a@example.org", "not it", at_home, "", {in.code()})) ==
        errc::invalid_credentials);
}

TEST_CASE("a recovery code stands in for the authenticator, each once", "[alone]") {
  owner in;
  const auto session = in.protect();
  CHECK(std::set<std::string>(in.recovery.begin(), in.recovery.end()).size() == 10);
  CHECK(in.sign_in(in.recovery[3]).has_value());
  CHECK(code_of(in.sign_in(in.recovery[3])) == errc::invalid_second_factor);
  CHECK(in.sign_in(in.recovery[4]).has_value());
  CHECK(in.folk->second_factor_of(session.account.id).value().recovery_codes == 8);
  CHECK(code_of(in.sign_in("aaaa-bbbb-cccc-dddd")) == errc::invalid_second_factor);
}

TEST_CASE("codes cannot be tried without end, and nobody is locked out for ever", "[alone]") {
  owner in;
  in.protect();
  int wrong = 0;
  for (int i = 0; i < 30; ++i) {
    const auto code = std::to_string(200'000 + i);
    wrong += code_of(in.sign_in(code)) == errc::invalid_second_factor ? 1 : 0;
  }
  CHECK(wrong == 10);
  CHECK(code_of(in.sign_in(in.code())) == errc::rate_limited);
  in.clock.advance(90s);
  CHECK(in.sign_in(in.code()).has_value());
}

TEST_CASE("who has the password alone does not use up the codes of who reads the mail") {
  owner in;
  const auto session = in.protect();
  for (int i = 0; i < 20; ++i) (void)in.sign_in(std::to_string(200'000 + i), away);
  REQUIRE(code_of(in.sign_in(in.code(), away)) == errc::rate_limited);
  const auto link = in.folk->begin_reset("a@example.org", at_home).value().value();
  for (int i = 0; i < 20; ++i)
    (void)in.folk->confirm_reset(link, "another tide", away, {std::to_string(300'000 + i)});
  CHECK(code_of(in.folk->confirm_reset(link, "another tide", away, {in.code()})) ==
        errc::rate_limited);
  // Nor those of who is signed in.
  const auto by_owner =
      in.folk->remove_second_factor(in.who(session), owner_password, {in.code()}, at_home);
  CHECK(by_owner.has_value());
}

TEST_CASE("who reads the mail needs the second factor all the same") {
  owner in;
  const auto session = in.protect();
  const auto link = in.folk->begin_reset("a@example.org", away).value().value();
  CHECK(code_of(in.folk->confirm_reset(link, "another tide", away)) ==
        errc::second_factor_required);
  CHECK(code_of(in.folk->confirm_reset(link, "another tide", away, {"000000"})) ==
        errc::invalid_second_factor);
  CHECK(in.folk->authenticate(session.token).has_value());
  CHECK(in.folk->confirm_reset(link, "another tide", away, {in.code()}).has_value());
}

TEST_CASE("a second factor goes by its owner with both, or by an operator", "[alone]") {
  owner in;
  const auto session = in.protect();
  const login who = in.who(session);
  CHECK(code_of(in.folk->remove_second_factor(who, owner_password, {}, at_home)) ==
        errc::second_factor_required);
  CHECK(code_of(in.folk->remove_second_factor(who, "not it", {in.code()}, at_home)) ==
        errc::invalid_credentials);
  CHECK(code_of(in.folk->begin_second_factor(who, owner_password, at_home)) ==
        errc::invalid_request);
  CHECK(in.folk->remove_second_factor(who, owner_password, {in.code()}, at_home).has_value());
  CHECK(in.sign_in().has_value());
  in.protect();
  const audit_note note{"command line", "accounts.recover", who.account.public_id, "", ""};
  CHECK(in.folk->drop_second_factor("A@example.org", note).has_value());
  CHECK(in.folk->audit(0, 1).value().front().action == "accounts.recover");
  CHECK(in.sign_in().has_value());
  CHECK(code_of(in.folk->drop_second_factor("b@example.org", note)) == errc::not_found);
}

TEST_CASE("a second factor outlives the process, and its secret stands nowhere in the file",
          "[alone][sqlite]") {
  owner in;
  in.protect();
  in.close();
  std::string file;
  for (const char* const name : {"ledger.db", "ledger.db-wal"})
    file += base::read_whole(in.folder.file(name));
  REQUIRE_FALSE(file.empty());
  for (const std::string& hidden :
       {in.secret, base32(in.secret), base::base64url(in.secret), in.recovery.front()})
    CHECK(file.find(hidden) == std::string::npos);
  in.open();
  CHECK(code_of(in.sign_in()) == errc::second_factor_required);
  CHECK(in.sign_in(in.code()).has_value());
  CHECK(in.sign_in(in.recovery.front()).has_value());
}

TEST_CASE("of two who show the same code at once one gets in") {
  owner in;
  in.protect();
  const std::string code = in.code();
  std::atomic<int> entered{0};
  std::vector<std::thread> all;
  for (int i = 0; i < 4; ++i)
    all.emplace_back([&] { entered += in.sign_in(code).has_value() ? 1 : 0; });
  for (auto& each : all) each.join();
  CHECK(entered == 1);
}
