// Passwords of people: what is taken as one, and Argon2id under OWASP's parameters, as PHC strings.
// Keys of programs are random and need none of this. Slow and hungry on purpose: never on the io or
// the ledger thread, and never many at once.
#pragma once

#include <cstdint>
#include <freshet/result.hpp>
#include <string>
#include <string_view>

namespace freshet::account {

/// OWASP's password storage cheat sheet: Argon2id with 19 MiB, two passes, one lane.
inline constexpr std::uint32_t password_memory_kib = 19 * 1024;
inline constexpr std::uint32_t password_passes = 2;
inline constexpr std::uint32_t password_lanes = 1;
/// In code points.
inline constexpr std::size_t min_password_length = 10;
inline constexpr std::size_t max_password_length = 200;

/// Whether it may become a password of `email`. `name` is the parameter that the error names.
/// Error: invalid_request.
[[nodiscard]] result<void> check_password(std::string_view password, std::string_view email,
                                          std::string_view name);
/// "$argon2id$v=19$m=19456,t=2,p=1$…" with a fresh salt. Error: overloaded (no memory).
/// Tests of other things take less memory.
[[nodiscard]] result<std::string> hash_password(std::string_view password,
                                                std::uint32_t memory_kib = password_memory_kib);

struct password_verdict {
  bool matches = false;
  bool outdated = false;  ///< hashed with less than the parameters of now
};
/// Takes the same time for every password. Error: overloaded (no memory).
[[nodiscard]] result<password_verdict> verify_password(
    std::string_view hash, std::string_view password,
    std::uint32_t memory_kib = password_memory_kib);

}  // namespace freshet::account
