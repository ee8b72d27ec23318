// Requests to a Lemmy instance. Its search is a substring match without phrases or exclusions, so
// those are left to the pipeline; a post of another instance is looked up by its address, and
// nothing but the configured instance is ever asked.
#include <base/unicode.hpp>
#include <base/url.hpp>
#include <sources/instance.hpp>
#include <sources/item_text.hpp>
#include <sources/json_request.hpp>
#include <sources/lemmy/wire.hpp>
#include <sources/query_syntax.hpp>

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

}  // namespace

result<sized_page> read_position(std::string_view text, int limit) {
  return read_sized_page(text, limit, {max_pages, max_page_size, "Lemmy"});
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

result<http::request> plan_search(const call& call, const settings& settings,
                                  std::string_view position) {
  auto at = read_position(position, call.limit);
  if (!at) return at.error();
  const auto words = write_query(call.q, {.phrases = false, .exclusions = false, .special = ""});
  query_pairs parameters;
  if (!words.empty()) {
    parameters.emplace_back("q", words);
    parameters.emplace_back("type_", "Posts");
    parameters.emplace_back("listing_type", "All");
  } else {
    parameters.emplace_back("type_", "All");
  }
  parameters.emplace_back("sort", "New");
  if (!call.community.empty() && call.community != "all") {
    parameters.emplace_back("community_name", community_of(call, settings));
  }
  parameters.emplace_back("page", std::to_string(at->page));
  parameters.emplace_back("limit", std::to_string(at->size));
  const auto path = words.empty() ? "/api/v3/post/list" : "/api/v3/search";
  return json_request(settings.base_url, path, parameters);
}

result<http::request> plan_comments(const call& call, const settings& settings, std::string_view) {
  const auto target = target_of(call, settings);
  if (!target.number.empty()) return comments_request(target.number, call, settings);
  if (target.remote_url.empty()) return error(errc::not_found, "this is not a post of Lemmy");
  return json_request(settings.base_url, "/api/v3/resolve_object", {{"q", target.remote_url}});
}

}  // namespace freshet::sources::lemmy
