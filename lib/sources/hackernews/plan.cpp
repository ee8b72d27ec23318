// Requests to Algolia's index of Hacker News. A community other than the site's own sections is
// refused without a fetch: it can not be here.
#include <algorithm>
#include <base/number.hpp>
#include <base/unicode.hpp>
#include <base/url.hpp>
#include <limits>
#include <sources/hackernews/wire.hpp>
#include <sources/json_request.hpp>
#include <sources/position.hpp>
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

bool is_item_number(std::string_view text) {
  constexpr std::size_t max_digits = 18;
  return text.size() <= max_digits &&
         base::parse_number(text, std::int64_t{0}, std::numeric_limits<std::int64_t>::max());
}

constexpr position_codec positions{
    "Hacker News", ':', number_field{&hit_position::page, std::int64_t{0}, max_hits_per_query},
    number_field{&hit_position::size, std::int64_t{1}, std::int64_t{max_page_size}},
    last_number_field{&hit_position::before, std::int64_t{0}}};

}  // namespace

std::string hit_position::text() const { return positions.text(*this); }

result<hit_position> read_position(std::string_view text, const call& call) {
  const int size = ranks_by_points(call) ? max_page_size : std::clamp(call.limit, 1, max_page_size);
  return positions.read(text, {0, size, {}});
}

std::string item_number(const call& call) {
  if (!call.native_id.empty()) return is_item_number(call.native_id) ? call.native_id : "";
  const auto url = base::parse_url(call.url);
  if (!url || url->host != "news.ycombinator.com" || url->path != "/item") return "";
  const auto id = base::query_parameter(url->query, "id");
  return id && is_item_number(*id) ? *id : "";
}

namespace {

/// A page of hits with these tags, for what the call asks for.
http::request hits_request(const call& call, const settings& settings, const hit_position& position,
                           std::string tags, bool by_date) {
  std::string numeric;
  if (call.since) {
    const auto since = std::chrono::ceil<std::chrono::seconds>(*call.since);
    numeric = "created_at_i>=" + std::to_string(since.time_since_epoch().count());
  }
  if (position.before) {
    if (!numeric.empty()) numeric += ',';
    numeric += "created_at_i<=" + std::to_string(*position.before);
  }
  query_pairs parameters{
      {"query", write_query(call.q, {.special = ""})},
      {"tags", std::move(tags)},
      {"hitsPerPage", std::to_string(position.size)},
      {"page", std::to_string(position.page)},
      {"advancedSyntax", "true"},
      {"typoTolerance", "false"},
      {"queryType", "prefixNone"},
  };
  if (!numeric.empty()) parameters.emplace_back("numericFilters", numeric);

  auto out = json_request(settings.base_url, by_date ? "/api/v1/search_by_date" : "/api/v1/search",
                          parameters);
  out.pace_key = "hackernews";
  return out;
}

}  // namespace

bool ranks_by_points(const call& call) {
  return call.op == catalog::operation::forum_search && call.sort == "top";
}

bool comes_by_date(const call& call) {
  return call.sort == "new" || (call.sort.empty() && call.since.has_value());
}

result<http::request> plan_search(const call& call, const settings& settings,
                                  std::string_view position) {
  const auto tag = tag_of(call.community);
  if (!tag) return error(errc::not_found, "Hacker News has no such community");
  const auto at = read_position(position, call);
  if (!at) return at.error();
  return hits_request(call, settings, *at, std::string(*tag), comes_by_date(call));
}

result<http::request> plan_community(const call& call, const settings& settings,
                                     std::string_view position) {
  const auto tag = tag_of(call.community);
  if (!tag) return error(errc::not_found, "Hacker News has no such community");
  const auto at = read_position(position, call);
  if (!at) return at.error();
  // Without words the index gives those with most points first.
  const auto tags = std::string(*tag) + (call.sort == "hot" ? ",front_page" : "");
  return hits_request(call, settings, *at, tags, comes_by_date(call));
}

result<http::request> plan_one(const call& call, const settings& settings, std::string_view) {
  // A post comes with its thread or not at all.
  return plan_comments(call, settings, {});
}

result<http::request> plan_comments(const call& call, const settings& settings, std::string_view) {
  const auto id = item_number(call);
  if (id.empty()) return error(errc::not_found, "this is not a post of Hacker News");
  auto out = json_request(settings.base_url, "/api/v1/items/" + id);
  out.pace_key = "hackernews";
  return out;
}

}  // namespace freshet::sources::hackernews
