// Holding the credits of a call. What is held is decided in memory; only where the account's month
// has to begin first does a reservation wait, without a thread, until the grant is committed.
#include <account/owners.hpp>
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

/// Whether this one, who is in memory, may hold anything at all. Error: internal,
/// storage_unavailable.
result<void> check_holder(const owners& all, const principal& who, credits price) {
  if (price.value < 0) return error(errc::internal, "a price below zero");
  if (who.key.mode == key_mode::test)
    return error(errc::internal, "a test key's call costs nothing");
  if (who.key.id != 0 && all.keyring.find(who.key.id)->account_id != who.account.id)
    return error(errc::internal, "no such account or key");
  if (!all.queue.is_writable()) return storage_failure();
  return {};
}

/// Holds the credits, or says why not. The month has begun.
result<reservation> hold(const held_credits& wanted) {
  owners& in = *wanted.owner;
  if (in.balances.holds() >= in.max_queue) return overloaded();
  const std::int64_t price = wanted.price.value;
  if (auto held = in.balances.hold(wanted.account_id, price); !held) return held.error();
  const budget_terms budget{wanted.family, wanted.budget};
  if (auto held = in.keyring.hold(budget, price, month_of(in.now())); !held) {
    in.balances.release(wanted.account_id, price);
    return held.error();
  }
  return reservation(wanted);
}

/// A reservation that waits for its account's month.
class pending_reservation final : public month_waiter {
 public:
  pending_reservation(const held_credits& wanted, std::function<void(result<reservation>)> done)
      : wanted_(wanted), done_(std::move(done)) {}
  void resume(const result<void>& begun) override {
    outcome_ = begun ? hold(wanted_) : result<reservation>(begun.error());
    wanted_.owner->keyring.let_go_budget(wanted_.family);
  }
  void tell() override { done_(std::move(*outcome_)); }
  [[nodiscard]] std::int64_t price() const noexcept override { return wanted_.price.value; }

 private:
  held_credits wanted_;
  std::function<void(result<reservation>)> done_;
  std::optional<result<reservation>> outcome_;
};

/// What a reservation comes to at once; null if it has to wait. Under the lock, with both in
/// memory.
std::optional<result<reservation>> try_hold(held_credits& wanted, const principal& who) {
  owners& in = *wanted.owner;
  if (auto fine = check_holder(in, who, wanted.price); !fine) return fine.error();
  if (wanted.key_id != 0) {
    const budget_terms budget = in.keyring.budget_of(wanted.key_id);
    wanted.family = budget.family;
    wanted.budget = budget.limit;
  }
  if (!in.balances.must_wait(wanted.account_id, wanted.price.value)) return hold(wanted);
  if (in.balances.holds() + in.balances.waiting() >= in.max_queue) return overloaded();
  return std::nullopt;
}

/// Waits for the account's month, which keeps the account in memory. Under the lock.
void await_month(const held_credits& wanted, std::function<void(result<reservation>)> done) {
  owners& in = *wanted.owner;
  auto waiter = std::make_unique<pending_reservation>(wanted, std::move(done));
  in.keyring.keep_budget(wanted.family);
  in.balances.await_month(wanted.account_id, std::move(waiter));
}

/// Runs `use` under the lock, with account and key in memory. Error: internal,
/// storage_unavailable.
template <class Use>
result<void> with_both(owners& owners, const principal& who, const Use& use) {
  {
    const auto guard = owners.queue.lock();
    if (owners.residents.has(who.account.id, who.key.id)) {
      use();
      return {};
    }
  }
  const auto kept = owners.residents.admit(who.account.id, who.key.id);
  if (!kept) return no_caller(kept.error());
  const auto guard = owners.queue.lock();
  use();
  return {};
}

}  // namespace

reservation::reservation(reservation&& other) noexcept : held_(other.take()) {}

reservation& reservation::operator=(reservation&& other) noexcept {
  if (this == &other) return *this;
  release();
  held_ = other.take();
  return *this;
}

reservation::~reservation() { release(); }

held_credits reservation::take() noexcept { return std::exchange(held_, {}); }

void reservation::release() noexcept {
  const held_credits held = take();
  if (held.owner == nullptr) return;
  const auto guard = held.owner->queue.lock();
  held.owner->balances.release(held.account_id, held.price.value);
  held.owner->keyring.release(held.family, held.price.value);
}

result<reservation> accounts::reserve(const principal& who, credits price) {
  owners& in = *owners_;
  held_credits wanted{&in, who.account.id, who.key.id, 0, 0, price};
  std::optional<result<reservation>> outcome;
  std::future<result<reservation>> later;
  const auto asked = with_both(in, who, [&] {
    outcome = try_hold(wanted, who);
    if (!outcome && in.queue.is_own_thread()) outcome = waits_for_itself();
    if (outcome) return;
    // Shared: the thread that tells may still be at it when the one that waits has gone on.
    const auto told = std::make_shared<std::promise<result<reservation>>>();
    later = told->get_future();
    await_month(wanted, [told](result<reservation> made) { told->set_value(std::move(made)); });
  });
  if (!asked) return asked.error();
  return outcome ? std::move(*outcome) : later.get();
}

std::optional<result<reservation>> accounts::reserve_at_once(const principal& who, credits price) {
  owners& in = *owners_;
  held_credits wanted{&in, who.account.id, who.key.id, 0, 0, price};
  const auto guard = in.queue.lock();
  if (!in.residents.has(who.account.id, who.key.id)) return std::nullopt;
  return try_hold(wanted, who);
}

void accounts::reserve(const principal& who, credits price,
                       std::function<void(result<reservation>)> done) {
  owners& in = *owners_;
  held_credits wanted{&in, who.account.id, who.key.id, 0, 0, price};
  std::optional<result<reservation>> outcome;
  const auto asked = with_both(in, who, [&] {
    outcome = try_hold(wanted, who);
    if (!outcome) await_month(wanted, std::move(done));
  });
  if (!asked)
    done(asked.error());
  else if (outcome)
    done(std::move(*outcome));
}

}  // namespace freshet::account
