// The table and its lookup. A row: names that callers use, and the ways to what they mean.
#include <algorithm>
#include <array>
#include <base/ascii.hpp>
#include <base/unicode.hpp>
#include <extract/names.hpp>

namespace freshet::extract {
namespace {

struct name_row {
  std::string_view asked;  ///< plain names, with spaces between them
  std::string_view ways;
};

constexpr name_row rows[] = {
    {"title headline", "headline name title alternativeheadline"},
    {"name productname", "name headline title"},
    {"description summary abstract", "description abstract disambiguatingdescription"},
    {"image imageurl thumbnail picture photo images cover",
     "image imageurl imagesrc imagesecureurl thumbnailurl primaryimageofpage photo logo"},
    {"url link canonicalurl address permalink", "url mainentityofpage canonical"},
    {"author writer creator byline authorname", "author creator byl authorname"},
    {"date published publishedat publicationdate publishdate pubdate datepublished publishedtime",
     "datepublished publishedtime uploaddate datecreated pubdate date startdate"},
    {"modified updated updatedat lastmodified datemodified modifiedtime",
     "datemodified modifiedtime updatedtime"},
    {"publisher source sitename site", "publisher sitename ispartof"},
    {"language lang inlanguage", "inlanguage language lang locale"},
    {"keywords tags tag topics", "keywords tag articletag newskeywords"},
    {"category categories section articlesection", "category articlesection section genre"},
    {"price amount cost",
     "offers.price price offers.lowprice offers.pricespecification.price priceamount saleprice "
     "amount offers.offers.price baseprice"},
    {"currency pricecurrency",
     "offers.pricecurrency pricecurrency offers.pricespecification.pricecurrency pricecurrency "
     "offers.offers.pricecurrency currency"},
    {"availability instock", "offers.availability availability"},
    {"condition", "itemcondition offers.itemcondition condition"},
    {"brand manufacturer", "brand manufacturer"},
    {"rating ratingvalue stars averagerating score",
     "aggregaterating.ratingvalue reviewrating.ratingvalue ratingvalue starrating.ratingvalue"},
    {"reviewcount reviews ratingcount numberofreviews votes",
     "aggregaterating.reviewcount aggregaterating.ratingcount reviewcount ratingcount review"},
    {"reviews review", "review reviews"},
    {"text body content articlebody", "articlebody text reviewbody"},
    {"gtin ean upc barcode", "gtin gtin13 gtin12 gtin14 gtin8 isbn"},
    {"start startsat startdate starttime begins", "startdate starttime doortime"},
    {"end endsat enddate endtime ends", "enddate endtime"},
    {"location venue place where", "location location.name"},
    {"street streetaddress", "address.streetaddress streetaddress location.address.streetaddress"},
    {"city addresslocality town",
     "address.addresslocality addresslocality "
     "location.address.addresslocality"},
    {"zip postalcode postcode zipcode",
     "address.postalcode postalcode "
     "location.address.postalcode"},
    {"country addresscountry",
     "address.addresscountry addresscountry "
     "location.address.addresscountry"},
    {"phone telephone tel phonenumber", "telephone contactpoint.telephone"},
    {"email mail", "email contactpoint.email"},
    {"latitude lat", "geo.latitude latitude location.geo.latitude"},
    {"longitude lng lon", "geo.longitude longitude location.geo.longitude"},
    {"openinghours hours", "openinghours openinghoursspecification"},
    {"ingredients ingredient", "recipeingredient ingredients"},
    {"instructions steps directions", "recipeinstructions step"},
    {"servings yield serves", "recipeyield yield"},
    {"calories", "nutrition.calories calories"},
    {"preptime", "preptime"},
    {"video videourl", "contenturl embedurl video videourl"},
    {"duration length", "duration videoduration"},
    {"company employer organization hiringorganization", "hiringorganization worksfor"},
    {"salary", "basesalary.value.value basesalary.value.minvalue basesalary.value basesalary"},
    {"employmenttype jobtype", "employmenttype"},
    {"directors director", "director"},
    {"actors cast actor", "actor"},
    {"isbn", "isbn workexample.isbn"},
    {"pages numberofpages", "numberofpages"},
    {"breadcrumbs breadcrumb", "breadcrumb itemlistelement"},
    {"question", "name text"},
    {"answer", "acceptedanswer.text suggestedanswer.text"},
    {"questions faq faqs", "mainentity"},
};

constexpr std::array<std::string_view, 16> prefixes = {
    "og:",      "article:",  "product:", "book:",    "profile:", "video:",
    "music:",   "twitter:",  "schema:",  "dc.",      "dc:",      "dcterms.",
    "dcterms:", "sailthru.", "parsely-", "citation_"};

bool has_word(std::string_view words, std::string_view one) {
  while (!words.empty()) {
    const auto end = std::min(words.find(' '), words.size());
    if (words.substr(0, end) == one) return true;
    words.remove_prefix(std::min(end + 1, words.size()));
  }
  return false;
}

}  // namespace

std::string plain_name(std::string_view name) {
  const auto slash = name.find_last_of("/#");
  if (slash != std::string_view::npos && slash + 1 < name.size()) name.remove_prefix(slash + 1);
  const auto lower = base::to_lower_ascii(name);
  std::string_view rest = lower;
  for (const auto prefix : prefixes) {
    if (!rest.starts_with(prefix) || rest.size() == prefix.size()) continue;
    rest.remove_prefix(prefix.size());
    break;
  }
  std::string out;
  for (const char c : rest) {
    const bool is_separator = c == '-' || c == '_' || c == ' ' || c == ':' || c == '.' || c == '\n';
    if (!is_separator) out += c;
  }
  return out;
}

std::vector<std::string> ways_to(std::string_view name) {
  std::vector<std::string> out{plain_name(name)};
  const auto asked = out.front();
  for (const auto& row : rows) {
    if (!has_word(row.asked, asked)) continue;
    auto rest = row.ways;
    while (!rest.empty()) {
      const auto end = std::min(rest.find(' '), rest.size());
      std::string way(rest.substr(0, end));
      if (!way.empty() && std::ranges::find(out, way) == out.end()) out.push_back(std::move(way));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }
  return out;
}

std::string singular(std::string_view plain) {
  if (plain.ends_with("ies") && plain.size() > 4) {
    return std::string(plain.substr(0, plain.size() - 3)) + 'y';
  }
  const bool is_plural = plain.size() > 3 && plain.ends_with('s') && !plain.ends_with("ss");
  return std::string(is_plural ? plain.substr(0, plain.size() - 1) : plain);
}

}  // namespace freshet::extract
