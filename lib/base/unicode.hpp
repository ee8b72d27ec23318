// Text as users see it: valid UTF-8, NFC, and the folded form in which words are compared.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace freshet::base {

/// What next_point() gives for an ill-formed sequence; no code point.
inline constexpr char32_t ill_formed = 0xFFFFFFFF;
/// The code point at `index`, which moves behind it, or behind the longest start of one that is
/// there (the "maximal subpart" of Unicode 3.9) if it is ill-formed. Requires index < text.size().
[[nodiscard]] char32_t next_point(std::string_view text, std::size_t& index) noexcept;

/// Whether `text` is well-formed UTF-8 (no surrogates, no overlong forms).
[[nodiscard]] bool is_utf8(std::string_view text) noexcept;
/// `text` with every ill-formed sequence replaced by U+FFFD, and NUL removed.
[[nodiscard]] std::string repair_utf8(std::string_view text);
/// Marks that normalising leaves on one letter.
inline constexpr std::size_t most_marks = 128;
/// NFC of valid UTF-8; ASCII costs only a scan. What no writing has, more than `most_marks` marks
/// on one letter, is cut.
[[nodiscard]] std::string nfc(std::string_view text);
/// Whether repair_utf8() and nfc() leave `text` as it is; false for some such texts, too.
[[nodiscard]] bool is_clean(std::string_view text) noexcept;
/// nfc(repair_utf8(text)) in place; costs only a scan where it is clean.
void clean(std::string& text);
/// The form in which texts are compared: NFKC with full case folding (so width-folded too).
[[nodiscard]] std::string fold(std::string_view text);
/// The words of a folded text: those of UAX 29, except that apostrophes, full stops and colons
/// between letters divide too ("l'eau", "example.org": a query for the part finds the whole, and
/// the whole is a run of its parts), and that scripts without spaces (Han, kana, Thai, Khmer, ...),
/// Hangul syllables and emoji come as single characters, so that a phrase of them is a run of
/// words. Punctuation is no word.
[[nodiscard]] std::vector<std::string> words(std::string_view folded);
/// The number of code points. Requires valid UTF-8.
[[nodiscard]] std::size_t length(std::string_view text) noexcept;
/// At most `points` code points, never cutting one in two.
[[nodiscard]] std::string_view prefix(std::string_view text, std::size_t points) noexcept;
/// Runs of white space (Unicode) as one space, none at the ends.
[[nodiscard]] std::string collapse_spaces(std::string_view text);
/// Appends a code point as UTF-8; an invalid one as U+FFFD.
void append_utf8(std::string& out, char32_t point);
/// ASCII only.
[[nodiscard]] std::string to_lower_ascii(std::string_view text);
[[nodiscard]] bool equals_ignoring_ascii_case(std::string_view a, std::string_view b) noexcept;
[[nodiscard]] std::string_view trim(std::string_view text) noexcept;
/// The one of `known` nearest to `word` by edit distance, or "" if none is near (distance > 3 or
/// more than half of the word).
[[nodiscard]] std::string_view nearest(std::string_view word,
                                       const std::vector<std::string_view>& known);

}  // namespace freshet::base
