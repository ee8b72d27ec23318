// Sorted shards. They grow by little at a time: half of the memory would else be room for more.
#include <account/keys/key_index.hpp>
#include <algorithm>

namespace freshet::account {
namespace {

/// Of expires_ms: no time.
constexpr std::int64_t never = (std::int64_t{1} << 60) - 1;
constexpr std::size_t first_room = 8;

std::uint64_t prefix_of(const base::sha256_digest& hash) noexcept {
  std::uint64_t prefix = 0;
  for (std::size_t i = 0; i < sizeof prefix; ++i) prefix = prefix << 8 | hash[i];
  return prefix;
}

std::int64_t packed(std::optional<time_point> at) noexcept {
  return at ? std::clamp(at->time_since_epoch().count(), -never, never - 1) : never;
}

}  // namespace

void key_index::put(const base::sha256_digest& hash, const indexed_key& key) {
  entry made{prefix_of(hash), key.id, key.account_id, 0, 0, 0, 0};
  made.expires_ms = packed(key.expires_at);
  made.is_revoked = key.is_revoked ? 1 : 0;
  made.scope_read = key.scope_read ? 1 : 0;
  made.scope_account = key.scope_account ? 1 : 0;
  shard& in = shard_of(made.prefix);
  const std::lock_guard lock(in.mutex);
  std::vector<entry>& all = in.entries;
  const bool is_last = all.empty() || all.back().prefix < made.prefix;
  if (entry* const known = is_last ? nullptr : in.find(made.prefix)) {
    if (known->id == made.id) made.is_revoked |= known->is_revoked;
    *known = made;
    return;
  }
  if (all.size() == all.capacity()) all.reserve(first_room + all.size() + all.size() / 4);
  const auto at =
      std::upper_bound(all.begin(), all.end(), made.prefix,
                       [](std::uint64_t prefix, const entry& one) { return prefix < one.prefix; });
  all.insert(at, made);
}

const key_index::entry* key_index::shard::find(std::uint64_t prefix) const {
  const auto at =
      std::lower_bound(entries.begin(), entries.end(), prefix,
                       [](const entry& one, std::uint64_t wanted) { return one.prefix < wanted; });
  return at != entries.end() && at->prefix == prefix ? &*at : nullptr;
}

std::optional<indexed_key> key_index::find(const base::sha256_digest& hash) const {
  const std::uint64_t prefix = prefix_of(hash);
  const shard& in = shards_[prefix >> (64 - shard_bits)];
  const std::lock_guard lock(in.mutex);
  const entry* const found = in.find(prefix);
  if (found == nullptr) return std::nullopt;
  indexed_key key{found->id,
                  found->account_id,
                  std::nullopt,
                  found->is_revoked != 0,
                  found->scope_read != 0,
                  found->scope_account != 0};
  const std::int64_t at = found->expires_ms;
  if (at != never) key.expires_at = time_point(std::chrono::milliseconds(at));
  return key;
}

std::size_t key_index::size() const {
  std::size_t all = 0;
  for (const shard& one : shards_) {
    const std::lock_guard lock(one.mutex);
    all += one.entries.size();
  }
  return all;
}

void key_index::revoke(const base::sha256_digest& hash) {
  const std::uint64_t prefix = prefix_of(hash);
  shard& in = shard_of(prefix);
  const std::lock_guard lock(in.mutex);
  if (entry* const known = in.find(prefix)) known->is_revoked = 1;
}

void key_index::expire(const base::sha256_digest& hash, time_point expires_at) {
  const std::uint64_t prefix = prefix_of(hash);
  shard& in = shard_of(prefix);
  const std::lock_guard lock(in.mutex);
  if (entry* const known = in.find(prefix)) known->expires_ms = packed(expires_at);
}

}  // namespace freshet::account
