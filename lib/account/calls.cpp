// A call's way through the accounts: authenticate, take_rate_token, settle. Everything here is
// decided in memory; only a settlement waits for the disk. Holding credits: reservations.cpp.
#include <account/rules/charge.hpp>
#include <account/state.hpp>
#include <utility>

namespace freshet::account {
namespace {

constexpr std::size_t max_idempotency_key_size = 255;
constexpr std::chrono::seconds in_progress_retry{1};

bool is_idempotency_key(std::string_view key) noexcept {
  if (key.empty() || key.size() > max_idempotency_key_size) return false;
  for (const char c : key)
    if (c < ' ' || c > '~') return false;
  return true;
}

/// A finished call on its way to the disk.
class settlement final : public work {
 public:
  settlement(std::int64_t account_id, std::int64_t key_id, std::int64_t held, std::int64_t price,
             usage what, time_point at, std::function<void(result<balance>)> done)
      : account_id_(account_id),
        key_id_(key_id),
        held_(held),
        price_(price),
        what_(std::move(what)),
        at_(at),
        done_(std::move(done)) {}

  sqlite_code write(batch& in) override {
    batch::changed_book& changed = in.book_of(account_id_);
    changed.resolved += held_;
    if (price_ > 0) {
      const movement_note note{.kind = "usage",
                               .endpoint = what_.endpoint,
                               .request_id = what_.request_id,
                               .sources = what_.sources,
                               .key_id = key_id_,
                               .at = at_};
      const book_change change = charge(changed.book, price_);
      const auto code = in.state().ledger->append(account_id_, change, note, changed.book);
      if (code != sqlite_ok) return code;
    }
    return what_.idempotency_key.empty() ? sqlite_ok : write_answer(in);
  }

  void conclude(accounts_state& in, bool committed) override {
    in.release(account_id_, key_id_, held_);
    if (budget_use* const use = in.budget_of(key_id_, month_of(at_)))
      if (committed) use->used += price_;
    if (!what_.idempotency_key.empty())
      in.marks.erase(mark_name(account_id_, key_mode::live, what_.idempotency_key));
  }

  void observe(accounts_state& in) override {
    balance_ = in.balance_of(in.accounts_by_id.at(account_id_));
  }

  void tell(bool committed) override {
    if (!done_) return;
    if (committed)
      done_(balance_);
    else
      done_(storage_failure());
  }

 private:
  sqlite_code write_answer(batch& in) const {
    const stored_answer& answer = what_.answer;
    return in.state()
        .insert_answer->bind(account_id_)
        .bind(what_.idempotency_key)
        .bind(answer.fingerprint)
        .bind(answer.status)
        .bind(answer.content_type)
        .bind_blob(answer.body)
        .bind(answer.credits_used)
        .bind(static_cast<std::int64_t>(answer.data_offset))
        .bind(static_cast<std::int64_t>(answer.data_size))
        .bind(to_ms(at_))
        .run();
  }

