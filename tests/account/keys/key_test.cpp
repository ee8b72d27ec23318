#include <account/keys/key.hpp>
#include <account/keys/keyring.hpp>
#include <catch2/catch.hpp>
#include <set>

using namespace freshet;
using namespace freshet::account;

TEST_CASE("a generated key is recognised, in its mode") {
  for (const key_mode mode : {key_mode::live, key_mode::test}) {
    const std::string key = generate_key(mode);
    CAPTURE(key);
    CHECK(key.size() == 47);
    CHECK(key.starts_with(mode == key_mode::live ? "frs_live_" : "frs_test_"));
    REQUIRE(check_key_format(key).has_value());
    CHECK(*check_key_format(key) == mode);
  }
}

TEST_CASE("keys do not repeat and use the whole alphabet") {
  std::set<std::string> keys;
  std::set<char> characters;
  for (int i = 0; i < 500; ++i) {
    const std::string key = generate_key(key_mode::live);
    keys.insert(key);
    characters.insert(key.begin() + 9, key.begin() + 41);
  }
  CHECK(keys.size() == 500);
  CHECK(characters.size() == 62);
}

TEST_CASE("every typo of one character and every swap of neighbours is refused") {
  const std::string key = generate_key(key_mode::live);
  for (std::size_t i = 0; i < key.size(); ++i) {
    for (const char c : {'0', 'A', 'z', '_', ' ', '\0', '\xc3'}) {
      if (key[i] == c) continue;
      std::string typo = key;
      typo[i] = c;
      CHECK_FALSE(check_key_format(typo).has_value());
    }
    if (i + 1 == key.size() || key[i] == key[i + 1]) continue;
    std::string swapped = key;
    std::swap(swapped[i], swapped[i + 1]);
    CHECK_FALSE(check_key_format(swapped).has_value());
  }
}

TEST_CASE("the format of keys, case by case") {
  const std::string key = generate_key(key_mode::live);
  // The checksum of this one was computed by another implementation of CRC-32 (Python's zlib).
  const std::string known = "frs_live_0123456789ABCDEFGHIJKLMNOPQRSTUV211KTW";
  const struct {
    std::string text;
    bool valid;
  } cases[] = {
      {known, true},
      {key, true},
      {"", false},
      {"frs_live_", false},
      {"frs_", false},
      {"sk_live_" + key.substr(9), false},
      {"frs_test_" + key.substr(9), false},  // the checksum covers the prefix
      {"FRS_LIVE_" + key.substr(9), false},
      {key + "0", false},
      {key.substr(0, 46), false},
      {" " + key, false},
      {key + " ", false},
      {key + "\n", false},
      {std::string(47, '0'), false},
      {std::string(100'000, 'a'), false},
  };
  for (const auto& one : cases) {
    CAPTURE(one.text.substr(0, 60));
    const auto checked = check_key_format(one.text);
    CHECK(checked.has_value() == one.valid);
    if (!checked) {
      CHECK(checked.error().code() == errc::invalid_api_key);
      // What was sent may be a key with a typo: it is not repeated.
      if (one.text.size() > 12)
        CHECK(checked.error().detail().find(one.text.substr(9, 12)) == std::string::npos);
    }
  }
}

TEST_CASE("a key's hash depends on the key and on the pepper") {
  const std::string key = generate_key(key_mode::live);
  CHECK(hash_key(key, "p") == hash_key(key, "p"));
  CHECK(hash_key(key, "p") != hash_key(key, "q"));
  CHECK(hash_key(key, "p") != hash_key(key + "x", "p"));
}

TEST_CASE("digests are compared as a whole, wherever they differ") {
  // Keys are found by the first bytes of a keyed digest, which say nothing of a key; whether the
  // rest fits is asked in constant time.
  const base::sha256_digest digest = hash_key(generate_key(key_mode::live), "pepper");
  CHECK(digest_equal()(digest, digest));
  for (std::size_t i = 0; i < digest.size(); ++i) {
    base::sha256_digest other = digest;
    other[i] ^= 1;
    CHECK_FALSE(digest_equal()(digest, other));
  }
}
