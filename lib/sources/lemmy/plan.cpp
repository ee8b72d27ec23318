// Requests to a Lemmy instance. Its search is a substring match without phrases or exclusions, so
// those are left to the pipeline; a post of another instance is looked up by its address, and
// nothing but the configured instance is ever asked.
#include <algorithm>
#include <base/unicode.hpp>
#include <base/url.hpp>
#include <sources/instance.hpp>
#include <sources/item_text.hpp>
#include <sources/json_request.hpp>
#include <sources/lemmy/wire.hpp>
#include <sources/query_syntax.hpp>
#include <sources/search_scope.hpp>

namespace freshet::sources::lemmy {

namespace {

bool is_post_number(std::string_view text) {
  constexpr std::size_t max_digits = 18;
  return is_digits(text, max_digits);
}

/// The number in ".../post/<number>", below the instance's own path prefix if it has one.
std::string number_in(std::string_view path, std::string_view prefix) {
  while (!prefix.empty() && prefix.back() == '/') prefix.remove_suffix(1);
  if (!path.starts_with(prefix)) return "";
  path.remove_prefix(prefix.size());
  constexpr std::string_view folder = "/post/";
  if (!path.starts_with(folder)) return "";
  path.remove_prefix(folder.size());
  while (!path.empty() && path.back() == '/') path.remove_suffix(1);
  return is_post_number(path) ? std::string(path) : "";
}

std::string_view server_order(std::string_view sort) {
  if (sort == "new") return "New";
  if (sort == "old") return "Old";
  if (sort == "top") return "Top";
  return "Hot";
}

/// A community as the instance names it: without the host if that is the instance's own.
std::string community_of(const call& call, const settings& settings) {
  const auto at = call.community.find('@');
  if (at == std::string::npos || call.community.substr(at + 1) != host_of_instance(settings)) {
    return call.community;
  }
  return call.community.substr(0, at);
}

constexpr std::string_view cursor_mark = "v4:";

/// Cursors of Lemmy are base64 for URLs.
bool is_cursor(std::string_view text) {
  const auto is_part = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_';
  };
  return !text.empty() && text.size() + cursor_mark.size() <= max_position_size &&
         std::ranges::all_of(text, is_part);
}

/// The order of posts for the old interface, in whose names the window of the best stands.
std::string_view old_order(const call& call) {
  using namespace std::chrono_literals;
  if (comes_by_age(call)) return "New";
  if (call.sort == "hot") return "Hot";
  if (!call.since) return "TopAll";
  constexpr struct {
    std::chrono::seconds reach;
    std::string_view name;
  } orders[] = {{1h, "TopHour"},       {6h, "TopSixHour"},   {12h, "TopTwelveHour"},
                {24h, "TopDay"},       {7 * 24h, "TopWeek"}, {28 * 24h, "TopMonth"},
                {360 * 24h, "TopYear"}};
  for (const auto& one : orders) {
    if (call.now - *call.since <= one.reach) return one.name;
  }
  return "TopAll";
}

std::string_view new_order(const call& call) {
  if (comes_by_age(call)) return "new";
  return call.sort == "hot" ? "hot" : "top";
}

/// For how long the version of an instance is remembered.
constexpr std::chrono::hours version_lifetime{6};

/// Has the instance look up a post of another one.
result<http::request> lookup_request(const post_target& target, const settings& settings) {
  if (target.remote_url.empty()) return error(errc::not_found, "this is not a post of Lemmy");
  return json_request(settings.base_url, "/api/v3/resolve_object", {{"q", target.remote_url}});
}

}  // namespace

result<search_position> read_position(std::string_view text, int limit) {
  if (text.starts_with(cursor_mark)) {
    const auto cursor = text.substr(cursor_mark.size());
    if (!is_cursor(cursor)) return foreign_position("Lemmy");
    return search_position{{}, std::string(cursor)};
  }
  auto page = read_sized_page(text, limit, {max_pages, max_page_size, "Lemmy"});
  if (!page) return page.error();
  return search_position{*page, ""};
}

std::string cursor_position(std::string_view cursor) {
  return is_cursor(cursor) ? std::string(cursor_mark) + std::string(cursor) : "";
}

std::string host_of_instance(const settings& settings) {
  const auto url = base::parse_url(settings.base_url);
  return url ? host_with_port(*url) : "";
}

