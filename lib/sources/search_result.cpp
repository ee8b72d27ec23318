// Results, dates and locales of web searches.
#include <algorithm>
#include <base/ascii.hpp>
#include <base/json.hpp>
#include <base/number.hpp>
#include <base/time_text.hpp>
#include <base/unicode.hpp>
#include <base/url.hpp>
#include <sources/item_text.hpp>
#include <sources/read_answer.hpp>
#include <sources/redirect_wrapper.hpp>
#include <sources/search_result.hpp>
#include <vector>

namespace freshet::sources {
namespace {

constexpr std::string_view months[] = {"jan", "feb", "mar", "apr", "may", "jun",
                                       "jul", "aug", "sep", "oct", "nov", "dec"};

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> out;
  while (!text.empty()) {
    const auto end = text.find_first_of(" ,");
    if (end != 0) out.push_back(text.substr(0, end));
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return out;
}

/// 1 to 12 of "Aug", "Aug." or "August"; null if it is none.
std::optional<int> month_of(std::string_view word) {
  const auto low = base::to_lower_ascii(word.substr(0, 3));
  const auto found = std::ranges::find(months, low);
  if (word.size() < 3 || found == std::end(months)) return std::nullopt;
  return static_cast<int>(found - std::begin(months)) + 1;
}

/// "Aug 19, 2024" and "19 Aug 2024".
std::optional<time_point> named_month(std::string_view text) {
  const auto words = words_of(text);
  if (words.size() != 3) return std::nullopt;
  auto month = month_of(words[0]);
  const auto day = base::parse_number<int>(month ? words[1] : words[0]);
  if (!month) month = month_of(words[1]);
  const auto year = base::parse_number<int>(words[2]);
  if (!month || !day || !year || *day < 1 || *year < 1000) return std::nullopt;
  const auto two = [](int n) { return (n < 10 ? "0" : "") + std::to_string(n); };
  return base::parse_time(std::to_string(*year) + "-" + two(*month) + "-" + two(*day));
}

/// "3 days ago".
std::optional<time_point> time_ago(std::string_view text, time_point now) {
  using namespace std::chrono_literals;
  constexpr int most = 10'000;
  constexpr struct {
    std::string_view unit;
    std::chrono::seconds length;
  } units[] = {{"second", 1s}, {"minute", 60s},     {"hour", 3600s},    {"day", 24h},
               {"week", 168h}, {"month", 30 * 24h}, {"year", 365 * 24h}};
  const auto words = words_of(text);
  if (words.size() != 3 || words[2] != "ago") return std::nullopt;
  const auto many = base::parse_number<int>(words[0]);
  auto unit = words[1];
  if (unit.ends_with('s')) unit.remove_suffix(1);
  for (const auto& one : units) {
    if (one.unit == unit && many && *many >= 0 && *many < most) return now - *many * one.length;
  }
  return std::nullopt;
}

bool is_letters(std::string_view text) { return std::ranges::all_of(text, base::is_letter); }

}  // namespace

std::optional<web_result> result_at(std::string_view source, std::string_view address) {
  const auto target = unwrapped_address(address);
  if (is_advert_address(target)) return std::nullopt;
  web_result out;
  out.url = page_url(target);
  const auto url = base::parse_url(out.url);
  if (!url || !url->is_http()) return std::nullopt;
  const auto digest = digest_id(out.url);
  out.id = std::string(source) + ":" + digest;
  out.source = source;
  auto path = url->path == "/" ? std::string() : base::percent_decode(url->path);
  if (!base::is_utf8(path)) path = url->path;
  out.display_url = url->host + path;
  out.site_name = base::host_of(out.url);
  return out;
}

void add_ranked(std::optional<web_result> found, std::string_view engine, std::int64_t& rank,
                listing& out) {
  if (!found) return;
  found->rank = ++rank;
  found->engines.push_back({std::string(engine), rank});
  out.items.emplace_back(std::move(*found));
}

namespace {

/// What a picture and a video keep of the result that they come from.
template <class T>
T taken_from(web_result& found, std::string_view key) {
  T out;
  static_cast<item_common&>(out) = std::move(static_cast<item_common&>(found));
  out.id = out.source + ":" + digest_id(key);
  return out;
}

}  // namespace

std::optional<item> result_as(catalog::operation op, web_result found) {
  if (op == catalog::operation::web_serp_images_search) {
    const auto picture = std::ranges::find(found.media, "image", &media::type);
    if (picture == found.media.end()) return std::nullopt;
    const auto one = *picture;
    const auto rank = found.rank;
    auto site = std::move(found.site_name);
    auto out = taken_from<web_image>(found, one.url);
    out.rank = rank;
    out.image_url = one.url;
    out.thumbnail_url = one.preview_url;
    out.width = one.width;
    out.height = one.height;
    out.site_name = std::move(site);
    return out;
  }
  if (op == catalog::operation::web_serp_videos_search) {
    const auto key = found.url;
    auto out = taken_from<video>(found, key);
    if (out.media.empty()) return out;
    const auto& first = out.media.front();
    out.duration_s = first.duration_s;
    out.thumbnail_url = first.preview_url;
    if (out.thumbnail_url.empty() && first.type == "image") out.thumbnail_url = first.url;
    return out;
  }
  return found;
}

void add_ranked_as(catalog::operation op, std::optional<web_result> found, std::string_view engine,
                   std::int64_t& rank, listing& out) {
  if (!found) return;
  found->rank = rank + 1;
  found->engines = {{std::string(engine), found->rank}};
  auto made = result_as(op, std::move(*found));
  if (!made) return;
  ++rank;
  out.items.push_back(std::move(*made));
}

void add_suggestion(std::string_view source, std::string text, listing& out) {
  text = base::collapse_spaces(text);
  if (text.empty()) return;
  suggestion one;
  one.id = std::string(source) + ":" + digest_id(base::fold(text));
  one.source = source;
  one.text = std::move(text);
  one.rank = static_cast<std::int64_t>(out.items.size()) + 1;
  out.items.emplace_back(std::move(one));
}

result<listing> read_suggestions(std::string_view source, const http::response& answer) {
  const auto body = read_json(answer);
  if (!body) return body.error();
  const auto& parts = base::array_of(body->root());
  if (parts.size() < 2 || !parts[0].is_string() || !parts[1].is_array())
    return no_list_of("suggestions", answer);
  listing out;
  const auto& texts = base::array_of(parts[1]);
  for (const auto& one : texts) add_suggestion(source, clean_text(one), out);
  const auto is_text = [](const auto& one) { return one.is_string(); };
  if (!texts.empty() && std::ranges::none_of(texts, is_text))
    return no_list_of("suggestions", answer);
  return out;
}

std::optional<double> read_clock_duration(std::string_view rest) {
  double out = 0;
  for (int parts = 0; !rest.empty(); ++parts) {
    const auto colon = rest.find(':');
    const auto part = base::parse_number<int>(rest.substr(0, colon));
    if (!part || *part < 0 || parts == 3) return std::nullopt;
    out = out * 60 + *part;
    rest = colon == std::string_view::npos ? std::string_view{} : rest.substr(colon + 1);
  }
  return out > 0 ? std::optional(out) : std::nullopt;
}

std::optional<time_point> read_result_date(std::string_view text, time_point now) {
  text = base::trim(text);
  if (const auto found = named_month(text)) return found;
  if (const auto found = time_ago(text, now)) return found;
  return base::parse_time(text);
}

std::optional<time_point> take_leading_date(std::string& snippet, time_point now) {
  constexpr std::size_t longest_date = 24;
  constexpr std::string_view divider = " \xC2\xB7 ";
  const auto at = snippet.find(divider);
  if (at == std::string::npos || at > longest_date) return std::nullopt;
  const auto found = read_result_date(std::string_view(snippet).substr(0, at), now);
  if (found) snippet.erase(0, at + divider.size());
  return found;
}

time_point moment_of(const http::response& answer, const call& call) noexcept {
  return answer.fetched_at == time_point{} ? call.now : answer.fetched_at;
}

locale_wish locale_of(const call& call) {
  locale_wish out;
  std::string_view rest = call.lang;
  for (bool first = true; !rest.empty(); first = false) {
    const auto dash = rest.find('-');
    const auto part = rest.substr(0, dash);
    if (first) {
      if (part.size() < 2 || part.size() > 3 || !is_letters(part)) break;
      out.language = base::to_lower_ascii(part);
    } else if (part.size() == 4 && out.script.empty() && is_letters(part)) {
      out.script = upper_ascii(part.substr(0, 1)) + base::to_lower_ascii(part.substr(1));
    } else if (part.size() == 2 && out.country.empty() && is_letters(part)) {
      out.country = upper_ascii(part);
    }
    if (dash == std::string_view::npos) break;
    rest.remove_prefix(dash + 1);
  }
  if (call.country.size() == 2 && is_letters(call.country)) out.country = upper_ascii(call.country);
  return out;
}

}  // namespace freshet::sources
