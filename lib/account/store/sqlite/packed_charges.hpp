// Charges of one account that one commit wrote, as one row of the table: what a charge costs is
// mostly its row and the indexes that lead to it. The row's columns are those of its last charge,
// but for the amount, which is their sum, and the time, which is the newest of theirs; the rest is
// in its bytes. It knows bytes and rows, and no SQL.
#pragma once

#include <account/rules/chain.hpp>
#include <base/digest.hpp>
#include <base/packing.hpp>
#include <chrono>
#include <string>
#include <string_view>

namespace freshet::account {

/// Charges of one row, at most.
inline constexpr std::int64_t max_packed_charges = 256;
/// A charge of a packed row has no index of its own: it is found by the moment in its request's id.
/// It ended no longer after that than this...
inline constexpr std::chrono::milliseconds longest_packed_way{1000};
/// ... and is no older than what was written before it, but for this.
inline constexpr std::chrono::milliseconds packed_drift{200};

/// Collects charges.
class charge_packer {
 public:
  /// Whether the row can stand among others in one, where `newest` is the latest moment that was
  /// written before it.
  [[nodiscard]] static bool can_take(const chain_row& row, time_point newest) noexcept;
  /// Whether it goes on where those that were added end, in the same book. There must be some.
  [[nodiscard]] bool continues(const chain_row& row) const noexcept;
  void add(const chain_row& row, const base::sha256_digest& hash);
  void clear() noexcept;

  [[nodiscard]] std::int64_t count() const noexcept { return count_; }
  /// The row's columns and the hash beside them; they live until the next add().
  [[nodiscard]] const chain_row& columns() const noexcept { return columns_; }
  [[nodiscard]] const base::sha256_digest& hash() const noexcept { return hash_; }
  [[nodiscard]] std::string_view bytes() const noexcept { return bytes_; }

 private:
  chain_row columns_;
  base::sha256_digest hash_{};
  std::int64_t count_ = 0;
  std::string bytes_, book_, request_id_, endpoint_, sources_;
  chain_row last_;  ///< its numbers; the texts are those above
};

/// Reads a packed row, charge by charge.
class charge_unpacker {
 public:
  /// Of a row's columns, the hash beside them and its bytes, all of which it borrows.
  charge_unpacker(const chain_row& columns, std::string_view hash, std::int64_t count,
                  std::string_view bytes)
      : columns_(&columns), hash_(hash), count_(count), left_(bytes) {
    balance_ = columns.balance - columns.amount;
  }
  /// Whether the bytes are as many charges as there should be, and the columns agree with them.
  /// Where somebody has been at it, the row can be told only as it stands.
  [[nodiscard]] bool is_whole() const;
  /// The next charge and its hash, which live until the one after it; false behind the last.
  [[nodiscard]] bool next(chain_row& row, std::string_view& hash);

 private:
  void take_text(std::string& text);

  const chain_row* columns_;
  std::string_view hash_;
  std::int64_t count_, taken_ = 0;
  base::unpacker left_;
  bool is_broken_ = false;
  std::string request_id_, endpoint_, sources_;
  std::int64_t key_id_ = 0, at_ = 0, monthly_left_ = 0, balance_ = 0;
};

}  // namespace freshet::account
