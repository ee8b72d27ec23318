// A call's way through the accounts: authenticate, take_rate_token, settle. Everything here is
// decided in memory; only a settlement waits for the disk. Holding credits: reservations.cpp.
#include <account/answer_box.hpp>
#include <account/owners.hpp>

namespace freshet::account {
namespace {

constexpr std::size_t max_idempotency_key_size = 255;

bool is_idempotency_key(std::string_view key) noexcept {
  if (key.empty() || key.size() > max_idempotency_key_size) return false;
  for (const char c : key)
    if (c < ' ' || c > '~') return false;
  return true;
}

/// The name of an answer in the store: live and test keys have calls of their own, and no header
/// can spell what the names of the latter begin with.
std::string answer_name(key_mode mode, std::string_view key) {
  return (mode == key_mode::test ? "\t" : "") + std::string(key);
}

/// How often an answer that was too large to be kept is fetched again at no charge.
constexpr throttle_rule refetches_by_key{1, std::chrono::seconds(60)};
constexpr throttle_rule refetches_by_account{10, std::chrono::seconds(60)};

/// A finished call on its way to the disk.
class settlement final : public work {
 public:
  settlement(const held_credits& held, std::int64_t price, usage call,
             std::function<void(result<balance>)> done)
      : held_(held),
        price_(price),
        call_(std::move(call)),
        at_(held.owner->now()),
        stored_at_(held.owner->running.now()),
        done_(std::move(done)) {}

  void write(transaction& running) override {
    balances& books = held_.owner->balances;
    books.resolve(held_.account_id, held_.price.value);
    if (price_ > 0) {
      const movement_note note{.kind = "usage",
                               .endpoint = call_.endpoint,
                               .request_id = call_.request_id,
                               .sources = call_.sources,
                               .key_id = held_.key_id,
                               .at = at_};
      books.charge(running, held_.account_id, price_, note);
    }
    if (!call_.idempotency_key.empty())
      running.keep_answer(held_.account_id, call_.idempotency_key, call_.answer, stored_at_,
                          held_.owner->answers);
  }

  void conclude(bool committed) override {
    keyring& keys = held_.owner->keyring;
    held_.owner->balances.release(held_.account_id, held_.price.value);
    keys.release(held_.key_id, held_.price.value);
    keys.charge(held_.key_id, committed ? price_ : 0, month_of(at_));
    if (!call_.idempotency_key.empty())
      keys.end_mark(held_.account_id, key_mode::live, call_.idempotency_key);
  }

  void observe() override { balance_ = held_.owner->balances.balance_of(held_.account_id); }

  void tell(bool committed) override {
    if (!done_) return;
    if (committed)
      done_(balance_);
    else
      done_(storage_failure());
  }

