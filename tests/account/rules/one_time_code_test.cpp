#include <account/rules/one_time_code.hpp>
#include <catch2/catch.hpp>

using namespace freshet::account;
using freshet::time_point;
using namespace std::chrono_literals;

namespace {

constexpr std::string_view rfc_secret = "12345678901234567890";

time_point at(std::int64_t seconds) { return time_point(std::chrono::seconds(seconds)); }

}  // namespace

TEST_CASE("codes are those of RFC 6238, appendix B, in their last six digits") {
  const std::pair<std::int64_t, const char*> rows[] = {
      {59, "287082"},         {1111111109, "081804"}, {1111111111, "050471"},
      {1234567890, "005924"}, {2000000000, "279037"}, {20000000000, "353130"}};
  for (const auto& [seconds, code] : rows) {
    CAPTURE(seconds);
    CHECK(code_of_step(rfc_secret, code_step_at(at(seconds))) == code);
  }
}

TEST_CASE("a code is good around its half minute, and once") {
  const auto now = at(1'111'111'111);
  const code_step step = code_step_at(now);
  for (const code_step off : {-2, -1, 0, 1, 2}) {
    const std::string code = code_of_step(rfc_secret, step + off);
    CAPTURE(off);
    CHECK(match_code(rfc_secret, code, now, 0).has_value() == (off >= -1 && off <= 1));
  }
  const std::string code = code_of_step(rfc_secret, step);
  CHECK(match_code(rfc_secret, code, now, step - 1) == step);
  CHECK_FALSE(match_code(rfc_secret, code, now, step).has_value());
  for (const char* const wrong : {"", "0", "05047", "0504711", "abcdef", "050472"})
    CHECK_FALSE(match_code(rfc_secret, wrong, now, 0).has_value());
}

TEST_CASE("a secret is typed in base 32, as RFC 4648 has it, and read from a URI") {
  const std::pair<const char*, const char*> rows[] = {{"", ""},
                                                      {"f", "MY"},
                                                      {"fo", "MZXQ"},
                                                      {"foo", "MZXW6"},
                                                      {"foob", "MZXW6YQ"},
                                                      {"fooba", "MZXW6YTB"},
                                                      {"foobar", "MZXW6YTBOI"}};
  for (const auto& [bytes, text] : rows) CHECK(base32(bytes) == text);
  CHECK(authenticator_uri("Freshet", "a+b@example.org", "foobar") ==
        "otpauth://totp/Freshet:a%2Bb%40example.org?secret=MZXW6YTBOI&issuer=Freshet");
}
