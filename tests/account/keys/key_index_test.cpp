#include <account/fixture.hpp>
#include <account/keys/key_index.hpp>
#include <catch2/catch.hpp>
#include <map>
#include <support/sanitized.hpp>

using namespace freshet;
using namespace freshet::account;
using freshet::account::test::start_time;

namespace {

base::sha256_digest hash_of(std::int64_t id) { return base::sha256(std::to_string(id)); }

}  // namespace

TEST_CASE("every key is found with what was last said of it, in whatever order they come",
          "[alone]") {
  const std::int64_t all = freshet::test::cases<std::int64_t>(40'000, 40'000, 8'000);
  key_index keys;
  std::map<base::sha256_digest, std::int64_t> in_order;
  for (std::int64_t id = 1; id <= all; ++id) {
    if (id % 2 == 0)
      in_order.emplace(hash_of(id), id);
    else
      keys.put(hash_of(id),
               {id, id / 10, start_time + std::chrono::seconds(id), false, id % 3 == 0});
  }
  for (const auto& [hash, id] : in_order) keys.put(hash, {id, id / 10});
  CHECK(keys.size() == static_cast<std::size_t>(all));
  for (std::int64_t id = 1; id <= all; ++id) {
    const auto found = keys.find(hash_of(id));
    REQUIRE(found.has_value());
    REQUIRE(found->id == id);
    REQUIRE(found->account_id == id / 10);
    REQUIRE_FALSE(found->is_revoked);
    REQUIRE(found->scope_account);
    REQUIRE(found->scope_read == (id % 2 == 0 || id % 3 == 0));
    const auto ends =
        id % 2 == 0 ? std::nullopt : std::optional(start_time + std::chrono::seconds(id));
    REQUIRE(found->expires_at == ends);
  }
  for (std::int64_t id = all + 1; id <= 2 * all; ++id) REQUIRE_FALSE(keys.find(hash_of(id)));
}

TEST_CASE("a key that ends is known to have ended, and one that is not there changes nothing") {
  key_index keys;
  keys.put(hash_of(1), {1, 1});
  keys.expire(hash_of(1), start_time);
  CHECK(keys.find(hash_of(1))->expires_at == start_time);
  keys.revoke(hash_of(1));
  CHECK(keys.find(hash_of(1))->is_revoked);
  CHECK(keys.find(hash_of(1))->expires_at == start_time);
  keys.revoke(hash_of(2));
  keys.expire(hash_of(2), start_time);
  CHECK(keys.size() == 1);
  // A time before every other, and one after: neither is none.
  keys.put(hash_of(3), {3, 1, time_point::min(), false, false, false});
  CHECK(*keys.find(hash_of(3))->expires_at < start_time);
  keys.put(hash_of(3), {3, 1, time_point::max()});
  CHECK(*keys.find(hash_of(3))->expires_at > start_time);
  CHECK(keys.size() == 2);
}

TEST_CASE("what was read before a key was revoked does not bring it back") {
  key_index keys;
  keys.put(hash_of(1), {1, 1});
  const indexed_key read = keys.find(hash_of(1)).value();
  keys.revoke(hash_of(1));
  keys.put(hash_of(1), read);
  CHECK(keys.find(hash_of(1))->is_revoked);
  // Another key that begins with the same bytes is no worse for it.
  keys.put(hash_of(1), {2, 1});
  CHECK_FALSE(keys.find(hash_of(1))->is_revoked);
}