post_target target_of(const call& call, const settings& settings) {
  const auto own = host_of_instance(settings);
  if (!call.native_id.empty()) {
    const auto slash = call.native_id.find('/');
    const auto host = slash == std::string::npos ? own : call.native_id.substr(0, slash);
    const auto number =
        slash == std::string::npos ? call.native_id : call.native_id.substr(slash + 1);
    if (!is_post_number(number) || host.empty()) return {};
    if (host == own) return {number, ""};
    const auto elsewhere = base::parse_url("https://" + host + "/post/" + number);
    return elsewhere ? post_target{"", elsewhere->text()} : post_target{};
  }
  const auto url = base::parse_url(call.url);
  if (!url || !url->is_http()) return {};
  const auto instance = base::parse_url(settings.base_url);
  if (host_with_port(*url) == own)
    return {number_in(url->path, instance ? instance->path : ""), ""};
  if (number_in(url->path, "").empty()) return {};
  return {"", url->scheme + "://" + host_with_port(*url) + "/post/" + number_in(url->path, "")};
}

http::request comments_request(std::string_view number, const call& call,
                               const settings& settings) {
  return json_request(settings.base_url, "/api/v3/comment/list",
                      {
                          {"post_id", std::string(number)},
                          {"type_", "All"},
                          {"sort", std::string(server_order(call.sort))},
                          {"max_depth", std::to_string(max_comment_depth)},
                      });
}

http::request branch_request(std::string_view number, const call& call, const settings& settings) {
  return json_request(settings.base_url, "/api/v3/comment/list",
                      {
                          {"parent_id", std::string(number)},
                          {"type_", "All"},
                          {"sort", std::string(server_order(call.sort))},
                          {"max_depth", std::to_string(max_comment_depth)},
                      });
}

http::request search_request(const call& call, const settings& settings,
                             const search_position& position, std::string_view interface) {
  const bool is_new = interface == new_interface;
  const auto words = write_query(call.q, {.phrases = false, .exclusions = false, .special = ""});
  query_pairs parameters;
  if (is_new) {
    if (!words.empty()) parameters.emplace_back("search_term", words);
    parameters.emplace_back("type_", "all");
    parameters.emplace_back("sort", std::string(new_order(call)));
    if (new_order(call) == "top" && call.since) {
      const auto window = std::chrono::ceil<std::chrono::seconds>(call.now - *call.since);
      parameters.emplace_back("time_range_seconds", std::to_string(window.count()));
    }
  } else if (!words.empty()) {
    parameters.emplace_back("q", words);
    parameters.emplace_back("type_", "Posts");
    parameters.emplace_back("listing_type", "All");
    parameters.emplace_back("sort", std::string(old_order(call)));
  } else {
    parameters.emplace_back("type_", "All");
    parameters.emplace_back("sort", std::string(old_order(call)));
  }
  if (!call.community.empty() && call.community != "all") {
    parameters.emplace_back("community_name", community_of(call, settings));
  }
  if (is_new) {
    if (!position.cursor.empty()) parameters.emplace_back("page_cursor", position.cursor);
    parameters.emplace_back("limit", std::to_string(std::clamp(call.limit, 1, max_page_size)));
    return json_request(settings.base_url, "/api/v4/post/list", parameters);
  }
  parameters.emplace_back("page", std::to_string(position.old_page.page));
  parameters.emplace_back("limit", std::to_string(position.old_page.size));
  const auto path = words.empty() ? "/api/v3/post/list" : "/api/v3/search";
  return json_request(settings.base_url, path, parameters);
}

result<http::request> plan_search(const call& call, const settings& settings,
                                  std::string_view position) {
  if (call.sort == "relevance") return left_out("sort", "Lemmy does not order by relevance");
  auto at = read_position(position, call.limit);
  if (!at) return at.error();
  if (!position.empty()) {
    const auto interface = at->cursor.empty() ? old_interface : new_interface;
    return search_request(call, settings, *at, interface);
  }
  auto out = json_request(settings.base_url, "/api/v3/site", {});
  out.max_age = version_lifetime;
  return out;
}

bool comes_by_age(const call& call) { return call.sort.empty() || call.sort == "new"; }

result<http::request> plan_community(const call& call, const settings& settings,
                                     std::string_view position) {
  return plan_search(call, settings, position);
}

result<http::request> plan_one(const call& call, const settings& settings, std::string_view) {
  const auto target = target_of(call, settings);
  if (!target.number.empty())
    return json_request(settings.base_url, "/api/v3/post", {{"id", target.number}});
  return lookup_request(target, settings);
}

result<http::request> plan_comments(const call& call, const settings& settings,
                                    std::string_view position) {
  const auto place = read_thread_place(position);
  if (!place) return place.error();
  if (!place->above.empty()) return branch_request(place->above.back().number, call, settings);
  const auto target = target_of(call, settings);
  if (!target.number.empty()) return comments_request(target.number, call, settings);
  return lookup_request(target, settings);
}

}  // namespace freshet::sources::lemmy
