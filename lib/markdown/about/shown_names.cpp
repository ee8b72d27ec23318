// Names begin with capitals, or stand in scripts that have none; what stands beside them on a line
// (days, roles, "for The Harbour") is cut away by small words, digits and dividers.
#include <algorithm>
#include <array>
#include <base/ascii.hpp>
#include <base/byline.hpp>
#include <base/unicode.hpp>
#include <markdown/about/day_labels.hpp>
#include <markdown/about/shown_names.hpp>

namespace freshet::markdown {

namespace {

/// Small words that stand inside of names.
constexpr auto particles = std::to_array<std::string_view>(
    {"de",  "del",   "da",  "di",  "do",  "dos", "van", "von", "der",  "den",  "la",  "le",
     "el",  "al",    "bin", "ibn", "of",  "and", "und", "et",  "y",    "e",    "og",  "och",
     "en",  "the",   "zu",  "ten", "vom", "zum", "zur", "ter", "te",   "op",   "af",  "av",
     "dei", "della", "du",  "des", "i",   "ja",  "ve",  "dan", "oraz", "with", "mit", "a"});

/// What may stand alone in an element that is named for an author.
constexpr auto words_of_bylines = std::to_array<std::string_view>(
    {"on", "in", "at", "am", "le", "il", "el", "Submitted", "Posted", "Published"});

/// Days of the week with a capital, folded; elsewhere they are small. Those that are names, too
/// ("Sun", "Mon"), are left out.
constexpr auto weekdays = std::to_array<std::string_view>(
    {"monday",    "tuesday", "wednesday",  "thursday", "friday",  "saturday",
     "sunday",    "montag",  "dienstag",   "mittwoch", "freitag", "samstag",
     "sonnabend", "sonntag", "donnerstag", "tue",      "tues",    "wed",
     "thu",       "thur",    "thurs",      "fri",      "sat"});

/// "Ada Byron Tuesday," before the day of the month.
std::string_view without_weekday(std::string_view text) {
  text = text.substr(0, text.find_last_not_of(" ,.") + 1);
  const auto space = text.rfind(' ');
  if (space == std::string_view::npos) return text;
  const auto is_weekday =
      std::ranges::find(weekdays, base::to_lower_ascii(text.substr(space + 1))) != weekdays.end();
  return is_weekday ? text.substr(0, space) : text;
}

bool is_capital(std::string_view word) {
  return !word.empty() &&
         (static_cast<unsigned char>(word[0]) >= 0x80 || (word[0] >= 'A' && word[0] <= 'Z'));
}

/// Names in scripts without spaces: some letters, none of them of ASCII.
bool is_unspaced_name(std::string_view text) {
  constexpr std::size_t least = 6, longest = 24;
  return text.size() >= least && text.size() <= longest &&
         std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) >= 0x80; });
}

/// "Ada Byron on Tuesday", "Ada Byron for The Harbour": a small word that stands in no name ends
/// it.
std::string_view without_tail(std::string_view text) {
  std::size_t at = 0;
  for (int words = 0; at < text.size(); ++words) {
    const auto end = std::min(text.find(' ', at), text.size());
    const auto word = text.substr(at, end - at);
    const bool is_small = !word.empty() && word[0] >= 'a' && word[0] <= 'z' &&
                          std::ranges::find(particles, word) == particles.end();
    if (is_small && words > 0) {
      // One word may be that of a user: "ada7 on Friday". "Ada has been here" is a sentence.
      if (words == 1 && std::ranges::count(text, ' ') != 2) return text;
      return text.substr(0, text.find_last_not_of(" ,;", at - 1) + 1);
    }
    at = end + 1;
  }
  return text;
}

