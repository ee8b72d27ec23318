// What is held, and what a batch does to books. Only the queue's thread changes committed books,
// but others bring accounts into memory, so it looks them up under the lock.
#include <account/ledger/balances.hpp>
#include <algorithm>

namespace freshet::account {

void balances::add(std::int64_t account_id, const stored_book& book) {
  entry& one = entries_[account_id];
  one.book = book.book;
  one.month = book.month;
}

void balances::remove(std::int64_t account_id) { entries_.erase(account_id); }

bool balances::is_idle(std::int64_t account_id) const {
  const entry& one = entries_.at(account_id);
  return one.holds == 0 && !one.rolling && one.waiting.empty();
}

void balances::skip_month(std::int64_t account_id, month_index month) {
  entry& one = entries_.at(account_id);
  one.month = std::max(one.month, month);
}

balance balances::balance_of(std::int64_t account_id) const {
  const entry& one = entries_.at(account_id);
  return {{one.book.balance}, {one.reserved}};
}

month_index balances::month_of_account(std::int64_t account_id) const {
  return entries_.at(account_id).month;
}

result<void> balances::hold(std::int64_t account_id, std::int64_t price) {
  entry& one = entries_.at(account_id);
  const std::int64_t available = one.book.balance - one.reserved;
  if (available < price)
    return error(errc::insufficient_credits, "the call costs " + std::to_string(price) + " and " +
                                                 std::to_string(available) + " are available");
  one.reserved += price;
  ++one.holds;
  ++holds_;
  return {};
}

void balances::release(std::int64_t account_id, std::int64_t held) {
  --holds_;
  entry& one = entries_.at(account_id);
  --one.holds;
  one.reserved -= held;
}

balances::changed_book& balances::book_of(std::int64_t account_id) {
  const auto [found, is_new] = changed_.try_emplace(account_id);
  if (!is_new) return found->second;
  const auto guard = queue_.lock();
  found->second.book = entries_.at(account_id).book;
  return found->second;
}

std::int64_t balances::held_after(std::int64_t account_id, const changed_book& changed) const {
  const auto guard = queue_.lock();
  return entries_.at(account_id).reserved - changed.resolved;
}

void balances::resolve(std::int64_t account_id, std::int64_t held) {
  book_of(account_id).resolved += held;
}

std::int64_t balances::charge(transaction& running, std::int64_t account_id, std::int64_t price,
                              const movement_note& note) {
  account_book& book = book_of(account_id).book;
  rows_.append(running, account_id, account::charge(book, price), note, book);
  return book.balance;
}

bool balances::grant(transaction& running, std::int64_t account_id, std::int64_t amount,
                     const movement_note& note) {
  account_book& book = book_of(account_id).book;
  if (is_too_large(book, amount)) return false;
  rows_.append(running, account_id, {amount, book.monthly_left}, note, book);
  return true;
}

refund_share balances::refund(transaction& running, const call_charge& call,
                              std::optional<std::int64_t> wanted, const movement_note& note) {
  account_book& book = book_of(call.account_id).book;
  const std::int64_t refunded =
      running.refunded(account_book_name(call.account_id), entry_name(call.seq));
  const refund_share share = refund_share_of(call.credits, refunded, wanted, book);
  if (share.given > 0)
    rows_.append(running, call.account_id, {share.given, book.monthly_left}, note, book);
  return share;
}

void balances::take() {
  for (const auto& [id, changed] : changed_) {
    entries_.at(id).book = changed.book;
    accounts_.mark_changed(id);
  }
  changed_.clear();
}

}  // namespace freshet::account
