// Requests to Algolia's index of Hacker News. A community other than the site's own sections is
// refused without a fetch: it can not be here.
#include <algorithm>
#include <base/unicode.hpp>
#include <base/url.hpp>
#include <charconv>
#include <sources/hackernews/wire.hpp>
#include <sources/query_syntax.hpp>

namespace freshet::sources::hackernews {

namespace {

constexpr int max_page_size = 100;

/// The site's sections as communities, and the tag of the index behind each.
constexpr struct {
  std::string_view community, tag;
} sections[] = {
    {"", "story"},     {"all", "story"},     {"hackernews", "story"}, {"hn", "story"},
    {"ask", "ask_hn"}, {"ask_hn", "ask_hn"}, {"show", "show_hn"},     {"show_hn", "show_hn"},
    {"job", "job"},    {"jobs", "job"},      {"poll", "poll"},        {"polls", "poll"},
};

std::optional<std::string_view> tag_of(std::string_view community) {
  const auto at = community.find('@');
  if (at != std::string_view::npos) {
    const auto host = community.substr(at + 1);
    if (!base::equals_ignoring_ascii_case(host, "news.ycombinator.com")) return std::nullopt;
    community = community.substr(0, at);
  }
  for (const auto& one : sections) {
    if (base::equals_ignoring_ascii_case(one.community, community)) return one.tag;
  }
  return std::nullopt;
}

std::optional<std::int64_t> number(std::string_view text) {
  std::int64_t value = 0;
  const auto end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, value);
  if (text.empty() || read.ec != std::errc{} || read.ptr != end || value < 0) return std::nullopt;
  return value;
}

bool is_item_number(std::string_view text) {
  constexpr std::size_t max_digits = 18;
  return !text.empty() && text.size() <= max_digits && number(text) && text[0] != '+';
}

}  // namespace

std::string search_position::text() const {
  auto out = std::to_string(page) + ":" + std::to_string(size);
  if (before) out += ":" + std::to_string(*before);
  return out;
}

result<search_position> read_position(std::string_view text, int limit) {
  search_position out;
  out.size = std::clamp(limit, 1, max_page_size);
  if (text.empty()) return out;
  const auto first = text.find(':');
  const auto second = first == std::string_view::npos ? first : text.find(':', first + 1);
  const auto page = number(text.substr(0, first));
  const auto size =
      first == std::string_view::npos
          ? std::nullopt
          : number(text.substr(first + 1,
                               second == std::string_view::npos ? second : second - first - 1));
  if (!page || !size || *page > max_hits_per_query || *size < 1 || *size > max_page_size) {
    return error(errc::invalid_cursor, "the position is not one of Hacker News");
  }
  out.page = *page;
  out.size = *size;
  if (second != std::string_view::npos) {
    out.before = number(text.substr(second + 1));
    if (!out.before) return error(errc::invalid_cursor, "the position is not one of Hacker News");
  }
  return out;
}

std::string item_number(const call& what) {
  if (!what.native_id.empty()) return is_item_number(what.native_id) ? what.native_id : "";
  const auto url = base::parse_url(what.url);
  if (!url || url->host != "news.ycombinator.com" || url->path != "/item") return "";
  const auto id = base::query_parameter(url->query, "id");
  return id && is_item_number(*id) ? *id : "";
}

result<http::request> plan_search(const call& what, const settings& with,
                                  std::string_view position) {
  const auto tag = tag_of(what.community);
  if (!tag) return error(errc::not_found, "Hacker News has no such community");
  auto at = read_position(position, what.limit);
  if (!at) return at.error();

  std::string numeric;
  if (what.since) {
    const auto since = std::chrono::ceil<std::chrono::seconds>(*what.since);
    numeric = "created_at_i>=" + std::to_string(since.time_since_epoch().count());
  }
  if (at->before) {
    if (!numeric.empty()) numeric += ',';
    numeric += "created_at_i<=" + std::to_string(*at->before);
  }
  std::vector<std::pair<std::string_view, std::string>> parameters{
      {"query", write_query(what.q, {.special = ""})},
      {"tags", std::string(*tag)},
      {"hitsPerPage", std::to_string(at->size)},
      {"page", std::to_string(at->page)},
      {"advancedSyntax", "true"},
      {"typoTolerance", "false"},
      {"queryType", "prefixNone"},
  };
  if (!numeric.empty()) parameters.emplace_back("numericFilters", numeric);

  http::request out;
  out.url =
      base::join_path(with.base_url, what.since ? "/api/v1/search_by_date" : "/api/v1/search") +
      "?" + base::build_query(parameters);
  out.headers.push_back({"Accept", "application/json"});
  out.pace_key = "hackernews";
  return out;
}

result<http::request> plan_comments(const call& what, const settings& with, std::string_view) {
  const auto id = item_number(what);
  if (id.empty()) return error(errc::not_found, "this is not a post of Hacker News");
  http::request out;
  out.url = base::join_path(with.base_url, "/api/v1/items/" + id);
  out.headers.push_back({"Accept", "application/json"});
  out.pace_key = "hackernews";
  return out;
}

}  // namespace freshet::sources::hackernews
