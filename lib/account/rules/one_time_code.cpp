// The truncation of RFC 4226, 5.3, over the number of a half minute.
#include <account/rules/one_time_code.hpp>
#include <base/base32.hpp>
#include <base/digest.hpp>
#include <base/percent.hpp>
#include <chrono>

namespace freshet::account {
namespace {

constexpr std::chrono::seconds step_time{30};
constexpr std::uint32_t code_values = 1'000'000;
constexpr std::size_t code_digits = 6;
constexpr std::string_view base32_alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

}  // namespace

code_step code_step_at(time_point at) noexcept { return at.time_since_epoch() / step_time; }

std::string code_of_step(std::string_view secret, code_step step) {
  std::string counter(sizeof step, '\0');
  for (std::size_t i = 0; i < counter.size(); ++i)
    counter[i] = static_cast<char>(step >> (56 - 8 * i) & 0xFF);
  const base::sha1_digest digest = base::hmac_sha1(secret, counter);
  const std::size_t at = digest.back() & 0x0FU;
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i) value = value << 8 | digest[at + i];
  const std::string digits = std::to_string((value & 0x7FFFFFFFU) % code_values);
  return std::string(code_digits - digits.size(), '0') + digits;
}

std::optional<code_step> match_code(std::string_view secret, std::string_view code, time_point now,
                                    code_step last) {
  const code_step middle = code_step_at(now);
  std::optional<code_step> found;
  for (const code_step step : {middle - 1, middle, middle + 1}) {
    const bool same = base::equal_in_constant_time(code_of_step(secret, step), code);
    if (same && step > last) found = step;
  }
  return found;
}

std::string base32(std::string_view bytes) { return base::base32(bytes, base32_alphabet); }

std::string authenticator_uri(std::string_view service, std::string_view email,
                              std::string_view secret) {
  std::string issuer, label;
  base::append_encoded(issuer, service, base::percent_set::all_but_unreserved);
  base::append_encoded(label, email, base::percent_set::all_but_unreserved);
  return "otpauth://totp/" + issuer + ":" + label + "?secret=" + base32(secret) +
         "&issuer=" + issuer;
}

}  // namespace freshet::account
