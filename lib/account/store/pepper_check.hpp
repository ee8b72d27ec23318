// What a database keeps of its pepper, so that a wrong one is told at once: the name of a secret,
// and its value, which tells nothing of the pepper.
#pragma once

#include <base/digest.hpp>
#include <string_view>

namespace freshet::account {

inline constexpr std::string_view pepper_check_name = "pepper_check";

[[nodiscard]] inline base::sha256_digest pepper_check_of(std::string_view pepper) {
  return base::hmac_sha256(pepper, "freshet pepper check");
}

}  // namespace freshet::account
