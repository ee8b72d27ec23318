// Requests to Serper's API. What Google would take for an operator ("site:") is quoted: a caller's
// words stay words.
#include <base/json.hpp>
#include <base/unicode.hpp>
#include <sources/json_request.hpp>
#include <sources/query_syntax.hpp>
#include <sources/search_result.hpp>
#include <sources/search_scope.hpp>
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

namespace {

http::request post(const call& call, const settings& settings, std::string_view path,
                   base::json::object body) {
  const auto wish = locale_of(call);
  if (!wish.country.empty()) body["gl"] = base::to_lower_ascii(wish.country);
  if (auto lang = language_of(wish); !lang.empty()) body["hl"] = std::move(lang);
  auto out = json_post(settings.base_url, path, body);
  if (const auto key = settings.get("api_key"); !key.empty()) {
    out.headers.push_back({"X-API-KEY", std::string(key)});
  }
  out.redirect_limit = 0;  // the key belongs to this host
  return out;
}

/// Google's name of a window of time; "" for all time.
std::string_view window_name(time_window window) {
  switch (window) {
    case time_window::day:
      return "qdr:d";
    case time_window::week:
      return "qdr:w";
    case time_window::month:
      return "qdr:m";
    case time_window::year:
      return "qdr:y";
    case time_window::any:
      break;
  }
  return "";
}

std::string_view path_of(catalog::operation op) {
  if (op == catalog::operation::web_serp_images_search) return "/images";
  return op == catalog::operation::web_serp_videos_search ? "/videos" : "/search";
}

}  // namespace

result<http::request> plan_suggest(const call& call, const settings& settings,
                                   std::string_view position) {
  if (!position.empty()) return error(errc::invalid_cursor, "suggestions have one page");
  base::json::object body;
  body["q"] = call.q.raw;
  return post(call, settings, "/autocomplete", std::move(body));
}

result<http::request> plan_search(const call& call, const settings& settings,
                                  std::string_view position) {
  const auto at = read_result_position(position, max_pages, "Serper");
  if (!at) return at.error();
  auto q = with_sites(write_query(call.q, {.special = ":*"}), call, {.engine = "Google"});
  if (!q) return q.error();
  base::json::object body;
  body["q"] = std::move(*q);
  body["num"] = page_size;
  body["page"] = at->page;
  body["autocorrect"] = false;  // other words than those asked for would be another promise
  if (const auto window = window_name(time_window_of(call)); !window.empty()) body["tbs"] = window;
  return post(call, settings, path_of(call.op), std::move(body));
}

}  // namespace freshet::sources::serper
