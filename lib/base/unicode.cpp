// Unicode text on ICU's tables, with a short way for ASCII everywhere. It never fails: ill-formed
// UTF-8 is repaired where a function has to read it, and languages are not guessed.
#include <unicode/bytestream.h>
#include <unicode/normalizer2.h>
#include <unicode/stringpiece.h>
#include <unicode/uchar.h>

#include <algorithm>
#include <array>
#include <base/ascii.hpp>
#include <base/byte_row.hpp>
#include <base/unicode.hpp>
#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>

namespace freshet::base {
namespace {

constexpr char32_t replacement = 0xFFFD;

constexpr bool is_continuation(unsigned char c) noexcept { return (c & 0xC0U) == 0x80; }

/// The length of the ASCII that `text` begins with, many bytes at a time.
std::size_t ascii_length(std::string_view text, std::size_t index = 0) noexcept {
  std::size_t at = index;
  for (; at + 2 * row_size <= text.size(); at += 2 * row_size) {
    const auto first = row_at(text.data() + at), second = row_at(text.data() + at + row_size);
    if (bits_of(first | second) != 0) break;
  }
  for (; at + row_size <= text.size(); at += row_size) {
    const auto bits = bits_of(row_at(text.data() + at));
    if (bits != 0) return at + static_cast<std::size_t>(std::countr_zero(bits));
  }
  while (at < text.size() && static_cast<unsigned char>(text[at]) < 0x80) ++at;
  return at;
}

bool is_ascii(std::string_view text) noexcept { return ascii_length(text) == text.size(); }

/// Letters that surely stand for themselves, whatever follows: most of a text.
bool begins_anew(char32_t point) noexcept {
  return (point >= 0xC0 && point <= 0x24F) || (point >= 0x400 && point <= 0x482) ||
         (point >= 0x3041 && point <= 0x3096) || (point >= 0x4E00 && point <= 0x9FFF) ||
         (point >= 0xAC00 && point <= 0xD7A3);
}

/// Marks on one letter are put in order, which takes the square of their number: what is beyond any
/// letter's is left out. Of well-formed text; `room` is used where something is.
std::string_view with_few_marks(const icu::Normalizer2& form, std::string_view text,
                                std::string& room) {
  std::size_t marks = 0, kept_from = 0;
  for (std::size_t at = ascii_length(text); at < text.size();) {
    const std::size_t from = at;
    const char32_t point = next_point(text, at);
    if (point < 0x80) {
      marks = 0;
      at = ascii_length(text, at);
    } else if (begins_anew(point) || form.hasBoundaryBefore(static_cast<UChar32>(point)) != 0) {
      marks = 0;
    } else if (++marks > most_marks) {
      room.append(text.substr(kept_from, from - kept_from));
      kept_from = at;
    }
  }
  if (kept_from == 0) return text;
  room.append(text.substr(kept_from));
  return room;
}

std::string normalize(const icu::Normalizer2* form, std::string_view given) {
  constexpr std::size_t most = std::numeric_limits<std::int32_t>::max();
  if (form == nullptr || given.size() > most) return std::string(given);
  std::string room;
  const std::string_view text = with_few_marks(*form, given, room);
  std::string out;
  out.reserve(text.size());
  UErrorCode status = U_ZERO_ERROR;
  icu::StringByteSink<std::string> sink(&out);
  form->normalizeUTF8(0, icu::StringPiece(text.data(), static_cast<std::int32_t>(text.size())),
                      sink, nullptr, status);
  return U_SUCCESS(status) != 0 ? out : std::string(text);
}

/// Code points, first and last, that NFC neither changes nor combines with what stands before: the
/// letters and signs that most texts are made of. In order.
constexpr struct {
  char32_t first, last;
} inert_points[] = {
    {0x80, 0x2FF},    {0x388, 0x3FF},   {0x400, 0x482},     {0x48A, 0x52F},     {0x5D0, 0x5EA},
    {0x621, 0x63A},   {0x641, 0x64A},   {0x1EA0, 0x1EF9},   {0x2002, 0x205E},   {0x20A0, 0x20C0},
    {0x2122, 0x2122}, {0x2190, 0x21FF}, {0x2500, 0x27BF},   {0x2B00, 0x2B73},   {0x3001, 0x3029},
    {0x3041, 0x3096}, {0x30A0, 0x30FF}, {0x4E00, 0x9FFF},   {0xAC00, 0xD7A3},   {0xFE0F, 0xFE0F},
    {0xFF01, 0xFFEE}, {0xFFFD, 0xFFFD}, {0x1F1E6, 0x1F1FF}, {0x1F300, 0x1FAFF},
};

bool is_inert(char32_t point) noexcept {
  const auto* const found =
      std::ranges::lower_bound(inert_points, point, {}, [](const auto& one) { return one.last; });
  return found != std::end(inert_points) && found->first <= point;
}

constexpr bool is_ascii_space(char c) noexcept { return c == ' ' || (c >= '\t' && c <= '\r'); }

/// The bytes of the white space (Unicode) that stands at `index`; 0 if none does.
std::size_t space_size(std::string_view text, std::size_t index) noexcept {
  const auto lead = static_cast<unsigned char>(text[index]);
  if (lead < 0x80) return is_ascii_space(text[index]) ? 1 : 0;
  // No other lead begins a space: U+0085, U+00A0; U+1680; U+2000 to U+205F; U+3000.
  if (lead != 0xC2 && lead != 0xE1 && lead != 0xE2 && lead != 0xE3) return 0;
  std::size_t end = index;
  const char32_t point = next_point(text, end);
  return point != ill_formed && u_isUWhiteSpace(static_cast<UChar32>(point)) != 0 ? end - index : 0;
}

}  // namespace

char32_t next_point(std::string_view text, std::size_t& index) noexcept {
  const auto lead = static_cast<unsigned char>(text[index++]);
  if (lead < 0x80) return lead;
  // The second byte's range shuts out overlong forms, surrogates and all beyond U+10FFFF.
  unsigned char low = 0x80;
  unsigned char high = 0xBF;
  int more = 0;
  char32_t point = 0;
  if (lead >= 0xC2 && lead <= 0xDF) {
    more = 1;
    point = lead & 0x1FU;
  } else if (lead >= 0xE0 && lead <= 0xEF) {
    more = 2;
    point = lead & 0x0FU;
    if (lead == 0xE0) low = 0xA0;
    if (lead == 0xED) high = 0x9F;
  } else if (lead >= 0xF0 && lead <= 0xF4) {
    more = 3;
    point = lead & 0x07U;
    if (lead == 0xF0) low = 0x90;
    if (lead == 0xF4) high = 0x8F;
  } else {
    return ill_formed;
  }
  for (; more > 0; --more) {
    if (index >= text.size()) return ill_formed;
    const auto c = static_cast<unsigned char>(text[index]);
    if (c < low || c > high) return ill_formed;
    point = point << 6 | (c & 0x3FU);
    low = 0x80;
    high = 0xBF;
    ++index;
  }
  return point;
}

bool is_utf8(std::string_view text) noexcept {
  std::size_t at = ascii_length(text);
  while (at < text.size()) {
    if (next_point(text, at) == ill_formed) return false;
    if (at < text.size() && static_cast<unsigned char>(text[at]) < 0x80) {
      at = ascii_length(text, at);
    }
  }
  return true;
}

std::string repair_utf8(std::string_view text) {
  std::string out;
  if (text.find('\0') == std::string_view::npos && is_utf8(text)) return std::string(text);
  out.reserve(text.size());
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t from = at;
    const char32_t point = next_point(text, at);
    if (point == ill_formed) {
      append_utf8(out, replacement);
    } else if (point != 0) {
      out.append(text.substr(from, at - from));
    }
  }
  return out;
}

