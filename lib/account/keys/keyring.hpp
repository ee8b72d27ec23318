// The keys of programs that are in memory, with what their families have used of a budget; when
// keys were last used, the buckets of accounts' rates and the marks of the idempotent calls that
// are running. It decides about budgets and rates; it knows no balance, reads and writes nothing.
#pragma once

#include <account/commit_queue.hpp>
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

/// What the budget of a key is counted by; family 0 for a key without one.
struct budget_terms {
  std::int64_t family = 0, limit = 0;
};

/// Under the commit queue's lock, but for what the queue calls.
class keyring final : public follower {
 public:
  // Keys that are in memory. Null where there is none; of one that is not there nothing changes.
  void add(const stored_key& key);
  /// With what is known of its family's budget, unless another key or a call needs that.
  void remove(std::int64_t id);
  /// As it was read anew.
  void replace(const stored_key& key);
  [[nodiscard]] std::vector<std::int64_t> ids() const;
  [[nodiscard]] const key_record* find(std::int64_t id) const;
  /// Whether it is there and has this hash; takes constant time.
  [[nodiscard]] bool has_hash(std::int64_t id, const base::sha256_digest& hash) const;
  [[nodiscard]] std::size_t size() const noexcept { return keys_.size(); }
  void rotate(std::int64_t id, time_point expires_at, time_point rotated_at);
  void revoke(std::int64_t id, time_point revoked_at);  ///< unless it was before
  /// Revokes it and forgets what its owner called it.
  void remove_person(std::int64_t id, time_point deleted_at);
  /// Whoever uses a key over more than one holding of the lock keeps it in memory so long.
  void keep(std::int64_t id) { ++keys_.at(id).keepers; }
  void let_go(std::int64_t id) { --keys_.at(id).keepers; }
  [[nodiscard]] bool is_kept(std::int64_t id) const { return keys_.at(id).keepers > 0; }

  /// A key as it is shown: as it was read, with what is only in memory yet.
  [[nodiscard]] key_record shown(const stored_key& key, month_index month) const;
  /// The same of one that is in memory.
  [[nodiscard]] key_record shown(std::int64_t id, month_index month) const;

  // When keys were last used, be they in memory or not; the store is told later.
  /// Whether it is the first that was used since take_uses(), or so many were that they are to be
  /// stored now.
  bool use(std::int64_t id, time_point used_at);
  [[nodiscard]] bool has_uses() const noexcept { return !uses_.empty(); }
  [[nodiscard]] bool has_many_uses() const noexcept { return uses_.size() >= many_uses; }
  /// Takes as long as there are uses to take, however many keys there are.
  [[nodiscard]] std::vector<key_use> take_uses(std::size_t most);
  /// They could not be stored.
  void give_back(const std::vector<key_use>& uses);

  // Budgets. Of family 0 they do nothing. That of a family is in memory while a key of it is, a
  // call holds some of it, or somebody keeps it.
  /// Of a key that is there.
  [[nodiscard]] budget_terms budget_of(std::int64_t id) const;
  void keep_budget(std::int64_t family);
  void let_go_budget(std::int64_t family);
  /// Error: key_budget_exceeded.
  [[nodiscard]] result<void> hold(const budget_terms& terms, std::int64_t price, month_index month);
  void release(std::int64_t family, std::int64_t held);
  /// What the store counts of a family, another server's calls in it.
  void show_use(std::int64_t family, month_index month, std::int64_t used);
  /// Something that the store counts, too, and does not tell. Before release().
  void charge(std::int64_t family, std::int64_t price, month_index month);

  void seal(transaction& running) override { charged_ = running.write_budgets(); }
  void drop() noexcept override { charged_.clear(); }
  void take() override;

  // Rates: one bucket an account for live keys, one for test keys. Error: rate_limited.
  [[nodiscard]] result<void> take_token(std::int64_t account_id, key_mode mode,
                                        const rate_rule& rule,
                                        std::chrono::steady_clock::time_point now, rate_info& info);
  [[nodiscard]] std::size_t rates() const noexcept { return rates_.size(); }

  // Idempotent calls that are running. Errors: idempotency_in_progress, idempotency_mismatch.
  [[nodiscard]] result<void> begin_mark(std::int64_t account_id, key_mode mode,
                                        std::string_view key, std::string_view fingerprint);
  void end_mark(std::int64_t account_id, key_mode mode, std::string_view key);
  [[nodiscard]] bool has_mark(std::int64_t account_id, key_mode mode, std::string_view key) const;

 private:
  /// From here on uses are stored at once; twice as often as many wait, further ones are not noted.
  static constexpr std::size_t many_uses = 20'000;
  /// Buckets that are full are forgotten when there are more than these, or twice as many as were
  /// left the last time.
  static constexpr std::size_t few_rates = 20'000;

  struct key_entry {
    stored_key stored;
    std::size_t keepers = 0;
  };
  struct budget_entry {
    budget_use use;
    std::size_t keys = 0;     ///< of the family, that are in memory
    std::size_t keepers = 0;  ///< calls and others that need it
  };
  struct buckets {
    rate_bucket live, test;
  };
  void forget_if_unused(std::int64_t family);

  std::unordered_map<std::int64_t, key_entry> keys_;
  std::unordered_map<std::int64_t, budget_entry> budgets_;  ///< by family
  std::unordered_map<std::int64_t, time_point> uses_;       ///< by key, not stored yet
  std::unordered_map<std::int64_t, buckets> rates_;         ///< by account
  std::size_t many_rates_ = few_rates;
  std::vector<stored_use> charged_;                     ///< by the batch, as the store tells it
  std::unordered_map<std::string, std::string> marks_;  ///< to the call's fingerprint
};

/// What a call is told whose Idempotency-Key another call had.
[[nodiscard]] error idempotency_mismatch();
/// What one is told whose Idempotency-Key a call that is running has, by the fingerprints of both.
[[nodiscard]] error idempotency_conflict(std::string_view running, std::string_view wanted);

}  // namespace freshet::account
