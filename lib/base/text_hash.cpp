// SipHash (Aumasson and Bernstein 2012) with one round a word and three at the end, as the tables
// of Python, Rust and Ruby have it.
#include <unistd.h>
#include <base/text_hash.hpp>
#include <bit>
#include <cstring>
#include <stdexcept>

namespace freshet::base {
namespace {

static_assert(std::endian::native == std::endian::little, "words are read as they lie in memory");

struct sip_state {
  std::uint64_t a, b, c, d;

  void round() noexcept {
    a += b;
    b = std::rotl(b, 13) ^ a;
    a = std::rotl(a, 32);
    c += d;
    d = std::rotl(d, 16) ^ c;
    a += d;
    d = std::rotl(d, 21) ^ a;
    c += b;
    b = std::rotl(b, 17) ^ c;
    c = std::rotl(c, 32);
  }
  void take(std::uint64_t word) noexcept {
    d ^= word;
    round();
    a ^= word;
  }
};

/// Allocates nothing: the first table that is looked into may be one where nothing may fail.
hash_key fresh_key() {
  hash_key made{};
  if (::getentropy(made.data(), sizeof made) != 0)
    throw std::runtime_error("the system has no random bytes to give");
  return made;
}

}  // namespace

std::uint64_t sip_hash(std::string_view text, const hash_key& key) noexcept {
  constexpr std::size_t word_bytes = sizeof(std::uint64_t);
  sip_state state{key[0] ^ 0x736f6d6570736575u, key[1] ^ 0x646f72616e646f6du,
                  key[0] ^ 0x6c7967656e657261u, key[1] ^ 0x7465646279746573u};
  std::uint64_t last = static_cast<std::uint64_t>(text.size()) << 56u;
  while (text.size() >= word_bytes) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data(), word_bytes);
    state.take(word);
    text.remove_prefix(word_bytes);
  }
  for (std::size_t i = 0; i < text.size(); ++i)
    last |= static_cast<std::uint64_t>(static_cast<unsigned char>(text[i])) << (8 * i);
  state.take(last);
  state.c ^= 0xff;
  for (int i = 0; i < 3; ++i) state.round();
  return state.a ^ state.b ^ state.c ^ state.d;
}

std::size_t text_hash::operator()(std::string_view text) const {
  static const hash_key key = fresh_key();
  return sip_hash(text, key);
}

}  // namespace freshet::base
