// The month's grant, made when an account is first used in a calendar month (UTC). What is left of
// the grant before it expires in the same transaction, except what running calls hold and nothing
// else covers: a call that began before midnight must find its credits after it.
#include <account/state.hpp>
#include <algorithm>

namespace freshet::account {
namespace {

class month_work final : public work {
 public:
  month_work(std::int64_t account_id, time_point at, std::shared_ptr<bool> succeeded)
      : account_id_(account_id), at_(at), succeeded_(std::move(succeeded)) {}

  sqlite_code write(batch& in) override { return in.state().renew_month(in, account_id_, at_); }

  void conclude(accounts_state& in, bool committed) override {
    account_entry& entry = in.accounts_by_id.at(account_id_);
    entry.rolling = false;
    committed_ = committed;
    if (committed) entry.month = month_of(at_);
    if (succeeded_) *succeeded_ = committed;
    waiters_.take(in, entry);
    in.month_rolled.notify_all();
  }

  void observe(accounts_state& in) override { waiters_.resume(in, committed_); }
  void tell(bool) override { waiters_.tell(); }

 private:
  std::int64_t account_id_;
  time_point at_;
  std::shared_ptr<bool> succeeded_;
  bool committed_ = false;
  month_waiters waiters_;
};

}  // namespace

sqlite_code accounts_state::read_allowance(std::int64_t account_id, month_index month,
                                           allowance& into) {
  statement query(writer, "month",
                  "SELECT day_credits, given, monthly, days_left FROM allowances "
                  "WHERE account_id=? AND month=?");
  const sqlite_code code = query.bind(account_id).bind(month).step();
  if (code == sqlite_row)
    into = {query.integer(0), query.integer(1), query.integer(2), query.integer(3)};
  return code;
}

sqlite_code accounts_state::write_allowance(std::int64_t account_id, month_index month,
                                            const allowance& what) {
  statement insert(writer, "month",
                   "INSERT INTO allowances (account_id, month, day_credits, given, monthly, "
                   "days_left) VALUES (?,?,?,?,?,?) ON CONFLICT (account_id, month) DO UPDATE SET "
                   "day_credits=excluded.day_credits, given=excluded.given, "
                   "monthly=excluded.monthly, days_left=excluded.days_left");
  insert.bind(account_id).bind(month).bind(what.day_credits).bind(what.given);
  return insert.bind(what.monthly).bind(what.days_left).run();
}

std::int64_t accounts_state::held_after(const account_entry& of,
                                        const batch::changed_book& changed) const {
  const std::lock_guard guard(mutex);
  return of.reserved - changed.resolved;
}

sqlite_code accounts_state::renew_month(batch& in, std::int64_t account_id, time_point at) {
  const month_index month = month_of(at);
  allowance made;
  // There is one already where the clock went back into a month that had its grant.
  const sqlite_code found = read_allowance(account_id, month, made);
  if (found != sqlite_done) return found == sqlite_row ? sqlite_ok : found;
  const account_entry& entry = accounts_by_id.at(account_id);
  const plan* const plan = configured_plan(entry.record.plan);
  const std::int64_t granted = plan == nullptr ? 0 : plan->monthly.value;
  sqlite_code code = write_allowance(account_id, month, whole_month(granted, days_in(month)));
  // An account whose plan is gone loses nothing either.
  if (code != sqlite_ok || plan == nullptr) return code;
  batch::changed_book& changed = in.book_of(account_id);
  const month_start start =
      freshet::account::start_month(changed.book, held_after(entry, changed), granted);
  movement_note note{.kind = "expiry", .reason = "unused monthly credits", .at = at};
  if (start.expiry.amount != 0) code = ledger->append(account_id, start.expiry, note, changed.book);
  if (code != sqlite_ok || granted == 0) return code;
  const std::string period = month_text(month);
  const std::string reason = "monthly grant " + period;
  note.kind = "grant";
  note.reason = reason;
  note.period = period;
  return ledger->append(account_id, start.grant, note, changed.book);
}

bool accounts_state::is_month_due(const account_entry& of, month_index month) const {
  return of.month != month && configured_plan(of.record.plan) != nullptr;
}

void accounts_state::start_month(account_entry& of, time_point at,
                                 std::shared_ptr<bool> succeeded) {
  of.rolling = true;
  post(std::make_unique<month_work>(of.record.id, at, std::move(succeeded)));
}

result<void> accounts_state::ensure_month(std::unique_lock<std::mutex>& guard, account_entry& of) {
  const auto rolled = [&] { return !of.rolling; };
  if (of.rolling || is_month_due(of, month_of(now()))) {
    if (on_ledger_thread())
      return error(errc::internal, "the ledger thread was asked to wait for itself");
    month_rolled.wait(guard, rolled);
    const time_point at = now();
    if (!is_month_due(of, month_of(at))) return {};
    const auto succeeded = std::make_shared<bool>(false);
    start_month(of, at, succeeded);
    month_rolled.wait(guard, rolled);
    if (!*succeeded) return storage_failure();
  }
  return {};
}

}  // namespace freshet::account
