// Words of a folded text, for matching: the tailoring of UAX 29 that unicode.hpp describes. No
// dictionary takes part, so that a text and a query are divided alike wherever they are cut.
#include <unicode/uchar.h>
#include <unicode/uscript.h>

#include <base/ascii.hpp>
#include <base/unicode.hpp>
#include <base/word_views.hpp>
#include <optional>

namespace freshet::base {
namespace {

/// What a code point does in a word.
enum class role {
  none,       ///< divides
  letter,     ///< of a word as long as it goes on
  digit,      ///< the same, and may have one of `in_number` before the next digit
  joiner,     ///< "_": joins, but is no word by itself
  extender,   ///< belongs to what it stands behind
  single,     ///< a word by itself: an ideograph, a syllable of kana, an emoji
  flag_half,  ///< a regional indicator: two are a flag
  in_number,  ///< "." and "," between digits
};

role role_of_ascii(unsigned char c) noexcept {
  if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) return role::letter;
  if (c >= '0' && c <= '9') return role::digit;
  if (c == '_') return role::joiner;
  return c == '.' || c == ',' || c == '\'' || c == ';' ? role::in_number : role::none;
}

/// Scripts written without spaces between words; a run of their characters is matched as a phrase.
bool is_unspaced(UChar32 point) noexcept {
  if (u_hasBinaryProperty(point, UCHAR_IDEOGRAPHIC) != 0) return true;
  // Thai, Lao, Khmer, Burmese and their kin.
  if (u_getIntPropertyValue(point, UCHAR_LINE_BREAK) == U_LB_COMPLEX_CONTEXT) return true;
  UErrorCode status = U_ZERO_ERROR;
  switch (uscript_getScript(point, &status)) {
    case USCRIPT_HAN:
    case USCRIPT_HIRAGANA:
    case USCRIPT_KATAKANA:
    case USCRIPT_HANGUL:
      return u_isUAlphabetic(point) != 0;
    default:
      return false;
  }
}

role role_of(char32_t code) noexcept {
  if (code < 0x80) return role_of_ascii(static_cast<unsigned char>(code));
  const auto point = static_cast<UChar32>(code);
  switch (u_getIntPropertyValue(point, UCHAR_WORD_BREAK)) {
    case U_WB_EXTEND:
    case U_WB_FORMAT:
    case U_WB_ZWJ:
      return role::extender;
    case U_WB_NUMERIC:
      return role::digit;
    case U_WB_EXTENDNUMLET:
      return role::joiner;
    case U_WB_REGIONAL_INDICATOR:
      return role::flag_half;
    case U_WB_MIDNUM:
    case U_WB_MIDNUMLET:
      return role::in_number;
    case U_WB_KATAKANA:
      return role::single;
    case U_WB_ALETTER:
    case U_WB_HEBREW_LETTER:
      return is_unspaced(point) ? role::single : role::letter;
    default:
      break;
  }
  const bool is_letter = u_isalnum(point) != 0 || u_isUAlphabetic(point) != 0;
  if (is_unspaced(point)) return is_letter ? role::single : role::extender;
  if (u_hasBinaryProperty(point, UCHAR_EXTENDED_PICTOGRAPHIC) != 0) return role::single;
  return is_letter ? role::letter : role::none;
}

/// Collects words from code points given in order.
class divider {
 public:
  divider(std::string_view text, std::vector<std::string_view>& out) : text_(text), words_(out) {}

  void take(role kind, std::size_t index, std::size_t end) {
    if (kind == role::extender) {
      // At the start of a text, or behind a divider, it is nothing.
      if (open_ && !separator_at_) end_ = end;
      return;
    }
    if (kind == role::in_number && open_ && last_ == role::digit && !separator_at_) {
      separator_at_ = index;
      return;
    }
    if (!continues(kind)) {
      close();
      start_ = index;
      open_ = kind != role::none && kind != role::in_number;
    }
    separator_at_.reset();
    if (!open_) return;
    end_ = end;
    last_ = kind;
    is_word_ = is_word_ || kind != role::joiner;
    half_flag_ = kind == role::flag_half && !half_flag_;
  }

  void finish() { close(); }

 private:
  [[nodiscard]] bool continues(role kind) const noexcept {
    if (!open_) return false;
    if (separator_at_) return kind == role::digit;
    if (kind == role::flag_half) return half_flag_;
    const bool in_run = last_ == role::letter || last_ == role::digit || last_ == role::joiner;
    return in_run && (kind == role::letter || kind == role::digit || kind == role::joiner);
  }

  void close() {
    if (open_ && is_word_) words_.push_back(text_.substr(start_, end_ - start_));
    open_ = false;
    is_word_ = false;
    half_flag_ = false;
    separator_at_.reset();
  }

  std::string_view text_;
  std::vector<std::string_view>& words_;
  std::size_t start_ = 0;
  std::size_t end_ = 0;
  bool open_ = false;
  bool is_word_ = false;
  bool half_flag_ = false;
  role last_ = role::none;
  std::optional<std::size_t> separator_at_;  ///< a "." or "," behind a digit, not yet decided
};

}  // namespace

void divide_words(std::string_view folded, std::vector<std::string_view>& words) {
  words.clear();
  divider out(folded, words);
  std::size_t at = 0;
  while (at < folded.size()) {
    const std::size_t from = at;
    if (is_letter(folded[at])) {  // a run of them is taken at once
      while (at < folded.size() && is_letter(folded[at])) ++at;
      out.take(role::letter, from, at);
      continue;
    }
    const char32_t point = next_point(folded, at);
    out.take(point == ill_formed ? role::none : role_of(point), from, at);
  }
  out.finish();
}

std::vector<std::string> words(std::string_view folded) {
  std::vector<std::string_view> found;
  divide_words(folded, found);
  return {found.begin(), found.end()};
}

}  // namespace freshet::base
