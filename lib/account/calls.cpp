// A call's way through the accounts: authenticate, take_rate_token, settle. Everything here is
// decided in memory, into which an account and its key are read when they are first used; only a
// settlement waits for a commit. Holding credits: reservations.cpp.
#include <account/answer_box.hpp>
#include <account/owners.hpp>
#include <base/kept_blocks.hpp>
#include <future>

namespace freshet::account {
namespace {

constexpr std::size_t max_idempotency_key_size = 255;

bool is_idempotency_key(std::string_view key) noexcept {
  if (key.empty() || key.size() > max_idempotency_key_size) return false;
  for (const char c : key)
    if (c < ' ' || c > '~') return false;
  return true;
}

/// How often an answer that was too large to be kept is fetched again at no charge.
constexpr throttle_rule refetches_by_key{1, std::chrono::seconds(60)};
constexpr throttle_rule refetches_by_account{10, std::chrono::seconds(60)};

/// A finished call on its way to the disk.
class settlement final : public work {
 public:
  settlement(const held_credits& held, std::int64_t price, usage call,
             std::function<void(result<balance>)> done, std::shared_ptr<answering_thread> thread)
      : held_(held),
        price_(price),
        call_(std::move(call)),
        at_(held.owner->now()),
        stored_at_(held.owner->running.now()),
        done_(std::move(done)),
        thread_(std::move(thread)) {}

  [[nodiscard]] std::int64_t group() const noexcept override { return held_.account_id; }

  void write(transaction& running) override {
    balances& books = held_.owner->balances;
    books.resolve(running, held_.account_id, held_.price.value);
    if (price_ > 0) {
      const movement_note note{.kind = "usage",
                               .endpoint = call_.endpoint,
                               .request_id = call_.request_id,
                               .sources = call_.sources,
                               .key_id = held_.key_id,
                               .at = at_};
      left_ = books.charge(running, held_.account_id, price_, note);
      if (held_.family != 0) running.charge_budget(held_.family, month_of(at_), price_);
    }
    if (call_.idempotency_key.empty()) return;
    running.keep_answer(held_.account_id, call_.idempotency_key, call_.answer, stored_at_,
                        held_.owner->answers);
    running.end_call(held_.account_id, call_.idempotency_key);
  }

  void conclude(bool committed) override {
    keyring& keys = held_.owner->keyring;
    held_.owner->balances.release(held_.account_id, held_.price.value);
    if (held_.family != 0) {
      // A store that others charge, too, has told the whole.
      if (committed && price_ > 0 && !held_.owner->books->is_shared())
        keys.charge(held_.family, price_, month_of(at_));
      keys.release(held_.family, held_.price.value);
    }
    if (call_.idempotency_key.empty()) return;
    keys.end_mark(held_.account_id, key_mode::live, call_.idempotency_key);
    if (!committed)
      held_.owner->end_later({held_.account_id, key_mode::live, call_.idempotency_key});
  }

  void observe() override {
    balance_ = held_.owner->balances.balance_of(held_.account_id);
    if (price_ > 0) fall_ = held_.owner->fall_by(held_.account_id, price_, left_);
  }

  void tell(bool committed) override {
    if (committed && fall_) held_.owner->fell(*fall_);
    if (!done_) return;
    if (committed)
      done_(balance_);
    else
      done_(storage_failure());
  }

  [[nodiscard]] answering_thread* told_on() const noexcept override { return thread_.get(); }

  static void* operator new(std::size_t) { return base::kept_blocks<sizeof(settlement)>::take(); }
  static void operator delete(void* block) { base::kept_blocks<sizeof(settlement)>::give(block); }

