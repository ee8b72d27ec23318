// What a server may spend of an account where others spend of it, too. What is leased changes
// within batches alone, which run one at a time over all servers; what of it is held, under the
// lock.
#include <account/ledger/balances.hpp>
#include <algorithm>

namespace freshet::account {
namespace {

/// A lease that nobody uses goes back, sooner where others could use it.
constexpr std::chrono::seconds idle_beside_others{1}, idle_alone{60};
/// Who finds too little asks again so often, by when others may have given something back.
constexpr std::chrono::milliseconds ask_interval{50};
constexpr int most_asked = 4;
/// How long nobody asks anew for what could not be had.
constexpr std::chrono::milliseconds refusal_lifetime{250};
/// With so many leases one that is idle goes back as if there were others.
constexpr std::size_t most_kept_alone = 100'000;
/// A lease that lasted no longer was too small; one that lasted so long was large enough.
constexpr std::chrono::milliseconds short_lease{500}, long_lease{2'000};
/// What one batch gives back: others wait for it.
constexpr std::size_t most_returned = 256;

}  // namespace

/// A lease, or a part of one, on its way back.
class balances::return_work final : public work {
 public:
  return_work(balances& owner, std::int64_t account_id, std::int64_t credits, bool is_asked_for)
      : owner_(owner), account_id_(account_id), credits_(credits), is_asked_for_(is_asked_for) {}
  [[nodiscard]] std::int64_t group() const noexcept override { return account_id_; }
  void write(transaction& running) override {
    changed_book& changed = owner_.book_of(running, account_id_);
    changed.own -= credits_;
    changed.returned += credits_;
    if (is_asked_for_) running.tell({peer_news::kind::freed, account_id_});
  }
  void conclude(bool) override { owner_.leases_.at(account_id_).returning -= credits_; }

