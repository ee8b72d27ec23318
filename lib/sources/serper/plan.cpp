// Requests to Serper's API. What Google would take for an operator ("site:") is quoted: a caller's
// words stay words.
#include <base/json.hpp>
#include <base/unicode.hpp>
#include <sources/json_request.hpp>
#include <sources/query_syntax.hpp>
#include <sources/search_result.hpp>
#include <sources/serper/wire.hpp>

namespace freshet::sources::serper {

namespace {

/// Google's name of a language, which tells two kinds of Chinese and of Portuguese apart.
std::string language_of(const locale_wish& wish) {
  if (wish.language == "pt") return wish.country == "BR" ? "pt-br" : "pt-pt";
  if (wish.language == "zh") {
    const bool traditional =
        wish.script == "Hant" ||
        (wish.script.empty() && (wish.country == "TW" || wish.country == "HK"));
    return traditional ? "zh-tw" : "zh-cn";
  }
  if (wish.language == "nb" || wish.language == "nn") return "no";
  return wish.language;
}

}  // namespace

result<http::request> plan_search(const call& call, const settings& settings,
                                  std::string_view position) {
  const auto at = read_result_position(position, max_pages, "Serper");
  if (!at) return at.error();
  base::json::object body;
  body["q"] = write_query(call.q, {.special = ":*"});
  const auto wish = locale_of(call);
  if (!wish.country.empty()) body["gl"] = base::to_lower_ascii(wish.country);
  if (auto lang = language_of(wish); !lang.empty()) body["hl"] = std::move(lang);
  body["num"] = page_size;
  body["page"] = at->page;
  body["autocorrect"] = false;  // other words than those asked for would be another promise
  auto out = json_post(settings.base_url, "/search", body);
  if (const auto key = settings.get("api_key"); !key.empty()) {
    out.headers.push_back({"X-API-KEY", std::string(key)});
  }
  out.redirect_limit = 0;  // the key belongs to this host
  return out;
}

}  // namespace freshet::sources::serper
