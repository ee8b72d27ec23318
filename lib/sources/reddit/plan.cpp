// Requests to Reddit. With an application a token comes first; without one the feeds are asked,
// which are all that Reddit shows to programs without a login. Posts and communities are named by
// Reddit's own addresses only.
#include <algorithm>
#include <base/digest.hpp>
#include <base/unicode.hpp>
#include <base/url.hpp>
#include <sources/instance.hpp>
#include <sources/item_text.hpp>
#include <sources/position.hpp>
#include <sources/query_syntax.hpp>
#include <sources/reddit/wire.hpp>

namespace freshet::sources::reddit {

namespace {

using namespace std::chrono_literals;

constexpr std::string_view own_token_url = "https://www.reddit.com/api/v1/access_token";
constexpr std::chrono::seconds token_kept{55 * 60};  // tokens live an hour at least

/// The windows of time that the search knows, the smallest first.
constexpr struct {
  std::chrono::seconds reach;
  std::string_view name;
} windows[] = {
    {1h, "hour"}, {24h, "day"}, {7 * 24h, "week"}, {30 * 24h, "month"}, {365 * 24h, "year"}};

/// The smallest window that `since` lies well within.
std::string_view window_of(const call& call) {
  if (!call.since) return "all";
  for (const auto& one : windows) {
    if (call.now - *call.since < one.reach) return one.name;
  }
  return "all";
}

/// Where feeds are: the configured address if there is one, else the site and not its API.
std::string feed_base(const settings& settings) {
  return settings.get("base_url").empty() ? std::string(site_url) : settings.base_url;
}

std::string_view order_of(const call& call) {
  if (call.sort == "top" || call.sort == "new" || call.sort == "old") return call.sort;
  return "confidence";
}

bool is_reddit(std::string_view host) {
  return host == "reddit.com" || host.ends_with(".reddit.com");
}

std::string page_size(const call& call) {
  return std::to_string(std::clamp(call.limit, 1, max_page_size));
}

using parameters = std::vector<std::pair<std::string_view, std::string>>;

http::request get(const std::string& base, const std::string& path, const parameters& query) {
  http::request out;
  out.url = base::join_path(base, path) + "?" + base::build_query(query);
  return out;
}

/// A feed, as its user has it where the operator gave his token: few others are answered.
http::request get_feed(const settings& settings, const std::string& path, parameters query) {
  const auto token = settings.get("feed_token"), user = settings.get("feed_user");
  if (!token.empty() && !user.empty()) {
    query.emplace_back("feed", std::string(token));
    query.emplace_back("user", std::string(user));
  }
  return get(feed_base(settings), path, query);
}

}  // namespace

bool has_application(const settings& settings) {
  return !settings.get("client_id").empty() && !settings.get("client_secret").empty();
}

bool is_number(std::string_view text) noexcept {
  constexpr std::size_t longest = 13;  // of 64 bits
  return !text.empty() && text.size() <= longest && std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
  });
}

std::string_view number_in(std::string_view fullname, std::string_view kind) {
  if (!fullname.starts_with(kind) || fullname.substr(kind.size(), 1) != "_") return {};
  fullname.remove_prefix(kind.size() + 1);
  return is_number(fullname) ? fullname : std::string_view{};
}

std::optional<std::string> community_of(const call& call) {
  auto name = call.community;
  if (name.empty() || base::equals_ignoring_ascii_case(name, "all")) return "";
  if (const auto at = name.find('@'); at != std::string::npos) {
    if (!is_reddit(base::to_lower_ascii(std::string_view(name).substr(at + 1)))) {
      return std::nullopt;
    }
    name.resize(at);
  }
  constexpr std::size_t shortest = 2, longest = 21;
  const bool fits = name.size() >= shortest && is_name(name, longest, "_");
  return fits ? std::optional(name) : std::nullopt;
}

std::string post_of(const call& call) {
  if (!call.native_id.empty()) {
    if (const auto number = number_in(call.native_id, "t3"); !number.empty()) {
      return std::string(number);
    }
    return is_number(call.native_id) ? call.native_id : "";
  }
  const auto url = base::parse_url(call.url);
  if (!url || !url->is_http()) return "";
  const auto parts = path_segments(url->path);
  if (url->host == "redd.it" && parts.size() == 1) {
    return is_number(parts[0]) ? std::string(parts[0]) : "";
  }
  if (!is_reddit(url->host)) return "";
  for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
    if (parts[i] != "comments" && !(parts[i] == "gallery" && i == 0)) continue;
    return is_number(parts[i + 1]) ? std::string(parts[i + 1]) : "";
  }
  return "";
}

result<void> check_position(std::string_view position) {
  if (position.empty() || !number_in(position, "t3").empty()) return {};
  return foreign_position("Reddit");
}

