// Every key that there is, in 32 bytes each, by the first bytes of its keyed hash: whose it is,
// what it may do, and whether it is still good. A key is judged here without the disk and without
// the lock of the books, so that neither guesses nor keys that nobody has used for long hold
// anybody up. What it is called is not here.
#pragma once

#include <account/store/records.hpp>
#include <array>
#include <mutex>
#include <utility>
#include <vector>

namespace freshet::account {

/// Thread-safe: each shard has a lock of its own, behind every other, so that who guesses keys and
/// is put off the processor meanwhile has one of thousands. It changes under the commit queue's
/// lock, but while the accounts open.
class key_index {
 public:
  /// Adds a key, or says anew what is known of it: what was read before a key was revoked does not
  /// bring it back. Fast where they come in the order of their hashes.
  void put(const base::sha256_digest& hash, const indexed_key& key);
  /// Null if there is none. That all of the hash fits is seen when the key is read.
  [[nodiscard]] std::optional<indexed_key> find(const base::sha256_digest& hash) const;
  void revoke(const base::sha256_digest& hash);
  void expire(const base::sha256_digest& hash, time_point expires_at);
  [[nodiscard]] std::size_t size() const;

 private:
  struct entry {
    std::uint64_t prefix = 0;  ///< of the hash: of a million keys two share it once in 10^7 books
    std::int64_t id = 0, account_id = 0;
    std::int64_t expires_ms : 61;
    std::uint64_t is_revoked : 1;
    std::uint64_t scope_read : 1;
    std::uint64_t scope_account : 1;
  };
  static_assert(sizeof(entry) == 32);
  struct shard {
    mutable std::mutex mutex;
    std::vector<entry> entries;  ///< in the order of prefixes
    /// Under the mutex.
    [[nodiscard]] const entry* find(std::uint64_t prefix) const;
    [[nodiscard]] entry* find(std::uint64_t prefix) {
      return const_cast<entry*>(std::as_const(*this).find(prefix));
    }
  };
  /// Short enough that a key comes in between without moving many.
  static constexpr std::size_t shard_bits = 12;

  [[nodiscard]] shard& shard_of(std::uint64_t prefix) noexcept {
    return shards_[prefix >> (64 - shard_bits)];
  }

  std::array<shard, std::size_t{1} << shard_bits> shards_;
};

}  // namespace freshet::account
