// The text is read as numbers and words; a date is three of them that fit beside one another. Days
// that do not exist are none.
#include <algorithm>
#include <array>
#include <base/ascii.hpp>
#include <base/month_names.hpp>
#include <base/time_text.hpp>
#include <base/unicode.hpp>
#include <chrono>
#include <markdown/about/written_date.hpp>
#include <optional>

namespace freshet::markdown {

namespace {

/// A number or a word, and what stands before it up to the one before.
struct date_token {
  std::string_view text, gap;
  int number = -1;  ///< -1 of a word
  int digits = 0;
  std::size_t begin = 0;
};

constexpr std::size_t max_dates = 4, max_tokens = 400;

bool is_letter_at(std::string_view text, std::size_t position) {
  return base::is_letter(text[position]) || static_cast<unsigned char>(text[position]) >= 0x80;
}

/// Not a letter though it has its bytes: no-break and other spaces, dashes, dots between words.
bool is_wide_gap(std::string_view text, std::size_t position) {
  const auto rest = text.substr(position);
  return rest.starts_with("\xC2\xA0") || rest.starts_with("\xC2\xB7") ||
         rest.starts_with("\xE2\x80") || rest.starts_with("\xE3\x80\x80");
}

std::size_t width_of_gap(std::string_view text, std::size_t position) {
  if (!is_wide_gap(text, position)) return 1;
  return std::min<std::size_t>(text[position] == '\xC2' ? 2 : 3, text.size() - position);
}

struct date_digit {
  int value = -1;  ///< -1 of what is none
  std::size_t width = 1;
};

/// Arabic, Persian, Indian and Thai digits are written in dates, too.
date_digit digit_at(std::string_view text, std::size_t position) {
  const auto byte = [&](std::size_t offset) -> unsigned {
    return position + offset < text.size() ? static_cast<unsigned char>(text[position + offset])
                                           : 0;
  };
  const auto of = [](unsigned digit, unsigned zero, std::size_t width) {
    return digit >= zero && digit < zero + 10 ? date_digit{static_cast<int>(digit - zero), width}
                                              : date_digit{};
  };
  if (byte(0) < 0x80) return of(byte(0), '0', 1);
  if (byte(0) == 0xD9) return of(byte(1), 0xA0, 2);
  if (byte(0) == 0xDB) return of(byte(1), 0xB0, 2);
  if (byte(0) != 0xE0) return {};
  if (byte(1) == 0xB9) return of(byte(2), 0x90, 3);
  const bool is_indian = byte(1) >= 0xA5 && byte(1) <= 0xB5 && byte(1) % 2 == 1;
  return is_indian ? of(byte(2), 0xA6, 3) : date_digit{};
}

bool is_thai_at(std::string_view text, std::size_t position) {
  const auto rest = text.substr(std::min(position, text.size()));
  return rest.starts_with("\xE0\xB8") || rest.starts_with("\xE0\xB9");
}

/// How far a word goes from its beginning; the dots of "ม.ค." are within.
std::size_t end_of_word(std::string_view text, std::size_t begin) {
  constexpr std::size_t thai_bytes = 3;
  for (auto at = begin; at < text.size(); ++at) {
    const bool is_between = text[at] == '.' && at >= begin + thai_bytes &&
                            is_thai_at(text, at - thai_bytes) && is_thai_at(text, at + 1);
    if (is_between) continue;
    if (!is_letter_at(text, at) || is_wide_gap(text, at) || digit_at(text, at).value >= 0)
      return at;
  }
  return text.size();
}

std::vector<date_token> date_tokens_of(std::string_view text) {
  constexpr int longest_number = 4;
  std::vector<date_token> out;
  std::size_t at = 0, gap = 0;
  while (at < text.size() && out.size() < max_tokens) {
    const auto begin = at;
    if (digit_at(text, at).value >= 0) {
      int value = 0, digits = 0;
      for (auto digit = digit_at(text, at); digit.value >= 0; digit = digit_at(text, at)) {
        if (++digits <= longest_number) value = value * 10 + digit.value;
        at += digit.width;
      }
      if (digits > longest_number) value = -1;
      out.push_back(
          {text.substr(begin, at - begin), text.substr(gap, begin - gap), value, digits, begin});
      gap = at;
    } else if (is_letter_at(text, at) && !is_wide_gap(text, at)) {
      at = end_of_word(text, at);
      out.push_back({text.substr(begin, at - begin), text.substr(gap, begin - gap), -1, 0, begin});
      gap = at;
    } else {
      at += width_of_gap(text, at);
    }
  }
  return out;
}

/// 0, which is no month, of what names none.
int month_named_by(std::string_view word) { return static_cast<int>(base::month_named(word)); }

/// Of the Buddhist era, as Thailand writes it beside the names of months.
int common_year(int year) {
  constexpr int first = 2533, last = 2642, ahead = 543;
  return year >= first && year <= last ? year - ahead : year;
}

std::optional<time_point> day_of(int year, int month, int day) {
  constexpr int first_year = 1990, last_year = 2099;
  if (year < first_year || year > last_year || month < 1 || month > 12 || day < 1) {
    return std::nullopt;
  }
  const std::chrono::year_month_day date{std::chrono::year(year),
                                         std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day))};
  if (!date.ok()) return std::nullopt;
  return time_point{std::chrono::sys_days(date).time_since_epoch()};
}

