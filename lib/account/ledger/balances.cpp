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
  const std::int64_t left = available(account_id);
  if (left < price)
    return error(errc::insufficient_credits, "the call costs " + std::to_string(price) +
                                                 ", and the account has " + std::to_string(left));
  if (is_shared_) leases_[account_id].used_at = steady::now();
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

void balances::begin(transaction& running, std::span<const std::int64_t> accounts) {
  if (!is_shared_ || accounts.empty()) return;
  const auto found = running.find_books(accounts);
  for (std::size_t i = 0; i < found.size(); ++i) {
    const leased_book& one = found[i];
    changed_[accounts[i]] = {one.book, 0, one.own, one.others, one.own, 0, one.book.balance};
  }
}

balances::changed_book& balances::book_of(transaction& running, std::int64_t account_id) {
  const auto known = changed_.find(account_id);
  if (known != changed_.end()) return known->second;
  if (is_shared_) {
    begin(running, std::span(&account_id, 1));
    return changed_[account_id];
  }
  changed_book& changed = changed_[account_id];
  const auto guard = queue_.lock();
  changed.book = entries_.at(account_id).book;
  return changed;
}

std::int64_t balances::held_after(std::int64_t account_id, const changed_book& changed) const {
  const auto guard = queue_.lock();
  const std::int64_t own = own_held_after(account_id, changed);
  return is_shared_ ? own + changed.others : own;
}

void balances::resolve(transaction& running, std::int64_t account_id, std::int64_t held) {
  changed_book& changed = book_of(running, account_id);
  changed.resolved += held;
}

std::int64_t balances::charge(transaction& running, std::int64_t account_id, std::int64_t price,
                              const movement_note& note) {
  changed_book& changed = book_of(running, account_id);
  account_book& book = changed.book;
  rows_.append(running, account_id, account::charge(book, price), note, book);
  if (is_shared_) changed.own -= price;
  return book.balance;
}

bool balances::grant(transaction& running, std::int64_t account_id, std::int64_t amount,
                     const movement_note& note) {
  account_book& book = book_of(running, account_id).book;
  if (is_too_large(book, amount)) return false;
  rows_.append(running, account_id, {amount, book.monthly_left}, note, book);
  return true;
}

refund_share balances::refund(transaction& running, const call_charge& call,
                              std::optional<std::int64_t> wanted, const movement_note& note) {
  account_book& book = book_of(running, call.account_id).book;
  const std::int64_t refunded =
      running.refunded(account_book_name(call.account_id), entry_name(call.seq));
  const refund_share share = refund_share_of(call.credits, refunded, wanted, book);
  if (share.given > 0)
    rows_.append(running, call.account_id, {share.given, book.monthly_left}, note, book);
  return share;
}

void balances::seal(transaction& running) {
  if (!is_shared_) return;
  lease_on();
  for (const auto& [id, changed] : changed_) {
    if (changed.own != changed.own_before) running.put_lease(id, changed.own);
    if (changed.book.balance != changed.balance_before)
      running.tell({peer_news::kind::book, id, changed.book.balance, changed.book.monthly_left});
  }
}

void balances::take() {
  for (const auto& [id, changed] : changed_) {
    // What goes back may be of one that is not in memory.
    const auto found = entries_.find(id);
    const bool has_more = changed.book.balance > changed.balance_before;
    if (found != entries_.end()) found->second.book = changed.book;
    if (is_shared_) keep_lease(id, changed, has_more);
    accounts_.mark_changed(id);
  }
  changed_.clear();
}

}  // namespace freshet::account
