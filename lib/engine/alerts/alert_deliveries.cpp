// Two queues in which accounts take turns by the time that their attempts held a place, and the
// table of all that is kept.
#include "engine/alerts/alert_deliveries.hpp"

#include <algorithm>

namespace freshet::detail {
namespace {

/// How long an attempt is taken to last until it is known.
constexpr double likely_time_s = 0.2;
/// Accounts that are remembered to have failed; beyond, all of them begin anew.
constexpr std::size_t most_failing = 8'192;

}  // namespace

bool alert_deliveries::add(base::owner_id account, alert_delivery delivery,
                           std::shared_ptr<const alert_delivery>& left_out) {
  const std::lock_guard lock(mutex_);
  const auto own = of_account_.find(account);
  if (own != of_account_.end() && own->second >= limits_.kept_of_account) return false;
  if (kept_.size() >= limits_.kept) {
    if (own != of_account_.end()) return false;
    left_out = make_room();
    if (left_out == nullptr) return false;
  }
  const auto ticket = ++last_ticket_;
  kept_.try_emplace(
      ticket, kept_delivery{account, std::make_shared<const alert_delivery>(std::move(delivery))});
  ++of_account_[account];
  turns_of(account).push(account, ticket);
  return true;
}

std::optional<alert_deliveries::attempt> alert_deliveries::next(time now) {
  const std::lock_guard lock(mutex_);
  while (!due_.empty() && due_.begin()->first <= now) {
    const auto ticket = due_.begin()->second;
    const auto account = kept_.at(ticket).account;
    turns_of(account).push(account, ticket);
    due_.erase(due_.begin());
  }
  auto turn =
      sent_ < limits_.sent ? prompt_.pop(likely_time_s, limits_.sent_of_account) : std::nullopt;
  const bool is_slow = !turn;
  if (is_slow && sent_to_failing_ < limits_.sent_to_failing) turn = slow_.pop(likely_time_s, 1);
  if (!turn) return std::nullopt;
  const bool has_time = is_slow || sent_ < limits_.sent_with_patience;
  kept_delivery& going = kept_.at(turn->entry);
  going.is_sent = true;
  going.is_slow = is_slow;
  going.started = now;
  ++(is_slow ? sent_to_failing_ : sent_);
  return attempt{turn->entry, going.what, going.failures,
                 has_time ? limits_.patience : limits_.patience_of_many};
}

void alert_deliveries::taken(std::uint64_t ticket, time now) noexcept {
  const std::lock_guard lock(mutex_);
  const auto account = end(ticket, now);
  if (account && failing_.erase(*account) > 0) move_turns(slow_, prompt_, *account);
}

void alert_deliveries::failed(std::uint64_t ticket, time now, std::chrono::seconds pause) {
  const std::lock_guard lock(mutex_);
  const auto found = kept_.find(ticket);
  if (found == kept_.end()) return;
  kept_delivery& whose = found->second;
  leave_place(whose, now);
  ++whose.failures;
  whose.due = now + pause;
  due_.emplace(whose.due, ticket);
  mark_failing(whose.account);
}

void alert_deliveries::give_up(std::uint64_t ticket, time now) {
  const std::lock_guard lock(mutex_);
  if (const auto account = end(ticket, now)) mark_failing(*account);
}

std::optional<alert_deliveries::time> alert_deliveries::wake_time() {
  const std::lock_guard lock(mutex_);
  if (due_.empty() || (woken_at_ && *woken_at_ <= due_.begin()->first)) return std::nullopt;
  woken_at_ = due_.begin()->first;
  return woken_at_;
}

void alert_deliveries::woken() {
  const std::lock_guard lock(mutex_);
  woken_at_.reset();
}

alert_deliveries::turns& alert_deliveries::turns_of(base::owner_id account) {
  return failing_.contains(account) ? slow_ : prompt_;
}

void alert_deliveries::move_turns(turns& source, turns& target, base::owner_id account) {
  // In their order: remove() takes the first for which it holds.
  std::uint64_t ticket = 0;
  const auto any = [&ticket](std::uint64_t each) {
    ticket = each;
    return true;
  };
  while (source.remove(account, any)) target.push(account, ticket);
}

void alert_deliveries::mark_failing(base::owner_id account) {
  if (failing_.size() >= most_failing) {
    for (const auto each : failing_) move_turns(slow_, prompt_, each);
    failing_.clear();
  }
  if (failing_.insert(account).second) move_turns(prompt_, slow_, account);
}

std::optional<base::owner_id> alert_deliveries::end(std::uint64_t ticket, time now) noexcept {
  const auto found = kept_.find(ticket);
  if (found == kept_.end()) return std::nullopt;
  leave_place(found->second, now);
  const auto account = found->second.account;
  forget(found);
  return account;
}

void alert_deliveries::leave_place(kept_delivery& whose, time now) noexcept {
  const std::chrono::duration<double> took = now - whose.started;
  (whose.is_slow ? slow_ : prompt_).done(whose.account, took.count() - likely_time_s);
  --(whose.is_slow ? sent_to_failing_ : sent_);
  whose.is_sent = false;
}

void alert_deliveries::forget(table::iterator which) noexcept {
  const auto own = of_account_.find(which->second.account);
  if (--own->second == 0) of_account_.erase(own);
  kept_.erase(which);
}

// Of those that wait for a webhook that failed, the one that has failed most often.
std::shared_ptr<const alert_delivery> alert_deliveries::make_room() {
  auto worst = kept_.end();
  for (auto each = kept_.begin(); each != kept_.end(); ++each) {
    if (each->second.is_sent || !failing_.contains(each->second.account)) continue;
    if (worst == kept_.end() || each->second.failures > worst->second.failures) worst = each;
  }
  if (worst == kept_.end()) return nullptr;
  const auto [ticket, gone] = *worst;
  due_.erase({gone.due, ticket});
  (void)slow_.remove(gone.account, [&](std::uint64_t each) { return each == ticket; });
  forget(worst);
  return gone.what;
}

}  // namespace freshet::detail
