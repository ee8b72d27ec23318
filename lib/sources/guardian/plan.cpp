// Requests to the Guardian's search, the newest first. A call for another language or country is
// answered without one.
#include <algorithm>
#include <base/time_text.hpp>
#include <base/unicode.hpp>
#include <sources/guardian/wire.hpp>
#include <sources/json_request.hpp>
#include <sources/query_syntax.hpp>

namespace freshet::sources::guardian {

namespace {

/// Whether the Guardian has what is asked for: English, from Britain.
bool is_served(const call& call) {
  const auto primary = std::string_view(call.lang).substr(0, call.lang.find('-'));
  const bool language = primary.empty() || base::equals_ignoring_ascii_case(primary, "en");
  const bool country = call.country.empty() || base::equals_ignoring_ascii_case(call.country, "GB");
  return language && country;
}

}  // namespace

result<sized_page> read_position(std::string_view text, int limit) {
  return read_sized_page(text, limit, {max_pages, max_page_size, "the Guardian"});
}

namespace {

/// A page of results, the newest first, that `query` narrows.
result<http::request> results_request(const call& call, const settings& settings,
                                      std::string_view position, query_pairs parameters) {
  if (!is_served(call)) {
    return error(errc::not_found, "the Guardian is British and writes English");
  }
  const auto at = read_position(position, call.limit);
  if (!at) return at.error();
  parameters.emplace_back("order-by", "newest");
  parameters.emplace_back("use-date", "published");
  parameters.emplace_back("page", std::to_string(at->page));
  parameters.emplace_back("page-size", std::to_string(at->size));
  parameters.emplace_back("show-fields", "trailText,byline,thumbnail");
  parameters.emplace_back("show-tags", "keyword");
  if (call.since) {
    const auto since = std::chrono::floor<std::chrono::seconds>(*call.since);
    parameters.emplace_back("from-date", base::format_time(since));
  }
  if (const auto key = settings.get("api_key"); !key.empty()) {
    parameters.emplace_back("api-key", std::string(key));
  }
  auto out = json_request(settings.base_url, "/search", parameters);
  out.wait_in_body = refusal_wait;
  return out;
}

/// Where the Guardian has a topic: a section, or a tag.
constexpr struct {
  std::string_view topic, parameter, value;
} places[] = {
    {"", "tag", "tone/news"},
    {"world", "section", "world"},
    {"nation", "section", "uk-news"},
    {"business", "section", "business"},
    {"science", "section", "science"},
    {"technology", "section", "technology"},
    {"sports", "section", "sport"},
    {"entertainment", "section", "culture"},
    {"health", "tag", "society/health"},
};

}  // namespace

result<http::request> plan_search(const call& call, const settings& settings,
                                  std::string_view position) {
  return results_request(call, settings, position,
                         {{"q", write_boolean_query(call.q, ":()[]-+!,|&*~^/\\")}});
}

result<http::request> plan_headlines(const call& call, const settings& settings,
                                     std::string_view position) {
  const auto* place =
      std::ranges::find(places, call.topic, [](const auto& one) { return one.topic; });
  if (place == std::end(places)) return error(errc::not_found, "the Guardian has no such topic");
  return results_request(call, settings, position, {{place->parameter, std::string(place->value)}});
}

}  // namespace freshet::sources::guardian
