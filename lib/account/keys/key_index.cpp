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
  shard& in = shards_[made.prefix >> (64 - shard_bits)];
  const bool is_last = in.empty() || in.back().prefix < made.prefix;
  if (entry* const known = is_last ? nullptr : find_entry(hash)) {
    *known = made;
    return;
  }
  if (in.size() == in.capacity()) in.reserve(first_room + in.size() + in.size() / 4);
  const auto at =
      std::upper_bound(in.begin(), in.end(), made.prefix,
                       [](std::uint64_t prefix, const entry& one) { return prefix < one.prefix; });
  in.insert(at, made);
}

key_index::entry* key_index::find_entry(const base::sha256_digest& hash) {
  const std::uint64_t prefix = prefix_of(hash);
  shard& in = shards_[prefix >> (64 - shard_bits)];
  const auto at =
      std::lower_bound(in.begin(), in.end(), prefix,
                       [](const entry& one, std::uint64_t wanted) { return one.prefix < wanted; });
  return at != in.end() && at->prefix == prefix ? &*at : nullptr;
}

std::optional<indexed_key> key_index::find(const base::sha256_digest& hash) const {
  const entry* const found = const_cast<key_index*>(this)->find_entry(hash);
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

std::size_t key_index::size() const noexcept {
  std::size_t all = 0;
  for (const shard& one : shards_) all += one.size();
  return all;
}

void key_index::revoke(const base::sha256_digest& hash) {
  if (entry* const known = find_entry(hash)) known->is_revoked = 1;
}

void key_index::expire(const base::sha256_digest& hash, time_point expires_at) {
  if (entry* const known = find_entry(hash)) known->expires_ms = packed(expires_at);
}

}  // namespace freshet::account
