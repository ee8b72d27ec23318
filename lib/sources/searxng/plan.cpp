// Requests to a SearXNG instance. What the instance would take for a command of its own ("!bang",
// ":language") is quoted: a caller's words choose neither engines nor languages.
#include <sources/json_request.hpp>
#include <sources/query_syntax.hpp>
#include <sources/search_result.hpp>
#include <sources/search_scope.hpp>
#include <sources/searxng/wire.hpp>

namespace freshet::sources::searxng {

namespace {

/// "de", "de-AT" or ""; more than that an old instance refuses.
std::string language(const call& call) {
  const auto wish = locale_of(call);
  if (wish.language.empty() || wish.country.empty()) return wish.language;
  return wish.language + '-' + wish.country;
}

std::string_view time_range(const call& call) {
  switch (time_window_of(call)) {
    case time_window::day:
      return "day";
    case time_window::week:
      return "week";
    case time_window::month:
      return "month";
    case time_window::year:
      return "year";
    case time_window::any:
      break;
  }
  return "";
}

}  // namespace

result<http::request> plan_search(const call& call, const settings& settings,
                                  std::string_view position) {
  auto at = read_result_position(position, max_pages, "SearXNG");
  if (!at) return at.error();
  auto q = with_sites(write_query(call.q, {.special = "!:?"}), call, {.engine = "SearXNG"});
  if (!q) return q.error();
  query_pairs parameters{
      {"q", std::move(*q)},
      {"format", "json"},
      {"pageno", std::to_string(at->page)},
  };
  if (auto lang = language(call); !lang.empty()) parameters.emplace_back("language", lang);
  if (const auto range = time_range(call); !range.empty()) {
    parameters.emplace_back("time_range", std::string(range));
  }
  if (call.op == catalog::operation::web_serp_images_search)
    parameters.emplace_back("categories", "images");
  if (call.op == catalog::operation::web_serp_videos_search)
    parameters.emplace_back("categories", "videos");
  return json_request(settings.base_url, "/search", parameters);
}

result<http::request> plan_suggest(const call& call, const settings& settings,
                                   std::string_view position) {
  if (!position.empty()) return error(errc::invalid_cursor, "suggestions have one page");
  return json_request(settings.base_url, "/autocompleter", {{"q", call.q.raw}});
}

}  // namespace freshet::sources::searxng
