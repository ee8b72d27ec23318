// The question: the query as it was written, and bounds. Positions are numbers of the store.
#include <algorithm>
#include <base/time_text.hpp>
#include <base/url.hpp>
#include <sources/archive/archive.hpp>

namespace freshet::sources::archive {

namespace {

constexpr int max_page = 100;

result<http::request> plan(std::string_view platform, const call& what, const settings& with,
                           std::string_view position) {
  const bool digits =
      std::all_of(position.begin(), position.end(), [](char c) { return c >= '0' && c <= '9'; });
  if (!digits || position.size() > max_position)
    return error(errc::invalid_cursor, "a position in the archive is a number");
  std::vector<std::pair<std::string_view, std::string>> parameters = {
      {"q", what.q.raw}, {"limit", std::to_string(std::clamp(what.limit, 1, max_page))}};
  if (what.since) parameters.emplace_back("since", base::format_time(*what.since));
  if (!what.lang.empty()) parameters.emplace_back("lang", what.lang);
  if (!position.empty()) parameters.emplace_back("before", std::string(position));
  http::request out;
  out.url = base::join_path(with.base_url.empty() ? base_url : std::string_view(with.base_url),
                            "/" + std::string(platform) + "/search") +
            "?" + base::build_query(parameters);
  out.headers = {{"Accept", "application/json"}};
  out.cacheable = false;
  return out;
}

}  // namespace

result<http::request> plan_microblog(const call& what, const settings& with,
                                     std::string_view position) {
  return plan("microblog", what, with, position);
}

result<http::request> plan_news(const call& what, const settings& with, std::string_view position) {
  return plan("news", what, with, position);
}

}  // namespace freshet::sources::archive
