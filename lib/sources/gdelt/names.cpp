// GDELT writes languages and countries by their English names; these tables are their codes. A name
// is compared by its letters alone, as GDELT's own operators take it ("unitedkingdom").
#include <base/ascii.hpp>
#include <base/unicode.hpp>
#include <sources/gdelt/wire.hpp>

namespace freshet::sources::gdelt {

namespace {

struct code_row {
  std::string_view code, name;
};

/// BCP 47; the first name of a code is the one for queries.
constexpr code_row languages[] = {
    {"af", "afrikaans"},
    {"sq", "albanian"},
    {"am", "amharic"},
    {"ar", "arabic"},
    {"hy", "armenian"},
    {"as", "assamese"},
    {"az", "azerbaijani"},
    {"eu", "basque"},
    {"be", "belarusian"},
    {"bn", "bengali"},
    {"bs", "bosnian"},
    {"bg", "bulgarian"},
    {"my", "burmese"},
    {"ca", "catalan"},
    {"zh", "chinese"},
    {"hr", "croatian"},
    {"cs", "czech"},
    {"da", "danish"},
    {"nl", "dutch"},
    {"en", "english"},
    {"et", "estonian"},
    {"fi", "finnish"},
    {"fr", "french"},
    {"gl", "galician"},
    {"ka", "georgian"},
    {"de", "german"},
    {"el", "greek"},
    {"gu", "gujarati"},
    {"ht", "haitiancreole"},
    {"ha", "hausa"},
    {"he", "hebrew"},
    {"hi", "hindi"},
    {"hu", "hungarian"},
    {"is", "icelandic"},
    {"id", "indonesian"},
    {"ga", "irish"},
    {"it", "italian"},
    {"ja", "japanese"},
    {"jv", "javanese"},
    {"kn", "kannada"},
    {"kk", "kazakh"},
    {"km", "khmer"},
    {"rw", "kinyarwanda"},
    {"ko", "korean"},
    {"ku", "kurdish"},
    {"ky", "kyrgyz"},
    {"lo", "lao"},
    {"la", "latin"},
    {"lv", "latvian"},
    {"lt", "lithuanian"},
    {"lb", "luxembourgish"},
    {"mk", "macedonian"},
    {"mg", "malagasy"},
    {"ms", "malay"},
    {"ml", "malayalam"},
    {"mt", "maltese"},
    {"mr", "marathi"},
    {"mn", "mongolian"},
    {"ne", "nepali"},
    {"no", "norwegian"},
    {"nn", "norwegiannynorsk"},
    {"nb", "norwegianbokmal"},
    {"or", "oriya"},
    {"or", "odia"},
    {"ps", "pashto"},
    {"fa", "persian"},
    {"fa", "farsi"},
    {"pl", "polish"},
    {"pt", "portuguese"},
    {"pa", "punjabi"},
    {"ro", "romanian"},
    {"ru", "russian"},
    {"sr", "serbian"},
    {"sd", "sindhi"},
    {"si", "sinhalese"},
    {"si", "sinhala"},
    {"sk", "slovak"},
    {"sl", "slovenian"},
    {"so", "somali"},
    {"es", "spanish"},
    {"sw", "swahili"},
    {"sv", "swedish"},
    {"tl", "tagalog"},
    {"fil", "filipino"},
    {"tg", "tajik"},
    {"ta", "tamil"},
    {"tt", "tatar"},
    {"te", "telugu"},
    {"th", "thai"},
    {"bo", "tibetan"},
    {"tr", "turkish"},
    {"tk", "turkmen"},
    {"uk", "ukrainian"},
    {"ur", "urdu"},
    {"ug", "uyghur"},
    {"uz", "uzbek"},
    {"vi", "vietnamese"},
    {"cy", "welsh"},
    {"xh", "xhosa"},
    {"yi", "yiddish"},
    {"yo", "yoruba"},
    {"zu", "zulu"},
    {"zh-Hant", "chinesetraditional"},
    {"zh-Hant", "chineset"},
    {"nso", "northernsotho"},
    {"ceb", "cebuano"},
};

/// ISO 3166-1 alpha-2, and XK; the first name of a code is the one for queries: GDELT's own, then
/// those that search APIs share, then the rest.
constexpr code_row countries[] = {
    {"BA", "bosniaherzegovina"},
    {"CF", "centralafricanrep"},
    {"MK", "macedonia"},
    {"MM", "burma"},
#define FRESHET_COUNTRY(code, name) {code, name},
#include <freshet/country_names.def>
    {"AG", "antiguaandbarbuda"},
    {"AI", "anguilla"},
    {"AQ", "antarctica"},
    {"AS", "americansamoa"},
    {"AW", "aruba"},
    {"AX", "alandislands"},
    {"BL", "saintbarthelemy"},
    {"BM", "bermuda"},
    {"BQ", "bonaire"},
    {"BQ", "caribbeannetherlands"},
    {"BS", "thebahamas"},
    {"BV", "bouvetisland"},
    {"CC", "cocosislands"},
    {"CD", "democraticrepublicofthecongo"},
    {"CD", "congodemocraticrepublic"},
    {"CG", "republicofthecongo"},
    {"CG", "congobrazzaville"},
    {"CI", "ivorycoast"},
    {"CI", "cotedivoire"},
    {"CK", "cookislands"},
    {"CV", "caboverde"},
    {"CW", "curacao"},
    {"CX", "christmasisland"},
    {"CZ", "czechia"},
    {"DM", "dominica"},
    {"EH", "westernsahara"},
    {"FK", "falklandislands"},
    {"FM", "micronesia"},
    {"FM", "federatedstatesofmicronesia"},
    {"FO", "faroeislands"},
    {"GB", "greatbritain"},
    {"GD", "grenada"},
    {"GF", "frenchguiana"},
    {"GG", "guernsey"},
    {"GI", "gibraltar"},
    {"GL", "greenland"},
    {"GM", "thegambia"},
    {"GP", "guadeloupe"},
    {"GS", "southgeorgiaandthesouthsandwichislands"},
    {"GU", "guam"},
    {"GW", "guineabissau"},
    {"GY", "guyana"},
    {"HK", "hongkong"},
    {"HM", "heardislandandmcdonaldislands"},
    {"IM", "isleofman"},
    {"IO", "britishindianoceanterritory"},
    {"JE", "jersey"},
    {"KI", "kiribati"},
    {"KN", "saintkittsandnevis"},
    {"KN", "stkittsandnevis"},
    {"KY", "caymanislands"},
    {"LA", "laos"},
    {"LC", "saintlucia"},
    {"LC", "stlucia"},
    {"MF", "saintmartin"},
    {"MH", "marshallislands"},
    {"MO", "macau"},
    {"MO", "macao"},
    {"MP", "northernmarianaislands"},
    {"MQ", "martinique"},
    {"MS", "montserrat"},
    {"NC", "newcaledonia"},
    {"NF", "norfolkisland"},
    {"NR", "nauru"},
    {"NU", "niue"},
    {"PF", "frenchpolynesia"},
    {"PM", "saintpierreandmiquelon"},
    {"PN", "pitcairnislands"},
    {"PR", "puertorico"},
    {"PS", "westbank"},
    {"PS", "gazastrip"},
    {"PS", "palestine"},
    {"PS", "palestinianterritories"},
    {"PS", "occupiedpalestinianterritory"},
    {"PW", "palau"},
    {"RE", "reunion"},
    {"RU", "russianfederation"},
    {"SB", "solomonislands"},
    {"SC", "seychelles"},
    {"SH", "sainthelena"},
    {"SH", "sthelena"},
    {"SJ", "svalbard"},
    {"SL", "sierraleone"},
    {"SM", "sanmarino"},
    {"SR", "suriname"},
    {"ST", "saotomeandprincipe"},
    {"SX", "sintmaarten"},
    {"SZ", "swaziland"},
    {"SZ", "eswatini"},
    {"TC", "turksandcaicosislands"},
    {"TF", "frenchsouthernandantarcticlands"},
    {"TF", "frenchsouthernterritories"},
    {"TK", "tokelau"},
    {"TL", "timorleste"},
    {"TL", "easttimor"},
    {"TO", "tonga"},
    {"TR", "turkiye"},
    {"TV", "tuvalu"},
    {"UM", "usminoroutlyingislands"},
    {"US", "usa"},
    {"VA", "vaticancity"},
    {"VA", "holysee"},
    {"VC", "saintvincentandthegrenadines"},
    {"VC", "stvincentandthegrenadines"},
    {"VG", "britishvirginislands"},
    {"VI", "usvirginislands"},
    {"VI", "virginislands"},
    {"VU", "vanuatu"},
    {"WF", "wallisandfutuna"},
    {"WS", "samoa"},
    {"WS", "westernsamoa"},
    {"YT", "mayotte"},
    {"XK", "kosovo"},
};

/// Lower case, ASCII letters only; an accented Latin letter that GDELT may write counts as none.
std::string letters_of(std::string_view name) {
  std::string out = base::to_lower_ascii(name);
  std::erase_if(out, [](char c) { return !base::is_letter(c); });
  return out;
}

/// Whether these are the letters of a table's name.
bool is_spelled(std::string_view name, std::string_view letters) {
  for (const char c : name) {
    if (!base::is_letter(c)) continue;
    if (!letters.starts_with(c)) return false;
    letters.remove_prefix(1);
  }
  return letters.empty();
}

template <std::size_t N>
std::string_view code_in(const code_row (&table)[N], std::string_view name) {
  const auto letters = letters_of(name);
  for (const auto& one : table) {
    if (is_spelled(one.name, letters)) return one.code;
  }
  return {};
}

template <std::size_t N>
std::string name_in(const code_row (&table)[N], std::string_view code) {
  for (const auto& one : table) {
    if (base::equals_ignoring_ascii_case(one.code, code)) return letters_of(one.name);
  }
  return {};
}

}  // namespace

std::string_view language_code(std::string_view name) { return code_in(languages, name); }
std::string_view country_code(std::string_view name) { return code_in(countries, name); }

std::string language_name(std::string_view tag) {
  auto whole = name_in(languages, tag);
  return whole.empty() ? name_in(languages, tag.substr(0, tag.find('-'))) : whole;
}

std::string country_name(std::string_view code) { return name_in(countries, code); }

}  // namespace freshet::sources::gdelt