 private:
  balances& owner_;
  std::int64_t account_id_, credits_;
  bool is_asked_for_;
};

std::int64_t balances::available(std::int64_t account_id) const {
  const entry& one = entries_.at(account_id);
  if (!is_shared_) return one.book.balance - one.reserved;
  const auto leased = leases_.find(account_id);
  if (leased == leases_.end()) return -one.reserved;
  return leased->second.own - leased->second.returning - one.reserved;
}

bool balances::lacks_lease(std::int64_t account_id, std::int64_t price) const {
  if (!is_shared_ || available(account_id) >= price) return false;
  const auto leased = leases_.find(account_id);
  if (leased == leases_.end()) return true;
  // All that there is, and none of it on its way to others.
  if (leased->second.returning == 0 && leased->second.own >= entries_.at(account_id).book.balance)
    return false;
  return price < leased->second.refused || steady::now() >= leased->second.refused_until;
}

std::int64_t balances::own_held_after(std::int64_t account_id, const changed_book& changed) const {
  const std::int64_t held = entries_.at(account_id).reserved - changed.resolved;
  const auto leased = leases_.find(account_id);
  return leased == leases_.end() ? held : held + leased->second.returning - changed.returned;
}

void balances::lease_more(transaction& running, std::int64_t account_id) {
  if (!is_shared_) return;
  changed_book& changed = book_of(running, account_id);
  std::int64_t held = 0, wanted = 0, ahead = 0;
  {
    const auto guard = queue_.lock();
    ahead = ahead_of(leases_[account_id]);
    held = own_held_after(account_id, changed);
    for (waiting_one& waiting : entries_.at(account_id).waiting) {
      wanted += waiting.waiter->price();
      waiting.counted = true;
    }
  }
  // Nothing is held anew meanwhile: what is not needed may have expired with the month.
  changed.own = std::min(changed.own, held);
  const std::int64_t free = changed.book.balance - changed.own - changed.others;
  const std::int64_t needed = held + wanted - changed.own;
  changed.own += lease_size(free, needed, has_peers(changed), ahead);
  if (changed.own < held + wanted && changed.others > 0)
    running.tell({peer_news::kind::recall, account_id});
}

bool balances::has_peers(const changed_book& changed) const {
  return changed.others > 0 || books_.peers() > 0;
}

std::int64_t balances::ahead_of(lease& leased) {
  const auto now = steady::now();
  const auto lasted = now - std::exchange(leased.leased_at, now);
  if (lasted < short_lease) leased.ahead = std::min(leased.ahead * 2, most_leased_ahead);
  if (lasted > long_lease) leased.ahead = least_leased_ahead;
  return leased.ahead;
}

void balances::lease_on() {
  const auto guard = queue_.lock();
  for (auto& [id, changed] : changed_) {
    if (changed.returned != 0) continue;
    if (!has_peers(changed)) {
      // Who is alone has all of it, also what has just come.
      if (changed.own_before > 0) changed.own = changed.book.balance;
      continue;
    }
    // Who charges goes on charging.
    if (changed.resolved == 0 || !entries_.contains(id)) continue;
    lease& leased = leases_[id];
    const std::int64_t unused = changed.own - own_held_after(id, changed);
    if (unused >= leased.ahead / 2) continue;
    const std::int64_t free = changed.book.balance - changed.own - changed.others;
    changed.own += lease_size(free, 0, true, ahead_of(leased));
  }
}

void balances::keep_lease(std::int64_t account_id, const changed_book& changed, bool has_more) {
  lease& leased = leases_[account_id];
  if (has_more || changed.own > leased.own) leased.refused_until = {};
  leased.own = changed.own;
  leased.others = changed.others;
  if (std::exchange(leased.is_watched, true)) return;
  leased.used_at = std::max(leased.used_at, steady::now());
  idle_.push_back({leased.used_at + idle_beside_others, account_id});
}

bool balances::asks_others(std::int64_t account_id, waiting_one& one) {
  const std::int64_t price = one.waiter->price();
  if (!is_shared_ || available(account_id) >= price) return false;
  if (!std::exchange(one.counted, false)) return true;
  lease& leased = leases_[account_id];
  if (leased.others == 0 || ++one.asked > most_asked) {
    leased.refused = price;
    leased.refused_until = steady::now() + refusal_lifetime;
    return false;
  }
  if (!std::exchange(leased.asks_again, true))
    asking_.push_back({steady::now() + ask_interval, account_id});
  return true;
}

void balances::give_back(std::int64_t account_id) {
  const auto leased = leases_.find(account_id);
  if (leased == leases_.end()) return;
  const auto found = entries_.find(account_id);
  // Whoever is about to lease more tells the rest to wait.
  if (found != entries_.end() && found->second.rolling) return;
  const std::int64_t credits = unused(account_id, leased->second);
  if (credits <= 0) return;
  leased->second.returning += credits;
  queue_.post(std::make_unique<return_work>(*this, account_id, credits, true));
}

std::int64_t balances::unused(std::int64_t account_id, const lease& leased) const {
  const auto found = entries_.find(account_id);
  const std::int64_t held = found == entries_.end() ? 0 : found->second.reserved;
  return leased.own - leased.returning - held;
}

void balances::ask_again(std::int64_t account_id) {
  if (const auto leased = leases_.find(account_id); leased != leases_.end())
    leased->second.refused_until = {};
  const auto found = entries_.find(account_id);
  if (found == entries_.end() || found->second.waiting.empty() || found->second.rolling) return;
  start_month(account_id);
}

void balances::show(std::int64_t account_id, std::int64_t balance, std::int64_t monthly_left) {
  const auto found = entries_.find(account_id);
  if (found == entries_.end()) return;
  account_book& book = found->second.book;
  const auto leased = leases_.find(account_id);
  if (balance > book.balance && leased != leases_.end()) leased->second.refused_until = {};
  book.balance = balance;
  book.monthly_left = monthly_left;
}

std::optional<std::chrono::milliseconds> balances::due_in() const {
  if (idle_.empty() && asking_.empty()) return std::nullopt;
  steady::time_point next = steady::time_point::max();
  if (!idle_.empty()) next = idle_.front().at;
  if (!asking_.empty()) next = std::min(next, asking_.front().at);
  return std::chrono::ceil<std::chrono::milliseconds>(
      std::max(next - steady::now(), steady::duration(0)));
}

void balances::add_due(std::vector<std::unique_ptr<work>>& items, bool last) {
  const auto now = steady::now();
  while (!asking_.empty() && (last || asking_.front().at <= now)) {
    const std::int64_t id = asking_.front().account_id;
    asking_.pop_front();
    leases_.at(id).asks_again = false;
    const auto found = entries_.find(id);
    if (found == entries_.end() || found->second.waiting.empty() || found->second.rolling) continue;
    items.push_back(begin_rolling(id));
  }
  return_idle(now, items);
}

void balances::return_idle(steady::time_point now, std::vector<std::unique_ptr<work>>& items) {
  const bool is_alone = books_.peers() == 0 && leases_.size() < most_kept_alone;
  const auto lifetime = is_alone ? idle_alone : idle_beside_others;
  for (std::size_t looked_at = 0; looked_at < most_returned; ++looked_at) {
    if (idle_.empty() || idle_.front().at > now) return;
    const std::int64_t id = idle_.front().account_id;
    idle_.pop_front();
    lease& leased = leases_.at(id);
    if (leased.own == 0 && !leased.asks_again) {
      leases_.erase(id);
      continue;
    }
    const auto found = entries_.find(id);
    const bool is_rolling = found != entries_.end() && found->second.rolling;
    const std::int64_t credits = unused(id, leased);
    if (now - leased.used_at >= lifetime && !is_rolling && credits > 0) {
      leased.returning += credits;
      items.push_back(std::make_unique<return_work>(*this, id, credits, false));
    }
    idle_.push_back({now + lifetime, id});
  }
}

}  // namespace freshet::account
