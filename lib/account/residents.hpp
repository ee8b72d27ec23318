// Which accounts and keys are in memory: those that were used last, up to a number of each, and
// those that something is under way with: held credits, a month that begins, a change that waits
// for its commit. The others are read when they are needed. Nothing in memory is lost with one that
// goes, since all that is left of it then is stored; and none comes in as it was before a commit
// that has ended meanwhile. Of an account an eighth of the keys at most are there: with another one
// the account's own go, and nobody else's.
#pragma once

#include <account/directory.hpp>
#include <account/keys/key_index.hpp>
#include <account/keys/keyring.hpp>
#include <account/ledger/balances.hpp>
#include <account/recent_ids.hpp>
#include <unordered_set>

namespace freshet::account {

class past_grants;
class residents;

/// Keeps an account, and a key of it, in memory as long as it lives. Must go before the accounts,
/// and while nobody holds the lock.
class stay {
 public:
  stay(residents& residents, std::int64_t account_id, std::int64_t key_id)
      : in_(&residents), account_id_(account_id), key_id_(key_id) {}
  stay(stay&& other) noexcept
      : in_(std::exchange(other.in_, nullptr)),
        account_id_(other.account_id_),
        key_id_(other.key_id_) {}
  stay& operator=(stay&&) = delete;
  ~stay();

 private:
  residents* in_;
  std::int64_t account_id_, key_id_;
};

/// Functions without another rule are called under the queue's lock.
class residents {
 public:
  struct limits {
    std::size_t accounts = 0, keys = 0;
    std::function<void()> was_read = nullptr;  ///< as accounts_options say
  };
  /// All must outlive it.
  residents(commit_queue& queue, account_store& books, directory& accounts, balances& money,
            keyring& keys, const past_grants& granted, limits most);

  /// Whether both are in memory; if so they count as used, and are there until the lock is given
  /// back. Key 0 is none.
  [[nodiscard]] bool has(std::int64_t account_id, std::int64_t key_id);
  /// One that has just been stored, or read. What is in memory already stays as it is, and nothing
  /// goes for it yet: others of the same commit may be about to tell what they know.
  void add(const stored_account& account);
  void add(const stored_key& key);

  /// Reads what is not in memory, and keeps both there. Without the lock; it may wait for the disk,
  /// but for no commit. Errors: not_found, storage_unavailable.
  [[nodiscard]] result<stay> admit(std::int64_t account_id, std::int64_t key_id = 0);
  /// The end of a stay. Without the lock.
  void leave(std::int64_t account_id, std::int64_t key_id);
  /// Any thread.
  [[nodiscard]] std::uint64_t reads() const noexcept { return reads_; }

 private:
  struct found_ones {
    std::optional<stored_account> account;
    std::optional<stored_key> key;
  };
  [[nodiscard]] result<found_ones> read(std::int64_t account_id, std::int64_t key_id);
  void keep(std::int64_t account_id, std::int64_t key_id);
  void make_room();
  void use_key(std::int64_t account_id, std::int64_t key_id);
  void make_room_of(std::int64_t account_id);
  void remove_key(std::int64_t key_id);

  commit_queue& queue_;
  account_store& books_;
  directory& accounts_;
  balances& money_;
  keyring& keys_;
  const past_grants& granted_;
  const std::function<void()> was_read_;
  recent_ids recent_accounts_, recent_keys_;
  const std::size_t keys_of_account_;                      ///< so many of one may be there
  std::unordered_map<std::int64_t, recent_ids> own_keys_;  ///< by account
  std::unordered_set<std::int64_t> crowded_;               ///< accounts with more than that
  std::atomic<std::uint64_t> reads_{0};
};

}  // namespace freshet::account
