// A change of plan within a month, by the rules of rules/monthly_credits.hpp, in one transaction
// with the month's grant where that is due. Nothing may be reserved meanwhile.
#include <account/state.hpp>
#include <algorithm>
#include <future>

namespace freshet::account {
namespace {

class plan_work final : public work {
 public:
  plan_work(std::int64_t account_id, const plan& to, time_point at)
      : account_id_(account_id), to_(to), at_(at) {}

  std::future<result<plan_change>> outcome() { return outcome_.get_future(); }

  sqlite_code write(batch& in) override {
    change_ = 0;
    too_much_ = false;
    accounts_state& state = in.state();
    const account_entry& entry = state.accounts_by_id.at(account_id_);
    if (entry.record.plan == to_.name) return sqlite_ok;
    if (const sqlite_code code = begin_month(in, entry); code != sqlite_ok) return code;
    if (const sqlite_code code = prorate(in, entry); code != sqlite_ok || too_much_) return code;
    statement update(state.writer, "plan", "UPDATE accounts SET plan=? WHERE id=?");
    return update.bind(to_.name).bind(account_id_).run();
  }

  void conclude(accounts_state& in, bool committed) override {
    account_entry& entry = in.accounts_by_id.at(account_id_);
    entry.rolling = false;
    if (committed && entry.record.plan != to_.name) {
      entry.month = month_of(at_);
      if (!too_much_) entry.record.plan = to_.name;
    }
    committed_ = committed;
    waiters_.take(in, entry);
    in.month_rolled.notify_all();
  }

  void observe(accounts_state& in) override {
    waiters_.resume(in, committed_);
    const account_entry& entry = in.accounts_by_id.at(account_id_);
    told_ = {entry.record, {change_}, in.balance_of(entry)};
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
  sqlite_code begin_month(batch& in, const account_entry& entry) const {
    accounts_state& state = in.state();
    const month_index month = month_of(at_);
    if (entry.month != month) return state.renew_month(in, account_id_, at_);
    allowance made;
    const sqlite_code found = state.read_allowance(account_id_, month, made);
    if (found != sqlite_done) return found == sqlite_row ? sqlite_ok : found;
    // Known as made without an allowance: it was made to somebody of whom nothing else is left.
    const plan* const old = state.configured_plan(entry.record.plan);
    const std::int64_t given = old == nullptr ? 0 : old->monthly.value;
    return state.write_allowance(account_id_, month, whole_month(given, days_in(month)));
  }

  sqlite_code prorate(batch& in, const account_entry& entry) {
    accounts_state& state = in.state();
    const month_index month = month_of(at_);
    allowance of;
    if (const sqlite_code code = state.read_allowance(account_id_, month, of); code != sqlite_row)
      return code;
    batch::changed_book& changed = in.book_of(account_id_);
    const std::int64_t days = days_in(month);
    const proration made =
        freshet::account::prorate(of, to_.monthly.value, days, days_left(at_), changed.book,
                                  state.held_after(entry, changed));
    change_ = made.change.amount;
    too_much_ = is_too_large(changed.book, change_);
    if (too_much_) return sqlite_ok;
    const sqlite_code code = state.write_allowance(account_id_, month, made.after);
    if (code != sqlite_ok || change_ == 0) return code;
    const std::string reason = "plan " + entry.record.plan + " to " + to_.name + ": " +
                               std::to_string(made.days_left) + " of " + std::to_string(days) +
                               " days";
    const movement_note note{.kind = change_ > 0 ? "grant" : "expiry", .reason = reason, .at = at_};
    return state.ledger->append(account_id_, made.change, note, changed.book);
  }

  std::int64_t account_id_;
  plan to_;
  time_point at_;
  std::int64_t change_ = 0;
  bool too_much_ = false, committed_ = false;
  month_waiters waiters_;
  plan_change told_;
  std::promise<result<plan_change>> outcome_;
};

}  // namespace

result<plan_change> accounts::change_plan(std::int64_t account_id, std::string_view plan) {
  accounts_state& state = *state_;
  const auto* const to = state.configured_plan(std::string(plan));
  if (to == nullptr)
    return error(errc::invalid_request, "there is no plan '" + std::string(plan) + "'");
  if (state.on_ledger_thread())
    return error(errc::internal, "the ledger thread was asked to wait for itself");
  std::future<result<plan_change>> outcome;
  {
    std::unique_lock guard(state.mutex);
    account_entry* const account = state.find_account(account_id);
    if (account == nullptr || account->record.deleted_at)
      return error(errc::not_found, "no such account");
    state.month_rolled.wait(guard, [&] { return !account->rolling; });
    // Nothing may be reserved between the reckoning and its commit.
    account->rolling = true;
    auto item = std::make_unique<plan_work>(account_id, *to, state.now());
    outcome = item->outcome();
    state.post(std::move(item));
  }
  return outcome.get();
}

}  // namespace freshet::account
