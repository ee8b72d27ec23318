// Moments as text. Hand-written readers, each of which takes the whole text or nothing; what is
// missing in a form (zone, seconds) is taken as UTC and zero, and nothing else is guessed.
#include <algorithm>
#include <base/ascii.hpp>
#include <base/time_text.hpp>
#include <base/unicode.hpp>
#include <cmath>
#include <cstdint>

namespace freshet::base {
namespace {

using std::chrono::days;
using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;

constexpr time_point last_moment =
    std::chrono::sys_days{std::chrono::year{9999} / 12 / 31} + days{1} - milliseconds{1};
constexpr time_point first_writable = std::chrono::sys_days{std::chrono::year{0} / 1 / 1};
/// Longer texts are no dates; feeds put whole paragraphs there.
constexpr std::size_t max_time_length = 128;

/// A date and a time of day as they were written, in the zone `offset` east of UTC.
struct civil_time {
  int year = 0;
  unsigned month = 0;
  unsigned day = 0;
  int hour = 0;
  int minute = 0;
  int second = 0;
  int millisecond = 0;
  minutes offset{0};
};

struct named_zone {
  std::string_view name;
  int minutes_east;
};

/// RFC 822's zones, then those that feeds add. "IST" is India's, by far the most frequent of three.
constexpr named_zone zones[] = {
    {"ut", 0},         {"utc", 0},       {"gmt", 0},        {"z", 0},          {"est", -5 * 60},
    {"edt", -4 * 60},  {"cst", -6 * 60}, {"cdt", -5 * 60},  {"mst", -7 * 60},  {"mdt", -6 * 60},
    {"pst", -8 * 60},  {"pdt", -7 * 60}, {"akst", -9 * 60}, {"akdt", -8 * 60}, {"hst", -10 * 60},
    {"wet", 0},        {"west", 60},     {"bst", 60},       {"cet", 60},       {"cest", 2 * 60},
    {"met", 60},       {"mest", 2 * 60}, {"eet", 2 * 60},   {"eest", 3 * 60},  {"msk", 3 * 60},
    {"sast", 2 * 60},  {"ist", 330},     {"hkt", 8 * 60},   {"sgt", 8 * 60},   {"awst", 8 * 60},
    {"jst", 9 * 60},   {"kst", 9 * 60},  {"aest", 10 * 60}, {"aedt", 11 * 60}, {"nzst", 12 * 60},
    {"nzdt", 13 * 60},
};
constexpr std::size_t longest_zone_name = 5;

constexpr std::string_view month_names[] = {"january",   "february", "march",    "april",
                                            "may",       "june",     "july",     "august",
                                            "september", "october",  "november", "december"};
constexpr std::string_view weekday_names[] = {"monday", "tuesday",  "wednesday", "thursday",
                                              "friday", "saturday", "sunday"};

std::optional<time_point> moment_of(const civil_time& civil) {
  const std::chrono::year_month_day date{
      std::chrono::year{civil.year}, std::chrono::month{civil.month}, std::chrono::day{civil.day}};
  // 24:00:00 is midnight at the end of the day; 60 is a leap second.
  const bool ends_day = civil.hour == 24 && civil.minute == 0 && civil.second == 0;
  const bool in_day = civil.hour < 24 || ends_day;
  if (!date.ok() || !in_day || civil.minute > 59 || civil.second > 60) return std::nullopt;
  const time_point at = std::chrono::sys_days{date} + hours{civil.hour} + minutes{civil.minute} +
                        seconds{civil.second} + milliseconds{civil.millisecond} - civil.offset;
  if (at < time_point{} || at > last_moment) return std::nullopt;
  return at;
}

/// Reads from the front of a text, piece by piece.
class cursor {
 public:
  explicit cursor(std::string_view text) : rest_(text) {}

