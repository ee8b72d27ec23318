// Values of a feed that need an eye for how feeds really write them: dates, addresses that lead
// through a redirect, and kinds of attachments.
#include <base/time_text.hpp>
#include <base/unicode.hpp>
#include <base/url.hpp>
#include <sources/item_text.hpp>
#include <sources/syndication/feed.hpp>

namespace freshet::sources::syndication {

namespace {

/// Months of RFC 822 dates in other languages, by their first three letters where those differ
/// from the English ones: Portuguese, Spanish, French, Italian, German, Dutch.
constexpr struct {
  std::string_view local, english;
} months[] = {
    {"ene", "Jan"}, {"gen", "Jan"}, {"fev", "Feb"}, {"fév", "Feb"}, {"mär", "Mar"}, {"mrz", "Mar"},
    {"maa", "Mar"}, {"mrt", "Mar"}, {"abr", "Apr"}, {"avr", "Apr"}, {"mai", "May"}, {"mag", "May"},
    {"mei", "May"}, {"giu", "Jun"}, {"lug", "Jul"}, {"ago", "Aug"}, {"aoû", "Aug"}, {"set", "Sep"},
    {"out", "Oct"}, {"okt", "Oct"}, {"ott", "Oct"}, {"dic", "Dec"}, {"dez", "Dec"}, {"déc", "Dec"},
};

std::optional<time_point> unix_time(std::string_view text) {
  constexpr std::size_t second_digits = 10, millisecond_digits = 13;
  if (text.size() != second_digits && text.size() != millisecond_digits) return std::nullopt;
  const auto value = count_in(text);
  if (!value) return std::nullopt;
  const auto scale = text.size() == second_digits ? 1.0 : 1000.0;
  return base::from_unix_seconds(static_cast<double>(*value) / scale);
}

/// "Seg, 24 Set 2018 19:42:40 -0300" in English: the day of the week goes, the month is looked up.
std::optional<time_point> local_time(std::string_view text) {
  const auto comma = text.find(',');
  if (comma != std::string_view::npos) text = base::trim(text.substr(comma + 1));
  const auto space = text.find(' ');
  if (space == std::string_view::npos) return std::nullopt;
  const auto rest = text.substr(space + 1);
  const auto end = rest.find(' ');
  if (end == std::string_view::npos) return std::nullopt;
  const auto month = base::fold(rest.substr(0, end));
  for (const auto& one : months) {
    if (!month.starts_with(base::fold(one.local))) continue;
    return base::parse_time(std::string(text.substr(0, space + 1)) + std::string(one.english) +
                            std::string(rest.substr(end)));
  }
  return std::nullopt;
}

}  // namespace

std::optional<time_point> feed_time(std::string_view text) {
  constexpr std::size_t longest = 64;
  text = base::trim(text);
  if (text.empty() || text.size() > longest) return std::nullopt;
  if (const auto seconds = unix_time(text)) return seconds;
  if (const auto at = base::parse_time(text)) return at;
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
