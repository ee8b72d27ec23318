// Holding the credits of a call. What is held is decided in memory; only where the account's month
// has to begin first does a reservation wait, without a thread: it stands with the account and is
// made when the month's grant has been committed.
#include <account/state.hpp>
#include <future>
#include <utility>

namespace freshet::account {
namespace {

constexpr std::chrono::seconds overload_retry{1};

error overloaded() {
  error full(errc::overloaded, "too many calls are under way");
  full.retry_after = overload_retry;
  return full;
}

}  // namespace

reservation::reservation(reservation&& other) noexcept
    : owner_(std::exchange(other.owner_, nullptr)),
      account_id_(other.account_id_),
      key_id_(other.key_id_),
      held_(std::exchange(other.held_, {})) {}

reservation& reservation::operator=(reservation&& other) noexcept {
  if (this == &other) return *this;
  release();
  owner_ = std::exchange(other.owner_, nullptr);
  account_id_ = other.account_id_;
  key_id_ = other.key_id_;
  held_ = std::exchange(other.held_, {});
  return *this;
}

reservation::~reservation() { release(); }

void reservation::release() noexcept {
  accounts_state* const owner = std::exchange(owner_, nullptr);
  const credits held = std::exchange(held_, {});
  if (owner == nullptr) return;
  const std::lock_guard guard(owner->mutex);
  owner->release(account_id_, key_id_, held.value);
}

std::optional<result<reservation>> accounts_state::try_reserve(const principal& who,
                                                               credits price) {
  if (price.value < 0) return error(errc::internal, "a price below zero");
  if (who.key.mode == key_mode::test)
    return error(errc::internal, "a test key's call costs nothing");
  const account_entry* const account = find_account(who.account.id);
  const key_entry* const key = find_key(who.key.id);
  const bool is_session = who.key.id == 0;
  if (account == nullptr ||
      (!is_session && (key == nullptr || key->record.account_id != account->record.id)))
    return error(errc::internal, "no such account or key");
  if (uncertain || !writable) return storage_failure();
  if (account->rolling || is_month_due(*account, month_of(now()))) return std::nullopt;
  return hold({who.account.id, who.key.id, price.value, nullptr});
}

result<reservation> accounts_state::hold(const month_waiter& of) {
  if (holds >= options.max_queue) return overloaded();
  account_entry& account = accounts_by_id.at(of.account_id);
  const std::int64_t available = account.book.balance - account.reserved;
  if (available < of.price)
    return error(errc::insufficient_credits, "the call costs " + std::to_string(of.price) +
                                                 " and " + std::to_string(available) +
                                                 " are available");
  if (budget_use* const use = budget_of(of.key_id, month_of(now()))) {
    const std::int64_t budget = keys_by_id.at(of.key_id).record.monthly_budget->value;
    const std::int64_t left = use->left_of(budget);
    if (left < of.price)
      return error(errc::key_budget_exceeded,
                   "the call costs " + std::to_string(of.price) + " and the key's budget has " +
                       std::to_string(std::max<std::int64_t>(left, 0)) + " left this month");
    use->reserved += of.price;
  }
  account.reserved += of.price;
  ++holds;
  return reservation(*this, of.account_id, of.key_id, {of.price});
}

result<void> accounts_state::await_month(month_waiter& waiter) {
  if (holds + waiters >= options.max_queue) return overloaded();
  account_entry& account = accounts_by_id.at(waiter.account_id);
  if (!account.rolling) {
    waiter.started = true;
    start_month(account, now(), nullptr);
  }
  account.waiting.push_back(std::move(waiter));
  ++waiters;
  return {};
}

void month_waiters::take(accounts_state& in, account_entry& of) {
  waiting_ = std::exchange(of.waiting, {});
  in.waiters -= waiting_.size();
}

void month_waiters::resume(accounts_state& in, bool committed) {
  for (month_waiter& one : waiting_) {
    result<void> refused;
    if (in.stopping || (one.started && !committed)) refused = storage_failure();
    one.begun = one.begun || std::exchange(one.started, false);
    const account_entry& account = in.accounts_by_id.at(one.account_id);
    // Another grant may be due when a clock goes to and fro. One is begun for each at most.
    const bool waits =
        account.rolling || (!one.begun && in.is_month_due(account, month_of(in.now())));
    if (refused && waits) {
      refused = in.await_month(one);
      if (refused) continue;
    }
    result<reservation> outcome = refused ? in.hold(one) : refused.error();
    told_.emplace_back(std::move(one.done), std::move(outcome));
  }
  waiting_.clear();
}

void month_waiters::tell() {
  for (auto& [done, outcome] : told_) done(std::move(outcome));
}

result<reservation> accounts::reserve(const principal& who, credits price) {
  std::promise<result<reservation>> told;
  std::future<result<reservation>> outcome = told.get_future();
  {
    const std::lock_guard guard(state_->mutex);
    if (auto now = state_->try_reserve(who, price)) return std::move(*now);
    if (state_->on_ledger_thread())
      return error(errc::internal, "the ledger thread was asked to wait for itself");
    month_waiter waiter{who.account.id, who.key.id, price.value,
                        [&](result<reservation> made) { told.set_value(std::move(made)); }};
    if (auto waits = state_->await_month(waiter); !waits) return waits.error();
  }
  return outcome.get();
}

void accounts::reserve(const principal& who, credits price,
                       std::function<void(result<reservation>)> done) {
  std::optional<result<reservation>> outcome;
  {
    const std::lock_guard guard(state_->mutex);
    outcome = state_->try_reserve(who, price);
    if (!outcome) {
      month_waiter waiter{who.account.id, who.key.id, price.value, std::move(done)};
      const auto waits = state_->await_month(waiter);
      if (waits) return;
      outcome = waits.error();
      done = std::move(waiter.done);
    }
  }
  done(std::move(*outcome));
}

}  // namespace freshet::account