  [[nodiscard]] bool done() const noexcept { return rest_.empty(); }
  [[nodiscard]] char peek() const noexcept { return rest_.empty() ? '\0' : rest_.front(); }
  bool take(char c) noexcept {
    if (peek() != c || rest_.empty()) return false;
    rest_.remove_prefix(1);
    return true;
  }
  bool take_any(std::string_view characters) noexcept {
    if (rest_.empty() || characters.find(rest_.front()) == std::string_view::npos) return false;
    rest_.remove_prefix(1);
    return true;
  }
  void skip_spaces() noexcept {
    while (take(' ') || take('\t')) {
    }
  }
  [[nodiscard]] std::size_t digits_ahead() const noexcept {
    std::size_t count = 0;
    while (count < rest_.size() && is_digit(rest_[count])) ++count;
    return count;
  }
  /// A number of at least `fewest` and at most `most` digits (up to 9), or null.
  std::optional<int> number(std::size_t fewest, std::size_t most) noexcept {
    const std::size_t count = digits_ahead();
    if (count < fewest || count > most) return std::nullopt;
    return leading_number(count);
  }
  /// The number in the next `count` digits, whatever follows, or null.
  std::optional<int> leading_number(std::size_t count) noexcept {
    if (digits_ahead() < count) return std::nullopt;
    int value = 0;
    for (std::size_t i = 0; i < count; ++i) value = value * 10 + (rest_[i] - '0');
    rest_.remove_prefix(count);
    return value;
  }
  std::string_view letters() noexcept {
    std::size_t count = 0;
    while (count < rest_.size() && is_letter(rest_[count])) ++count;
    const std::string_view taken = rest_.substr(0, count);
    rest_.remove_prefix(count);
    return taken;
  }
  /// RFC 822's comment, which may nest.
  bool comment() noexcept {
    if (!take('(')) return false;
    for (int open = 1; open > 0 && !rest_.empty(); rest_.remove_prefix(1)) {
      if (rest_.front() == '(') ++open;
      if (rest_.front() == ')') --open;
    }
    return true;
  }

