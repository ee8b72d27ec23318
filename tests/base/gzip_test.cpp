// Unpacking what others packed: whole, in several members, cut, broken, and as bombs.
#include <base/gzip.hpp>
#include <catch2/catch.hpp>
#include <support/gzip.hpp>

namespace freshet::base {

TEST_CASE("gzip: what was packed comes back, of all members") {
  const std::string text(100'000, 'a');
  CHECK(is_gzip(test::gzipped(text)));
  CHECK_FALSE(is_gzip("<?xml"));
  CHECK_FALSE(is_gzip("\x1f"));
  const auto whole = gunzip(test::gzipped(text), 1 << 20);
  CHECK(whole.text == text);
  CHECK_FALSE(whole.is_cut);
  CHECK_FALSE(whole.is_broken);
  CHECK(gunzip(test::gzipped("one") + test::gzipped(" two"), 100).text == "one two");
  // What stands behind the last member and is none is padding.
  const auto padded = gunzip(test::gzipped("one") + std::string(20, '\0'), 100);
  CHECK(padded.text == "one");
  CHECK_FALSE(padded.is_broken);
  CHECK(gunzip(test::gzipped(""), 100).text.empty());
}

TEST_CASE("gzip: nothing beyond the bound comes out") {
  const auto exact = gunzip(test::gzipped(std::string(1000, 'x')), 1000);
  CHECK(exact.text.size() == 1000);
  CHECK_FALSE(exact.is_cut);
  const auto bomb = gunzip(test::gzipped(std::string(64u << 20, '\0')), 1u << 20);
  CHECK(bomb.text.size() == 1u << 20);
  CHECK(bomb.is_cut);
  CHECK_FALSE(bomb.is_broken);
  CHECK(bomb.text.capacity() < 4u << 20);
}

TEST_CASE("gzip: what breaks off gives what came before") {
  std::string text;
  for (int i = 0; i < 20'000; ++i) text += std::to_string(i) + '\n';
  const auto packed = test::gzipped(text);
  const auto cut = gunzip(packed.substr(0, packed.size() / 2), 1 << 20);
  CHECK(cut.is_broken);
  CHECK(cut.text.size() > 1000);
  CHECK(text.starts_with(cut.text));
  auto changed = packed;
  changed[packed.size() / 2] ^= 0x55;
  CHECK(gunzip(changed, 1 << 20).is_broken);
  CHECK(gunzip("\x1f\x8b\x08", 100).is_broken);
  CHECK(gunzip("", 100).is_broken);
}

}  // namespace freshet::base
