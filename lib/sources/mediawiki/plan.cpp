// Requests to a wiki's action API. One request gives the results and, from siteinfo, what is needed
// to write the addresses of their pages.
#include <algorithm>
#include <base/host.hpp>
#include <base/unicode.hpp>
#include <base/url.hpp>
#include <sources/json_request.hpp>
#include <sources/mediawiki/wire.hpp>
#include <sources/position.hpp>
#include <sources/query_syntax.hpp>
#include <sources/search_scope.hpp>

namespace freshet::sources::mediawiki {

namespace {

constexpr int max_page_size = 50;  // without a bot's rights

/// Wikipedias whose subdomain is not the language's code.
constexpr struct {
  std::string_view code, subdomain;
} other_subdomains[] = {{"nb", "no"}, {"yue", "zh-yue"}, {"nan", "zh-min-nan"}, {"fil", "tl"}};

std::string subdomain_of(std::string_view lang) {
  const auto code = base::to_lower_ascii(lang.substr(0, lang.find('-')));
  const bool letters = std::ranges::all_of(code, [](char c) { return c >= 'a' && c <= 'z'; });
  if (code.size() < 2 || code.size() > 3 || !letters) return "";
  for (const auto& one : other_subdomains) {
    if (one.code == code) return std::string(one.subdomain);
  }
  return code;
}

/// Whether the call wants pages of Wikipedia. Of another wiki only its answer says where they are.
bool is_wanted(const call& call, const settings& settings) {
  const auto folder = script_folder(call, settings);
  const auto url = base::parse_url(folder);
  if (settings.base_url != default_base || !url) return true;
  const auto has_it = [&](const std::string& site) { return base::is_of_domain(url->host, site); };
  return (call.sites.empty() || std::ranges::any_of(call.sites, has_it)) &&
         std::ranges::none_of(call.exclude_sites, has_it);
}

}  // namespace

std::string script_folder(const call& call, const settings& settings) {
  constexpr std::string_view script = "/api.php";
  std::string_view base = settings.base_url;
  if (base.ends_with(script)) base.remove_suffix(script.size());
  while (base.ends_with('/')) base.remove_suffix(1);
  const auto url = base::parse_url(base);
  if (url && url->path == "/") return std::string(base) + "/w";
  if (base == default_base && !call.lang.empty()) {
    if (const auto subdomain = subdomain_of(call.lang); !subdomain.empty()) {
      return "https://" + subdomain + ".wikipedia.org/w";
    }
  }
  return std::string(base);
}

result<std::int64_t> read_position(std::string_view text) {
  constexpr number_codec<std::int64_t> offsets{
      .source = "MediaWiki", .first = 0, .least = 0, .most = max_offset};
  return offsets.read(text);
}

result<http::request> plan_search(const call& call, const settings& settings,
                                  std::string_view position) {
  const auto at = read_position(position);
  if (!at) return at.error();
  if (call.since) return left_out("since", "a wiki does not say when a page was published");
  if (!is_wanted(call, settings)) {
    return error(errc::not_found, "Wikipedia is none of the sites that are asked for");
  }
  // Only Wikipedia's engine (CirrusSearch) is known to exclude; MediaWiki's own takes -word for a
  // word that must be there. The engine filters what comes in either case.
  const query_syntax syntax{.exclusions = settings.base_url == default_base, .special = ":~*?\\/!"};
  return json_request(
      script_folder(call, settings), "/api.php",
      {
          {"action", "query"},
          {"list", "search"},
          {"srsearch", write_query(call.q, syntax)},
          {"srwhat", "text"},  // MediaWiki's own engine searches titles alone otherwise
          {"srlimit", std::to_string(std::clamp(call.limit, 1, max_page_size))},
          {"sroffset", std::to_string(*at)},
          {"srprop", "snippet|timestamp|wordcount"},
          {"meta", "siteinfo"},
          {"siprop", "general"},
          {"format", "json"},
          {"formatversion", "2"},
      });
}

result<http::request> plan_suggest(const call& call, const settings& settings,
                                   std::string_view position) {
  if (!position.empty()) return error(errc::invalid_cursor, "suggestions have one page");
  return json_request(script_folder(call, settings), "/api.php",
                      {{"action", "opensearch"},
                       {"search", call.q.raw},
                       {"limit", std::to_string(std::clamp(call.limit, 1, max_page_size))},
                       {"redirects", "return"},
                       {"format", "json"}});
}

}  // namespace freshet::sources::mediawiki