std::string nfc(std::string_view text) {
  if (is_ascii(text)) return std::string(text);
  UErrorCode status = U_ZERO_ERROR;
  const icu::Normalizer2* form = icu::Normalizer2::getNFCInstance(status);
  return is_utf8(text) ? normalize(form, text) : normalize(form, repair_utf8(text));
}

bool is_clean(std::string_view text) noexcept {
  if (text.find('\0') != std::string_view::npos) return false;
  std::size_t at = ascii_length(text);
  while (at < text.size()) {
    const char32_t point = next_point(text, at);
    if (point >= 0x80 && !is_inert(point)) return false;  // also where it is ill-formed
    if (at < text.size() && static_cast<unsigned char>(text[at]) < 0x80) {
      at = ascii_length(text, at);
    }
  }
  return true;
}

void clean(std::string& text) {
  if (!is_clean(text)) text = nfc(repair_utf8(text));
}

std::string fold(std::string_view text) {
  if (is_ascii(text)) return to_lower_ascii(text);
  UErrorCode status = U_ZERO_ERROR;
  const icu::Normalizer2* form = icu::Normalizer2::getNFKCCasefoldInstance(status);
  return is_utf8(text) ? normalize(form, text) : normalize(form, repair_utf8(text));
}

std::size_t length(std::string_view text) noexcept {
  std::size_t points = 0;
  for (const char c : text) points += is_continuation(static_cast<unsigned char>(c)) ? 0 : 1;
  return points;
}

std::string_view prefix(std::string_view text, std::size_t points) noexcept {
  if (text.size() <= points) return text;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (is_continuation(static_cast<unsigned char>(text[at]))) continue;
    if (points == 0) return text.substr(0, at);
    --points;
  }
  return text;
}

