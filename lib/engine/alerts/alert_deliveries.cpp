// Three queues in which accounts take turns by the time that their attempts held a place, and the
// table of all that is kept.
#include "engine/alerts/alert_deliveries.hpp"

#include <utility>

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
  lane_of(account).turns.push(account, ticket);
  return true;
}

std::optional<alert_deliveries::attempt> alert_deliveries::next(time now) {
  const std::lock_guard lock(mutex_);
  while (!due_.empty() && due_.begin()->first <= now) {
    const auto ticket = due_.begin()->second;
    const auto account = kept_.at(ticket).account;
    lane_of(account).turns.push(account, ticket);
    due_.erase(due_.begin());
  }
  for (lane* const each : {&prompt_, &faltering_, &failing_}) {
    if (each->sent >= each->limits.sent) continue;
    const auto turn = each->turns.pop(likely_time_s, each->limits.of_account);
    if (!turn) continue;
    const bool has_time = each->sent < each->limits.with_patience;
    ++each->sent;
    kept_delivery& going = kept_.at(turn->entry);
    going.sent_in = each;
    going.started = now;
    return attempt{turn->entry, going.what, going.failures,
                   has_time ? limits_.patience : limits_.patience_of_many};
  }
  return std::nullopt;
}

void alert_deliveries::taken(std::uint64_t ticket, time now) noexcept {
  const std::lock_guard lock(mutex_);
  const auto ended = end(ticket, now);
  if (!ended) return;
  lane& source = lane_of(ended->account);
  if (failed_again_.erase(ended->account) > 0) move_turns(source, prompt_, ended->account);
}

void alert_deliveries::failed(std::uint64_t ticket, time now, std::chrono::seconds pause) {
  const std::lock_guard lock(mutex_);
  const auto found = kept_.find(ticket);
  if (found == kept_.end()) return;
  kept_delivery& whose = found->second;
  const lane& place = leave_place(whose, now);
  ++whose.failures;
  whose.due = now + pause;
  due_.emplace(whose.due, ticket);
  mark_failing(whose.account, place);
}

void alert_deliveries::give_up(std::uint64_t ticket, time now) {
  const std::lock_guard lock(mutex_);
  if (const auto ended = end(ticket, now)) mark_failing(ended->account, ended->place);
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

alert_deliveries::lane& alert_deliveries::lane_of(base::owner_id account) {
  const auto found = failed_again_.find(account);
  if (found == failed_again_.end()) return prompt_;
  return found->second ? failing_ : faltering_;
}

void alert_deliveries::move_turns(lane& source, lane& target, base::owner_id account) {
  // In their order: remove() takes the first for which it holds.
  std::uint64_t ticket = 0;
  const auto any = [&ticket](std::uint64_t each) {
    ticket = each;
    return true;
  };
  while (source.turns.remove(account, any)) target.turns.push(account, ticket);
}

void alert_deliveries::mark_failing(base::owner_id account, const lane& place) {
  if (failed_again_.size() >= most_failing) {
    for (const auto& [each, again] : failed_again_)
      move_turns(again ? failing_ : faltering_, prompt_, each);
    failed_again_.clear();
  }
  const auto [found, is_first] = failed_again_.try_emplace(account, false);
  if (is_first) return move_turns(prompt_, faltering_, account);
  // Those that were sent together failed once.
  if (&place == &prompt_ || std::exchange(found->second, true)) return;
  move_turns(faltering_, failing_, account);
}

std::optional<alert_deliveries::ended_delivery> alert_deliveries::end(std::uint64_t ticket,
                                                                      time now) noexcept {
  const auto found = kept_.find(ticket);
  if (found == kept_.end()) return std::nullopt;
  const ended_delivery ended{found->second.account, leave_place(found->second, now)};
  forget(found);
  return ended;
}

const alert_deliveries::lane& alert_deliveries::leave_place(kept_delivery& whose,
                                                            time now) noexcept {
  const std::chrono::duration<double> took = now - whose.started;
  lane& place = *std::exchange(whose.sent_in, nullptr);
  place.turns.done(whose.account, took.count() - likely_time_s);
  --place.sent;
  return place;
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
    if (each->second.sent_in != nullptr || !failed_again_.contains(each->second.account)) continue;
    if (worst == kept_.end() || each->second.failures > worst->second.failures) worst = each;
  }
  if (worst == kept_.end()) return nullptr;
  const std::uint64_t ticket = worst->first;
  const auto gone = worst->second;
  due_.erase({gone.due, ticket});
  (void)lane_of(gone.account).turns.remove(gone.account, [&](std::uint64_t each) {
    return each == ticket;
  });
  forget(worst);
  return gone.what;
}

}  // namespace freshet::detail
