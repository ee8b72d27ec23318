// Requests to a forum. Only the first posts of topics are searched, for those are what the platform
// calls posts; what Discourse would take for an operator is quoted. Nothing but a configured forum
// is ever asked.
#include <array>
#include <base/unicode.hpp>
#include <base/url.hpp>
#include <cstdio>
#include <sources/discourse/wire.hpp>
#include <sources/instance.hpp>
#include <sources/item_text.hpp>
#include <sources/json_request.hpp>
#include <sources/position.hpp>
#include <sources/query_syntax.hpp>

namespace freshet::sources::discourse {

namespace {

/// How long the names of a forum's categories may be old.
constexpr std::chrono::seconds categories_kept{3600};

std::string day_before(time_point at) {
  const auto day = std::chrono::floor<std::chrono::days>(at) - std::chrono::days{1};
  const std::chrono::year_month_day date{day};
  std::array<char, 16> out{};
  std::snprintf(out.data(), out.size(), "%04d-%02u-%02u", static_cast<int>(date.year()),
                static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
  return out.data();
}

/// The shortest of the forum's periods that reaches back to `since`.
std::string_view period_of(const call& call) {
  using namespace std::chrono_literals;
  constexpr struct {
    std::chrono::seconds reach;
    std::string_view name;
  } periods[] = {{24h, "daily"},
                 {7 * 24h, "weekly"},
                 {30 * 24h, "monthly"},
                 {90 * 24h, "quarterly"},
                 {365 * 24h, "yearly"}};
  if (!call.since) return "all";
  for (const auto& one : periods) {
    if (call.now - *call.since < one.reach) return one.name;
  }
  return "all";
}

/// The topic in <prefix>/t/<slug>/<number>[/<post>] or <prefix>/t/<number>[/<post>]; "" if there is
/// none.
std::string topic_in(std::string_view path, std::string_view prefix) {
  while (!prefix.empty() && prefix.back() == '/') prefix.remove_suffix(1);
  if (!path.starts_with(prefix)) return "";
  auto parts = path_segments(path.substr(prefix.size()));
  if (parts.size() < 2 || parts[0] != "t") return "";
  auto number = parts.size() > 2 && !is_number(parts[1]) ? parts[2] : parts[1];
  if (number.ends_with(".json")) number.remove_suffix(5);
  return is_number(number) ? std::string(number) : "";
}

}  // namespace

bool is_number(std::string_view text) noexcept {
  constexpr std::size_t max_digits = 18;
  return is_digits(text, max_digits);
}

std::string host_of_forum(const settings& settings) { return instance_at(settings.base_url).host; }

std::optional<std::string> category_of(const call& call, const settings& settings) {
  const auto own = host_of_forum(settings);
  auto name = call.community;
  if (name.empty() || name == "all" || base::equals_ignoring_ascii_case(name, own)) return "";
  const auto at = name.find('@');
  if (at != std::string::npos) {
    if (!base::equals_ignoring_ascii_case(std::string_view(name).substr(at + 1), own)) {
      return std::nullopt;
    }
    name.resize(at);
  }
  const bool odd = name.empty() || name.find_first_of("\"# \t@") != std::string::npos;
  return odd ? std::nullopt : std::optional(name);
}

result<int> read_position(std::string_view text) {
  constexpr number_codec<int> pages{
      .source = "Discourse", .first = 1, .least = 2, .most = max_search_pages};
  return pages.read(text);
}

std::string topic_of(const call& call, const settings& settings) {
  const auto own = host_of_forum(settings);
  if (!call.native_id.empty()) {
    const auto slash = call.native_id.find('/');
    const auto host = slash == std::string::npos ? own : call.native_id.substr(0, slash);
    auto number = slash == std::string::npos ? call.native_id : call.native_id.substr(slash + 1);
    return host == own && is_number(number) ? number : "";
  }
  const auto url = base::parse_url(call.url);
  const auto forum = base::parse_url(settings.base_url);
  if (!url || !forum || !url->is_http() || instance_at(call.url).host != own) return "";
  return topic_in(url->path, forum->path);
}

http::request categories_request(const settings& settings) {
  auto out = json_request(settings.base_url, "/categories.json?include_subcategories=true");
  out.keep_for = categories_kept;
  return out;
}

result<int> read_topics_position(std::string_view text) {
  constexpr number_codec<int> pages{
      .source = "Discourse", .first = 0, .least = 1, .most = max_topic_pages};
  return pages.read(text);
}

http::request topics_request(const call& call, const settings& settings, std::string_view category,
                             int page) {
  const auto named = category_of(call, settings).value_or("");
  std::string folder;
  if (!category.empty()) {
    folder = "/c/" + base::percent_encode(named) + "/" + std::string(category) + "/l";
  } else if (!named.empty()) {
    folder = "/tag/" + base::percent_encode(named) + "/l";
  }
  const std::string_view list = call.sort == "new" ? "latest" : std::string_view(call.sort);
  query_pairs query;
  if (call.sort == "new") query.emplace_back("order", "created");
  if (call.sort == "top") query.emplace_back("period", std::string(period_of(call)));
  query.emplace_back("page", std::to_string(page));
  return json_request(settings.base_url, folder + "/" + std::string(list) + ".json", query);
}

http::request posts_request(const settings& settings, std::string_view topic,
                            const std::vector<std::string>& ids) {
  std::string query;
  for (const auto& id : ids) query += (query.empty() ? "?" : "&") + ("post_ids%5B%5D=" + id);
  return json_request(settings.base_url, "/t/" + std::string(topic) + "/posts.json" + query);
}

result<http::request> plan_search(const call& call, const settings& settings,
                                  std::string_view position) {
  const auto page = read_position(position);
  if (!page) return page.error();
  const auto category = category_of(call, settings);
  if (!category) return error(errc::not_found, "this forum has no such community");
  auto q = write_query(call.q, {.exclusions = false, .special = ":#@"});
  if (!category->empty()) q += " #" + *category;
  q += " in:first";
  if (call.since) q += " after:" + day_before(*call.since);
  if (call.sort == "top") q += " order:likes";
  if (call.sort == "new" || (call.sort.empty() && call.since)) q += " order:latest";
  return json_request(settings.base_url, "/search.json",
                      {{"q", std::string(base::trim(q))}, {"page", std::to_string(*page)}});
}

result<http::request> plan_one(const call& call, const settings& settings, std::string_view) {
  // A topic comes with its first posts, of which the first is what is asked for.
  return plan_comments(call, settings, {});
}

result<http::request> plan_comments(const call& call, const settings& settings, std::string_view) {
  const auto topic = topic_of(call, settings);
  if (topic.empty()) return error(errc::not_found, "this is not a topic of this forum");
  return json_request(settings.base_url, "/t/" + topic + ".json");
}

result<http::request> plan_community(const call& call, const settings& settings,
                                     std::string_view position) {
  if (!category_of(call, settings))
    return error(errc::not_found, "this forum has no such community");
  if (auto page = read_topics_position(position); !page) return page.error();
  // Categories are asked for by their numbers; their names are wanted in any case.
  return categories_request(settings);
}

}  // namespace freshet::sources::discourse