 private:
  held_credits held_;
  std::int64_t price_;
  usage call_;
  time_point at_;
  running_time stored_at_;
  std::function<void(result<balance>)> done_;
  balance balance_;
};

/// The record of a key that may be used. The caller holds the lock of the queue.
result<const key_record*> find_good_key(const owners& in, const base::sha256_digest& hash,
                                        time_point now) {
  const key_record* const found = in.keyring.find_by_hash(hash);
  if (found == nullptr) return error(errc::invalid_api_key, "the key is unknown");
  if (found->revoked_at) return error(errc::revoked_api_key, "the key was revoked");
  if (found->expires_at && *found->expires_at <= now)
    return error(errc::revoked_api_key, "the key has expired");
  // A key may have been on its way when its account was deleted.
  if (in.directory.find(found->account_id)->deleted_at)
    return error(errc::revoked_api_key, "the account was deleted");
  return found;
}

}  // namespace

result<principal> accounts::authenticate(std::string_view key) {
  if (key.empty()) return error(errc::missing_api_key, "no API key was given");
  const auto mode = check_key_format(key);
  if (!mode) return mode.error();
  owners& in = *owners_;
  const base::sha256_digest hash = hash_key(key, in.books->pepper());
  const time_point now = in.now();
  ++in.key_lookups;
  const auto guard = in.queue.lock();
  const auto good = find_good_key(in, hash, now);
  if (!good) return good.error();
  const key_record* const found = *good;
  const account_record& account = *in.directory.find(found->account_id);
  if (in.keyring.use(found->id, now)) in.queue.wake();
  if (*mode == key_mode::live) in.balances.begin_month(account.id);
  return principal{account, in.keyring.shown(*found, month_of(now)),
                   in.plans.plan_called(account.plan, *mode)};
}

bool accounts::is_key_good(std::string_view key) {
  if (!check_key_format(key)) return false;
  owners& in = *owners_;
  const base::sha256_digest hash = hash_key(key, in.books->pepper());
  const time_point now = in.now();
  const auto guard = in.queue.lock();
  return find_good_key(in, hash, now).has_value();
}

bool accounts::knows_origin(std::string_view origin) const { return owners_->origins.has(origin); }

result<principal> accounts::principal_of(std::int64_t account_id, key_mode mode) {
  owners& in = *owners_;
  const time_point now = in.now();
  const auto guard = in.queue.lock();
  const account_record* const account = in.directory.find_living(account_id);
  if (account == nullptr) return error(errc::not_found, "no such account");
  key_record session;
  session.public_id = session_key_id;
  session.account_id = account_id;
  session.mode = mode;
  session.created_at = now;
  if (mode == key_mode::live) in.balances.begin_month(account_id);
  return principal{*account, std::move(session), in.plans.plan_called(account->plan, mode)};
}

result<void> accounts::take_rate_token(const principal& who, rate_info& state) {
  owners& in = *owners_;
  const auto now = in.clock.steady();
  const auto guard = in.queue.lock();
  const account_record* const account = in.directory.find(who.account.id);
  if (account == nullptr) return error(errc::internal, "no such account");
  const rate_rule rule = in.plans.rate_of(account->plan, who.key.mode);
  return in.keyring.take_token(account->id, who.key.mode, rule, now, state);
}

result<std::optional<stored_answer>> accounts::begin_idempotent(const principal& who,
                                                                std::string_view key,
                                                                std::string_view fingerprint) {
  if (!is_idempotency_key(key))
    return error(errc::invalid_request, "an Idempotency-Key has 1 to 255 printable characters");
  owners& in = *owners_;
  {
    const auto guard = in.queue.lock();
    auto begun = in.keyring.begin_mark(who.account.id, who.key.mode, key, fingerprint);
    if (!begun) return begun.error();
  }
  // Looked up after the mark was set: a settlement ends its mark only when its answer is stored, so
  // no call can slip in between.
  const auto look_up = [&]() -> result<std::optional<stored_answer>> {
    const std::string name = answer_name(who.key.mode, key);
    auto found = in.books->find_answer(who.account.id, name, in.running.now() - answer_lifetime);
    if (!found) return found.error();
    if (!*found) return std::optional<stored_answer>();
    auto stored = check_answer(who, name, fingerprint, std::move(**found));
    if (!stored) return stored.error();
    return std::optional<stored_answer>(std::move(*stored));
  };
  try {
    auto answer = look_up();
    const bool runs = answer && (!*answer || !(*answer)->is_kept);
    if (!runs) end_idempotent(who, key);
    return answer;
  } catch (const std::bad_alloc&) {
    end_idempotent(who, key);
    throw;
  }
}

result<stored_answer> accounts::check_answer(const principal& who, const std::string& name,
                                             std::string_view fingerprint,
                                             sealed_answer found) const {
  owners& in = *owners_;
  if (found.answer.fingerprint != fingerprint) return idempotency_mismatch();
  auto answer = take_out({in.books->pepper(), who.account.id, name}, std::move(found));
  if (!answer || answer->is_kept) return answer;
  const std::string account = "again " + std::to_string(who.account.id);
  const throttle_count counts[] = {{account + " " + name, refetches_by_key},
                                   {account, refetches_by_account}};
  if (auto passed = in.refetches.take(counts, in.clock.steady()); !passed) return passed.error();
  return answer;
}

void accounts::end_idempotent(const principal& who, std::string_view key) noexcept {
  const auto guard = owners_->queue.lock();
  owners_->keyring.end_mark(who.account.id, who.key.mode, key);
}

void accounts::settle(reservation held, credits price, usage usage,
                      std::function<void(result<balance>)> done) {
  owners& in = *owners_;
  if (!held.is_of(in)) {
    if (done) done(error(errc::internal, "the reservation was resolved before"));
    return;
  }
  const std::int64_t charged = std::clamp<std::int64_t>(price.value, 0, held.held().value);
  if (!usage.idempotency_key.empty()) {
    const answer_owner of{in.books->pepper(), held.account_id(), usage.idempotency_key};
    usage.answer = put_away(of, std::move(usage.answer));
  }
  auto item = std::make_unique<settlement>(held.take(), charged, std::move(usage), std::move(done));
  const auto guard = in.queue.lock();
  in.queue.post(std::move(item));
}

void accounts::keep(const principal& who, std::string_view key, stored_answer answer,
                    std::function<void(result<void>)> done) {
  owners& in = *owners_;
  const std::int64_t account_id = who.account.id;
  try {
    std::string name = answer_name(who.key.mode, key);
    auto kept = put_away({in.books->pepper(), account_id, name}, std::move(answer));
    auto item = std::make_unique<plain_work>(
        [&in, account_id, name = std::move(name), kept = std::move(kept), at = in.running.now()](
            transaction& running) { running.keep_answer(account_id, name, kept, at, in.answers); },
        [&in, account_id, mode = who.key.mode, key = std::string(key)](bool) {
          in.keyring.end_mark(account_id, mode, key);
        },
        [done = std::move(done)](bool committed) {
          done(committed ? result<void>() : result<void>(storage_failure()));
        });
    const auto guard = in.queue.lock();
    in.queue.post(std::move(item));
  } catch (const std::bad_alloc&) {
    end_idempotent(who, key);
    throw;
  }
}

}  // namespace freshet::account
