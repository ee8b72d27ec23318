// Requests to NewsAPI's index of everything, the newest first. It can not be narrowed to a country,
// nor to a language that it does not know: such a call is answered without a request.
#include <algorithm>
#include <base/time_text.hpp>
#include <base/unicode.hpp>
#include <sources/json_request.hpp>
#include <sources/newsapi/wire.hpp>
#include <sources/position.hpp>
#include <sources/query_syntax.hpp>

namespace freshet::sources::newsapi {

namespace {

constexpr std::string_view known_languages[] = {"ar", "de", "en", "es", "fr", "he", "it",
                                                "nl", "no", "pt", "ru", "sv", "zh"};

/// "" if none is asked for; null if NewsAPI does not know it.
std::optional<std::string_view> language_of(const call& call) {
  if (call.lang.empty()) return "";
  const auto primary = std::string_view(call.lang).substr(0, call.lang.find('-'));
  for (const auto one : known_languages) {
    if (base::equals_ignoring_ascii_case(one, primary)) return one;
  }
  // Norwegian has two tags of its own beside the one that NewsAPI takes.
  const bool norwegian = base::equals_ignoring_ascii_case(primary, "nb") ||
                         base::equals_ignoring_ascii_case(primary, "nn");
  return norwegian ? std::optional<std::string_view>("no") : std::nullopt;
}

http::request get(const settings& settings, std::string_view path, const query_pairs& parameters) {
  auto out = json_request(settings.base_url, path, parameters);
  if (const auto key = settings.get("api_key"); !key.empty()) {
    out.headers.push_back({"X-Api-Key", std::string(key)});
  }
  out.wait_in_body = refusal_wait;
  return out;
}

constexpr position_codec positions{"NewsAPI", ':',
                                   number_field{&article_position::page, 1, max_pages},
                                   number_field{&article_position::size, 1, max_page_size},
                                   last_word_field{&article_position::any_age, "any"}};

}  // namespace

std::string article_position::text() const { return positions.text(*this); }

result<article_position> read_position(std::string_view text, int limit) {
  return positions.read(text, {.size = std::clamp(limit, 1, max_page_size)});
}

http::request search_request(const call& call, const settings& settings,
                             const article_position& position) {
  query_pairs parameters{
      {"q", write_boolean_query(call.q, ":()[]-+!,|&*~^/\\")},
      {"sortBy", "publishedAt"},
      {"pageSize", std::to_string(position.size)},
      {"page", std::to_string(position.page)},
  };
  if (call.since && !position.any_age) {
    const auto since = std::chrono::floor<std::chrono::seconds>(*call.since);
    parameters.emplace_back("from", base::format_time(since));
  }
  if (const auto language = language_of(call); language && !language->empty()) {
    parameters.emplace_back("language", std::string(*language));
  }
  return get(settings, "/v2/everything", parameters);
}

result<http::request> plan_headlines(const call& call, const settings& settings,
                                     std::string_view position) {
  if (!call.lang.empty())
    return error(errc::not_found, "NewsAPI's headlines can not be narrowed to a language");
  if (call.topic == "world" || (call.topic == "nation" && call.country.empty()))
    return error(errc::not_found, "NewsAPI has no headlines of this kind");
  const auto at = read_position(position, call.limit);
  if (!at) return at.error();
  query_pairs parameters;
  if (!call.country.empty()) parameters.emplace_back("country", base::to_lower_ascii(call.country));
  const bool is_general = call.topic.empty() || call.topic == "nation";
  if (!is_general) parameters.emplace_back("category", call.topic);
  // One of both it wants.
  if (is_general && call.country.empty()) parameters.emplace_back("category", "general");
  parameters.emplace_back("pageSize", std::to_string(at->size));
  parameters.emplace_back("page", std::to_string(at->page));
  return get(settings, "/v2/top-headlines", parameters);
}

result<http::request> plan_search(const call& call, const settings& settings,
                                  std::string_view position) {
  if (!call.country.empty()) {
    return error(errc::not_found, "NewsAPI can not be narrowed to a country");
  }
  if (!language_of(call)) return error(errc::not_found, "NewsAPI does not know this language");
  const auto at = read_position(position, call.limit);
  if (!at) return at.error();
  return search_request(call, settings, *at);
}

}  // namespace freshet::sources::newsapi
