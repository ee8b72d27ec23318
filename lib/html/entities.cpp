// Character references: a binary search in the standard's table of names, and its rules for
// numbers. It decides nothing about tags.
#include <algorithm>
#include <array>
#include <base/unicode.hpp>
#include <cstdint>
#include <html/entities.hpp>

namespace freshet::html {

namespace {

struct entity {
  std::string_view name;
  std::string_view text;
};

constexpr entity entities[] = {
#define FRESHET_ENTITY(name, utf8) {name, utf8},
#include <html/entities.def>
#undef FRESHET_ENTITY
};

constexpr std::size_t longest_name = 32;

/// What the standard makes of &#128; to &#159;: the code points of windows-1252.
constexpr std::array<char32_t, 32> c1_replacements = {
    0x20AC, 0x81,   0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
    0x2039, 0x0152, 0x8D,   0x017D, 0x8F,   0x90,   0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
    0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D,   0x017E, 0x0178};

bool is_alnum(char c) noexcept {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

int digit_of(char c, bool hex) noexcept {
  if (c >= '0' && c <= '9') return c - '0';
  if (hex && c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (hex && c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::size_t append_number(std::string& out, std::string_view text) {
  constexpr std::uint32_t beyond = 0x110000;
  std::size_t at = 2;
  const bool hex = at < text.size() && (text[at] == 'x' || text[at] == 'X');
  if (hex) ++at;
  const std::size_t first = at;
  std::uint32_t value = 0;
  for (int digit = 0; at < text.size() && (digit = digit_of(text[at], hex)) >= 0; ++at) {
    value = std::min(value * (hex ? 16u : 10u) + static_cast<std::uint32_t>(digit), beyond);
  }
  if (at == first) return 0;
  if (at < text.size() && text[at] == ';') ++at;
  char32_t point = value;
  if (point >= 0x80 && point <= 0x9F) point = c1_replacements[point - 0x80];
  if (point == 0) point = 0xFFFD;
  base::append_utf8(out, point);
  return at;
}

/// The longest name in the table that `text` begins with; null if none.
const entity* find_name(std::string_view text) noexcept {
  std::size_t limit = 0;
  while (limit < text.size() && limit < longest_name && is_alnum(text[limit])) ++limit;
  if (limit < text.size() && text[limit] == ';') ++limit;
  for (std::size_t size = std::min(limit, longest_name); size >= 2; --size) {
    const auto name = text.substr(0, size);
    const auto* const found =
        std::lower_bound(std::begin(entities), std::end(entities), name,
                         [](const entity& one, std::string_view key) { return one.name < key; });
    if (found != std::end(entities) && found->name == name) return found;
  }
  return nullptr;
}

}  // namespace

std::size_t append_reference(std::string& out, std::string_view text, bool in_attribute) {
  if (text.size() < 2) return 0;
  if (text[1] == '#') return append_number(out, text);
  const entity* const found = find_name(text.substr(1));
  if (found == nullptr) return 0;
  const std::size_t used = found->name.size() + 1;
  if (in_attribute && found->name.back() != ';' && used < text.size() &&
      (text[used] == '=' || is_alnum(text[used]))) {
    return 0;
  }
  out += found->text;
  return used;
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
