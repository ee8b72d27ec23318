// What is stored is never trusted: a row may be anything that the database takes.
#include <account/ledger/entry_check.hpp>

namespace freshet::account {
namespace {

void check_chain(const chain_row& row, std::string_view hash, const chain_position& before,
                 const entry_finder& find) {
  if (before.number != 0 && row.number == 0)
    find("it is of the first era, behind rows that are not");
  if (row.number == 0) return;
  if (row.number != wrapping_sum(before.number, 1))
    find("it is number " + std::to_string(row.number) + " of its book, after " +
         std::to_string(before.number));
  if (hash != base::as_text(link(before.hash, row)))
    find("it, or the row before it, was altered: the hash does not fit");
}

}  // namespace

void check_entry(const chain_row& row, std::string_view hash, account_book& book,
                 const entry_finder& find) {
  check_chain(row, hash, book.chain, find);
  const std::string name(row.book);
  if (row.balance != wrapping_sum(book.balance, row.amount))
    find("the balance of " + name + " does not fit");
  const bool of_system = row.book == grants_book || row.book == revenue_book;
  if (!of_system && (row.balance < 0 || row.monthly_left < 0 || row.monthly_left > row.balance))
    find("the balance of " + name + " is out of bounds");
  book = {row.balance, row.monthly_left, {row.number, base::as_digest(hash)}};
}

}  // namespace freshet::account