 private:
  std::string_view rest_;
};

/// ":SS" and its fraction, both optional.
bool read_seconds(cursor& cursor, civil_time& civil) {
  if (!cursor.take(':')) return true;
  const auto second = cursor.leading_number(2);
  if (!second) return false;
  civil.second = *second;
  if (!cursor.take_any(".,")) return true;
  const std::size_t count = cursor.digits_ahead();
  if (count == 0) return false;
  // Beyond milliseconds it is cut, not rounded: 59.9999 must not become the next minute.
  int scale = 100;
  for (std::size_t i = 0; i < count; ++i, scale /= 10) {
    civil.millisecond += *cursor.leading_number(1) * scale;
  }
  return true;
}

/// "HH:MM[:SS[.fraction]]".
bool read_time_of_day(cursor& cursor, civil_time& civil) {
  const auto hour = cursor.number(1, 2);
  if (!hour || !cursor.take(':')) return false;
  const auto minute = cursor.leading_number(2);
  if (!minute) return false;
  civil.hour = *hour;
  civil.minute = *minute;
  return read_seconds(cursor, civil);
}

/// "+HH:MM", "+HHMM" or "+HH"; "-" likewise.
bool read_offset(cursor& cursor, civil_time& civil) {
  const bool west = cursor.peek() == '-';
  if (!cursor.take_any("+-")) return false;
  const std::size_t count = cursor.digits_ahead();
  if (count != 1 && count != 2 && count != 4) return false;
  const int hour = *cursor.leading_number(std::min<std::size_t>(count, 2));
  int minute = 0;
  if (count == 4) {
    minute = *cursor.leading_number(2);
  } else if (cursor.take(':')) {
    const auto read = cursor.number(2, 2);
    if (!read) return false;
    minute = *read;
  }
  if (hour > 23 || minute > 59) return false;
  civil.offset = west ? -(hours{hour} + minutes{minute}) : hours{hour} + minutes{minute};
  return true;
}

enum class unknown_zone { is_refused, is_utc };

/// A zone's name, perhaps with an offset ("GMT+0100"), or an offset.
bool read_zone(cursor& cursor, civil_time& civil, unknown_zone unknown) {
  if (!is_letter(cursor.peek())) return read_offset(cursor, civil);
  const std::string name = to_lower_ascii(cursor.letters());
  if (name.size() > longest_zone_name) return false;
  const auto* const zone = std::ranges::find(zones, name, &named_zone::name);
  if (zone != std::end(zones)) {
    civil.offset = minutes{zone->minutes_east};
  } else if (unknown == unknown_zone::is_refused) {
    return false;
  }
  if (cursor.peek() == '+' || cursor.peek() == '-') return read_offset(cursor, civil);
  return true;
}

/// A date alone, or a date, a divider, a time and an optional zone.
std::optional<time_point> read_iso(std::string_view text) {
  cursor in(text);
  civil_time civil;
  const auto year = in.number(4, 4);
  if (!year || !in.take('-')) return std::nullopt;
  const auto month = in.number(1, 2);
  if (!month || !in.take('-')) return std::nullopt;
  const auto day = in.number(1, 2);
  if (!day) return std::nullopt;
  civil.year = *year;
  civil.month = static_cast<unsigned>(*month);
  civil.day = static_cast<unsigned>(*day);
  if (in.take('Z') || in.done()) return in.done() ? moment_of(civil) : std::nullopt;
  if (!in.take_any("Tt _")) return std::nullopt;
  in.skip_spaces();
  if (!read_time_of_day(in, civil)) return std::nullopt;
  in.skip_spaces();
  if (!in.done() && !read_zone(in, civil, unknown_zone::is_refused)) return std::nullopt;
  return in.done() ? moment_of(civil) : std::nullopt;
}

/// "20260101", "20260101T120000Z", "20260101120000": ISO 8601 without dividers.
std::optional<time_point> read_compact(std::string_view text) {
  cursor in(text);
  civil_time civil;
  const std::size_t count = in.digits_ahead();
  if (count != 8 && count != 14) return std::nullopt;
  civil.year = *in.leading_number(4);
  civil.month = static_cast<unsigned>(*in.leading_number(2));
  civil.day = static_cast<unsigned>(*in.leading_number(2));
  if (count == 8) {
    if (in.done()) return moment_of(civil);
    if (!in.take_any("Tt")) return std::nullopt;
    if (in.digits_ahead() != 4 && in.digits_ahead() != 6) return std::nullopt;
  }
  civil.hour = *in.leading_number(2);
  civil.minute = *in.leading_number(2);
  if (in.digits_ahead() != 0) {
    civil.second = *in.leading_number(2);
  }
  if (!in.done() && !read_zone(in, civil, unknown_zone::is_refused)) return std::nullopt;
  return in.done() ? moment_of(civil) : std::nullopt;
}

/// 1 to 12, or null. Three letters do, and so do all of them and "Sept".
std::optional<unsigned> month_of(std::string_view word) {
  const std::string lower = to_lower_ascii(word);
  if (lower.size() < 3) return std::nullopt;
  for (unsigned i = 0; i < std::size(month_names); ++i) {
    if (month_names[i].starts_with(lower)) return i + 1;
  }
  return std::nullopt;
}

bool is_weekday(std::string_view word) {
  const std::string lower = to_lower_ascii(word);
  return lower.size() >= 3 && std::ranges::any_of(weekday_names, [&](std::string_view name) {
           return name.starts_with(lower);
         });
}

/// RFC 2822, 4.3: two digits are 1950 to 2049, three count from 1900.
std::optional<int> read_year(cursor& in) {
  const std::size_t count = in.digits_ahead();
  const auto year = in.number(2, 4);
  if (!year) return std::nullopt;
  if (count == 2) return *year + (*year < 50 ? 2000 : 1900);
  return count == 3 ? *year + 1900 : *year;
}

/// Spaces, comments, and the commas and dashes that stand between the parts of a date.
void skip_dividers(cursor& cursor, std::string_view dividers) {
  do {
    cursor.skip_spaces();
  } while (cursor.comment() || cursor.take_any(dividers));
}

bool read_day(cursor& cursor, civil_time& civil) {
  const auto day = cursor.number(1, 2);
  if (!day) return false;
  civil.day = static_cast<unsigned>(*day);
  return true;
}

bool read_month(cursor& cursor, civil_time& civil) {
  const auto month = month_of(cursor.letters());
  if (!month) return false;
  cursor.take('.');
  civil.month = *month;
  return true;
}

/// What follows "21 Nov 2026": nothing, or a time and perhaps a zone.
bool read_time_and_zone(cursor& cursor, civil_time& civil) {
  skip_dividers(cursor, ",");
  if (cursor.done()) return true;
  if (!read_time_of_day(cursor, civil)) return false;
  skip_dividers(cursor, "");
  if (cursor.done()) return true;
  // RFC 2822 (4.3) wants unknown names taken as UTC.
  if (!read_zone(cursor, civil, unknown_zone::is_utc)) return false;
  skip_dividers(cursor, "");
  return true;
}

/// What follows "Nov 21" in C's asctime and in what Twitter's first interface made of it: a time,
/// perhaps a zone, and the year.
bool read_time_then_year(cursor& cursor, civil_time& civil) {
  if (!read_time_of_day(cursor, civil)) return false;
  cursor.skip_spaces();
  if (!is_digit(cursor.peek())) {
    if (!read_zone(cursor, civil, unknown_zone::is_utc)) return false;
    cursor.skip_spaces();
  }
  const auto year = cursor.number(4, 4);
  civil.year = year.value_or(0);
  return year.has_value();
}

/// RFC 822 and 2822, RFC 850, asctime, and "November 21, 2026" as pages have it.
std::optional<time_point> read_named_month(std::string_view text) {
  cursor in(text);
  civil_time civil;
  skip_dividers(in, "");
  if (is_letter(in.peek())) {
    const std::string_view word = in.letters();
    if (const auto month = month_of(word); month && !is_weekday(word)) {
      civil.month = *month;
      in.take('.');
    } else if (!is_weekday(word)) {
      return std::nullopt;
    }
    skip_dividers(in, ",.");
  }
  if (civil.month == 0 && is_letter(in.peek())) {
    if (!read_month(in, civil)) return std::nullopt;
    skip_dividers(in, "");
  }
  if (!read_day(in, civil)) return std::nullopt;
  if (civil.month == 0) {
    skip_dividers(in, "-.");
    if (!read_month(in, civil)) return std::nullopt;
    skip_dividers(in, "-,");
  } else {
    skip_dividers(in, ",");
    cursor ahead = in;
    civil_time with_year_last = civil;
    if (read_time_then_year(ahead, with_year_last) && ahead.done()) {
      return moment_of(with_year_last);
    }
  }
  const auto year = read_year(in);
  if (!year) return std::nullopt;
  civil.year = *year;
  if (!read_time_and_zone(in, civil) || !in.done()) return std::nullopt;
  return moment_of(civil);
}

void append_digits(std::string& out, std::int64_t number, int width) {
  std::string digits(static_cast<std::size_t>(width), '0');
  for (auto at = digits.rbegin(); at != digits.rend(); ++at, number /= 10) {
    *at = static_cast<char>('0' + number % 10);
  }
  out += digits;
}

/// "Sat" of "saturday": mail has English names in every locale.
void append_short_name(std::string& out, std::string_view name) {
  out += static_cast<char>(name.front() - 'a' + 'A');
  out += name.substr(1, 2);
}

/// "03:40:00".
void append_time_of_day(std::string& out, std::int64_t millisecond_of_day) {
  append_digits(out, millisecond_of_day / 3'600'000, 2);
  out += ':';
  append_digits(out, millisecond_of_day / 60'000 % 60, 2);
  out += ':';
  append_digits(out, millisecond_of_day / 1000 % 60, 2);
}

}  // namespace

std::string format_time(time_point at) {
  at = std::clamp(at, first_writable, last_moment);  // RFC 3339 has four digits for the year
  const auto day = std::chrono::floor<days>(at);
  const std::chrono::year_month_day date{day};
  const auto of_day = (at - day).count();
  std::string out;
  out.reserve(24);
  append_digits(out, static_cast<int>(date.year()), 4);
  out += '-';
  append_digits(out, static_cast<unsigned>(date.month()), 2);
  out += '-';
  append_digits(out, static_cast<unsigned>(date.day()), 2);
  out += 'T';
  append_time_of_day(out, of_day);
  if (of_day % 1000 != 0) {
    out += '.';
    append_digits(out, of_day % 1000, 3);
  }
  out += 'Z';
  return out;
}

std::string format_mail_date(time_point at) {
  at = std::clamp(at, first_writable, last_moment);
  const auto day = std::chrono::floor<days>(at);
  const std::chrono::year_month_day date{day};
  std::string out;
  append_short_name(out, weekday_names[std::chrono::weekday{day}.iso_encoding() - 1]);
  out += ", " + std::to_string(static_cast<unsigned>(date.day())) + ' ';
  append_short_name(out, month_names[static_cast<unsigned>(date.month()) - 1]);
  out += ' ';
  append_digits(out, static_cast<int>(date.year()), 4);
  out += ' ';
  append_time_of_day(out, (at - day).count());
  return out + " +0000";
}

std::optional<time_point> parse_time(std::string_view text) {
  text = trim(text);
  if (text.empty() || text.size() > max_time_length) return std::nullopt;
  if (const auto at = read_iso(text)) return at;
  if (const auto at = read_compact(text)) return at;
  return read_named_month(text);
}

std::optional<time_point> from_unix_seconds(double unix_seconds) {
  const double ms = std::floor(unix_seconds * 1000.0 + 0.5);
  const auto last = static_cast<double>(last_moment.time_since_epoch().count());
  if (!(ms >= 0.0 && ms <= last)) return std::nullopt;  // also for NaN
  return time_point{milliseconds{static_cast<std::int64_t>(ms)}};
}

}  // namespace freshet::base
