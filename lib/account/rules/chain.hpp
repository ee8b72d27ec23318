// The hash chain of the ledger: each row's hash covers the row and the hash before it, so that no
// row can be altered, removed or moved without breaking every later one. The head is sealed under
// the pepper, so that somebody with the database alone cannot cut the tail and fit the head to it.
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

/// A row as it is hashed. What its movement is for stands in the account's row alone; in the other
/// only its kind and its time do.
struct chain_row : movement_note {
  std::int64_t seq = 0;           ///< from 1, without gaps
  std::int64_t movement = 0;      ///< shared by two rows: an account's, then a system book's
  std::string_view book;          ///< "account:<id>", "system:grants", "system:revenue"
  std::int64_t amount = 0;        ///< into the book; a movement sums to zero
  std::int64_t balance = 0;       ///< of the book after the row
  std::int64_t monthly_left = 0;  ///< how much of that is the month's grant; 0 of a system book
};

/// Where the chain ends.
struct chain_head {
  std::int64_t seq = 0;
  std::int64_t movement = 0;
  base::sha256_digest hash{};  ///< zero before the first row
};

/// SHA-256 over the previous hash and the row: every number as 8 bytes, big endian, every text as
/// its length in 8 bytes and its bytes, in the order seq, movement, book, amount, balance,
/// monthly_left, kind, reason, endpoint, request_id, reference, period, key_id, at in ms. The
/// reference is a refund's refund_of, any other row's sources: they shared one column up to
/// schema 4. The one of both that a row of its kind has not is empty; where it is not, it is hashed
/// at the end, so that nothing can be put there unseen.
[[nodiscard]] base::sha256_digest link(const base::sha256_digest& previous, const chain_row& row);

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
