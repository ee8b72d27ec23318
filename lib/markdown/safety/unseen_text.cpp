// Texts are looked at as bytes first: most have none of the few that unseen characters begin with.
#include <array>
#include <base/byte_row.hpp>
#include <base/unicode.hpp>
#include <bit>
#include <cstdint>
#include <markdown/safety/characters.hpp>
#include <markdown/safety/unseen_text.hpp>

namespace freshet::markdown {

namespace {

/// What a terminal obeys instead of showing.
constexpr bool is_control(unsigned char byte) noexcept {
  const bool space = byte == '\t' || byte == '\n' || byte == '\f' || byte == '\r';
  return (byte < ' ' && !space) || byte == 0x7F;
}

/// Of Khmer, annotations, shorthand and music: said to programs, and of no shape.
bool is_sign_of_programs(char32_t point) noexcept {
  return point == 0x17B4 || point == 0x17B5 || (point >= 0xFFF0 && point <= 0xFFFB) ||
         (point >= 0x1BCA0 && point <= 0x1BCA3) || (point >= 0x1D173 && point <= 0x1D17A);
}

/// Never seen, whatever stands beside it.
bool is_unseen(char32_t point) noexcept {
  constexpr char32_t next_line = 0x85;  // the one control of its block that is white space
  if (point < 0x80) return is_control(static_cast<unsigned char>(point));
  return (point <= 0x9F && point != next_line) || point == 0xAD || point == 0x200B ||
         (point >= 0x202A && point <= 0x202E) || (point >= 0x2060 && point <= 0x206F) ||
         point == 0xFEFF || (point >= 0xE0000 && point <= 0xE0FFF) || is_sign_of_programs(point);
}

/// Shapes or turns what stands beside it, or holds a place in a syllable of Hangul.
bool is_joiner(char32_t point) noexcept {
  return (point >= 0x200C && point <= 0x200F) || point == 0x61C || point == 0x34F ||
         (point >= 0x180B && point <= 0x180F) || point == 0x115F || point == 0x1160 ||
         point == 0x3164 || point == 0xFFA0;
}

/// Chooses the look of one character, such as an emoji.
bool is_selector(char32_t point) noexcept { return point >= 0xFE00 && point <= 0xFE0F; }

/// Latin, Greek and Cyrillic have one look; keycaps, and signs that are emoji as well, have two.
bool has_one_look(char32_t point) noexcept {
  constexpr char32_t first_with_looks = 0x590;
  const bool sign = point == 0xA9 || point == 0xAE || point == '#' || point == '*' ||
                    (point >= '0' && point <= '9');
  return point < first_with_looks && !sign;
}

/// By the bytes of all characters above, in UTF-8; quotes and dashes begin like some of them.
bool may_begin_unseen(std::string_view rest) noexcept {
  const auto byte = [&](std::size_t i) {
    return i < rest.size() ? static_cast<unsigned char>(rest[i]) : 0u;
  };
  switch (byte(0)) {
    case 0xC2:
      return byte(1) == 0xAD || (byte(1) >= 0x80 && byte(1) <= 0x9F);
    case 0xCD:
      return byte(1) == 0x8F;
    case 0xD8:
      return byte(1) == 0x9C;
    case 0xE1:
      return (byte(1) == 0x85 && (byte(2) == 0x9F || byte(2) == 0xA0)) ||
             (byte(1) == 0x9E && byte(2) >= 0xB4) || (byte(1) == 0xA0 && byte(2) <= 0x8F);
    case 0xE2:
      if (byte(1) == 0x81) return byte(2) >= 0xA0;
      return byte(1) == 0x80 && ((byte(2) >= 0x8B && byte(2) <= 0x8F) || byte(2) >= 0xAA) &&
             byte(2) <= 0xAE;
    case 0xE3:
      return byte(1) == 0x85 && byte(2) == 0xA4;
    case 0xEF:
      return (byte(1) == 0xBB && byte(2) == 0xBF) || (byte(1) == 0xB8 && byte(2) <= 0x8F) ||
             (byte(1) == 0xBE && byte(2) == 0xA0) || (byte(1) == 0xBF && byte(2) >= 0xB0);
    case 0xF0:
      return (byte(1) == 0x9B && byte(2) == 0xB2) || (byte(1) == 0x9D && byte(2) == 0x85);
    case 0xF3:
      return true;
    default:
      return is_control(static_cast<unsigned char>(rest[0]));
  }
}

/// The bytes that may_begin_unseen() says anything of.
constexpr auto may_be_lead = [] {
  std::array<bool, 0x100> made{};
  for (std::size_t c = 0; c < ' '; ++c) made[c] = is_control(static_cast<unsigned char>(c));
  for (const unsigned c : {0x7F, 0xC2, 0xCD, 0xD8, 0xE1, 0xE2, 0xE3, 0xEF, 0xF0, 0xF3})
    made[c] = true;
  return made;
}();

/// Which bytes are not ASCII that is shown or white space.
std::uint32_t others_in(const base::byte_row& row) noexcept {
  const auto spaces = (row == '\t') | (row == '\n') | (row == '\f') | (row == '\r');
  return base::bits_of(((row < ' ') & ~spaces) | (row == 0x7F));
}

}  // namespace

bool may_hold_unseen(std::string_view text) noexcept {
  for (std::size_t at = 0; at < text.size(); at += base::row_size) {
    const auto left = text.size() - at;
    auto others = left < base::row_size
                      ? others_in(base::short_row(text.substr(at))) & ((1u << left) - 1)
                      : others_in(base::row_at(text.data() + at));
    for (; others != 0; others &= others - 1) {
      const auto rest = text.substr(at + static_cast<std::size_t>(std::countr_zero(others)));
      if (may_be_lead[static_cast<unsigned char>(rest[0])] && may_begin_unseen(rest)) return true;
    }
  }
  return false;
}

std::string without_unseen(std::string_view text) {
  constexpr char32_t first_joined = 0x590;  // Hebrew; no script before it needs a joiner
  if (!may_hold_unseen(text)) return std::string(text);
  std::string out;
  out.reserve(text.size());
  char32_t before = 0;
  for (std::size_t at = 0; at < text.size();) {
    if (at + base::row_size <= text.size() && others_in(base::row_at(text.data() + at)) == 0) {
      out += text.substr(at, base::row_size);
      at += base::row_size;
      before = static_cast<unsigned char>(text[at - 1]);
      continue;
    }
    const auto from = at;
    const auto point = base::next_point(text, at);
    if (at <= from) at = from + 1;
    if (is_unseen(point)) continue;
    const bool joiner = is_joiner(point);
    if (joiner && (before < first_joined || is_joiner(before))) continue;
    if (is_selector(point) && (is_selector(before) || has_one_look(before))) continue;
    before = point;
    out += text.substr(from, at - from);
  }
  return out;
}

void drop_unseen_characters(html::document& page, mark_list& marks) {
  for (html::node_id id = 1; id < page.size(); ++id) {
    const auto& one = page.at(id);
    if (page.is_element(id, html::tag_id::img)) {
      const auto alt = page.attribute_of(id, "alt");
      page.spend(1 + alt.size() / 16);
      mark_characters(alt, marks);
      continue;
    }
    if (one.type != html::node_type::text || !may_hold_unseen(one.text)) continue;
    page.spend(1 + one.text.size());
    if (!page.is_element(one.parent, html::tag_id::script)) mark_characters(one.text, marks);
    auto seen = without_unseen(one.text);
    if (seen.size() != one.text.size()) page.edit(id).text = page.keep(seen);
  }
}

}  // namespace freshet::markdown