class date_scanner {
 public:
  date_scanner(std::string_view text, day_order order)
      : order_(order), text_(text), tokens_(date_tokens_of(text)) {}

  std::vector<written_date> run() {
    std::vector<written_date> out;
    for (std::size_t at = 0; at < tokens_.size() && out.size() < max_dates; ++at) {
      const auto found = date_at(at);
      if (!found) continue;
      const auto& last = tokens_[end_ - 1];
      out.push_back({*found, tokens_[at].begin, last.begin + last.text.size()});
      at = end_ - 1;
    }
    return out;
  }

 private:
  [[nodiscard]] const date_token* at(std::size_t index) const {
    return index < tokens_.size() ? &tokens_[index] : nullptr;
  }
  /// The next one that is no "of", "de" or "th".
  [[nodiscard]] std::size_t skip_small_words(std::size_t index) const {
    constexpr auto small =
        std::to_array<std::string_view>({"of", "de", "del", "st", "nd", "rd", "th", "er", "º", "ª",
                                         "the", "d", "m", "г", "พ.ศ", "ค.ศ"});
    constexpr int most = 2;
    for (int skipped = 0; skipped < most; ++skipped) {
      const auto* one = at(index);
      if (one == nullptr || std::ranges::find(small, one->text) == small.end()) break;
      ++index;
    }
    return index;
  }
  [[nodiscard]] bool is_near(std::size_t index) const {
    constexpr std::size_t widest_gap = 4;
    return tokens_[index].gap.size() <= widest_gap;
  }

  std::optional<time_point> date_at(std::size_t index) {
    if (const auto found = numeric(index)) return found;
    if (const auto found = with_signs(index)) return found;
    return with_name(index);
  }

  /// Behind the same month as neighbours call it: "5 آذار/مارس 2026".
  [[nodiscard]] std::size_t behind_other_name(std::size_t index) const {
    const auto* one = at(index);
    const bool is_other = one != nullptr && one->number < 0 && base::trim(one->gap) == "/" &&
                          static_cast<unsigned char>(one->text[0]) >= 0x80;
    return is_other ? index + 1 : index;
  }

  /// 2026-03-05, 5.3.2026, 3/5/26.
  std::optional<time_point> numeric(std::size_t index) {
    const auto *first = at(index), *second = at(index + 1), *third = at(index + 2);
    if (third == nullptr || first->number < 0 || second->number < 0 || third->number < 0) {
      return std::nullopt;
    }
    const auto gap = base_gap(second->gap);
    if (gap == 0 || base_gap(third->gap) != gap) return std::nullopt;
    end_ = index + 3;
    if (first->digits == 4) return day_of(first->number, second->number, third->number);
    constexpr int century = 2000;
    if (third->digits != 4 && (third->digits != 2 || gap == '-')) return std::nullopt;
    const int year = third->digits == 4 ? third->number : century + third->number;
    // Forum software writes "11-29-2024"; where both may be the month, dashes say the day first.
    const bool month_first =
        (gap == '-' && second->number > 12) ||
        (gap == '/' &&
         (second->number > 12 || (first->number <= 12 && order_ == day_order::month_first)));
    return month_first ? day_of(year, first->number, second->number)
                       : day_of(year, second->number, first->number);
  }

