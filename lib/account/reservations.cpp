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

/// Whether this one may hold anything at all. Error: internal, storage_unavailable.
result<void> check_holder(const owners& all, const principal& who, credits price) {
  if (price.value < 0) return error(errc::internal, "a price below zero");
  if (who.key.mode == key_mode::test)
    return error(errc::internal, "a test key's call costs nothing");
  const bool is_session = who.key.id == 0;
  const key_record* const key = all.keyring.find(who.key.id);
  if (all.directory.find(who.account.id) == nullptr ||
      (!is_session && (key == nullptr || key->account_id != who.account.id)))
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
  if (auto held = in.keyring.hold(wanted.key_id, price, month_of(in.now())); !held) {
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
  }
  void tell() override { done_(std::move(*outcome_)); }

 private:
  held_credits wanted_;
  std::function<void(result<reservation>)> done_;
  std::optional<result<reservation>> outcome_;
};

/// What a reservation comes to at once; null if it has to wait. Under the lock.
std::optional<result<reservation>> try_hold(const held_credits& wanted, const principal& who) {
  owners& in = *wanted.owner;
  if (auto fine = check_holder(in, who, wanted.price); !fine) return fine.error();
  if (!in.balances.must_wait(wanted.account_id)) return hold(wanted);
  if (in.balances.holds() + in.balances.waiting() >= in.max_queue) return overloaded();
  return std::nullopt;
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
  held.owner->keyring.release(held.key_id, held.price.value);
}

result<reservation> accounts::reserve(const principal& who, credits price) {
  owners& in = *owners_;
  const held_credits wanted{&in, who.account.id, who.key.id, price};
  std::future<result<reservation>> outcome;
  {
    const auto guard = in.queue.lock();
    if (auto made = try_hold(wanted, who)) return std::move(*made);
    if (in.queue.is_own_thread()) return waits_for_itself();
    // Shared: the thread that tells may still be at it when the one that waits has gone on.
    const auto told = std::make_shared<std::promise<result<reservation>>>();
    outcome = told->get_future();
    const auto done = [told](result<reservation> made) { told->set_value(std::move(made)); };
    in.balances.await_month(wanted.account_id, std::make_unique<pending_reservation>(wanted, done));
  }
  return outcome.get();
}

void accounts::reserve(const principal& who, credits price,
                       std::function<void(result<reservation>)> done) {
  owners& in = *owners_;
  const held_credits wanted{&in, who.account.id, who.key.id, price};
  std::optional<result<reservation>> outcome;
  {
    const auto guard = in.queue.lock();
    outcome = try_hold(wanted, who);
    if (!outcome)
      return in.balances.await_month(
          wanted.account_id, std::make_unique<pending_reservation>(wanted, std::move(done)));
  }
  done(std::move(*outcome));
}

}  // namespace freshet::account
