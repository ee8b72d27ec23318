// The regions that DuckDuckGo's own form offers, as codes of countries and languages.
#include <algorithm>
#include <sources/duckduckgo/wire.hpp>
#include <sources/search_result.hpp>

namespace freshet::sources::duckduckgo {

namespace {

struct search_region {
  std::string_view country, language, code;
};

// The first row of a language is where it is at home, the first of a country its main language.
// clang-format off
constexpr search_region regions[] = {
    {"US", "en", "us-en"}, {"DE", "de", "de-de"}, {"FR", "fr", "fr-fr"}, {"ES", "es", "es-es"},
    {"PT", "pt", "pt-pt"}, {"NL", "nl", "nl-nl"}, {"CN", "zh", "cn-zh"}, {"SA", "ar", "xa-ar"},
    {"AR", "es", "ar-es"}, {"AU", "en", "au-en"}, {"AT", "de", "at-de"}, {"BE", "fr", "be-fr"},
    {"BE", "nl", "be-nl"}, {"BR", "pt", "br-pt"}, {"BG", "bg", "bg-bg"}, {"CA", "en", "ca-en"},
    {"CA", "fr", "ca-fr"}, {"CL", "es", "cl-es"}, {"CO", "es", "co-es"},
    {"HR", "hr", "hr-hr"}, {"CZ", "cs", "cz-cs"}, {"DK", "da", "dk-da"}, {"EE", "et", "ee-et"},
    {"FI", "fi", "fi-fi"}, {"GR", "el", "gr-el"}, {"HK", "zh", "hk-tzh"}, {"HU", "hu", "hu-hu"},
    {"IS", "is", "is-is"}, {"IN", "en", "in-en"}, {"ID", "en", "id-en"}, {"IE", "en", "ie-en"},
    {"IL", "en", "il-en"}, {"IT", "it", "it-it"}, {"JP", "ja", "jp-jp"}, {"KR", "ko", "kr-kr"},
    {"LV", "lv", "lv-lv"}, {"LT", "lt", "lt-lt"}, {"MY", "en", "my-en"}, {"MX", "es", "mx-es"},
    {"NZ", "en", "nz-en"}, {"NO", "no", "no-no"}, {"PK", "en", "pk-en"}, {"PE", "es", "pe-es"},
    {"PH", "en", "ph-en"}, {"PL", "pl", "pl-pl"}, {"RO", "ro", "ro-ro"}, {"RU", "ru", "ru-ru"},
    {"SG", "en", "sg-en"}, {"SK", "sk", "sk-sk"}, {"SI", "sl", "sl-sl"}, {"ZA", "en", "za-en"},
    {"ES", "ca", "es-ca"}, {"SE", "sv", "se-sv"}, {"CH", "de", "ch-de"}, {"CH", "fr", "ch-fr"},
    {"TW", "zh", "tw-tzh"}, {"TH", "en", "th-en"}, {"TR", "tr", "tr-tr"}, {"US", "es", "us-es"},
    {"UA", "uk", "ua-uk"}, {"GB", "en", "uk-en"}, {"VN", "en", "vn-en"},
};
// clang-format on

constexpr std::string_view everywhere = "wt-wt";

template <class Test>
std::string_view first_region(Test test) {
  const auto found = std::ranges::find_if(regions, test);
  return found == std::end(regions) ? std::string_view{} : found->code;
}

}  // namespace

std::string_view region_of(const call& call) {
  auto wish = locale_of(call);
  if (wish.language == "nb" || wish.language == "nn") wish.language = "no";
  if (wish.language == "zh" && wish.script == "Hant" && wish.country.empty()) wish.country = "TW";
  auto found = first_region([&](const search_region& one) {
    return one.country == wish.country && one.language == wish.language;
  });
  if (found.empty()) {
    found = first_region([&](const search_region& one) { return one.country == wish.country; });
  }
  if (found.empty() && call.country.empty()) {
    found = first_region([&](const search_region& one) { return one.language == wish.language; });
  }
  return found.empty() ? everywhere : found;
}

}  // namespace freshet::sources::duckduckgo
