// Values of a feed that need an eye for how feeds really write them: dates, addresses that lead
// through a redirect, and kinds of attachments.
#include <algorithm>
#include <base/ascii.hpp>
#include <base/month_names.hpp>
#include <base/time_text.hpp>
#include <base/unicode.hpp>
#include <base/url.hpp>
#include <sources/item_text.hpp>
#include <sources/syndication/feed.hpp>

namespace freshet::sources::syndication {

namespace {

/// As parse_time() reads them.
constexpr std::string_view english_months[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                               "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

/// What stands between the parts of such dates, folded: "28 de noviembre de 2026 a las 14:05".
constexpr std::string_view fillers[] = {"de", "del", "a",    "à",   "às", "las", "alle", "ore",
                                        "um", "uhr", "om",   "uur", "o",  "r.",  "kl.",  "kl",
                                        "г.", "г",   "года", "в",   "-",  "|",   "h"};

std::optional<time_point> unix_time(std::string_view text) {
  constexpr std::size_t second_digits = 10, millisecond_digits = 13;
  if (text.size() != second_digits && text.size() != millisecond_digits) return std::nullopt;
  const auto value = count_in(text);
  if (!value) return std::nullopt;
  const auto scale = text.size() == second_digits ? 1.0 : 1000.0;
  return base::from_unix_seconds(static_cast<double>(*value) / scale);
}

/// The next word of a text, up to white space or a comma; "" behind the last one.
std::string_view take_word(std::string_view& rest) {
  constexpr std::string_view dividers = " \t\r\n,";
  rest.remove_prefix(std::min(rest.find_first_not_of(dividers), rest.size()));
  const auto word = rest.substr(0, rest.find_first_of(dividers));
  rest.remove_prefix(word.size());
  return word;
}

/// "Seg, 24 Set 2018 19:42:40 -0300" in English: the day of the week goes, the month is looked up.
std::optional<time_point> local_time(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_of("0123456789"), text.size()));
  std::string english(take_word(text));
  while (!english.empty() && !base::is_digit(english.back())) english.pop_back();
  bool has_month = false;
  for (auto word = take_word(text); !word.empty(); word = take_word(text)) {
    if (std::ranges::find(fillers, base::fold(word)) != std::end(fillers)) continue;
    english += ' ';
    if (has_month) {
      english += word;
      continue;
    }
    const auto month = base::month_named(base::fold(word));
    if (month == 0) return std::nullopt;
    english += english_months[month - 1];
    has_month = true;
  }
  return has_month ? base::parse_time(english) : std::nullopt;
}

/// "28.11.2026 14:05" in the order of ISO 8601.
std::optional<time_point> dotted_time(std::string_view text) {
  constexpr std::size_t year_digits = 4;
  const auto first = text.find('.');
  const auto second = text.find('.', std::min(first, text.size() - 1) + 1);
  if (second == std::string_view::npos) return std::nullopt;
  const auto rest = text.substr(second + 1);
  std::string sorted(rest.substr(0, year_digits));
  sorted.append("-").append(text.substr(first + 1, second - first - 1));
  sorted.append("-").append(text.substr(0, first));
  auto behind = rest.substr(sorted.find('-'));
  const auto of_day = base::trim(behind.starts_with(',') ? behind.substr(1) : behind);
  if (!of_day.empty()) sorted.append(" ").append(of_day);
  return base::parse_time(sorted);
}

}  // namespace

std::optional<time_point> feed_time(std::string_view text) {
  constexpr std::size_t longest = 128;
  text = base::trim(text);
  if (text.empty() || text.size() > longest) return std::nullopt;
  if (const auto seconds = unix_time(text)) return seconds;
  if (const auto at = base::parse_time(text)) return at;
  if (const auto at = dotted_time(text)) return at;
  return base::is_utf8(text) ? local_time(text) : std::nullopt;
}

namespace {

std::optional<time_point> first_time(const std::vector<std::string>& dates) {
  for (const auto& text : dates) {
    if (const auto at = feed_time(text)) return at;
  }
  return std::nullopt;
}

}  // namespace

std::optional<time_point> time_of(const feed_entry& entry) {
  const auto published = first_time(entry.published);
  return published ? published : first_time(entry.changed);
}

std::optional<time_point> edit_of(const feed_entry& entry) {
  const auto published = first_time(entry.published);
  return published ? edit_time(published, first_time(entry.changed)) : std::nullopt;
}

std::string media_type(std::string_view mime, std::string_view address) {
  const auto kind = base::to_lower_ascii(mime.substr(0, mime.find('/')));
  if (kind == "image") return base::to_lower_ascii(mime) == "image/gif" ? "gif" : "image";
  if (kind == "video" || kind == "audio") return kind;
  constexpr struct {
    std::string_view ending, type;
  } endings[] = {
      {".jpg", "image"},  {".jpeg", "image"}, {".png", "image"}, {".webp", "image"},
      {".avif", "image"}, {".gif", "gif"},    {".mp4", "video"}, {".webm", "video"},
      {".m3u8", "video"}, {".mp3", "audio"},  {".m4a", "audio"}, {".ogg", "audio"},
  };
  const auto url = base::parse_url(address);
  const auto path = base::to_lower_ascii(url ? url->path : std::string(address));
  for (const auto& one : endings) {
    if (path.ends_with(one.ending)) return std::string(one.type);
  }
  return "";
}

}  // namespace freshet::sources::syndication
