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
#include <string_view>

namespace freshet::account {

/// A row as it is hashed. Views: it lives as long as what it was filled from.
struct chain_row {
  std::int64_t seq = 0;
  std::int64_t movement = 0;
  std::string_view book;
  std::int64_t amount = 0;
  std::int64_t balance = 0;
  std::int64_t monthly_left = 0;
  std::string_view kind;
  std::string_view reason;
  std::string_view endpoint;
  std::string_view request_id;
  std::string_view sources;
  std::string_view period;
  std::int64_t key_id = 0;
  std::int64_t at_ms = 0;
};

/// Where the chain ends.
struct chain_head {
  std::int64_t seq = 0;
  std::int64_t movement = 0;
  base::sha256_digest hash{};  ///< zero before the first row
};

/// SHA-256 over the previous hash and the row: every number as 8 bytes, big endian, every text as
/// its length in 8 bytes and its bytes.
[[nodiscard]] base::sha256_digest link(const base::sha256_digest& previous, const chain_row& row);

/// HMAC-SHA-256 of the head under the pepper.
[[nodiscard]] base::sha256_digest seal(const chain_head& head, std::string_view pepper);

}  // namespace freshet::account
