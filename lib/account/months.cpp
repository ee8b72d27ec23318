// The month's grant, made when an account is first used in a calendar month (UTC). What is left of
// the grant before it expires in the same transaction, except what running calls hold and nothing
// else covers: a call that began before midnight must find its credits after it.
#include <account/state.hpp>
#include <algorithm>

namespace freshet::account {
namespace {

class month_work final : public work {
 public:
  month_work(std::int64_t account_id, month_index month, time_point at,
             std::shared_ptr<bool> succeeded)
      : account_id_(account_id), month_(month), at_(at), succeeded_(std::move(succeeded)) {}

  sqlite_code write(batch& in) override {
    accounts_state& state = in.state();
    const std::string period = month_text(month_);
    statement made(state.writer, "month", "SELECT 1 FROM ledger WHERE book=? AND period=?");
    const std::string book = account_book_name(account_id_);
    const sqlite_code code = made.bind(book).bind(period).step();
    // The clock went back into a month that had its grant.
    if (code == sqlite_row) return sqlite_ok;
    if (code != sqlite_done) return code;
    made.reset();
    return renew(in, period);
  }

  void conclude(accounts_state& in, bool committed) override {
    account_entry& entry = in.accounts_by_id.at(account_id_);
    entry.rolling = false;
    if (committed) entry.month = month_;
    if (succeeded_) *succeeded_ = committed;
    in.month_rolled.notify_all();
  }

  void tell(bool) override {}

 private:
  sqlite_code renew(batch& in, const std::string& period) const {
    accounts_state& state = in.state();
    const account_entry& entry = state.accounts_by_id.at(account_id_);
    const plan* const plan = state.configured_plan(entry.record.plan);
    const std::int64_t granted = plan == nullptr ? 0 : plan->monthly.value;
    batch::changed_book& changed = in.book_of(account_id_);
    std::int64_t held = 0;
    {
      // It can only shrink meanwhile: reservations wait for this.
      const std::lock_guard guard(state.mutex);
      held = entry.reserved - changed.resolved;
    }
    const std::int64_t left = changed.book.monthly_left;
    const std::int64_t others = changed.book.balance - left;
    const std::int64_t kept = std::clamp<std::int64_t>(held - others - granted, 0, left);
    movement_note note{.kind = "expiry", .reason = "unused monthly credits", .at = at_};
    sqlite_code code = sqlite_ok;
    if (left > kept)
      code = state.ledger->append(account_id_, kept - left, kept, note, changed.book);
    if (code != sqlite_ok || granted == 0) return code;
    const std::string reason = "monthly grant " + period;
    note.kind = "grant";
    note.reason = reason;
    note.period = period;
    return state.ledger->append(account_id_, granted, kept + granted, note, changed.book);
  }

  std::int64_t account_id_;
  month_index month_;
  time_point at_;
  std::shared_ptr<bool> succeeded_;
};

}  // namespace

bool accounts_state::is_month_due(const account_entry& of, month_index month) const {
  return of.month != month && configured_plan(of.record.plan) != nullptr;
}

void accounts_state::start_month(account_entry& of, time_point at,
                                 std::shared_ptr<bool> succeeded) {
  of.rolling = true;
  post(std::make_unique<month_work>(of.record.id, month_of(at), at, std::move(succeeded)));
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
