// The hash chains of the ledger. Every account has one of its own: each row's hash covers the row
// and the account's hash before it, so that no row can be altered, removed or moved without
// breaking every later one, and an account's book can be verified without anybody else's. The head
// is a chain over all rows' hashes in the order of writing; it is sealed under the pepper, so that
// somebody with the database alone cannot cut a tail and fit the head to it.
//
// In the first era, up to schema 15, a movement was two rows, an account's and a system book's, and
// all rows were in one chain, whose last hash was the head. Those rows stay as they are: an
// account's own chain goes on from the last of its rows, and the head from theirs.
//
// What it cannot find: a whole database, head included, put back to an earlier moment, and a chain
// rewritten from some row on by somebody who has the pepper as well. Keep the head that verify()
// reports elsewhere to find these too.
#pragma once

#include <base/digest.hpp>
#include <cstdint>
#include <freshet/item.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace freshet::account {

/// What a movement is for. Views: it lives as long as what it was filled from.
struct movement_note {
  std::string_view kind;  ///< "grant", "usage", "refund", "expiry"
  std::string_view reason = {};
  std::string_view endpoint = {};  ///< of the call that was charged, or is refunded
  std::string_view request_id = {};
  std::string_view sources = {};    ///< of usage: names joined by commas
  std::string_view refund_of = {};  ///< of a refund: the entry that it gives back, "led_…"
  std::string_view period = {};     ///< of a month's grant: "2026-11"
  std::int64_t key_id = 0;
  time_point at;
};

/// A row as it is hashed.
struct chain_row : movement_note {
  std::int64_t seq = 0;     ///< of the whole ledger, from 1, without gaps
  std::int64_t number = 0;  ///< in its book's own chain, from 1, without gaps; 0 in the first era
  /// From 1, without gaps. In the first era two rows share one, of which the system book's says
  /// only its kind and its time, and the amounts sum to zero.
  std::int64_t movement = 0;
  std::string_view book;  ///< "account:<id>"; in the first era "system:grants", too, or "…:revenue"
  std::int64_t amount = 0;        ///< into the book
  std::int64_t balance = 0;       ///< of the book after the row
  std::int64_t monthly_left = 0;  ///< how much of that is the month's grant; 0 of a system book
};

/// Where an account's own chain stands.
struct chain_position {
  std::int64_t number = 0;     ///< of its last row; 0 before the first, and in the first era
  base::sha256_digest hash{};  ///< of its last row; zero without one
};

/// Where the ledger ends.
struct chain_head {
  std::int64_t seq = 0;
  std::int64_t movement = 0;
  base::sha256_digest hash{};  ///< over all rows; zero before the first
};

/// SHA-256 over the previous hash and the row: every number as 8 bytes, big endian, every text as
/// its length in 8 bytes and its bytes, in the order number, seq, movement, book, amount, balance,
/// monthly_left, kind, reason, endpoint, request_id, reference, period, key_id, at in ms. The
/// number is left out in the first era. The reference is a refund's refund_of, any other row's
/// sources: they shared one column up to schema 4. The one of both that a row of its kind has not
/// is empty; where it is not, it is hashed at the end, so that nothing can be put there unseen. The
/// previous hash is that of the book's last row; in the first era, of the last row of all.
[[nodiscard]] base::sha256_digest link(const base::sha256_digest& previous, const chain_row& row);

/// The head behind one more row that has a number: SHA-256 over the head's hash and the row's.
[[nodiscard]] base::sha256_digest extend(const base::sha256_digest& head,
                                         const base::sha256_digest& row);

/// HMAC-SHA-256 of the head under the pepper.
[[nodiscard]] base::sha256_digest seal(const chain_head& head, std::string_view pepper);

/// "402:9f3c…": the last row and its hash, as people keep it.
[[nodiscard]] std::string head_name(const chain_head& head);
/// Of such a name seq and hash; null for any other text.
[[nodiscard]] std::optional<chain_head> read_head_name(std::string_view text);

/// The head with its seal, as a line of text.
[[nodiscard]] std::string sealed_text(const chain_head& head, const base::sha256_digest& mac);
/// Null for any other text, and for one of another pepper.
[[nodiscard]] std::optional<chain_head> read_sealed_text(std::string_view text,
                                                         std::string_view pepper);

}  // namespace freshet::account
