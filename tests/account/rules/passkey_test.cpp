#include <account/rules/passkey.hpp>
#include <catch2/catch.hpp>

#include "support/print_result.hpp"
#include "support/soft_authenticator.hpp"

using namespace freshet;
using namespace freshet::account;
using freshet::test::passkey_terms;
using freshet::test::soft_authenticator;

namespace {

const passkey_site ours = passkey_site_of("https://api.example.org");

passkey_terms terms(std::string challenge = "Y2hhbGxlbmdl") {
  passkey_terms made;
  made.challenge = std::move(challenge);
  return made;
}

/// What the answer is refused for, "" where it is taken.
std::string refusal_to_make(const soft_authenticator& authenticator, const passkey_terms& terms) {
  const auto read = read_passkey_answer(authenticator.make(terms), passkey_act::make, ours);
  if (!read) return std::string(read.error().detail());
  const auto made = read_made_passkey(*read, ours);
  return made ? "" : std::string(made.error().detail());
}

std::string refusal_to_show(soft_authenticator& authenticator, const passkey_key& key,
                            const passkey_terms& terms, bool tampers = false) {
  const auto read =
      read_passkey_answer(authenticator.show(terms, tampers), passkey_act::show, ours);
  if (!read) return std::string(read.error().detail());
  const auto shown = check_shown_passkey(*read, key, ours);
  return shown ? "" : std::string(shown.error().detail());
}

passkey_key key_of(const soft_authenticator& by) {
  return read_made_passkey(read_passkey_answer(by.make(terms()), passkey_act::make, ours).value(),
                           ours)
      .value()
      .key;
}

}  // namespace

TEST_CASE("passkeys are for a public address with a name, by TLS or on localhost") {
  CHECK(passkey_site_of("https://API.example.org/").host == "api.example.org");
  CHECK(passkey_site_of("https://api.example.org/").origin == "https://api.example.org");
  CHECK(passkey_site_of("https://a.example:8443/x").origin == "https://a.example:8443");
  CHECK(passkey_site_of("http://localhost:8080").origin == "http://localhost:8080");
  CHECK(passkey_site_of("http://a.localhost").host == "a.localhost");
  for (const char* none : {"", "http://api.example.org", "https://192.0.2.1", "http://127.0.0.1:80",
                           "https://[::1]:8443", "ftp://localhost", "localhost"})
    CHECK(passkey_site_of(none).host.empty());
}

TEST_CASE("a passkey of each kind is made and shown") {
  soft_authenticator by(GENERATE(-7, -8, -257));
  by.uses = GENERATE(0U, 41U);
  const auto read = read_passkey_answer(by.make(terms()), passkey_act::make, ours).value();
  CHECK(read.challenge == "Y2hhbGxlbmdl");
  CHECK(read.credential == base::base64url(by.id));
  const auto made = read_made_passkey(read, ours).value();
  CHECK(made.uses == by.uses);
  const auto shown = read_passkey_answer(by.show(terms("bW9yZQ")), passkey_act::show, ours).value();
  CHECK(shown.challenge == "bW9yZQ");
  CHECK(check_shown_passkey(shown, made.key, ours).value() == by.uses);
}

TEST_CASE("what was said elsewhere, by nobody or to another question is refused") {
  soft_authenticator by;
  const auto key = key_of(by);
  passkey_terms wrong = terms();
  std::string why = "passkeys are for https://api.example.org";
  SECTION("another origin") { wrong.origin = "https://evil.example"; }
  SECTION("another port") { wrong.origin = "https://api.example.org:8443"; }
  SECTION("without TLS") { wrong.origin = "http://api.example.org"; }
  SECTION("another site's frame") {
    wrong.cross_origin = true;
    why = "another site's page";
  }
  SECTION("the other question") {
    wrong.type = "payment.get";
    why = "another question";
  }
  CHECK_THAT(refusal_to_make(by, wrong), Catch::Contains(why));
  CHECK_THAT(refusal_to_show(by, key, wrong), Catch::Contains(why));
}

TEST_CASE("an authenticator that spoke for another site or alone is refused") {
  soft_authenticator by;
  const auto key = key_of(by);
  passkey_terms wrong = terms();
  std::string why;
  SECTION("another site's id") {
    wrong.host = "example.org";
    why = "for another site";
  }
  SECTION("nobody was there") {
    wrong.flags = 0x04;
    why = "nobody was there";
  }
  CHECK_THAT(refusal_to_make(by, wrong), Catch::Contains(why));
  CHECK_THAT(refusal_to_show(by, key, wrong), Catch::Contains("did not sign this"));
}

TEST_CASE("another key's signature, a changed one and another kind of key prove nothing") {
  soft_authenticator by, another;
  const auto key = key_of(by);
  CHECK(refusal_to_show(by, key, terms()).empty());
  CHECK_THAT(refusal_to_show(by, key, terms(), true), Catch::Contains("did not sign this"));
  CHECK_THAT(refusal_to_show(another, key, terms()), Catch::Contains("did not sign this"));
  for (const std::int64_t algorithm : {-8, -257, -36, 0})
    CHECK_THAT(refusal_to_show(by, {algorithm, key.bytes}, terms()),
               Catch::Contains("did not sign this"));
  CHECK_THAT(refusal_to_show(by, {-7, "none"}, terms()), Catch::Contains("did not sign this"));
}

TEST_CASE("an answer is as good as its bytes") {
  soft_authenticator by;
  const auto key = key_of(by);
  const std::string made = by.make(terms()), shown = by.show(terms());
  for (std::size_t size = 0; size < made.size(); ++size)
    CHECK_FALSE(read_passkey_answer(std::string_view(made).substr(0, size), passkey_act::make, ours)
                    .has_value());
  for (const auto* other : {"null", "[]", "{}", R"({"id":1,"response":[]})", R"({"id":"!"})"})
    CHECK(read_passkey_answer(other, passkey_act::show, ours).error().code() ==
          errc::invalid_second_factor);
  CHECK_FALSE(read_passkey_answer(made, passkey_act::show, ours).has_value());
  CHECK_FALSE(
      read_passkey_answer(std::string(100'000, ' ') + shown, passkey_act::show, ours).has_value());
  // Whatever an authenticator says in place of its words is read within its bounds.
  auto read = read_passkey_answer(made, passkey_act::make, ours).value();
  const std::string whole = read.authenticator_data;
  for (std::size_t size = 0; size < whole.size(); ++size) {
    read.authenticator_data = whole.substr(0, size);
    CHECK_FALSE(read_made_passkey(read, ours).has_value());
  }
  read.authenticator_data = whole;
  read.credential = "b3RoZXI";
  CHECK_FALSE(read_made_passkey(read, ours).has_value());
  auto signed_for = read_passkey_answer(shown, passkey_act::show, ours).value();
  const std::string said = signed_for.authenticator_data;
  for (std::size_t i = 0; i < said.size(); ++i) {
    signed_for.authenticator_data = said;
    signed_for.authenticator_data[i] ^= 0x10;
    CHECK_FALSE(check_shown_passkey(signed_for, key, ours).has_value());
  }
}

TEST_CASE("a counter goes on, or is none") {
  CHECK(goes_on(0, 0));
  CHECK(goes_on(0, 1));
  CHECK(goes_on(7, 8));
  CHECK_FALSE(goes_on(7, 7));
  CHECK_FALSE(goes_on(7, 6));
  CHECK_FALSE(goes_on(7, 0));
}