std::string collapse_spaces(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  std::size_t copied = 0;  // everything before it is in `out`, or was a space
  std::size_t at = 0;
  while (at < text.size()) {
    // Nearly every byte is shown, and of ASCII.
    if (at + row_size <= text.size()) {
      const auto others = bits_of(row_at(text.data() + at) <= ' ');
      if (others == 0) {
        at += row_size;
        continue;
      }
      at += static_cast<std::size_t>(std::countr_zero(others));
    } else if (const auto byte = static_cast<unsigned char>(text[at]); byte > ' ' && byte < 0x80) {
      ++at;
      continue;
    }
    std::size_t size = space_size(text, at);
    if (size == 0) {
      ++at;
      continue;
    }
    std::size_t end = at;
    for (; size > 0; size = end < text.size() ? space_size(text, end) : 0) end += size;
    const bool is_as_it_should = end == at + 1 && text[at] == ' ' && at > copied;
    if (!is_as_it_should || end == text.size()) {
      out.append(text, copied, at - copied);
      if (!out.empty() && end < text.size()) out += ' ';
      copied = end;
    }
    at = end;
  }
  return out.append(text, copied);
}

void append_utf8(std::string& out, char32_t point) {
  const bool surrogate = point >= 0xD800 && point <= 0xDFFF;
  if (point > 0x10FFFF || surrogate) point = replacement;
  const auto put = [&out](char32_t byte) { out += static_cast<char>(byte); };
  if (point < 0x80) {
    put(point);
  } else if (point < 0x800) {
    put(0xC0 | point >> 6);
    put(0x80 | (point & 0x3F));
  } else if (point < 0x10000) {
    put(0xE0 | point >> 12);
    put(0x80 | (point >> 6 & 0x3F));
    put(0x80 | (point & 0x3F));
  } else {
    put(0xF0 | point >> 18);
    put(0x80 | (point >> 12 & 0x3F));
    put(0x80 | (point >> 6 & 0x3F));
    put(0x80 | (point & 0x3F));
  }
}

std::string to_lower_ascii(std::string_view text) {
  constexpr auto every = [](unsigned byte) { return 0x0101010101010101U * std::uint64_t{byte}; };
  std::string out(text);
  std::size_t at = 0;
  for (; at + 8 <= out.size(); at += 8) {
    std::uint64_t eight = 0;
    std::memcpy(&eight, out.data() + at, 8);
    const std::uint64_t low_bits = eight & every(0x7F);
    const std::uint64_t from_a = low_bits + every(0x80 - 'A');
    const std::uint64_t beyond_z = low_bits + every(0x7F - 'Z');
    eight |= (~eight & (from_a ^ beyond_z) & every(0x80)) >> 2;
    std::memcpy(out.data() + at, &eight, 8);
  }
  for (; at < out.size(); ++at) out[at] = lower(out[at]);
  return out;
}

bool equals_ignoring_ascii_case(std::string_view a, std::string_view b) noexcept {
  return std::ranges::equal(a, b, {}, lower, lower);
}

std::string_view trim(std::string_view text) noexcept {
  while (!text.empty() && is_ascii_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_ascii_space(text.back())) text.remove_suffix(1);
  return text;
}

std::string_view nearest(std::string_view word, const std::vector<std::string_view>& known) {
  constexpr std::size_t farthest = 3;
  std::size_t best = std::min(farthest, word.size() / 2) + 1;
  std::string_view found;
  std::array<std::vector<std::size_t>, 3> rows;  // of the table of distances: two back, last, now
  for (const std::string_view candidate : known) {
    const std::size_t shorter = std::min(word.size(), candidate.size());
    if (std::max(word.size(), candidate.size()) - shorter >= best) continue;
    for (auto& row : rows) row.assign(candidate.size() + 1, 0);
    auto& [two_back, last, now] = rows;
    for (std::size_t j = 0; j <= candidate.size(); ++j) now[j] = j;
    for (std::size_t i = 1; i <= word.size(); ++i) {
      std::swap(two_back, last);
      std::swap(last, now);
      now[0] = i;
      for (std::size_t j = 1; j <= candidate.size(); ++j) {
        const char a = lower(word[i - 1]);
        const char b = lower(candidate[j - 1]);
        now[j] = std::min({last[j] + 1, now[j - 1] + 1, last[j - 1] + (a == b ? 0 : 1)});
        const bool swapped =
            i > 1 && j > 1 && a == lower(candidate[j - 2]) && lower(word[i - 2]) == b;
        if (swapped) now[j] = std::min(now[j], two_back[j - 2] + 1);
      }
    }
    if (now[candidate.size()] < best) {
      best = now[candidate.size()];
      found = candidate;
    }
  }
  return found;
}

}  // namespace freshet::base
