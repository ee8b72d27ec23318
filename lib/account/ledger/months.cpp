// How a month begins, how a plan changes within it, and who waits for either or for a lease, by the
// rules of rules/monthly_credits.hpp. What is left of the grant before it expires in the same
// transaction; a change of plan makes the month's grant, too, where that is due. Nothing may be
// reserved meanwhile.
#include <account/ledger/balances.hpp>
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

/// Those who waited for what a piece of work has ended: taken when it concludes, resumed when all
/// of its batch have, told without a lock.
class balances::resumed_waiters {
 public:
  /// The account's grant or change of plan has ended; its month is `month` now, if that is one.
  void take(balances& owner, std::int64_t account_id, bool committed);
  void resume(balances& owner);
  void tell();

 private:
  std::int64_t account_id_ = 0;
  bool committed_ = false;
  std::vector<waiting_one> waiting_;
  std::vector<std::unique_ptr<month_waiter>> told_;
};

/// A month's grant where that is due, and a lease where there are some.
class balances::month_work final : public work {
 public:
  month_work(balances& owner, std::int64_t account_id, time_point now)
      : owner_(owner),
        account_id_(account_id),
        at_(now),
        begins_(owner.is_month_due(account_id)),
        plan_(owner.accounts_.find(account_id)->plan) {}
  [[nodiscard]] std::int64_t group() const noexcept override { return account_id_; }
  void write(transaction& running) override {
    if (begins_) owner_.renew_month(running, account_id_, plan_, at_);
    owner_.lease_more(running, account_id_);
  }
  void conclude(bool committed) override {
    if (committed && begins_) owner_.begin_month_of(account_id_, month_of(at_));
    waiters_.take(owner_, account_id_, committed);
  }
  void observe() override { waiters_.resume(owner_); }
  void tell(bool) override { waiters_.tell(); }

 private:
  balances& owner_;
  std::int64_t account_id_;
  time_point at_;
  bool begins_;
  std::string plan_;  ///< which none changes while this is on its way
  resumed_waiters waiters_;
};

