// Character references: a walk through the standard's sorted table of names, and its rules for
// numbers. It decides nothing about tags.
#include <algorithm>
#include <array>
#include <base/ascii.hpp>
#include <base/percent.hpp>
#include <cstring>
#include <html/tokens/entities.hpp>
#include <iterator>

namespace freshet::html {

namespace {

struct entity {
  std::string_view name;
  std::string_view text;
};

constexpr entity entities[] = {
#define FRESHET_ENTITY(name, utf8) {name ";", utf8},
#define FRESHET_BARE_ENTITY(name, utf8) {name, utf8}, {name ";", utf8},
#include <html/tokens/entities.def>
#undef FRESHET_BARE_ENTITY
#undef FRESHET_ENTITY
};

constexpr bool all_fit() {
  return std::ranges::all_of(entities, [](const entity& one) {
    return one.text.size() <= sizeof character_reference{}.bytes;
  });
}
static_assert(all_fit());

/// What the standard makes of &#128; to &#159;: the code points of windows-1252.
constexpr std::array<char32_t, 32> c1_replacements = {
    0x20AC, 0x81,   0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
    0x2039, 0x0152, 0x8D,   0x017D, 0x8F,   0x90,   0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
    0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D,   0x017E, 0x0178};

void set_point(character_reference& reference, char32_t point) noexcept {
  const auto byte = [&](char32_t value) {
    reference.bytes[reference.size++] = static_cast<char>(static_cast<unsigned char>(value));
  };
  if (point < 0x80) {
    byte(point);
  } else if (point < 0x800) {
    byte(0xC0 | point >> 6);
    byte(0x80 | (point & 0x3F));
  } else if (point < 0x10000) {
    byte(0xE0 | point >> 12);
    byte(0x80 | (point >> 6 & 0x3F));
    byte(0x80 | (point & 0x3F));
  } else {
    byte(0xF0 | point >> 18);
    byte(0x80 | (point >> 12 & 0x3F));
    byte(0x80 | (point >> 6 & 0x3F));
    byte(0x80 | (point & 0x3F));
  }
}

character_reference match_number(std::string_view text) noexcept {
  constexpr std::uint32_t beyond = 0x110000;
  std::size_t at = 2;
  const bool hex = at < text.size() && (text[at] == 'x' || text[at] == 'X');
  if (hex) ++at;
  const std::size_t first = at;
  std::uint32_t value = 0;
  const std::uint32_t radix = hex ? 16 : 10;
  for (; at < text.size(); ++at) {
    // A -1, as a number without a sign, is beyond every radix.
    const auto digit = static_cast<std::uint32_t>(base::hex_value(text[at]));
    if (digit >= radix) break;
    value = std::min(value * radix + digit, beyond);
  }
  if (at == first) return {};
  if (at < text.size() && text[at] == ';') ++at;
  char32_t point = value;
  if (point >= 0x80 && point <= 0x9F) point = c1_replacements[point - 0x80];
  const bool surrogate = point >= 0xD800 && point <= 0xDFFF;
  if (point == 0 || point >= beyond || surrogate) point = 0xFFFD;
  character_reference made;
  made.length = at;
  set_point(made, point);
  return made;
}

/// Where the names with each first byte begin.
constexpr auto first_bytes = [] {
  std::array<std::uint16_t, 129> made{};
  std::size_t at = 0;
  for (std::size_t byte = 0; byte < made.size(); ++byte) {
    while (at < std::size(entities) &&
           static_cast<std::size_t>(static_cast<unsigned char>(entities[at].name[0])) < byte) {
      ++at;
    }
    made[byte] = static_cast<std::uint16_t>(at);
  }
  return made;
}();

/// The longest name in the table that `text` begins with; null if none. The rows whose names share
/// what was read so far are a range that shrinks with every byte.
const entity* find_name(std::string_view text) noexcept {
  if (text.empty() || !base::is_alphanumeric(text[0])) return nullptr;
  const auto first = static_cast<std::size_t>(text[0]);
  const entity* low = entities + first_bytes[first];
  const entity* high = entities + first_bytes[first + 1];
  const entity* longest = nullptr;
  for (std::size_t at = 1; low != high; ++at) {
    if (low->name.size() == at) {
      longest = low;
      if (++low == high) break;
    }
    if (at >= text.size()) break;
    const char c = text[at];
    low = std::partition_point(low, high, [&](const entity& one) { return one.name[at] < c; });
    high = std::partition_point(low, high, [&](const entity& one) { return one.name[at] == c; });
  }
  return longest;
}

}  // namespace

character_reference match_reference(std::string_view text, bool in_attribute) noexcept {
  if (text.size() < 2) return {};
  if (text[1] == '#') return match_number(text);
  const entity* const found = find_name(text.substr(1));
  if (found == nullptr) return {};
  const std::size_t used = found->name.size() + 1;
  if (in_attribute && found->name.back() != ';' && used < text.size() &&
      (text[used] == '=' || base::is_alphanumeric(text[used]))) {
    return {};
  }
  character_reference made;
  made.length = used;
  made.size = static_cast<std::uint8_t>(found->text.size());
  std::memcpy(made.bytes.data(), found->text.data(), found->text.size());
  return made;
}

std::size_t append_reference(std::string& out, std::string_view text, bool in_attribute) {
  const auto found = match_reference(text, in_attribute);
  out += found.text();
  return found.length;
}

void append_decoded(std::string& out, std::string_view text, bool in_attribute) {
  while (!text.empty()) {
    const std::size_t plain = std::min(text.find('&'), text.size());
    out += text.substr(0, plain);
    text.remove_prefix(plain);
    if (text.empty()) return;
    std::size_t used = append_reference(out, text, in_attribute);
    if (used == 0) {
      out += '&';
      used = 1;
    }
    text.remove_prefix(used);
  }
}

}  // namespace freshet::html
