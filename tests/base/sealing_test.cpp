#include <base/sealing.hpp>
#include <catch2/catch.hpp>

using namespace freshet::base;

TEST_CASE("what is deflated comes back, and only within its bound") {
  const std::string text(4 << 20, 'a');
  const auto small = deflate_within(text, 256 << 10);
  REQUIRE(small.has_value());
  CHECK(small->size() < 8'000);
  CHECK(inflate_to(*small, text.size()) == text);
  // Never more than was said, whatever is in it.
  CHECK_FALSE(inflate_to(*small, text.size() - 1).has_value());
  CHECK_FALSE(inflate_to(*small, text.size() + 1).has_value());
  CHECK_FALSE(inflate_to(*small + "x", text.size()).has_value());
  CHECK_FALSE(inflate_to(small->substr(1), text.size()).has_value());
  CHECK_FALSE(inflate_to("", 0).has_value());
  CHECK_FALSE(deflate_within(random_bytes(300 << 10), 256 << 10).has_value());
  CHECK(deflate_within(random_bytes(200 << 10), 256 << 10).has_value());
  CHECK(inflate_to(*deflate_within("", 100), 0) == "");
}

TEST_CASE("what is sealed opens with its key and its context alone, unchanged") {
  const auto key = sha256("a key");
  const std::string secret = "frs_live_secret";
  for (const std::string& text : {std::string(), secret, std::string(100'000, '\0')}) {
    const auto sealed = seal(key, "context", text);
    CHECK(sealed.size() == text.size() + 28);
    CHECK(sealed != seal(key, "context", text));
    CHECK(unseal(key, "context", sealed) == text);
    CHECK_FALSE(unseal(sha256("another"), "context", sealed).has_value());
    CHECK_FALSE(unseal(key, "contexT", sealed).has_value());
  }
  const auto sealed = seal(key, "", secret);
  CHECK(sealed.find("secret") == std::string::npos);
  CHECK(unseal(key, "", sealed) == secret);
  for (std::size_t i = 0; i < sealed.size(); ++i) {
    auto changed = sealed;
    changed[i] = static_cast<char>(changed[i] ^ 1);
    CHECK_FALSE(unseal(key, "", changed).has_value());
    CHECK_FALSE(unseal(key, "", sealed.substr(0, i)).has_value());
  }
}