/// "Read it in a browser": after the first one there is a small word that stands in no name.
bool is_sentence(std::string_view text) {
  for (auto at = text.find(' '); at != std::string_view::npos;) {
    text.remove_prefix(at + 1);
    at = text.find(' ');
    const auto word = text.substr(0, std::min(at, text.size()));
    if (!word.empty() && word[0] >= 'a' && word[0] <= 'z' &&
        std::ranges::find(particles, word) == particles.end()) {
      return true;
    }
  }
  return false;
}

/// "Tue, 5 March 2026 · Ada Byron" without the day.
std::string_view without_first_day(std::string_view line) {
  constexpr std::size_t longest_weekday = 5;
  if (line.find_first_of("0123456789") == std::string_view::npos) return line;
  const auto folded = base::fold(line);
  if (folded.size() != line.size()) return line;
  const auto days = written_dates(folded, day_order::day_first);
  if (days.empty() || days.front().begin > longest_weekday) return line;
  line.remove_prefix(days.front().end);
  const auto next = line.find_first_not_of(" ,.|-\xC2\xB7");
  return next == std::string_view::npos ? std::string_view() : line.substr(next);
}

}  // namespace

bool looks_like_names(std::string_view text) {
  constexpr std::size_t longest = 100;
  constexpr std::ptrdiff_t most_spaces = 5;
  if (text.empty() || text.size() > longest) return false;
  if (text.starts_with("the ")) text.remove_prefix(4);
  const auto names = base::byline_names(text);
  return !names.empty() && std::ranges::all_of(names, [](const std::string& name) {
    return !base::is_letter(name[0]) || name[0] < 'a' ? std::ranges::count(name, ' ') <= most_spaces
                                                      : false;
  });
}

bool is_full_name(std::string_view text) {
  constexpr int most_words = 5;
  if (is_unspaced_name(text)) return true;
  int words = 0;
  while (!text.empty()) {
    const auto end = std::min(text.find(' '), text.size());
    const auto word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    ++words;
    const bool is_small = std::ranges::find(particles, word) != particles.end();
    if (!is_capital(word) && !is_small) return false;
  }
  return words > 1 && words <= most_words;
}

std::string_view without_day(std::string_view text, day_order order) {
  const auto folded = base::fold(text);
  const auto days = written_dates(folded, order);
  if (!days.empty() && folded.size() == text.size()) {
    const auto before = text.substr(0, days.front().begin);
    const auto shorter = without_weekday(before);
    text = shorter.find(' ') == std::string_view::npos ? before : shorter;
  }
  // "3i Harbour" has its digit in a word.
  const auto digits_end = text.find_first_not_of("0123456789");
  const bool is_in_word = digits_end != std::string_view::npos && base::is_letter(text[digits_end]);
  const auto from = is_in_word ? digits_end : 0;
  text = text.substr(0, std::min(text.find_first_of("0123456789|(", from), text.size()));
  constexpr int most_words = 3;
  for (int dropped = 0; dropped < most_words; ++dropped) {
    text = base::trim(text);
    const auto space = text.rfind(' ');
    if (space == std::string_view::npos) break;
    const auto word = text.substr(space + 1);
    const auto lower = base::to_lower_ascii(word);
    const bool is_small = word[0] >= 'a' && word[0] <= 'z';
    const bool is_sign = !base::is_letter(word[0]) && static_cast<unsigned char>(word[0]) < 0x80;
    if (!is_small && !is_sign && !says_change(lower) && !lower.starts_with("publi") &&
        !lower.starts_with("posted")) {
      break;
    }
    text = text.substr(0, space);
  }
  text = base::trim(text);
  return without_tail(text.substr(0, text.find_last_not_of(" ,;") + 1));
}

std::string_view next_piece(std::string_view& line) {
  constexpr auto dividers = std::to_array<std::string_view>(
      {" | ", " . ", " • ", " · ", " - ", " – ", " — ", " » ", " ⋅ ", " / "});
  std::size_t end = line.size(), next = line.size();
  for (const auto divider : dividers) {
    const auto at = line.find(divider);
    if (at >= end) continue;
    end = at;
    next = at + divider.size();
  }
  const auto piece = base::trim(line.substr(0, end));
  line.remove_prefix(next);
  return piece;
}

