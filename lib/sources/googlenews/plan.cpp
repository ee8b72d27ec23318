// The request for the feed of a search: always with a window of time, for without one Google gives
// the best of many years instead of the newest.
#include <algorithm>
#include <base/unicode.hpp>
#include <base/url.hpp>
#include <sources/googlenews/wire.hpp>
#include <sources/item_text.hpp>
#include <sources/json_request.hpp>
#include <sources/query_syntax.hpp>

namespace freshet::sources::googlenews {

namespace {

using namespace std::chrono_literals;

/// How far back a search without `since` goes.
constexpr std::chrono::hours default_reach{30 * 24};
constexpr std::chrono::hours longest_in_hours{48};

/// The country of a language's largest edition, and the language of a country's.
constexpr struct {
  std::string_view lang, country;
} editions[] = {
    {"en", "US"}, {"de", "DE"}, {"fr", "FR"}, {"es", "ES"}, {"it", "IT"}, {"nl", "NL"},
    {"pt", "BR"}, {"pt", "PT"}, {"pl", "PL"}, {"sv", "SE"}, {"no", "NO"}, {"cs", "CZ"},
    {"hu", "HU"}, {"ro", "RO"}, {"el", "GR"}, {"tr", "TR"}, {"uk", "UA"}, {"ru", "RU"},
    {"he", "IL"}, {"ar", "EG"}, {"hi", "IN"}, {"th", "TH"}, {"vi", "VN"}, {"id", "ID"},
    {"ja", "JP"}, {"ko", "KR"}, {"de", "AT"}, {"de", "CH"}, {"fr", "BE"}, {"es", "MX"},
    {"es", "AR"}, {"es", "CO"}, {"es", "CL"}, {"es", "PE"}, {"zh", "TW"}, {"zh", "HK"},
    {"bg", "BG"}, {"sr", "RS"}, {"sk", "SK"}, {"sl", "SI"}, {"lt", "LT"}, {"lv", "LV"},
};

/// What follows the language in the id of an edition that several countries share: an id without it
/// leads to the page of consent.
constexpr struct {
  std::string_view lang, country, variant;
} variants[] = {
    {"pt", "BR", "419"},  {"pt", "PT", "150"}, {"es", "MX", "419"},  {"es", "AR", "419"},
    {"es", "CO", "419"},  {"es", "CL", "419"}, {"es", "PE", "419"},  {"es", "CU", "419"},
    {"es", "VE", "419"},  {"es", "US", "419"}, {"zh", "TW", "Hant"}, {"zh", "HK", "Hant"},
    {"zh", "CN", "Hans"},
};

/// "pt-419"
std::string edition_language(const edition& in) {
  for (const auto& one : variants) {
    if (one.lang == in.lang && one.country == in.country) {
      return in.lang + "-" + std::string(one.variant);
    }
  }
  return in.lang;
}

/// The language of the page, which for Spanish in America is that of the edition.
std::string page_language(const edition& in) {
  auto shared = edition_language(in);
  return shared == "es-419" ? shared : in.lang + "-" + in.country;
}

std::string window_of(const call& call) {
  const auto age = call.since ? std::chrono::ceil<std::chrono::hours>(call.now - *call.since)
                              : std::chrono::hours{default_reach};
  if (age <= longest_in_hours) return std::to_string(std::max<std::int64_t>(age.count(), 1)) + "h";
  return std::to_string(std::chrono::ceil<std::chrono::days>(age).count()) + "d";
}

}  // namespace

edition edition_of(const call& call) {
  edition out;
  const auto dash = call.lang.find('-');
  out.lang = base::to_lower_ascii(std::string_view(call.lang).substr(0, dash));
  out.country = upper_ascii(call.country);
  if (out.country.empty() && dash != std::string::npos && call.lang.size() == dash + 3) {
    out.country = upper_ascii(std::string_view(call.lang).substr(dash + 1));
  }
  for (const auto& one : editions) {
    if (out.lang.empty() && one.country == out.country) out.lang = one.lang;
    if (out.country.empty() && one.lang == out.lang) out.country = one.country;
  }
  if (out.lang.empty()) out.lang = "en";
  if (out.country.empty()) out.country = "US";
  return out;
}

namespace {

/// The feed at `path` in the edition that a call asks for.
result<http::request> feed_request(const call& call, const settings& settings,
                                   std::string_view position, std::string_view path,
                                   query_pairs query) {
  if (!position.empty()) return error(errc::invalid_cursor, "a feed has one page");
  const auto in = edition_of(call);
  query.emplace_back("hl", page_language(in));
  query.emplace_back("gl", in.country);
  query.emplace_back("ceid", in.country + ":" + edition_language(in));
  http::request out;
  out.url = base::join_path(settings.base_url, path) + "?" + base::build_query(query);
  out.headers.push_back({"Accept", "application/rss+xml, application/xml;q=0.9"});
  return out;
}

}  // namespace

result<http::request> plan_search(const call& call, const settings& settings,
                                  std::string_view position) {
  return feed_request(
      call, settings, position, "/rss/search",
      {{"q", write_query(call.q, {.special = ":()"}) + " when:" + window_of(call)}});
}

result<http::request> plan_headlines(const call& call, const settings& settings,
                                     std::string_view position) {
  if (call.topic.empty()) return feed_request(call, settings, position, "/rss", {});
  return feed_request(call, settings, position,
                      "/rss/headlines/section/topic/" + upper_ascii(call.topic), {});
}

}  // namespace freshet::sources::googlenews
