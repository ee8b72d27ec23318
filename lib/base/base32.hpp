// Five bits a digit, with an alphabet of the caller's: Crockford's for ids, RFC 4648's for what
// authenticators read.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace freshet::base {

/// Without padding. `alphabet`: 32 digits.
inline void append_base32(std::string& out, std::string_view bytes, std::string_view alphabet) {
  std::uint32_t pending = 0;
  int bits = 0;
  for (const char byte : bytes) {
    pending = (pending << 8 | static_cast<std::uint8_t>(byte)) & 0xFFFFU;
    for (bits += 8; bits >= 5; bits -= 5) out += alphabet[pending >> (bits - 5) & 31U];
  }
  if (bits > 0) out += alphabet[pending << (5 - bits) & 31U];
}

[[nodiscard]] inline std::string base32(std::string_view bytes, std::string_view alphabet) {
  std::string out;
  append_base32(out, bytes, alphabet);
  return out;
}

}  // namespace freshet::base
