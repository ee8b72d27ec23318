// Requests to Marginalia's API. What it would take for an operator ("site:") is quoted: a caller's
// words stay words. It knows neither languages nor countries.
#include <algorithm>
#include <sources/json_request.hpp>
#include <sources/marginalia/wire.hpp>
#include <sources/query_syntax.hpp>
#include <sources/search_result.hpp>
#include <sources/search_scope.hpp>

namespace freshet::sources::marginalia {

namespace {

constexpr std::string_view shared_key = "public";

}  // namespace

result<http::request> plan_search(const call& call, const settings& settings,
                                  std::string_view position) {
  const auto at = read_result_position(position, max_pages, "Marginalia");
  if (!at) return at.error();
  if (call.since) return left_out("since", "Marginalia does not say when a page was published");
  auto q = with_sites(write_query(call.q, {.special = ":?<>="}), call,
                      {.engine = "Marginalia", .alternatives = false});
  if (!q) return q.error();
  const auto key = settings.get("api_key");
  auto out = json_request(settings.base_url, "/search",
                          {
                              {"query", std::move(*q)},
                              {"count", std::to_string(std::clamp(call.limit, 1, max_page_size))},
                              {"page", std::to_string(at->page)},
                          });
  out.headers.push_back({"API-Key", std::string(key.empty() ? shared_key : key)});
  out.redirect_limit = 0;  // the key belongs to this host
  return out;
}

}  // namespace freshet::sources::marginalia
