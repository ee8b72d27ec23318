// Requests to NewsAPI's index of everything, the newest first. It can not be narrowed to a country,
// nor to a language that it does not know: such a call is answered without a request.
#include <algorithm>
#include <base/time_text.hpp>
#include <base/unicode.hpp>
#include <base/url.hpp>
#include <charconv>
#include <sources/newsapi/wire.hpp>
#include <sources/query_syntax.hpp>

namespace freshet::sources::newsapi {

namespace {

constexpr std::string_view known_languages[] = {"ar", "de", "en", "es", "fr", "he", "it",
                                                "nl", "no", "pt", "ru", "sv", "zh"};

/// "" if none is asked for; null if NewsAPI does not know it.
std::optional<std::string_view> language_of(const call& what) {
  if (what.lang.empty()) return "";
  const auto primary = std::string_view(what.lang).substr(0, what.lang.find('-'));
  for (const auto one : known_languages) {
    if (base::equals_ignoring_ascii_case(one, primary)) return one;
  }
  // Norwegian has two tags of its own beside the one that NewsAPI takes.
  const bool norwegian = base::equals_ignoring_ascii_case(primary, "nb") ||
                         base::equals_ignoring_ascii_case(primary, "nn");
  return norwegian ? std::optional<std::string_view>("no") : std::nullopt;
}

}  // namespace

std::string search_position::text() const {
  return std::to_string(page) + ":" + std::to_string(size) + (any_age ? ":any" : "");
}

result<search_position> read_position(std::string_view text, int limit) {
  search_position out;
  out.size = std::clamp(limit, 1, max_page_size);
  if (text.empty()) return out;
  constexpr std::string_view mark = ":any";
  if (text.ends_with(mark)) {
    out.any_age = true;
    text.remove_suffix(mark.size());
  }
  const auto end = text.data() + text.size();
  const auto page = std::from_chars(text.data(), end, out.page);
  if (page.ec == std::errc{} && page.ptr != end && *page.ptr == ':') {
    const auto size = std::from_chars(page.ptr + 1, end, out.size);
    if (size.ec == std::errc{} && size.ptr == end && out.page >= 1 && out.page <= max_pages &&
        out.size >= 1 && out.size <= max_page_size) {
      return out;
    }
  }
  return error(errc::invalid_cursor, "the position is not one of NewsAPI");
}

http::request search_request(const call& what, const settings& with, const search_position& at) {
  std::vector<std::pair<std::string_view, std::string>> parameters{
      {"q", write_boolean_query(what.q, ":()[]-+!,|&*~^/\\")},
      {"sortBy", "publishedAt"},
      {"pageSize", std::to_string(at.size)},
      {"page", std::to_string(at.page)},
  };
  if (what.since && !at.any_age) {
    const auto since = std::chrono::floor<std::chrono::seconds>(*what.since);
    parameters.emplace_back("from", base::format_time(since));
  }
  if (const auto language = language_of(what); language && !language->empty()) {
    parameters.emplace_back("language", std::string(*language));
  }
  http::request out;
  out.url = base::join_path(with.base_url, "/v2/everything") + "?" + base::build_query(parameters);
  out.headers.push_back({"Accept", "application/json"});
  if (const auto key = with.get("api_key"); !key.empty()) {
    out.headers.push_back({"X-Api-Key", std::string(key)});
  }
  out.wait_in_body = refusal_wait;
  return out;
}

result<http::request> plan_search(const call& what, const settings& with,
                                  std::string_view position) {
  if (!what.country.empty()) {
    return error(errc::not_found, "NewsAPI can not be narrowed to a country");
  }
  if (!language_of(what)) return error(errc::not_found, "NewsAPI does not know this language");
  const auto at = read_position(position, what.limit);
  if (!at) return at.error();
  return search_request(what, with, *at);
}

}  // namespace freshet::sources::newsapi
