// How the answers of idempotent calls are put away: compressed, and sealed under a key that is made
// of the pepper and of the caller's own Idempotency-Key. An answer may hold the secret of an API
// key; whoever has only the database reads none.
#pragma once

#include <account/store/records.hpp>

namespace freshet::account {

/// Of a body, compressed. What is larger is not kept.
inline constexpr std::size_t max_kept_answer = 256 * 1024;

/// Whose answer it is, and to which call.
struct answer_owner {
  std::string_view pepper;
  std::int64_t account_id = 0;
  std::string_view key;  ///< as it is stored
};

/// The answer with its body as it is stored: sealed, or gone where it is too large. Takes
/// milliseconds for each megabyte: not for the ledger thread.
[[nodiscard]] stored_answer put_away(const answer_owner& owner, stored_answer answer);
/// Error: storage_unavailable, where the file was changed.
[[nodiscard]] result<stored_answer> take_out(const answer_owner& owner, sealed_answer stored);

}  // namespace freshet::account
