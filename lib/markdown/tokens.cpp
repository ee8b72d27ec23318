// The number of cl100k tokens of a text, estimated without its vocabulary: the text is cut into
// pieces as cl100k cuts it (a word with the character before it, three digits, a run of signs,
// white space), and each piece counts what such pieces cost on average. The tables were fitted on
// the markdown of 743 pages in many languages; tests/markdown/test_tokens.py measures what is left.
#include <algorithm>
#include <array>
#include <base/ascii.hpp>
#include <cstdint>
#include <markdown/page.hpp>

namespace freshet::markdown {

namespace {

/// Costs are in hundredths of a token.
constexpr std::int64_t token = 100;
constexpr std::size_t longest_listed = 20;
/// Beyond the tables: a long word without spaces is cut every few letters.
constexpr std::int64_t per_further_letter = 30;

using costs_by_length = std::array<std::int16_t, longest_listed>;

// Words of ASCII letters by length. The vocabulary is made of English text: in other languages the
// same length is cut more often. A word after a space is in the vocabulary more often than one
// after a sign, and a capital makes it rarer.
constexpr costs_by_length lower_english = {100, 100, 100, 100, 102, 103, 105, 106, 109, 113,
                                           117, 122, 122, 130, 157, 200, 250, 300, 350, 400};
constexpr costs_by_length lower_foreign = {100, 100, 100, 107, 123, 146, 187, 229, 248, 266,
                                           296, 312, 330, 364, 384, 412, 430, 457, 536, 580};
constexpr costs_by_length title_english = {100, 100, 101, 106, 115, 122, 128, 137, 148, 158,
                                           176, 165, 180, 200, 225, 267, 330, 400, 450, 500};
constexpr costs_by_length title_foreign = {100, 100, 105, 128, 157, 177, 197, 224, 246, 284,
                                           291, 335, 361, 398, 435, 472, 489, 498, 531, 600};
constexpr costs_by_length bare_english = {101, 107, 115, 130, 148, 160, 168, 195, 210, 245,
                                          270, 300, 310, 365, 390, 420, 450, 480, 530, 600};
constexpr costs_by_length bare_foreign = {108, 115, 125, 150, 180, 195, 195, 255, 290, 325,
                                          375, 380, 440, 460, 490, 590, 600, 610, 620, 630};
constexpr costs_by_length upper_any = {101, 125, 165, 195, 240, 250, 285, 305, 330, 330,
                                       390, 380, 410, 420, 430, 480, 500, 520, 550, 570};

/// Words by which English text is known.
constexpr std::string_view english_words[] = {
    "the", "of",  "and", "to", "in", "is", "that", "for",  "it", "with", "was", "on",
    "as",  "are", "be",  "by", "at", "or", "from", "this", "an", "have", "not"};
constexpr auto longest_english_word =
    std::ranges::max(english_words, {}, &std::string_view::size).size();
/// Their share of the words from which a text surely is English, and up to which it surely is not.
constexpr double share_in_english = 0.08, share_elsewhere = 0.03;

/// In a word with accented letters every letter counts, less what its beginning saves.
constexpr std::int64_t per_letter_beside_accents = 29, saved_beside_accents = 39;
// Letters of other scripts, each.
constexpr std::int64_t per_accented = 91, per_greek = 85, per_cyrillic = 56, per_hebrew = 90;
constexpr std::int64_t per_arabic = 77, per_indic = 120, per_thai = 110, per_hangul = 133;
constexpr std::int64_t per_kana = 90, per_han = 130, per_other_letter = 150;
/// A run of ideographs begins with a piece of its own.
constexpr std::int64_t per_han_run = 100;
/// Emoji and rare signs: two or three byte tokens.
constexpr std::int64_t per_symbol = 200;
/// Signs of a run beyond the second, when they differ.
constexpr std::int64_t per_further_sign = 75;
/// White space of more than a line break and a space: mixed forms are often cut once more.
constexpr std::int64_t per_mixed_space = 30;

enum class char_script {
  none,
  ascii,
  accented,
  greek,
  cyrillic,
  hebrew,
  arabic,
  indic,
  thai,
  hangul,
  kana,
  han,
  other_letter,
  symbol,
  sign
};

char_script script_beyond_ascii(char32_t c) noexcept {
  struct range {
    char32_t first, last;
    char_script is;
  };
  static constexpr range ranges[] = {
      {0xAA, 0xAA, char_script::accented},         {0xB5, 0xB5, char_script::greek},
      {0xBA, 0xBA, char_script::accented},         {0xC0, 0x24F, char_script::accented},
      {0x370, 0x3FF, char_script::greek},          {0x400, 0x52F, char_script::cyrillic},
      {0x530, 0x58F, char_script::other_letter},   {0x5D0, 0x5F4, char_script::hebrew},
      {0x620, 0x6FF, char_script::arabic},         {0x750, 0x77F, char_script::arabic},
      {0x900, 0xDFF, char_script::indic},          {0xE00, 0xEFF, char_script::thai},
      {0x1000, 0x11FF, char_script::other_letter}, {0x1E00, 0x1FFF, char_script::accented},
      {0x2010, 0x2044, char_script::sign},         {0x2500, 0x257F, char_script::sign},
      {0x3000, 0x303F, char_script::sign},         {0x3040, 0x30FF, char_script::kana},
      {0x3400, 0x9FFF, char_script::han},          {0xAC00, 0xD7AF, char_script::hangul},
      {0xF900, 0xFAFF, char_script::han},          {0xFF00, 0xFF65, char_script::sign},
      {0xFF66, 0xFF9F, char_script::kana},         {0x20000, 0x3FFFF, char_script::han}};
  if (c == 0xD7 || c == 0xF7) return char_script::sign;
  if (c < 0xC0 && c != 0xAA && c != 0xB5 && c != 0xBA) return char_script::sign;
  const auto* const found =
      std::ranges::find_if(ranges, [c](const range& r) { return c >= r.first && c <= r.last; });
  return found == std::end(ranges) ? char_script::symbol : found->is;
}

/// By script, from the first behind ASCII on.
constexpr std::array<std::int64_t, 11> letter_costs = {
    per_accented, per_greek,  per_cyrillic, per_hebrew, per_arabic,      per_indic,
    per_thai,     per_hangul, per_kana,     per_han,    per_other_letter};

std::int64_t cost_of_letter(char_script is) noexcept {
  return letter_costs[static_cast<std::size_t>(is) -
                      static_cast<std::size_t>(char_script::accented)];
}

bool is_space(char c) noexcept { return c == ' ' || (c >= '\t' && c <= '\r'); }
bool is_break(char c) noexcept { return c == '\n' || c == '\r'; }

std::int64_t listed(const costs_by_length& costs, std::size_t letters) noexcept {
  if (letters <= longest_listed) return costs[letters - 1];
  return costs.back() + per_further_letter * static_cast<std::int64_t>(letters - longest_listed);
}

/// Sums for the two readings of a text; which of them holds is known at its end.
class counter {
 public:
  explicit counter(std::string_view text) : text_(text) {}
  std::int64_t run();