  std::int64_t account_id_, key_id_, held_, price_;
  usage what_;
  time_point at_;
  std::function<void(result<balance>)> done_;
  balance balance_;
};

/// The answer stored for `key`, if it is not too old.
result<std::optional<stored_answer>> find_answer(const accounts_state& in, std::int64_t account_id,
                                                 std::string_view key) {
  const std::int64_t since_ms = to_ms(in.now() - answer_lifetime);
  database& reader = in.lookups();
  const std::lock_guard guard(reader.mutex);
  statement query(reader, "query",
                  "SELECT fingerprint, status, content_type, body, credits_used, data_offset, "
                  "data_size FROM answers WHERE account_id=? AND key=? AND at>?");
  const sqlite_code code = query.bind(account_id).bind(key).bind(since_ms).step();
  if (code == sqlite_done) return std::optional<stored_answer>();
  if (code != sqlite_row) return storage_failure();
  stored_answer answer;
  answer.fingerprint = query.text(0);
  answer.status = static_cast<int>(query.integer(1));
  answer.content_type = query.text(2);
  answer.body = query.text(3);
  answer.credits_used = query.integer(4);
  answer.data_offset = static_cast<std::size_t>(query.integer(5));
  answer.data_size = static_cast<std::size_t>(query.integer(6));
  return std::optional(std::move(answer));
}

error mismatch() {
  return error(errc::idempotency_mismatch, "this Idempotency-Key was used for another call");
}

}  // namespace

std::string mark_name(std::int64_t account_id, key_mode mode, std::string_view key) {
  std::string name = std::to_string(account_id);
  name += mode == key_mode::live ? " live " : " test ";
  name += key;
  return name;
}

account_entry* accounts_state::find_account(std::int64_t id) {
  const auto at = accounts_by_id.find(id);
  return at == accounts_by_id.end() ? nullptr : &at->second;
}

key_entry* accounts_state::find_key(std::int64_t id) {
  const auto at = keys_by_id.find(id);
  return at == keys_by_id.end() ? nullptr : &at->second;
}

const plan* accounts_state::configured_plan(const std::string& name) const {
  const auto at = options.plans.find(name);
  return at == options.plans.end() ? nullptr : &at->second;
}

void accounts_state::begin_month(account_entry& of, time_point at) {
  if (!of.rolling && writable && is_month_due(of, month_of(at))) start_month(of, at, nullptr);
}

plan accounts_state::plan_of(const account_entry& of) const {
  if (const plan* const configured = configured_plan(of.record.plan)) return *configured;
  return {.name = of.record.plan, .monthly = {0}};
}

budget_use* accounts_state::budget_of(std::int64_t key_id, month_index month) {
  const key_entry* const key = find_key(key_id);
  if (key == nullptr || !key->record.monthly_budget) return nullptr;
  budget_use& use = budgets[key->family];
  use.reach(month);
  return &use;
}

key_record accounts_state::shown(const key_entry& of, month_index month) const {
  key_record record = of.record;
  if (!record.monthly_budget) return record;
  record.budget_used = credits{0};
  const auto use = budgets.find(of.family);
  if (use != budgets.end()) record.budget_used = credits{use->second.shown(month)};
  return record;
}

void accounts_state::release(std::int64_t account_id, std::int64_t key_id, std::int64_t held) {
  --holds;
  accounts_by_id.at(account_id).reserved -= held;
  if (budget_use* const use = budget_of(key_id, no_month)) use->reserved -= held;
}

result<principal> accounts::authenticate(std::string_view key) {
  if (key.empty()) return error(errc::missing_api_key, "no API key was given");
  const auto mode = check_key_format(key);
  if (!mode) return mode.error();
  accounts_state& state = *state_;
  const base::sha256_digest hash = hash_key(key, state.pepper);
  const time_point now = state.now();
  ++state.key_lookups;
  const std::lock_guard guard(state.mutex);
  const auto found = state.keys_by_hash.find(hash);
  if (found == state.keys_by_hash.end()) return error(errc::invalid_api_key, "the key is unknown");
  key_entry& entry = state.keys_by_id.at(found->second);
  if (entry.record.revoked_at) return error(errc::revoked_api_key, "the key was revoked");
  if (entry.record.expires_at && *entry.record.expires_at <= now)
    return error(errc::revoked_api_key, "the key has expired");
  account_entry& account = state.accounts_by_id.at(entry.record.account_id);
  // A key may have been on its way when its account was deleted.
  if (account.record.deleted_at) return error(errc::revoked_api_key, "the account was deleted");
  entry.record.last_used_at = now;
  entry.used_since_flush = true;
  if (!std::exchange(state.keys_used, true)) state.queue_filled.notify_one();
  if (*mode == key_mode::live) state.begin_month(account, now);
  return principal{account.record, state.shown(entry, month_of(now)), state.plan_of(account)};
}

result<principal> accounts::principal_of(std::int64_t account_id, key_mode mode) {
  accounts_state& state = *state_;
  const time_point now = state.now();
  const std::lock_guard guard(state.mutex);
  account_entry* const account = state.find_account(account_id);
  if (account == nullptr || account->record.deleted_at)
    return error(errc::not_found, "no such account");
  key_record session;
  session.public_id = session_key_id;
  session.account_id = account_id;
  session.mode = mode;
  session.created_at = now;
  if (mode == key_mode::live) state.begin_month(*account, now);
  return principal{account->record, std::move(session), state.plan_of(*account)};
}

result<void> accounts::take_rate_token(const principal& who, rate_info& state) {
  accounts_state& in = *state_;
  const auto now = in.options.clock->steady();
  const std::lock_guard guard(in.mutex);
  account_entry* const account = in.find_account(who.account.id);
  if (account == nullptr) return error(errc::internal, "no such account");
  const auto rule = in.rates.find(account->record.plan);
  rate_bucket& bucket =
      who.key.mode == key_mode::live ? account->live_bucket : account->test_bucket;
  return bucket.take(rule == in.rates.end() ? rate_rule() : rule->second, now, state);
}

result<std::optional<stored_answer>> accounts::begin_idempotent(const principal& who,
                                                                std::string_view key,
                                                                std::string_view fingerprint) {
  if (!is_idempotency_key(key))
    return error(errc::invalid_request, "an Idempotency-Key has 1 to 255 printable characters");
  accounts_state& state = *state_;
  {
    const std::lock_guard guard(state.mutex);
    const auto [mark, is_new] =
        state.marks.try_emplace(mark_name(who.account.id, who.key.mode, key), fingerprint);
    if (!is_new && mark->second != fingerprint) return mismatch();
    if (!is_new) {
      error running(errc::idempotency_in_progress, "a call with this Idempotency-Key is running");
      running.retry_after = in_progress_retry;
      return running;
    }
  }
  if (who.key.mode == key_mode::test) return std::optional<stored_answer>();
  // Looked up after the mark was set: a settlement ends its mark only when its answer is stored, so
  // no call can slip in between.
  auto answer = find_answer(state, who.account.id, key);
  if (answer && !*answer) return answer;
  end_idempotent(who, key);
  if (answer && (*answer)->fingerprint != fingerprint) return mismatch();
  return answer;
}

void accounts::end_idempotent(const principal& who, std::string_view key) noexcept {
  const std::lock_guard guard(state_->mutex);
  state_->marks.erase(mark_name(who.account.id, who.key.mode, key));
}

void accounts::settle(reservation held, credits price, usage what,
                      std::function<void(result<balance>)> done) {
  accounts_state& state = *state_;
  if (held.owner_ != &state) {
    if (done) done(error(errc::internal, "the reservation was resolved before"));
    return;
  }
  const std::int64_t charged = std::clamp<std::int64_t>(price.value, 0, held.held_.value);
  auto item = std::make_unique<settlement>(held.account_id_, held.key_id_, held.held_.value,
                                           charged, std::move(what), state.now(), std::move(done));
  held.owner_ = nullptr;
  const std::lock_guard guard(state.mutex);
  state.post(std::move(item));
}

}  // namespace freshet::account
