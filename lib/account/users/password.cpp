// Argon2id by its reference implementation.
#include <argon2.h>
#include <account/users/password.hpp>
#include <base/digest.hpp>
#include <base/invalid_parameter.hpp>
#include <base/number.hpp>
#include <base/unicode.hpp>

namespace freshet::account {
namespace {

constexpr std::size_t salt_bytes = 16;
constexpr std::size_t hash_bytes = 32;
constexpr std::chrono::seconds memory_retry{1};

error no_memory() {
  error full(errc::overloaded, "there is no memory to check a password just now");
  full.retry_after = memory_retry;
  return full;
}

/// The number after "m=" or the like; 0 if there is none.
std::uint32_t parameter(std::string_view hash, std::string_view name) {
  const std::size_t at = hash.find(name);
  if (at == std::string_view::npos) return 0;
  std::string_view digits = hash.substr(at + name.size());
  return base::take_number<std::uint32_t>(digits).value_or(0);
}

}  // namespace

result<void> check_password(std::string_view password, std::string_view email,
                            std::string_view name) {
  const auto refuse = [&](std::string_view code, const std::string& why) {
    return base::invalid_parameter("/" + std::string(name), code, why);
  };
  if (!base::is_utf8(password) || password.find('\0') != std::string_view::npos)
    return refuse("invalid_format", "a password is text in UTF-8");
  const std::size_t length = base::length(password);
  if (length < min_password_length || length > max_password_length)
    return refuse("out_of_bounds", "a password has " + std::to_string(min_password_length) +
                                       " to " + std::to_string(max_password_length) +
                                       " characters");
  if (base::equals_ignoring_ascii_case(password, email))
    return refuse("invalid_format", "the address itself is no password: choose another");
  return {};
}

result<std::string> hash_password(std::string_view password, std::uint32_t memory_kib) {
  const std::string salt = base::random_bytes(salt_bytes);
  std::string encoded(argon2_encodedlen(password_passes, memory_kib, password_lanes, salt_bytes,
                                        hash_bytes, Argon2_id),
                      '\0');
  const int code = argon2id_hash_encoded(password_passes, memory_kib, password_lanes,
                                         password.data(), password.size(), salt.data(), salt.size(),
                                         hash_bytes, encoded.data(), encoded.size());
  if (code == ARGON2_MEMORY_ALLOCATION_ERROR) return no_memory();
  if (code != ARGON2_OK) return error(errc::internal, "the password could not be hashed");
  encoded.resize(encoded.find('\0'));
  return encoded;
}

result<password_verdict> verify_password(std::string_view hash, std::string_view password,
                                         std::uint32_t memory_kib) {
  const std::string encoded(hash);
  const int code = argon2id_verify(encoded.c_str(), password.data(), password.size());
  if (code == ARGON2_MEMORY_ALLOCATION_ERROR) return no_memory();
  password_verdict verdict;
  verdict.matches = code == ARGON2_OK;
  verdict.outdated = parameter(hash, "$m=") < memory_kib ||
                     parameter(hash, ",t=") < password_passes ||
                     parameter(hash, ",p=") < password_lanes;
  return verdict;
}

}  // namespace freshet::account