std::string byline_in(std::string_view line, day_order order) {
  while (!line.empty()) {
    const auto piece = next_piece(line);
    auto introduced = base::introduced_names(piece);
    // "5 March 2026 by Ada Byron"
    if (introduced.empty()) introduced = base::introduced_names(without_first_day(piece));
    const auto names = without_day(introduced, order);
    if (looks_like_names(names)) return std::string(names);
  }
  return {};
}

std::string name_beside_day(std::string_view line, day_order order) {
  constexpr std::size_t most_spaces = 2;
  const auto first = next_piece(line);
  const auto second = next_piece(line);
  const auto is_day = [order](std::string_view piece) {
    const auto folded = base::fold(piece);
    const auto days = written_dates(folded, order);
    return !days.empty() && days.front().begin == 0 && days.front().end == folded.size();
  };
  const bool is_first = is_day(second);
  if (second.empty() || is_first == is_day(first)) return {};
  const auto name = without_tail(is_first ? first : second);
  if (name.find_first_of("0123456789") != std::string_view::npos || !is_full_name(name) ||
      static_cast<std::size_t>(std::ranges::count(name, ' ')) > most_spaces) {
    return {};
  }
  return std::string(name);
}

bool is_label(std::string_view line) {
  const auto clean = base::collapse_spaces(line);
  return clean.empty() ||
         base::introduced_names(clean + (clean.ends_with(':') ? " x" : ": x")) == "x";
}

std::string strictly_introduced(std::string_view line) {
  for (const std::string_view bracket : {"(", "（", "[", "【"}) {
    if (!line.starts_with(bracket)) continue;
    line.remove_prefix(bracket.size());
    line = line.substr(0, std::min({line.find(')'), line.find("）"), line.find(']'),
                                    line.find("】"), line.size()}));
  }
  const auto names = base::introduced_names(line);
  if (names.empty()) return {};
  const auto before = base::fold(base::trim(line.substr(0, line.size() - names.size())));
  const bool is_labelled = before.ends_with(':') || before.ends_with("：");
  const bool is_sentence = before.find(' ') != std::string::npos && !before.starts_with("posted") &&
                           !before.starts_with("published") && !before.starts_with("started");
  if (!is_labelled && !is_sentence) return {};
  constexpr std::size_t longest = 100;
  const auto text = without_day(names.substr(0, longest), day_order::day_first);
  std::string out;
  // What people are follows behind a comma.
  for (const auto& name : base::byline_names(text)) {
    if (!is_full_name(name)) break;
    out.append(out.empty() ? "" : "; ").append(name);
  }
  return out;
}

bool is_strict_label(std::string_view line) {
  if (line.empty() || !is_label(line)) return false;
  const auto folded = base::fold(line);
  return !folded.empty() && folded.find(' ') != std::string::npos && !folded.starts_with("posted");
}

std::string name_in_line(std::string_view line) {
  const auto clean = base::collapse_spaces(line);
  if (is_label(clean)) return {};
  auto rest = without_first_day(clean);
  auto piece = next_piece(rest);
  const auto introduced = base::introduced_names(piece);
  if (!introduced.empty()) piece = introduced;
  constexpr std::size_t longest_user = 40;
  if (std::ranges::find(words_of_bylines, piece) != words_of_bylines.end()) return {};
  if (piece.find(' ') == std::string_view::npos && piece.size() <= longest_user) {
    return base::byline_names(piece).empty() ? std::string() : std::string(piece);
  }
  piece = without_day(piece, day_order::day_first);
  if (std::ranges::find(words_of_bylines, piece) != words_of_bylines.end()) return {};
  return looks_like_names(piece) && !is_sentence(piece) ? std::string(piece) : std::string();
}

}  // namespace freshet::markdown
