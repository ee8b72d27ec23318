// Numbers and texts as few bytes: numbers as varints, texts behind their length. What is read may
// be anybody's bytes.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

namespace freshet::base {

inline constexpr unsigned varint_bits = 7;
inline constexpr std::uint64_t varint_more = 1u << varint_bits;

inline void put_number(std::string& out, std::uint64_t value) {
  for (; value >= varint_more; value >>= varint_bits) {
    out += static_cast<char>(value | varint_more);
  }
  out += static_cast<char>(value);
}

/// Small where the number is near zero, on either side.
inline void put_signed(std::string& out, std::int64_t value) {
  const auto bits = static_cast<std::uint64_t>(value);
  put_number(out, bits << 1 ^ (value < 0 ? ~std::uint64_t{0} : 0));
}

inline void put_text(std::string& out, std::string_view text) {
  put_number(out, text.size());
  out += text;
}

/// Reads what was put; past the end it is broken, and gives nothing more.
class unpacker {
 public:
  explicit unpacker(std::string_view bytes) : left_(bytes) {}

  std::uint64_t number() noexcept {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += varint_bits) {
      if (left_.empty()) break;
      const auto byte = static_cast<unsigned char>(left_.front());
      left_.remove_prefix(1);
      value |= static_cast<std::uint64_t>(byte & (varint_more - 1)) << shift;
      if (byte < varint_more) return value;
    }
    return fail();
  }
  /// A number that is not negative.
  std::int64_t count() noexcept {
    constexpr auto most = std::numeric_limits<std::int64_t>::max();
    const auto value = number();
    if (value > static_cast<std::uint64_t>(most)) return static_cast<std::int64_t>(fail());
    return static_cast<std::int64_t>(value);
  }
  std::int64_t signed_number() noexcept {
    const auto bits = number();
    return static_cast<std::int64_t>(bits >> 1 ^ (~(bits & 1) + 1));
  }
  std::string_view text() noexcept { return bytes(number()); }
  std::string_view bytes(std::uint64_t size) noexcept {
    if (size > left_.size()) return fail(), std::string_view();
    const auto got = left_.substr(0, size);
    left_.remove_prefix(size);
    return got;
  }
  [[nodiscard]] bool is_broken() const noexcept { return broken_; }
  [[nodiscard]] std::string_view left() const noexcept { return left_; }

 private:
  std::uint64_t fail() noexcept {
    broken_ = true;
    left_ = {};
    return 0;
  }

  std::string_view left_;
  bool broken_ = false;
};

}  // namespace freshet::base
