// How a month begins, and who waits for it. What is left of the grant before it expires in the same
// transaction, by the rules of rules/monthly_credits.hpp.
#include <account/ledger/month_work.hpp>
#include <future>

namespace freshet::account {
namespace {

/// A thread that waits.
class waiting_thread final : public month_waiter {
 public:
  std::future<result<void>> outcome() { return told_.get_future(); }
  void resume(const result<void>& begun) override { outcome_ = begun; }
  void tell() override { told_.set_value(outcome_); }

 private:
  std::promise<result<void>> told_;
  result<void> outcome_;
};

}  // namespace

class balances::month_work final : public work {
 public:
  month_work(balances& owner, std::int64_t account_id, time_point now)
      : owner_(owner), account_id_(account_id), at_(now) {}
  void write(transaction& running) override { owner_.renew_month(running, account_id_, at_); }
  void conclude(bool committed) override {
    if (committed) owner_.entries_.at(account_id_).month = month_of(at_);
    waiters_.take(owner_, account_id_, committed);
  }
  void observe() override { waiters_.resume(owner_); }
  void tell(bool) override { waiters_.tell(); }

 private:
  balances& owner_;
  std::int64_t account_id_;
  time_point at_;
  resumed_waiters waiters_;
};

void balances::resumed_waiters::take(balances& owner, std::int64_t account_id, bool committed) {
  entry& one = owner.entries_.at(account_id);
  one.rolling = false;
  account_id_ = account_id;
  committed_ = committed;
  waiting_ = std::exchange(one.waiting, {});
  owner.waiting_ -= waiting_.size();
  owner.rolled_.notify_all();
}

void balances::resumed_waiters::resume(balances& owner) {
  for (waiting_one& one : waiting_) {
    const bool failed = owner.queue_.is_stopping() || (one.started && !committed_);
    one.begun = one.begun || std::exchange(one.started, false);
    // Another grant may be due when a clock goes to and fro. One is begun for each at most.
    const bool rolling = owner.entries_.at(account_id_).rolling;
    if (!failed && (rolling || (!one.begun && owner.is_month_due(account_id_)))) {
      owner.wait_for(account_id_, std::move(one));
      continue;
    }
    one.waiter->resume(failed ? result<void>(storage_failure()) : result<void>());
    told_.push_back(std::move(one.waiter));
  }
  waiting_.clear();
}

void balances::resumed_waiters::tell() {
  for (const auto& waiter : told_) waiter->tell();
}

bool balances::is_month_due(std::int64_t account_id) const {
  return entries_.at(account_id).month != month_of(clock_.now()) &&
         plans_.find(accounts_.find(account_id)->plan) != nullptr;
}

bool balances::must_wait(std::int64_t account_id) const {
  return entries_.at(account_id).rolling || is_month_due(account_id);
}

void balances::start_month(std::int64_t account_id) {
  entries_.at(account_id).rolling = true;
  queue_.post(std::make_unique<month_work>(*this, account_id, clock_.now()));
}

void balances::begin_month(std::int64_t account_id) {
  const bool rolling = entries_.at(account_id).rolling;
  if (!rolling && queue_.is_writable() && is_month_due(account_id)) start_month(account_id);
}

void balances::await_month(std::int64_t account_id, std::unique_ptr<month_waiter> waiter) {
  wait_for(account_id, {std::move(waiter)});
}

void balances::wait_for(std::int64_t account_id, waiting_one one) {
  entry& account = entries_.at(account_id);
  if (!account.rolling) {
    one.started = true;
    start_month(account_id);
  }
  account.waiting.push_back(std::move(one));
  ++waiting_;
}

result<void> balances::ensure_month(std::int64_t account_id) {
  std::future<result<void>> outcome;
  {
    const auto guard = queue_.lock();
    if (!must_wait(account_id)) return {};
    if (queue_.is_own_thread()) return waits_for_itself();
    auto waiter = std::make_unique<waiting_thread>();
    outcome = waiter->outcome();
    await_month(account_id, std::move(waiter));
  }
  return outcome.get();
}

void balances::renew_month(transaction& running, std::int64_t account_id, time_point now) {
  const month_index month = month_of(now);
  // There is one already where the clock went back into a month that had its grant.
  if (running.find_allowance(account_id, month)) return;
  const plan* const current = plans_.find(accounts_.find(account_id)->plan);
  const std::int64_t granted = current == nullptr ? 0 : current->monthly.value;
  running.put_allowance(account_id, month, whole_month(granted, days_in(month)));
  // An account whose plan is gone loses nothing either.
  if (!running.is_good() || current == nullptr) return;
  changed_book& changed = book_of(account_id);
  const month_start start =
      account::start_month(changed.book, held_after(account_id, changed), granted);
  movement_note note{.kind = "expiry", .reason = "unused monthly credits", .at = now};
  if (start.expiry.amount != 0) rows_.append(running, account_id, start.expiry, note, changed.book);
  if (granted == 0) return;
  const std::string period = month_text(month);
  const std::string reason = "monthly grant " + period;
  note.kind = "grant";
  note.reason = reason;
  note.period = period;
  rows_.append(running, account_id, start.grant, note, changed.book);
}

}  // namespace freshet::account
