// Requests to Brave's API. It refuses a whole request for a language or a country that it does not
// know, so only those that it lists are sent.
#include <algorithm>
#include <base/unicode.hpp>
#include <sources/brave/wire.hpp>
#include <sources/json_request.hpp>
#include <sources/position.hpp>
#include <sources/query_syntax.hpp>
#include <sources/search_result.hpp>
#include <sources/search_scope.hpp>

namespace freshet::sources::brave {

namespace {

constexpr std::size_t max_query_points = 400;
constexpr std::ptrdiff_t max_query_words = 50;

constexpr std::string_view countries[] = {
    "AR", "AU", "AT", "BE", "BR", "CA", "CL", "DK", "FI", "FR", "DE", "GR", "HK",
    "IN", "ID", "IT", "JP", "KR", "MY", "MX", "NL", "NZ", "NO", "CN", "PL", "PT",
    "PH", "RU", "SA", "ZA", "ES", "SE", "CH", "TW", "TR", "GB", "US"};

/// Languages whose code is the usual one.
constexpr std::string_view languages[] = {
    "ar", "eu", "bn", "bg", "ca", "hr", "cs", "da", "nl", "en", "et", "fi", "fr", "gl", "de",
    "el", "gu", "he", "hi", "hu", "is", "it", "kn", "ko", "lv", "lt", "ms", "ml", "mr", "nb",
    "pl", "pa", "ro", "ru", "sr", "sk", "sl", "es", "sv", "ta", "te", "th", "tr", "uk", "vi"};

template <std::size_t N>
bool is_listed(const std::string_view (&list)[N], std::string_view one) {
  return std::ranges::find(list, one) != std::end(list);
}

/// The API's name of a language; "" if it has none.
std::string_view search_language(const locale_wish& wish) {
  const auto& country = wish.country;
  if (wish.language == "ja") return "jp";
  if (wish.language == "no" || wish.language == "nn") return "nb";
  if (wish.language == "pt") return country == "BR" ? "pt-br" : "pt-pt";
  if (wish.language == "en" && country == "GB") return "en-gb";
  if (wish.language == "zh") {
    const bool traditional =
        wish.script == "Hant" || (wish.script.empty() && (country == "TW" || country == "HK"));
    return traditional ? "zh-hant" : "zh-hans";
  }
  const auto found = std::ranges::find(languages, wish.language);
  return found == std::end(languages) ? std::string_view{} : *found;
}

}  // namespace

namespace {

http::request get(const call& call, const settings& settings, std::string_view path,
                  query_pairs parameters) {
  const bool is_suggest = call.op == catalog::operation::web_serp_suggest;
  const auto wish = locale_of(call);
  if (is_listed(countries, wish.country)) parameters.emplace_back("country", wish.country);
  if (const auto lang = search_language(wish); !lang.empty()) {
    parameters.emplace_back(is_suggest ? "lang" : "search_lang", lang);
  }
  auto out = json_request(settings.base_url, path, parameters);
  if (const auto key = settings.get("api_key"); !key.empty()) {
    out.headers.push_back({"X-Subscription-Token", std::string(key)});
  }
  out.redirect_limit = 0;  // the key belongs to this host
  return out;
}

/// From the day of `since` to today: a range of days is the finest that there is.
void add_days(const call& call, query_pairs& pairs) {
  if (call.since) pairs.emplace_back("freshness", day_of(*call.since) + "to" + day_of(call.now));
}

}  // namespace

result<http::request> plan_suggest(const call& call, const settings& settings,
                                   std::string_view position) {
  if (!position.empty()) return error(errc::invalid_cursor, "suggestions have one page");
  return get(call, settings, "/res/v1/suggest/search",
             {{"q", call.q.raw}, {"count", std::to_string(page_size)}});
}

result<http::request> plan_search(const call& call, const settings& settings,
                                  std::string_view position) {
  const auto at = read_result_position(position, max_pages, "Brave");
  if (!at) return at.error();
  auto written = with_sites(write_query(call.q, {.special = "!:"}), call,
                            {.engine = "Brave", .max_points = max_query_points});
  if (!written) return written.error();
  auto q = std::move(*written);
  if (std::ranges::count(q, ' ') >= max_query_words) {
    return error(errc::invalid_request, "q: Brave takes at most 50 words, its sites counted");
  }
  if (call.op == catalog::operation::web_serp_images_search) {
    // There is one page, so it is a large one.
    if (at->page > 1) return foreign_position("Brave");
    return get(call, settings, "/res/v1/images/search",
               {{"q", std::move(q)}, {"count", std::to_string(images_of_search)}});
  }
  if (call.op == catalog::operation::web_serp_videos_search) {
    query_pairs parameters{{"q", std::move(q)},
                           {"count", std::to_string(page_size)},
                           {"offset", std::to_string(at->page - 1)}};
    add_days(call, parameters);
    return get(call, settings, "/res/v1/videos/search", std::move(parameters));
  }
  query_pairs parameters{
      {"q", std::move(q)},
      {"count", std::to_string(page_size)},
      {"offset", std::to_string(at->page - 1)},
      {"result_filter", "web"},
      {"text_decorations", "false"},
  };
  add_days(call, parameters);
  return get(call, settings, "/res/v1/web/search", std::move(parameters));
}

}  // namespace freshet::sources::brave
