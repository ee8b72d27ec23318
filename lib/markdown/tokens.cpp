// The number of cl100k tokens of a text, estimated from the shape of its words. The vocabulary is
// not needed: what a piece costs on average, by script and length, is in the table below.
#include <algorithm>
#include <cmath>
#include <markdown/page.hpp>

namespace freshet::markdown {

namespace {

// Averages for cl100k on running text. A leading space belongs to the word behind it.
constexpr double short_word = 1.0;  ///< up to six ASCII letters, almost all in the vocabulary
constexpr std::size_t short_letters = 6;
constexpr double per_further_letter = 0.11;   ///< longer words are cut more and more often
constexpr double per_accented_letter = 0.45;  ///< a Latin letter beyond ASCII breaks its word
constexpr double digits_per_token = 3;
constexpr double per_punctuation = 0.8;  ///< runs like ")." or "](" are often one token
constexpr double per_line_break = 0.7;   ///< often joined to the punctuation before it
constexpr double per_cyrillic = 0.45, per_greek = 0.8, per_hebrew_arabic = 0.75;
constexpr double per_han = 1.15, per_kana = 0.95, per_hangul = 1.05;
constexpr double per_indic_thai = 1.2;
constexpr double per_symbol = 2.2;  ///< emoji and rare signs: two or three byte tokens

bool is_letter(char32_t c) noexcept { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

double cost_beyond_ascii(char32_t c) noexcept {
  if (c < 0xC0) return 1;
  if (c < 0x250) return per_accented_letter;
  if (c >= 0x370 && c < 0x400) return per_greek;
  if (c >= 0x400 && c < 0x530) return per_cyrillic;
  if (c >= 0x590 && c < 0x780) return per_hebrew_arabic;
  if (c >= 0x900 && c < 0x1100) return per_indic_thai;
  if (c >= 0x2010 && c < 0x2040) return 1;  // dashes and quotation marks
  if (c >= 0x3000 && c < 0x3040) return 1;
  if (c >= 0x3040 && c < 0x3100) return per_kana;
  if (c >= 0xAC00 && c < 0xD7B0) return per_hangul;
  if ((c >= 0x3400 && c < 0xA000) || (c >= 0x20000 && c < 0x32000)) return per_han;
  if (c >= 0xFF00 && c < 0xFFF0) return 1;
  return per_symbol;
}

char32_t decode(std::string_view text, std::size_t& at) noexcept {
  const auto lead = static_cast<unsigned char>(text[at++]);
  if (lead < 0x80) return lead;
  const int more = lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : 1;
  char32_t point = lead & (0x3F >> more);
  for (int i = 0; i < more && at < text.size(); ++i) {
    point = (point << 6) | (static_cast<unsigned char>(text[at++]) & 0x3F);
  }
  return point;
}

double cost_of_word(std::size_t letters) noexcept {
  if (letters <= short_letters) return short_word;
  return short_word + per_further_letter * static_cast<double>(letters - short_letters);
}

}  // namespace

std::int64_t estimate_tokens(std::string_view text) {
  double tokens = 0;
  std::size_t at = 0;
  while (at < text.size()) {
    const char c = text[at];
    std::size_t end = at;
    if (is_letter(static_cast<unsigned char>(c))) {
      while (end < text.size() && is_letter(static_cast<unsigned char>(text[end]))) ++end;
      tokens += cost_of_word(end - at);
    } else if (c >= '0' && c <= '9') {
      while (end < text.size() && text[end] >= '0' && text[end] <= '9') ++end;
      tokens += std::ceil(static_cast<double>(end - at) / digits_per_token);
    } else if (c == ' ' || c == '\t') {
      while (end < text.size() && (text[end] == ' ' || text[end] == '\t')) ++end;
      // One space is part of the next word; an indentation is a token of its own.
      if (end - at > 1) tokens += 1;
      // Digits take no space along.
      if (end - at == 1 && end < text.size() && text[end] >= '0' && text[end] <= '9') tokens += 1;
    } else if (c == '\n' || c == '\r') {
      while (end < text.size() && (text[end] == '\n' || text[end] == '\r')) ++end;
      tokens += per_line_break;
    } else if (static_cast<unsigned char>(c) < 0x80) {
      while (end < text.size() && text[end] == c) ++end;
      tokens += end - at > 1 ? 1 : per_punctuation;
    } else {
      tokens += cost_beyond_ascii(decode(text, end = at));
    }
    at = std::max(end, at + 1);
  }
  return static_cast<std::int64_t>(std::llround(tokens));
}

}  // namespace freshet::markdown
