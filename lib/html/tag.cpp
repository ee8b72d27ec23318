// The table of element names, from tags.def, as a hash table that the compiler fills. A name is
// compared as two integers.
#include <array>
#include <base/hash_spread.hpp>
#include <bit>
#include <cstring>
#include <html/tag.hpp>
#include <iterator>

namespace freshet::html {

namespace {

constexpr std::string_view names[] = {
    "",
#define FRESHET_TAG(identifier, name) name,
#include <html/tags.def>
#undef FRESHET_TAG
};

constexpr bool sorted_and_short() {
  for (std::size_t i = 1; i < std::size(names); ++i) {
    if (names[i - 1] >= names[i] || names[i].size() > longest_tag_name) return false;
  }
  return true;
}
static_assert(sorted_and_short(), "tags.def is kept sorted, and its names short");

/// A name of up to sixteen bytes, as numbers, the first byte lowest.
struct name_key {
  std::uint64_t low = 0, high = 0;
  constexpr bool operator==(const name_key&) const = default;
};

constexpr std::size_t slots = 1024;

constexpr std::size_t slot_of(name_key key) noexcept {
  const std::uint64_t mixed = (key.low ^ (key.high * base::hash_spread)) * 0xD6E8FEB86659FD93u;
  return static_cast<std::size_t>(mixed >> 54);
}

constexpr name_key key_of(std::string_view name) noexcept {
  name_key key;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const auto byte = static_cast<std::uint64_t>(static_cast<unsigned char>(name[i]));
    (i < 8 ? key.low : key.high) |= byte << (i % 8 * 8);
  }
  return key;
}

constexpr std::uint64_t every(std::uint8_t byte) noexcept { return 0x0101010101010101u * byte; }

/// Eight bytes with A to Z in lower case.
constexpr std::uint64_t lower(std::uint64_t eight) noexcept {
  const std::uint64_t low_bits = eight & every(0x7F);
  const std::uint64_t from_a = low_bits + every(0x80 - 'A');
  const std::uint64_t beyond_z = low_bits + every(0x7F - 'Z');
  const std::uint64_t upper = ~eight & (from_a ^ beyond_z) & every(0x80);
  return eight | upper >> 2;
}

struct known_name {
  name_key key;
  tag_id tag = tag_id::other;
};

constexpr auto known_names = [] {
  std::array<known_name, slots> made{};
  for (std::size_t i = 1; i < std::size(names); ++i) {
    const name_key key = key_of(names[i]);
    std::size_t at = slot_of(key);
    while (made[at].tag != tag_id::other) at = (at + 1) % slots;
    made[at] = {key, static_cast<tag_id>(i)};
  }
  return made;
}();

/// The size tells a name from one that goes on with NULs.
tag_id find(name_key key, std::size_t size) noexcept {
  for (std::size_t at = slot_of(key); known_names[at].tag != tag_id::other; at = (at + 1) % slots) {
    if (known_names[at].key != key) continue;
    return name_of(known_names[at].tag).size() == size ? known_names[at].tag : tag_id::other;
  }
  return tag_id::other;
}

}  // namespace

tag_id tag_of(std::string_view name) noexcept {
  if (name.empty() || name.size() > longest_tag_name) return tag_id::other;
  return find(key_of(name), name.size());
}

tag_id tag_of_padded(const char* name, std::size_t size) noexcept {
  if (size > longest_tag_name) return tag_id::other;
  name_key key;
  if constexpr (std::endian::native == std::endian::little) {
    std::memcpy(&key.low, name, 8);
    std::memcpy(&key.high, name + 8, 8);
    const auto kept = [](std::uint64_t eight, std::size_t bytes) {
      return bytes >= 8 ? eight : eight & ((std::uint64_t{1} << bytes * 8) - 1);
    };
    key.low = kept(key.low, size);
    key.high = size > 8 ? kept(key.high, size - 8) : 0;
  } else {
    key = key_of({name, size});
  }
  return find({lower(key.low), lower(key.high)}, size);
}

std::string_view name_of(tag_id tag) noexcept { return names[static_cast<std::size_t>(tag)]; }

}  // namespace freshet::html
