// Requests to Tavily's API: one for a search, since it has no second page. It knows no exclusions;
// the pipeline keeps them by filtering.
#include <base/json.hpp>
#include <base/unicode.hpp>
#include <sources/json_request.hpp>
#include <sources/position.hpp>
#include <sources/query_syntax.hpp>
#include <sources/search_result.hpp>
#include <sources/search_scope.hpp>
#include <sources/tavily/wire.hpp>

namespace freshet::sources::tavily {

namespace {

constexpr std::size_t max_query_points = 400;

base::json::array json_list(const std::vector<std::string>& of) {
  base::json::array out;
  for (const auto& one : of) out.emplace_back(one);
  return out;
}

}  // namespace

result<http::request> plan_search(const call& call, const settings& settings,
                                  std::string_view position) {
  if (!position.empty()) return foreign_position("Tavily");
  if (call.since) return left_out("since", "Tavily dates nothing but news");
  auto q = write_query(call.q, {.exclusions = false, .special = ""});
  if (base::length(q) > max_query_points) {
    return error(errc::invalid_request, "q: Tavily takes at most 400 characters");
  }
  base::json::object body;
  body["query"] = std::move(q);
  body["topic"] = "general";
  body["search_depth"] = "basic";
  body["max_results"] = max_results;
  if (const auto name = country_name(locale_of(call).country); !name.empty()) {
    body["country"] = name;
  }
  if (!call.sites.empty()) body["include_domains"] = json_list(call.sites);
  if (!call.exclude_sites.empty()) body["exclude_domains"] = json_list(call.exclude_sites);
  auto out = json_post(settings.base_url, "/search", body);
  if (const auto key = settings.get("api_key"); !key.empty()) {
    out.headers.push_back({"Authorization", "Bearer " + std::string(key)});
  } else {
    out.headers.push_back({"X-Tavily-Access-Mode", "keyless"});
  }
  out.redirect_limit = 0;  // the key belongs to this host
  return out;
}

}  // namespace freshet::sources::tavily
