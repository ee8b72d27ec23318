// The hash of tables whose keys strangers choose: SipHash-1-3 by its vectors, and texts that are
// one to std::hash.
#include <base/text_hash.hpp>
#include <catch2/catch.hpp>
#include <functional>
#include <set>
#include <string>
#include <string_view>

namespace freshet::base {

TEST_CASE("text_hash: SipHash-1-3") {
  constexpr hash_key key = {0x0706050403020100u, 0x0f0e0d0c0b0a0908u};
  constexpr std::string_view bytes("\0\1\2\3\4\5\6\7\10\11\12\13\14\15\16", 15);
  CHECK(sip_hash("", key) == 0xabac0158050fc4dcu);
  CHECK(sip_hash(bytes.substr(0, 1), key) == 0xc9f49bf37d57ca93u);
  CHECK(sip_hash(bytes.substr(0, 8), key) == 0x369095118d299a8eu);
  CHECK(sip_hash(bytes, key) == 0xd320d86d2a519956u);
  CHECK(sip_hash("", {1, 2}) != sip_hash("", {2, 1}));
}

TEST_CASE("text_hash: what collides for everybody does not here") {
  // Of 20,000 that half a minute gave.
  constexpr std::string_view texts[] = {"XDRHxP9K8EwozjCK", "p0D7NZRVRau0c6-C", "9zvv_hu1dG5exhGH",
                                        "fclSJTfEKiVUX36K", "EiYraC7uFfA7zQyR", "fijnHsv1y4Drizx9"};
  const text_hash hash;
  std::set<std::size_t> known, own;
  for (const auto text : texts) {
    known.insert(std::hash<std::string_view>()(text));
    own.insert(hash(text));
    CHECK(hash(text) == hash(std::string(text)));
  }
  CHECK(known.size() == 1);
  CHECK(own.size() == std::size(texts));
}

}  // namespace freshet::base
