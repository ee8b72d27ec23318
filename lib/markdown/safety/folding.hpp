// Characters as the rules of instructions compare them: small, of ordinary width and, of Latin
// letters, without accents. One character at a time, without a copy of the text.
#pragma once

namespace freshet::markdown {

/// The character that stands for this one; 0 for what has no shape of its own (combining marks).
[[nodiscard]] char32_t folded_point(char32_t point) noexcept;

/// The Latin letter that a folded one of another script looks like, or itself.
[[nodiscard]] char32_t latin_twin(char32_t folded) noexcept;
/// Of a script that puts no spaces between words, or whose words grow endings: Han, kana, Hangul
/// and Thai.
[[nodiscard]] bool is_unspaced_script(char32_t point) noexcept;

/// Whether a character beyond ASCII stands between words.
[[nodiscard]] bool is_divider(char32_t point) noexcept;
[[nodiscard]] bool ends_sentence(char32_t point) noexcept;

}  // namespace freshet::markdown