  /// The character that divides the numbers of a date, or 0.
  static char base_gap(std::string_view gap) {
    if (gap == ". ") return '.';
    if (gap.size() != 1 || std::string_view("./-").find(gap[0]) == std::string_view::npos) return 0;
    return gap[0];
  }

  /// 2026年3月5日, 2026년 3월 5일; "ngày 5 tháng 3 năm 2026".
  std::optional<time_point> with_signs(std::size_t index) {
    const auto* first = at(index);
    const auto* sign = at(index + 1);
    const auto* last = at(index + 4);
    if (const auto found = with_vietnamese_month(index)) return found;
    if (first->number < 0 || last == nullptr || last->number < 0 || at(index + 2)->number < 0) {
      return std::nullopt;
    }
    end_ = index + 5;
    const int middle = at(index + 2)->number;
    const auto second_sign = at(index + 3)->text;
    if ((sign->text == "年" && second_sign == "月") ||
        (sign->text == "년" && second_sign == "월")) {
      return day_of(first->number, middle, last->number);
    }
    if (sign->text == "tháng" && second_sign == "năm") {
      return day_of(last->number, middle, first->number);
    }
    return std::nullopt;
  }

  /// "5 tháng 3, 2026"
  std::optional<time_point> with_vietnamese_month(std::size_t index) {
    const auto *sign = at(index + 1), *month = at(index + 2), *year = at(index + 3);
    if (year == nullptr || sign->text != "tháng" || year->digits != 4) return std::nullopt;
    end_ = index + 4;
    return day_of(year->number, month->number, at(index)->number);
  }

  /// "5 March 2026", "March 5th, 2026", "2026. március 5."
  std::optional<time_point> with_name(std::size_t index) {
    const auto* first = at(index);
    const auto second = skip_small_words(index + 1);
    // The Levant's autumn and winter have two months of a name.
    const bool is_double =
        at(second) != nullptr && (at(second)->text == "تشرين" || at(second)->text == "كانون");
    const auto third = skip_small_words(behind_other_name(second + (is_double ? 2 : 1)));
    if (at(third) == nullptr || !is_near(second) || !is_near(third)) return std::nullopt;
    end_ = third + 1;
    const int middle = tokens_[second].number, last = common_year(tokens_[third].number);
    if (last < 0) return std::nullopt;
    if (first->number < 0) {
      if (middle < 0 || middle > 31 || tokens_[third].digits != 4) return std::nullopt;
      return day_of(last, month_named_by(first->text), middle);
    }
    if (middle >= 0) return std::nullopt;
    const auto& word = tokens_[second];
    const auto size = is_double
                          ? tokens_[second + 1].begin + tokens_[second + 1].text.size() - word.begin
                          : word.text.size();
    const int month = month_named_by(text_.substr(word.begin, size));
    return first->digits == 4 ? day_of(first->number, month, last)
                              : day_of(last, month, first->number);
  }

  const day_order order_;
  const std::string_view text_;
  const std::vector<date_token> tokens_;
  std::size_t end_ = 0;  ///< behind the date that was found last
};

}  // namespace

day_order day_order_of(std::string_view lang) {
  const auto folded = base::to_lower_ascii(lang);
  const bool american = folded.empty() || folded == "en" || folded == "en-us" || folded == "en_us";
  return american ? day_order::month_first : day_order::day_first;
}

std::vector<written_date> written_dates(std::string_view folded, day_order order) {
  return date_scanner(folded, order).run();
}

std::optional<time_point> moment_said(std::string_view text, day_order order) {
  constexpr std::size_t longest = 64;
  if (const auto moment = base::parse_time(text)) return moment;
  const auto days = written_dates(base::fold(text.substr(0, longest)), order);
  return days.size() == 1 ? std::optional(days.front().day) : std::nullopt;
}

}  // namespace freshet::markdown