 private:
  [[nodiscard]] char at(std::size_t i) const noexcept { return i < text_.size() ? text_[i] : '\0'; }
  char_script script_at(std::size_t i, std::size_t& next) const noexcept;
  [[nodiscard]] bool letter_at(std::size_t i) const noexcept;
  void word(bool after_space);
  void count_ascii_word(std::string_view letters, bool after_space);
  void digits();
  void signs();
  void spaces();
  void add(std::int64_t cost) noexcept { english_ += cost, foreign_ += cost; }

  std::string_view text_;
  std::size_t here_ = 0;
  std::int64_t english_ = 0, foreign_ = 0;
  std::int64_t words_ = 0, known_words_ = 0;
};

char_script counter::script_at(std::size_t i, std::size_t& next) const noexcept {
  const auto lead = static_cast<unsigned char>(text_[i]);
  next = i + 1;
  if (lead < 0x80) return base::is_letter(text_[i]) ? char_script::ascii : char_script::none;
  const int more = lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : 1;
  char32_t point = lead & (0x3Fu >> more);
  for (int n = 0; n < more && next < text_.size(); ++n) {
    point = (point << 6) | (static_cast<unsigned char>(text_[next++]) & 0x3F);
  }
  return script_beyond_ascii(point);
}

bool counter::letter_at(std::size_t i) const noexcept {
  if (i >= text_.size()) return false;
  std::size_t next = 0;
  const auto is = script_at(i, next);
  return is != char_script::none && is < char_script::symbol;
}

void counter::count_ascii_word(std::string_view letters, bool after_space) {
  if (after_space) ++words_;  // addresses are no running text
  const auto is_lower = [](char c) { return c >= 'a'; };
  const bool lower_tail = std::all_of(letters.begin() + 1, letters.end(), is_lower);
  const bool lower = lower_tail && is_lower(letters[0]);
  if (after_space && lower_tail && letters.size() <= longest_english_word) {
    known_words_ += std::ranges::any_of(english_words, [&](std::string_view one) {
      return one.front() == letters.front() && one == letters;
    });
  }
  if (!lower_tail) return add(listed(upper_any, letters.size()));
  const bool begins = here_ == letters.size();  // the first word of the text
  if (!after_space && !begins) {
    english_ += listed(bare_english, letters.size());
    foreign_ += listed(bare_foreign, letters.size());
  } else {
    english_ += listed(lower ? lower_english : title_english, letters.size());
    foreign_ += listed(lower ? lower_foreign : title_foreign, letters.size());
  }
}

void counter::word(bool after_space) {
  const std::size_t from = here_;
  while (here_ < text_.size() && base::is_letter(text_[here_])) ++here_;
  std::size_t ascii = here_ - from, accented = 0;
  std::int64_t other = 0;
  bool han = false;
  while (here_ < text_.size()) {
    std::size_t next = 0;
    const auto is = script_at(here_, next);
    if (is == char_script::none || is >= char_script::symbol) break;
    if (is == char_script::ascii) {
      ++ascii;
    } else {
      other += cost_of_letter(is);
      if (is == char_script::accented) ++accented;
      if (is == char_script::han && !han) han = true, other += per_han_run;
    }
    here_ = next;
  }
  if (other == 0) return count_ascii_word(text_.substr(from, ascii), after_space);
  if (after_space) ++words_;
  if (accented > 0) {
    const auto letters = static_cast<std::int64_t>(ascii + accented);
    other += letters * per_letter_beside_accents - saved_beside_accents;
  } else if (ascii > 0) {
    other += listed(lower_foreign, ascii);
  }
  add(std::max(token, other));
}

void counter::digits() {
  std::size_t count = 0;
  while (base::is_digit(at(here_))) ++here_, ++count;
  constexpr std::size_t digits_per_token = 3;
  add(token * static_cast<std::int64_t>((count + digits_per_token - 1) / digits_per_token));
}

/// A run of signs with the line breaks behind it is one piece; equal signs are mostly one token.
void counter::signs() {
  std::int64_t symbols = 0;
  std::size_t count = 0;
  bool equal = true;
  const std::size_t from = here_;
  while (here_ < text_.size() && !is_space(text_[here_]) && !base::is_digit(text_[here_])) {
    std::size_t next = 0;
    const auto is = script_at(here_, next);
    if (is != char_script::none && is < char_script::symbol) break;
    if (is == char_script::symbol) ++symbols;
    equal = equal && text_[here_] == text_[from];
    ++count;
    here_ = next;
  }
  const std::size_t end = here_;
  while (is_break(at(here_))) ++here_;
  constexpr std::size_t signs_per_token = 2;
  std::int64_t cost = token;
  if (!equal && count > signs_per_token) {
    cost += per_further_sign * static_cast<std::int64_t>(count - signs_per_token);
  }
  // Three signs and the end of the line are seldom one token.
  if (here_ > end && count > signs_per_token) cost += per_further_sign;
  add(std::max(cost, symbols * per_symbol));
}

void counter::spaces() {
  const std::size_t from = here_;
  std::size_t last_break = std::string_view::npos;
  while (is_space(at(here_))) {
    if (is_break(text_[here_])) last_break = here_;
    ++here_;
  }
  if (last_break != std::string_view::npos) {
    add(token + (last_break - from > 1 ? per_mixed_space : 0));
    if (last_break + 1 == here_) return;
  }
  const std::size_t rest = here_ - (last_break == std::string_view::npos ? from : last_break + 1);
  // The last space goes with the word or the signs behind it; digits take none along.
  if (rest > 1 || here_ >= text_.size() || base::is_digit(text_[here_])) add(token);
}

std::int64_t counter::run() {
  while (here_ < text_.size()) {
    const char c = text_[here_];
    const bool after_space = here_ > 0 && text_[here_ - 1] == ' ';
    if (base::is_digit(c)) {
      digits();
    } else if (is_space(c)) {
      spaces();
    } else if (base::is_letter(c) || letter_at(here_)) {
      word(after_space);
    } else {
      std::size_t next = 0;
      const bool symbol = script_at(here_, next) == char_script::symbol;
      // One sign before a word is part of it.
      if (!after_space && !symbol && letter_at(next)) {
        here_ = next;
        word(false);
      } else {
        signs();
      }
    }
  }
  const double share =
      words_ == 0 ? 0 : static_cast<double>(known_words_) / static_cast<double>(words_);
  const double english =
      std::clamp((share - share_elsewhere) / (share_in_english - share_elsewhere), 0.0, 1.0);
  const double foreign = 1 - english;
  const double sum =
      english * static_cast<double>(english_) + foreign * static_cast<double>(foreign_);
  return static_cast<std::int64_t>(sum / token + 0.5);
}

}  // namespace

std::int64_t estimate_tokens(std::string_view text) { return counter(text).run(); }

}  // namespace freshet::markdown
