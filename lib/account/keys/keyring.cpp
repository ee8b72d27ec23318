// Counting what is done with keys, in memory alone.
#include <account/keys/keyring.hpp>
#include <algorithm>
#include <cstring>
#include <utility>

namespace freshet::account {
namespace {

constexpr std::chrono::seconds in_progress_retry{1};

/// Live and test keys have marks of their own.
std::string mark_name(std::int64_t account_id, key_mode mode, std::string_view key) {
  std::string name = std::to_string(account_id);
  name += mode == key_mode::live ? " live " : " test ";
  name += key;
  return name;
}

}  // namespace

std::size_t digest_hash::operator()(const base::sha256_digest& digest) const noexcept {
  std::size_t first = 0;
  std::memcpy(&first, digest.data(), sizeof first);
  return first;
}

error idempotency_mismatch() {
  return error(errc::idempotency_mismatch, "this Idempotency-Key was used for another call");
}

void keyring::add(const stored_key& key) {
  const auto [added, is_new] = keys_.try_emplace(key.record.id, key_entry{key});
  if (!is_new || !key.record.monthly_budget) return;
  // What is there is as new as what was read, or newer.
  const auto [budget, is_first] = budgets_.try_emplace(key.family);
  if (is_first) budget->second.use = {key.budget_month, key.budget_used, 0};
  ++budget->second.keys;
}

void keyring::remove(std::int64_t id) {
  const auto found = keys_.find(id);
  if (found == keys_.end()) return;
  const std::int64_t family = budget_of(id).family;
  keys_.erase(found);
  if (family == 0) return;
  --budgets_.at(family).keys;
  forget_if_unused(family);
}

void keyring::replace(const stored_key& key) {
  const auto found = keys_.find(key.record.id);
  if (found == keys_.end()) return;
  found->second.stored.record = key.record;
  const auto budget = budgets_.find(key.family);
  if (budget == budgets_.end()) return;
  // Also where it is less: what a crash of the database took back was never charged.
  budget->second.use.month = key.budget_month;
  budget->second.use.used = key.budget_used;
}

std::vector<std::int64_t> keyring::ids() const {
  std::vector<std::int64_t> all;
  all.reserve(keys_.size());
  for (const auto& [id, one] : keys_) all.push_back(id);
  return all;
}

void keyring::show_use(std::int64_t family, month_index month, std::int64_t used) {
  const auto found = budgets_.find(family);
  if (found == budgets_.end() || found->second.use.month > month) return;
  budget_use& use = found->second.use;
  // Within a month it only grows.
  use.used = use.month == month ? std::max(use.used, used) : used;
  use.month = month;
}

void keyring::take() {
  for (const stored_use& one : std::exchange(charged_, {}))
    show_use(one.family, one.month, one.used);
}

const key_record* keyring::find(std::int64_t id) const {
  const auto found = keys_.find(id);
  return found == keys_.end() ? nullptr : &found->second.stored.record;
}

bool keyring::has_hash(std::int64_t id, const base::sha256_digest& hash) const {
  const auto found = keys_.find(id);
  return found != keys_.end() && digest_equal()(found->second.stored.hash, hash);
}

key_record keyring::shown(const stored_key& key, month_index month) const {
  key_record record = key.record;
  if (const auto use = uses_.find(record.id); use != uses_.end()) record.last_used_at = use->second;
  if (!record.monthly_budget) return record;
  const auto known = budgets_.find(key.family);
  const budget_use stored{key.budget_month, key.budget_used, 0};
  record.budget_used =
      credits{(known == budgets_.end() ? stored : known->second.use).used_in(month)};
  return record;
}

key_record keyring::shown(std::int64_t id, month_index month) const {
  return shown(keys_.at(id).stored, month);
}

void keyring::rotate(std::int64_t id, time_point expires_at, time_point rotated_at) {
  const auto found = keys_.find(id);
  if (found == keys_.end()) return;
  found->second.stored.record.expires_at = expires_at;
  found->second.stored.record.rotated_at = rotated_at;
}

void keyring::revoke(std::int64_t id, time_point revoked_at) {
  const auto found = keys_.find(id);
  if (found == keys_.end()) return;
  key_record& record = found->second.stored.record;
  if (!record.revoked_at) record.revoked_at = revoked_at;
}

void keyring::remove_person(std::int64_t id, time_point deleted_at) {
  revoke(id, deleted_at);
  const auto found = keys_.find(id);
  if (found != keys_.end()) found->second.stored.record.name.clear();
}

bool keyring::use(std::int64_t id, time_point used_at) {
  const auto known = uses_.find(id);
  if (known != uses_.end()) {
    known->second = used_at;
    return false;
  }
  if (uses_.size() >= 2 * many_uses) return false;
  uses_.emplace(id, used_at);
  return uses_.size() == 1 || uses_.size() == many_uses;
}

std::vector<key_use> keyring::take_uses(std::size_t most) {
  std::vector<key_use> uses;
  uses.reserve(std::min(most, uses_.size()));
  while (uses.size() < most && !uses_.empty()) {
    const auto one = uses_.begin();
    uses.push_back({one->first, one->second});
    const auto key = keys_.find(one->first);
    if (key != keys_.end()) key->second.stored.record.last_used_at = one->second;
    uses_.erase(one);
  }
  return uses;
}

void keyring::give_back(const std::vector<key_use>& uses) {
  for (const key_use& one : uses) uses_.try_emplace(one.key_id, one.at);
}

budget_terms keyring::budget_of(std::int64_t id) const {
  const stored_key& key = keys_.at(id).stored;
  if (!key.record.monthly_budget) return {};
  return {key.family, key.record.monthly_budget->value};
}

void keyring::keep_budget(std::int64_t family) {
  if (family != 0) ++budgets_.at(family).keepers;
}

void keyring::let_go_budget(std::int64_t family) {
  if (family == 0) return;
  --budgets_.at(family).keepers;
  forget_if_unused(family);
}

void keyring::forget_if_unused(std::int64_t family) {
  const auto found = budgets_.find(family);
  if (found->second.keys == 0 && found->second.keepers == 0) budgets_.erase(found);
}

result<void> keyring::hold(const budget_terms& terms, std::int64_t price, month_index month) {
  if (terms.family == 0) return {};
  budget_use& use = budgets_.at(terms.family).use;
  const std::int64_t left = use.left_of(terms.limit, month);
  if (left < price)
    return error(errc::key_budget_exceeded,
                 "the call costs " + std::to_string(price) + " and the key's budget has " +
                     std::to_string(std::max<std::int64_t>(left, 0)) + " left this month");
  use.reserved += price;
  keep_budget(terms.family);
  return {};
}

void keyring::release(std::int64_t family, std::int64_t held) {
  if (family == 0) return;
  budgets_.at(family).use.reserved -= held;
  let_go_budget(family);
}

void keyring::charge(std::int64_t family, std::int64_t price, month_index month) {
  if (family != 0) budgets_.at(family).use.charge(price, month);
}

result<void> keyring::take_token(std::int64_t account_id, key_mode mode, const rate_rule& rule,
                                 std::chrono::steady_clock::time_point now, rate_info& info) {
  if (rates_.size() >= many_rates_) {
    std::erase_if(rates_, [&](const auto& one) {
      return one.second.live.is_full(now) && one.second.test.is_full(now);
    });
    many_rates_ = std::max(few_rates, 2 * rates_.size());
  }
  buckets& own = rates_[account_id];
  return (mode == key_mode::live ? own.live : own.test).take(rule, now, info);
}

error idempotency_conflict(std::string_view running, std::string_view wanted) {
  if (running != wanted) return idempotency_mismatch();
  error told(errc::idempotency_in_progress, "a call with this Idempotency-Key is running");
  told.retry_after = in_progress_retry;
  return told;
}

bool keyring::has_mark(std::int64_t account_id, key_mode mode, std::string_view key) const {
  return marks_.contains(mark_name(account_id, mode, key));
}

result<void> keyring::begin_mark(std::int64_t account_id, key_mode mode, std::string_view key,
                                 std::string_view fingerprint) {
  const auto [mark, is_new] = marks_.try_emplace(mark_name(account_id, mode, key), fingerprint);
  if (is_new) return {};
  return idempotency_conflict(mark->second, fingerprint);
}

void keyring::end_mark(std::int64_t account_id, key_mode mode, std::string_view key) {
  marks_.erase(mark_name(account_id, mode, key));
}

}  // namespace freshet::account