 private:
  held_credits held_;
  std::int64_t price_;
  usage call_;
  time_point at_;
  running_time stored_at_;
  std::function<void(result<balance>)> done_;
  std::shared_ptr<answering_thread> thread_;
  balance balance_;
  std::int64_t left_ = 0;  ///< of the balance, behind this charge alone
  std::optional<balance_fall> fall_;
};

/// A key as its text says it.
struct presented_key {
  key_mode mode = key_mode::live;
  base::sha256_digest hash{};
};

/// The key that a thread has seen last: a request's is looked at when its head is judged and when
/// its call begins, and a connection's is the same from call to call.
struct last_key {
  std::string text, pepper;
  presented_key is;
};

result<presented_key> read_key_text(owners& owners, std::string_view key) {
  if (key.empty()) return error(errc::missing_api_key, "no API key was given");
  thread_local last_key last;
  // Whether it is another's takes no time to tell by: whoever guesses shares the thread. The
  // peppers are both our own.
  const bool is_last =
      base::equal_in_constant_time(last.text, key) && last.pepper == owners.books->pepper();
  const auto mode = is_last ? result<key_mode>(last.is.mode) : check_key_format(key);
  if (!mode) return mode.error();
  ++owners.key_lookups;
  if (is_last) return last.is;
  last.is = {*mode, hash_key(key, owners.books->pepper())};
  last.text = key;
  last.pepper = owners.books->pepper();
  return last.is;
}

/// What is known of every key says whether this one may be used. Without the lock, which who calls
/// with a good key waits for, and nobody else is to have.
result<indexed_key> judge(const owners& owners, const base::sha256_digest& hash, time_point now) {
  const auto found = owners.key_index.find(hash);
  if (!found) return error(errc::invalid_api_key, "the key is unknown");
  if (found->is_revoked) return error(errc::revoked_api_key, "the key was revoked: create another");
  if (found->expires_at && *found->expires_at <= now)
    return error(errc::revoked_api_key, "the key has expired: create another");
  return *found;
}

/// Notes that a good key is used. Under the lock.
void note_use(owners& owners, const indexed_key& key, key_mode mode, time_point now) {
  if (owners.keyring.use(key.id, now)) owners.queue.wake();
  if (mode == key_mode::live && owners.directory.find(key.account_id) != nullptr)
    owners.balances.begin_month(key.account_id);
}

/// Who calls with a good key that is in memory with its account. Under the lock.
result<principal> principal_with(owners& owners, const presented_key& presented,
                                 const indexed_key& key, time_point now) {
  if (!owners.keyring.has_hash(key.id, presented.hash))
    return error(errc::invalid_api_key, "the key is unknown");
  const account_record& account = *owners.directory.find(key.account_id);
  // Before schema 12 a key may have been on its way when its account was deleted.
  if (account.deleted_at) return error(errc::revoked_api_key, "the account was deleted");
  note_use(owners, key, presented.mode, now);
  return principal{account, owners.keyring.shown(key.id, month_of(now)),
                   owners.plans.plan_called(account.plan, presented.mode)};
}

/// Null where something has to be read first, which `wanted` then says.
std::optional<result<principal>> try_to_authenticate(owners& owners, const presented_key& key,
                                                     indexed_key& wanted) {
  const time_point now = owners.now();
  const auto good = judge(owners, key.hash, now);
  if (!good) return good.error();
  wanted = *good;
  const auto guard = owners.queue.lock();
  if (!owners.residents.has(good->account_id, good->id)) return std::nullopt;
  return principal_with(owners, key, *good, now);
}

}  // namespace

std::optional<result<principal>> accounts::authenticate_at_once(std::string_view key) {
  const auto by = read_key_text(*owners_, key);
  if (!by) return by.error();
  indexed_key wanted;
  return try_to_authenticate(*owners_, *by, wanted);
}

result<principal> accounts::authenticate(std::string_view key) {
  owners& in = *owners_;
  const auto by = read_key_text(in, key);
  if (!by) return by.error();
  indexed_key wanted;
  if (auto known = try_to_authenticate(in, *by, wanted)) return std::move(*known);
  const auto kept = in.residents.admit(wanted.account_id, wanted.id);
  // Of no account in a damaged file: nobody to authenticate as.
  if (!kept && kept.error().code() == errc::not_found)
    return error(errc::invalid_api_key, "the key is unknown");
  if (!kept) return kept.error();
  return *try_to_authenticate(in, *by, wanted);
}

result<key_rights> accounts::check_key(std::string_view key) {
  owners& in = *owners_;
  const auto by = read_key_text(in, key);
  if (!by) return by.error();
  const time_point now = in.now();
  const auto good = judge(in, by->hash, now);
  if (!good) return good.error();
  if (!in.noted_uses.was_noted(good->id, now)) {
    const auto guard = in.queue.lock();
    note_use(in, *good, by->mode, now);
  }
  return key_rights{good->account_id, good->scope_read, good->scope_account};
}

bool accounts::is_key_good(std::string_view key) {
  if (!check_key_format(key)) return false;
  owners& in = *owners_;
  const base::sha256_digest hash = hash_key(key, in.books->pepper());
  return judge(in, hash, in.now()).has_value();
}

bool accounts::knows_origin(std::string_view origin) const { return owners_->origins.has(origin); }

result<principal> accounts::principal_of(std::int64_t account_id, key_mode mode) {
  owners& in = *owners_;
  const time_point now = in.now();
  const auto kept = in.residents.admit(account_id);
  if (!kept) return kept.error();
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

namespace {

/// Which bucket a call takes from, and by which rule.
std::pair<key_mode, rate_rule> rate_of(const owners& inside, const principal& who,
                                       bool of_account) {
  // One page of the dashboard asks several at once, and a person turns many pages.
  const bool is_page = of_account && who.key.public_id == session_key_id;
  const key_mode mode = is_page ? key_mode::test : who.key.mode;
  // A plan that has changed since is in force; of an account that has left memory it has not.
  const account_record* const account = inside.directory.find(who.account.id);
  const std::string& plan = account == nullptr ? who.account.plan : account->plan;
  return {mode, inside.plans.rate_of(plan, mode)};
}

}  // namespace

bool accounts::shares_rates() const noexcept { return owners_->rates != nullptr; }

result<void> accounts::take_rate_token(const principal& who, rate_info& state, bool of_account) {
  owners& in = *owners_;
  if (in.rates == nullptr) {
    const auto now = in.clock.steady();
    const auto guard = in.queue.lock();
    const auto [mode, rule] = rate_of(in, who, of_account);
    // Each of several servers has its part of the rate.
    return in.keyring.take_token(who.account.id, mode, rule.shared_by(in.books->peers() + 1), now,
                                 state);
  }
  const auto told = std::make_shared<std::promise<std::pair<result<void>, rate_info>>>();
  auto answer = told->get_future();
  auto judged = take_rate_token(who, state, of_account,
                                [told](const result<void>& passes, const rate_info& info) {
                                  told->set_value({passes, info});
                                });
  if (judged) return std::move(*judged);
  auto late = answer.get();
  state = late.second;
  return std::move(late.first);
}

std::optional<result<void>> accounts::take_rate_token(const principal& who, rate_info& state,
                                                      bool of_account, rate_handler done) {
  owners& in = *owners_;
  if (in.rates == nullptr) return take_rate_token(who, state, of_account);
  const auto of = [&] {
    const auto guard = in.queue.lock();
    return rate_of(in, who, of_account);
  }();
  return in.rates->take(who.account.id, of.first, of.second, state, std::move(done));
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
  if (auto begun =
          in.begin_elsewhere({who.account.id, who.key.mode, std::string(key)}, fingerprint);
      !begun) {
    const auto guard = in.queue.lock();
    in.keyring.end_mark(who.account.id, who.key.mode, key);
    return begun.error();
  }
  // Looked up after the mark was set: a settlement ends its mark only when its answer is stored, so
  // no call can slip in between. Another server's answer lasts when it is found, for the mark was
  // committed behind it.
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
  owners_->end_now(who.account.id, who.key.mode, key);
}

void accounts::settle(reservation held, credits price, usage usage,
                      std::function<void(result<balance>)> done,
                      std::shared_ptr<answering_thread> thread) {
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
  in.queue.submit(std::make_unique<settlement>(held.take(), charged, std::move(usage),
                                               std::move(done), std::move(thread)));
}

void accounts::keep(const principal& who, std::string_view key, stored_answer answer,
                    std::function<void(result<void>)> done) {
  owners& in = *owners_;
  const std::int64_t account_id = who.account.id;
  try {
    std::string name = answer_name(who.key.mode, key);
    auto kept = put_away({in.books->pepper(), account_id, name}, std::move(answer));
    auto item = std::make_unique<plain_work>(
        [&in, account_id, name = std::move(name), kept = std::move(kept),
         at = in.running.now()](transaction& running) {
          running.keep_answer(account_id, name, kept, at, in.answers);
          running.end_call(account_id, name);
        },
        [&in, account_id, mode = who.key.mode, key = std::string(key)](bool committed) {
          in.keyring.end_mark(account_id, mode, key);
          if (!committed) in.end_later({account_id, mode, key});
        },
        [done = std::move(done)](bool committed) {
          done(committed ? result<void>() : result<void>(storage_failure()));
        },
        account_id);
    in.queue.submit(std::move(item));
  } catch (const std::bad_alloc&) {
    end_idempotent(who, key);
    throw;
  }
}

}  // namespace freshet::account
