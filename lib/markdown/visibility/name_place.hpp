// Names of classes and ids in small tables of bits (Bloom filters), to see without a look-up that a
// name is not there. That it is there, a table does not say.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace freshet::markdown {

/// A place in a table of bits; told apart by sign, size and a few bytes.
class name_place {
 public:
  name_place(char sign, std::string_view name) noexcept {
    const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(name[at]); };
    const auto last = name.size() - 1;
    const std::uint32_t hash = (byte(0) * 31u + byte(last) * 131u + byte(last / 2) * 1031u +
                                byte(last - last / 4) * 8209u) +
                               static_cast<std::uint32_t>(name.size()) * 257u +
                               static_cast<unsigned char>(sign);
    place_ = static_cast<std::uint16_t>((hash * 2654435761u) >> 20);
  }
  template <std::size_t Size>
  void set_in(std::array<std::uint64_t, Size>& bits) const noexcept {
    const auto place = place_ % (Size * 64);
    bits[place / 64] |= std::uint64_t{1} << place % 64;
  }
  [[nodiscard]] bool is_in(const std::array<std::uint64_t, 64>& bits) const noexcept {
    return (bits[place_ / 64] >> place_ % 64 & 1) != 0;
  }

 private:
  std::uint16_t place_ = 0;  ///< below 4096
};

}  // namespace freshet::markdown
