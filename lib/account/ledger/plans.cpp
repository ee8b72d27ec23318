// A change of plan within a month, by the rules of rules/monthly_credits.hpp, in one transaction
// with the month's grant where that is due. Nothing may be reserved meanwhile.
#include <account/ledger/month_work.hpp>
#include <future>

namespace freshet::account {

class balances::plan_work final : public work {
 public:
  plan_work(balances& owner, std::int64_t account_id, const plan& next, time_point now)
      : owner_(owner), account_id_(account_id), next_(next), at_(now) {}

  std::future<result<plan_change>> outcome() { return outcome_.get_future(); }

  void write(transaction& running) override {
    change_ = 0;
    too_much_ = false;
    const std::string& current = owner_.accounts_.find(account_id_)->plan;
    if (current == next_.name) return;
    begin_month(running, current);
    prorate(running, current);
    if (!too_much_) running.put_plan(account_id_, next_.name);
  }

  void conclude(bool committed) override {
    if (committed && owner_.accounts_.find(account_id_)->plan != next_.name) {
      owner_.entries_.at(account_id_).month = month_of(at_);
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
  void begin_month(transaction& running, const std::string& current) const {
    const month_index month = month_of(at_);
    if (owner_.entries_.at(account_id_).month != month)
      return owner_.renew_month(running, account_id_, at_);
    if (running.find_allowance(account_id_, month)) return;
    // Known as made without an allowance: it was made to somebody of whom nothing else is left.
    const plan* const old = owner_.plans_.find(current);
    const std::int64_t given = old == nullptr ? 0 : old->monthly.value;
    running.put_allowance(account_id_, month, whole_month(given, days_in(month)));
  }

  void prorate(transaction& running, const std::string& current) {
    const month_index month = month_of(at_);
    const auto before = running.find_allowance(account_id_, month);
    if (!before) return;
    changed_book& changed = owner_.book_of(account_id_);
    const std::int64_t days = days_in(month);
    const proration made = account::prorate(*before, next_.monthly.value, days, days_left(at_),
                                            changed.book, owner_.held_after(account_id_, changed));
    change_ = made.change.amount;
    too_much_ = is_too_large(changed.book, change_);
    if (too_much_) return;
    running.put_allowance(account_id_, month, made.after);
    if (change_ == 0) return;
    const std::string reason = "plan " + current + " to " + next_.name + ": " +
                               std::to_string(made.days_left) + " of " + std::to_string(days) +
                               " days";
    const movement_note note{.kind = change_ > 0 ? "grant" : "expiry", .reason = reason, .at = at_};
    owner_.rows_.append(running, account_id_, made.change, note, changed.book);
  }

  balances& owner_;
  std::int64_t account_id_;
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
    rolled_.wait(guard, [&] { return !entries_.at(account_id).rolling; });
    // Nothing may be reserved between the reckoning and its commit.
    entries_.at(account_id).rolling = true;
    auto item = std::make_unique<plan_work>(*this, account_id, next, clock_.now());
    outcome = item->outcome();
    queue_.post(std::move(item));
  }
  return outcome.get();
}

}  // namespace freshet::account
