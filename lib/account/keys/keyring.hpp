// The keys of programs: found by their hash, with what their families have used of a budget, the
// buckets of their rates and the marks of the idempotent calls that are running. It decides about
// budgets and rates; it knows no balance and writes nothing.
#pragma once

#include <account/rules/budget.hpp>
#include <account/rules/rate_limit.hpp>
#include <account/store/records.hpp>
#include <unordered_map>
#include <vector>

namespace freshet::account {

/// Digests are keyed already, so their first bytes spread well; equality takes constant time.
struct digest_hash {
  std::size_t operator()(const base::sha256_digest& digest) const noexcept;
};
struct digest_equal {
  bool operator()(const base::sha256_digest& a, const base::sha256_digest& b) const noexcept {
    return base::equal_in_constant_time(base::as_text(a), base::as_text(b));
  }
};

/// When a key was last used.
struct key_use {
  std::int64_t key_id = 0;
  time_point at;
};

/// Under the commit queue's lock.
class keyring {
 public:
  // Keys. Null where there is none.
  void add(const stored_key& key);
  [[nodiscard]] const key_record* find(std::int64_t id) const;
  [[nodiscard]] const key_record* find_by_hash(const base::sha256_digest& hash) const;
  [[nodiscard]] const key_record* find_by_public_id(std::string_view public_id) const;
  /// Of a key that is there.
  [[nodiscard]] std::int64_t family_of(std::int64_t id) const { return keys_.at(id).family; }
  /// With what is used of its budget in `month`.
  [[nodiscard]] key_record shown(const key_record& key, month_index month) const;
  /// In the order of creation, revoked ones too.
  [[nodiscard]] std::vector<key_record> keys_of(std::int64_t account_id, month_index month) const;
  [[nodiscard]] std::size_t count_of(std::int64_t account_id) const;
  void rotate(std::int64_t id, time_point expires_at, time_point rotated_at);
  void revoke(std::int64_t id, time_point revoked_at);  ///< unless it was before
  /// Revokes the account's keys and forgets what their owner called them.
  void remove_person(std::int64_t account_id, time_point deleted_at);

  // When keys were last used; the store is told later.
  /// Whether it is the only one that was used since take_uses().
  bool use(std::int64_t id, time_point used_at);
  [[nodiscard]] bool has_uses() const noexcept { return !used_.empty(); }
  /// Takes as long as there are uses to take, however many keys there are.
  [[nodiscard]] std::vector<key_use> take_uses(std::size_t most);
  /// They could not be stored.
  void give_back(const std::vector<key_use>& uses);

  // Budgets. Of a key without one, or 0 for no key, they do nothing.
  /// Accounts of which some key has a budget.
  [[nodiscard]] std::vector<std::int64_t> accounts_with_budgets() const;
  /// From now on the months are counted from `month`: a clock that goes back finds it begun.
  void begin_budgets(month_index month);
  void load_budget(std::int64_t family, month_index month, std::int64_t used);
  /// Error: key_budget_exceeded.
  [[nodiscard]] result<void> hold(std::int64_t key_id, std::int64_t price, month_index month);
  void release(std::int64_t key_id, std::int64_t held);
  void charge(std::int64_t key_id, std::int64_t price, month_index month);

  // Rates: one bucket an account for live keys, one for test keys. Error: rate_limited.
  [[nodiscard]] result<void> take_token(std::int64_t account_id, key_mode mode,
                                        const rate_rule& rule,
                                        std::chrono::steady_clock::time_point now, rate_info& info);

  // Idempotent calls that are running. Errors: idempotency_in_progress, idempotency_mismatch.
  [[nodiscard]] result<void> begin_mark(std::int64_t account_id, key_mode mode,
                                        std::string_view key, std::string_view fingerprint);
  void end_mark(std::int64_t account_id, key_mode mode, std::string_view key);

 private:
  struct key_entry {
    key_record record;
    std::int64_t family = 0;
    bool used = false;  ///< since take_uses()
  };
  struct buckets {
    rate_bucket live, test;
  };
  /// Null without a budget.
  [[nodiscard]] budget_use* budget_of(std::int64_t key_id, month_index month);

  std::unordered_map<std::int64_t, key_entry> keys_;
  std::unordered_map<base::sha256_digest, std::int64_t, digest_hash, digest_equal> by_hash_;
  std::unordered_map<std::string, std::int64_t> by_public_id_;
  std::unordered_map<std::int64_t, std::vector<std::int64_t>> by_account_;
  std::unordered_map<std::int64_t, budget_use> budgets_;  ///< by family
  std::unordered_map<std::int64_t, buckets> rates_;       ///< by account
  std::unordered_map<std::string, std::string> marks_;    ///< to the call's fingerprint
  std::vector<std::int64_t> used_;                        ///< the keys of which `used` is set
};

/// What a call is told whose Idempotency-Key another call had.
[[nodiscard]] error idempotency_mismatch();

}  // namespace freshet::account
