// Looking keys up and counting what is done with them, in memory alone.
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
  const std::int64_t id = key.record.id;
  by_account_[key.record.account_id].push_back(id);
  by_hash_.emplace(key.hash, id);
  by_public_id_.emplace(key.record.public_id, id);
  keys_.emplace(id, key_entry{key.record, key.family, false});
}

const key_record* keyring::find(std::int64_t id) const {
  const auto found = keys_.find(id);
  return found == keys_.end() ? nullptr : &found->second.record;
}

const key_record* keyring::find_by_hash(const base::sha256_digest& hash) const {
  const auto found = by_hash_.find(hash);
  return found == by_hash_.end() ? nullptr : find(found->second);
}

const key_record* keyring::find_by_public_id(std::string_view public_id) const {
  const auto found = by_public_id_.find(std::string(public_id));
  return found == by_public_id_.end() ? nullptr : find(found->second);
}

key_record keyring::shown(const key_record& key, month_index month) const {
  key_record record = key;
  if (!record.monthly_budget) return record;
  const auto use = budgets_.find(family_of(key.id));
  record.budget_used = credits{use == budgets_.end() ? 0 : use->second.shown(month)};
  return record;
}

std::vector<key_record> keyring::keys_of(std::int64_t account_id, month_index month) const {
  std::vector<key_record> records;
  const auto own = by_account_.find(account_id);
  if (own == by_account_.end()) return records;
  for (const std::int64_t id : own->second) records.push_back(shown(keys_.at(id).record, month));
  return records;
}

std::size_t keyring::count_of(std::int64_t account_id) const {
  const auto own = by_account_.find(account_id);
  return own == by_account_.end() ? 0 : own->second.size();
}

void keyring::rotate(std::int64_t id, time_point expires_at, time_point rotated_at) {
  key_record& record = keys_.at(id).record;
  record.expires_at = expires_at;
  record.rotated_at = rotated_at;
}

void keyring::revoke(std::int64_t id, time_point revoked_at) {
  key_record& record = keys_.at(id).record;
  if (!record.revoked_at) record.revoked_at = revoked_at;
}

void keyring::remove_person(std::int64_t account_id, time_point deleted_at) {
  const auto own = by_account_.find(account_id);
  if (own == by_account_.end()) return;
  for (const std::int64_t id : own->second) {
    keys_.at(id).record.name.clear();
    revoke(id, deleted_at);
  }
}

bool keyring::use(std::int64_t id, time_point used_at) {
  key_entry& key = keys_.at(id);
  key.record.last_used_at = used_at;
  if (std::exchange(key.used, true)) return false;
  used_.push_back(id);
  return used_.size() == 1;
}

std::vector<key_use> keyring::take_uses(std::size_t most) {
  const std::size_t taken = std::min(most, used_.size());
  std::vector<key_use> uses;
  uses.reserve(taken);
  for (std::size_t i = 0; i < taken; ++i) {
    key_entry& key = keys_.at(used_.back());
    key.used = false;
    uses.push_back({used_.back(), *key.record.last_used_at});
    used_.pop_back();
  }
  return uses;
}

void keyring::give_back(const std::vector<key_use>& uses) {
  for (const key_use& one : uses)
    if (!std::exchange(keys_.at(one.key_id).used, true)) used_.push_back(one.key_id);
}

std::vector<std::int64_t> keyring::accounts_with_budgets() const {
  std::vector<std::int64_t> accounts;
  for (const auto& [account, own] : by_account_)
    if (std::any_of(own.begin(), own.end(),
                    [&](std::int64_t id) { return find(id)->monthly_budget.has_value(); }))
      accounts.push_back(account);
  return accounts;
}

void keyring::begin_budgets(month_index month) {
  for (const auto& [id, key] : keys_)
    if (key.record.monthly_budget) budgets_[key.family].reach(month);
}

void keyring::load_budget(std::int64_t family, month_index month, std::int64_t used) {
  budgets_[family] = {month, used, 0};
}

budget_use* keyring::budget_of(std::int64_t key_id, month_index month) {
  const auto key = keys_.find(key_id);
  if (key == keys_.end() || !key->second.record.monthly_budget) return nullptr;
  budget_use& use = budgets_[key->second.family];
  use.reach(month);
  return &use;
}

result<void> keyring::hold(std::int64_t key_id, std::int64_t price, month_index month) {
  budget_use* const use = budget_of(key_id, month);
  if (use == nullptr) return {};
  const std::int64_t left = use->left_of(find(key_id)->monthly_budget->value);
  if (left < price)
    return error(errc::key_budget_exceeded,
                 "the call costs " + std::to_string(price) + " and the key's budget has " +
                     std::to_string(std::max<std::int64_t>(left, 0)) + " left this month");
  use->reserved += price;
  return {};
}

void keyring::release(std::int64_t key_id, std::int64_t held) {
  if (budget_use* const use = budget_of(key_id, no_month)) use->reserved -= held;
}

void keyring::charge(std::int64_t key_id, std::int64_t price, month_index month) {
  if (budget_use* const use = budget_of(key_id, month)) use->used += price;
}

result<void> keyring::take_token(std::int64_t account_id, key_mode mode, const rate_rule& rule,
                                 std::chrono::steady_clock::time_point now, rate_info& info) {
  buckets& own = rates_[account_id];
  return (mode == key_mode::live ? own.live : own.test).take(rule, now, info);
}

result<void> keyring::begin_mark(std::int64_t account_id, key_mode mode, std::string_view key,
                                 std::string_view fingerprint) {
  const auto [mark, is_new] = marks_.try_emplace(mark_name(account_id, mode, key), fingerprint);
  if (is_new) return {};
  if (mark->second != fingerprint) return idempotency_mismatch();
  error running(errc::idempotency_in_progress, "a call with this Idempotency-Key is running");
  running.retry_after = in_progress_retry;
  return running;
}

void keyring::end_mark(std::int64_t account_id, key_mode mode, std::string_view key) {
  marks_.erase(mark_name(account_id, mode, key));
}

}  // namespace freshet::account
