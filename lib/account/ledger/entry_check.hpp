// What is wrong in a row by its own book: the one rule for who verifies the whole ledger and for
// who verifies one account's entries.
#pragma once

#include <account/rules/book.hpp>
#include <functional>
#include <string>
#include <string_view>

namespace freshet::account {

/// A sum that wraps: the numbers of a tampered file can be anything.
[[nodiscard]] constexpr std::int64_t wrapping_sum(std::int64_t a, std::int64_t b) noexcept {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}

/// Told what is wrong in a row, one sentence without the row's name.
using entry_finder = std::function<void(const std::string&)>;

/// Looks at a row behind those that have led to `book`: its number, its hash and its balance. The
/// hash of a row of the first era covers others' rows and is not looked at. `book` is brought up to
/// date from what is stored, so that one altered row does not hide the others.
void check_entry(const chain_row& row, std::string_view hash, account_book& book,
                 const entry_finder& find);

}  // namespace freshet::account