void balances::begin_month_of(std::int64_t account_id, month_index month) {
  entries_.at(account_id).month = month;
  accounts_.mark_changed(account_id);
}

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
    // What was not committed says nothing of what there is.
    one.counted = one.counted && committed_;
    // Another grant may be due when a clock goes to and fro. One is begun for each at most.
    const bool rolling = owner.entries_.at(account_id_).rolling;
    if (!failed && (rolling || (!one.begun && owner.is_month_due(account_id_)) ||
                    owner.asks_others(account_id_, one))) {
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

bool balances::must_wait(std::int64_t account_id, std::int64_t price) const {
  return entries_.at(account_id).rolling || is_month_due(account_id) ||
         lacks_lease(account_id, price);
}

void balances::start_month(std::int64_t account_id) { queue_.post(begin_rolling(account_id)); }

std::unique_ptr<work> balances::begin_rolling(std::int64_t account_id) {
  entries_.at(account_id).rolling = true;
  return std::make_unique<month_work>(*this, account_id, clock_.now());
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
  // Who asks again soon does so for all.
  const auto leased = leases_.find(account_id);
  const bool asks_again = leased != leases_.end() && leased->second.asks_again;
  if (!account.rolling && !asks_again) {
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
    if (!must_wait(account_id, 0)) return {};
    if (queue_.is_own_thread()) return waits_for_itself();
    auto waiter = std::make_unique<waiting_thread>();
    outcome = waiter->outcome();
    await_month(account_id, std::move(waiter));
  }
  return outcome.get();
}

void balances::renew_month(transaction& running, std::int64_t account_id,
                           const std::string& plan_name, time_point now) {
  const month_index month = month_of(now);
  // There is one already where the clock went back into a month that had its grant.
  if (running.find_allowance(account_id, month)) return;
  const plan* const current = plans_.find(plan_name);
  const std::int64_t granted = current == nullptr ? 0 : current->monthly.value;
  running.put_allowance(account_id, month, whole_month(granted, days_in(month)));
  // An account whose plan is gone loses nothing either.
  if (!running.is_good() || current == nullptr) return;
  changed_book& changed = book_of(running, account_id);
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

class balances::plan_work final : public work {
 public:
  plan_work(balances& owner, std::int64_t account_id, const plan& next, time_point now)
      : owner_(owner),
        account_id_(account_id),
        current_(owner.accounts_.find(account_id)->plan),
        month_(owner.entries_.at(account_id).month),
        next_(next),
        at_(now) {}

  std::future<result<plan_change>> outcome() { return outcome_.get_future(); }

  void write(transaction& running) override {
    change_ = 0;
    too_much_ = false;
    if (auto known = running.find_plan(account_id_)) current_ = std::move(*known);
    if (current_ == next_.name) return;
    begin_month(running);
    prorate(running);
    if (!too_much_) running.put_plan(account_id_, next_.name);
    owner_.lease_more(running, account_id_);
  }

  void conclude(bool committed) override {
    if (committed && current_ != next_.name) {
      owner_.begin_month_of(account_id_, month_of(at_));
      if (!too_much_) owner_.accounts_.set_plan(account_id_, next_.name);
    }
    waiters_.take(owner_, account_id_, committed);
  }

  void observe() override {
    waiters_.resume(owner_);
    told_ = {*owner_.accounts_.find(account_id_), {change_}, owner_.balance_of(account_id_)};
  }

  void tell(bool committed) override {
    waiters_.tell();
    if (!committed)
      outcome_.set_value(storage_failure());
    else if (too_much_)
      outcome_.set_value(error(errc::invalid_request, "the balance would be too large"));
    else
      outcome_.set_value(std::move(told_));
  }

 private:
  /// The month's grant by the old plan, if it was not made yet.
  void begin_month(transaction& running) const {
    const month_index month = month_of(at_);
    if (month_ != month) return owner_.renew_month(running, account_id_, current_, at_);
    if (running.find_allowance(account_id_, month)) return;
    // Known as made without an allowance: it was made to somebody of whom nothing else is left.
    const plan* const old = owner_.plans_.find(current_);
    const std::int64_t given = old == nullptr ? 0 : old->monthly.value;
    running.put_allowance(account_id_, month, whole_month(given, days_in(month)));
  }

  void prorate(transaction& running) {
    const month_index month = month_of(at_);
    const auto before = running.find_allowance(account_id_, month);
    if (!before) return;
    changed_book& changed = owner_.book_of(running, account_id_);
    const std::int64_t days = days_in(month);
    const proration made = account::prorate(*before, next_.monthly.value, days, days_left(at_),
                                            changed.book, owner_.held_after(account_id_, changed));
    change_ = made.change.amount;
    too_much_ = is_too_large(changed.book, change_);
    if (too_much_) return;
    running.put_allowance(account_id_, month, made.after);
    if (change_ == 0) return;
    const std::string reason = "plan " + current_ + " to " + next_.name + ": " +
                               std::to_string(made.days_left) + " of " + std::to_string(days) +
                               " days";
    const movement_note note{.kind = change_ > 0 ? "grant" : "expiry", .reason = reason, .at = at_};
    owner_.rows_.append(running, account_id_, made.change, note, changed.book);
  }

  balances& owner_;
  std::int64_t account_id_;
  // What none changes while this is on its way.
  std::string current_;
  month_index month_;
  plan next_;
  time_point at_;
  std::int64_t change_ = 0;
  bool too_much_ = false;
  resumed_waiters waiters_;
  plan_change told_;
  std::promise<result<plan_change>> outcome_;
};

result<plan_change> balances::change_plan(std::int64_t account_id, const plan& next) {
  if (queue_.is_own_thread()) return waits_for_itself();
  std::future<result<plan_change>> outcome;
  {
    auto guard = queue_.lock();
    if (accounts_.find_living(account_id) == nullptr)
      return error(errc::not_found, "no such account");
    guard.wait(rolled_, [&] { return !entries_.at(account_id).rolling; });
    // Nothing may be reserved between the reckoning and its commit.
    entries_.at(account_id).rolling = true;
    auto item = std::make_unique<plan_work>(*this, account_id, next, clock_.now());
    outcome = item->outcome();
    queue_.post(std::move(item));
  }
  return outcome.get();
}

}  // namespace freshet::account