http::request token_request(const settings& settings) {
  http::request out;
  out.method = "POST";
  const auto configured = settings.get("token_url");
  out.url = configured.empty() ? own_token_url : configured;
  out.headers = {
      {"Accept", "application/json"},
      {"Content-Type", "application/x-www-form-urlencoded"},
      {"Authorization", "Basic " + base::base64(std::string(settings.get("client_id")) + ":" +
                                                std::string(settings.get("client_secret")))}};
  out.body = "grant_type=client_credentials";
  out.repeatable = true;
  out.cacheable = false;
  out.redirect_limit = 0;
  out.keep_for = token_kept;
  return out;
}

std::string search_order(const call& call) {
  if (!call.sort.empty()) return call.sort;
  return call.since ? "new" : "relevance";
}

http::request search_request(const call& call, const settings& settings,
                             std::string_view position) {
  const auto community = community_of(call).value_or("");
  const bool api = has_application(settings);
  parameters query{
      {"q", write_query(call.q, {.exclusions = false, .special = ":()[]{}^~*?!/\\"})},
      {"sort", search_order(call)},
      {"t", std::string(window_of(call))},
      {"type", "link"},
      {"limit", page_size(call)},
  };
  if (!community.empty()) query.emplace_back("restrict_sr", "1");
  if (!position.empty()) query.emplace_back("after", std::string(position));
  if (api) {
    query.emplace_back("include_over_18", "on");
    query.emplace_back("raw_json", "1");
  }
  const auto folder = community.empty() ? std::string() : "/r/" + community;
  auto out = api ? get(settings.base_url, folder + "/search", query)
                 : get_feed(settings, folder + "/search.rss", query);
  // A redirect is an answer: it leads to the search for communities where there is none.
  if (!community.empty()) out.redirect_limit = 0;
  return out;
}

http::request community_request(const call& call, const settings& settings,
                                std::string_view position) {
  const auto community = community_of(call).value_or("");
  const bool api = has_application(settings);
  parameters query{{"limit", page_size(call)}};
  if (call.sort == "top") query.emplace_back("t", std::string(window_of(call)));
  if (!position.empty()) query.emplace_back("after", std::string(position));
  if (api) query.emplace_back("raw_json", "1");
  const auto path = "/r/" + (community.empty() ? "all" : community) + "/" + call.sort;
  auto out = api ? get(settings.base_url, path, query) : get_feed(settings, path + ".rss", query);
  // A redirect is an answer, as for a search.
  out.redirect_limit = 0;
  return out;
}

http::request comments_request(const call& call, const settings& settings) {
  const auto number = post_of(call);
  if (!has_application(settings)) {
    return get_feed(
        settings, "/comments/" + number + ".rss",
        {{"sort", std::string(order_of(call))}, {"limit", std::to_string(comments_per_request)}});
  }
  return get(settings.base_url, "/comments/" + number,
             {{"sort", std::string(order_of(call))},
              {"limit", std::to_string(comments_per_request)},
              {"raw_json", "1"}});
}

http::request post_request(const call& call, const settings& settings) {
  const auto number = post_of(call);
  if (!has_application(settings))
    return get_feed(settings, "/comments/" + number + ".rss", {{"limit", "1"}});
  return get(settings.base_url, "/api/info", {{"id", "t3_" + number}, {"raw_json", "1"}});
}

http::request branch_request(const call& call, const settings& settings, std::string_view comment) {
  return get(settings.base_url, "/comments/" + post_of(call),
             {{"comment", std::string(comment)},
              {"sort", std::string(order_of(call))},
              {"limit", std::to_string(comments_per_request)},
              {"raw_json", "1"}});
}

http::request children_request(const call& call, const settings& settings,
                               const std::vector<std::string>& children) {
  std::string list;
  for (const auto& one : children) list += (list.empty() ? "" : ",") + one;
  return get(settings.base_url, "/api/morechildren",
             {{"link_id", "t3_" + post_of(call)},
              {"children", list},
              {"sort", std::string(order_of(call))},
              {"api_type", "json"},
              {"raw_json", "1"}});
}

result<http::request> plan_search(const call& call, const settings& settings,
                                  std::string_view position) {
  if (!community_of(call)) return error(errc::not_found, "Reddit has no such community");
  if (auto checked = check_position(position); !checked) return checked.error();
  return has_application(settings) ? token_request(settings)
                                   : search_request(call, settings, position);
}

result<http::request> plan_comments(const call& call, const settings& settings, std::string_view) {
  if (post_of(call).empty()) return error(errc::not_found, "this is not a post of Reddit");
  return has_application(settings) ? token_request(settings) : comments_request(call, settings);
}

result<http::request> plan_one(const call& call, const settings& settings, std::string_view) {
  if (post_of(call).empty()) return error(errc::not_found, "this is not a post of Reddit");
  return has_application(settings) ? token_request(settings) : post_request(call, settings);
}

result<http::request> plan_community(const call& call, const settings& settings,
                                     std::string_view position) {
  if (!community_of(call)) return error(errc::not_found, "Reddit has no such community");
  if (auto checked = check_position(position); !checked) return checked.error();
  return has_application(settings) ? token_request(settings)
                                   : community_request(call, settings, position);
}

}  // namespace freshet::sources::reddit
