// Making and recognising API keys. Nothing here looks anything up: a key that was mistyped is
// refused by its checksum alone.
#include <account/keys/key.hpp>
#include <array>

namespace freshet::account {
namespace {

constexpr std::string_view live_prefix = "frs_live_";
constexpr std::string_view test_prefix = "frs_test_";
constexpr std::size_t random_characters = 32;
constexpr std::size_t checksum_characters = 6;
constexpr std::string_view alphabet =
    "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/// The largest multiple of 62 that a byte can be below: bytes from here on would favour the first
/// characters of the alphabet.
constexpr unsigned unbiased_bytes = 248;

/// The CRC-32 of everything before it, prefix included, so that live and test do not mix up.
std::array<char, checksum_characters> checksum_of(std::string_view body) {
  std::uint32_t rest = base::crc32(body);
  std::array<char, checksum_characters> text{};
  for (std::size_t i = checksum_characters; i-- > 0; rest /= alphabet.size())
    text[i] = alphabet[rest % alphabet.size()];
  return text;
}

bool is_base62(std::string_view text) noexcept {
  return text.find_first_not_of(alphabet) == std::string_view::npos;
}

}  // namespace

std::string_view key_prefix(key_mode mode) noexcept {
  return mode == key_mode::live ? live_prefix : test_prefix;
}

std::string generate_key(key_mode mode) {
  std::string key(key_prefix(mode));
  const std::size_t size = key.size() + random_characters;
  while (key.size() < size) {
    for (const char c : base::random_bytes(random_characters)) {
      const unsigned byte = static_cast<unsigned char>(c);
      if (byte < unbiased_bytes && key.size() < size) key += alphabet[byte % alphabet.size()];
    }
  }
  const auto checksum = checksum_of(key);
  key.append(checksum.data(), checksum.size());
  return key;
}

result<key_mode> check_key_format(std::string_view key) {
  const bool live = key.starts_with(live_prefix);
  if (!live && !key.starts_with(test_prefix))
    return error(errc::invalid_api_key, "a key starts with frs_live_ or frs_test_");
  const std::size_t body_size = live_prefix.size() + random_characters;
  static_assert(live_prefix.size() == test_prefix.size());
  if (key.size() != body_size + checksum_characters)
    return error(errc::invalid_api_key, "the key has a wrong length");
  if (!is_base62(key.substr(live_prefix.size())))
    return error(errc::invalid_api_key, "the key has a character that no key has");
  const auto checksum = checksum_of(key.substr(0, body_size));
  if (!base::equal_in_constant_time({checksum.data(), checksum.size()}, key.substr(body_size)))
    return error(errc::invalid_api_key, "the key is mistyped: its checksum does not fit");
  return live ? key_mode::live : key_mode::test;
}

base::sha256_digest hash_key(std::string_view key, std::string_view pepper) {
  return base::hmac_sha256(pepper, key);
}

}  // namespace freshet::account
