// The question: the query as it was written, and bounds. Positions are numbers of the store.
#include <algorithm>
#include <base/ascii.hpp>
#include <base/time_text.hpp>
#include <sources/archive/wire.hpp>
#include <sources/json_request.hpp>

namespace freshet::sources::archive {

namespace {

constexpr int max_page = 100;

result<http::request> plan(std::string_view platform, const call& call, const settings& settings,
                           std::string_view position) {
  const bool digits = std::ranges::all_of(position, base::is_digit);
  if (!digits || position.size() > max_position)
    return error(errc::invalid_cursor, "a position in the archive is a number");
  query_pairs parameters = {{"q", call.q.raw},
                            {"limit", std::to_string(std::clamp(call.limit, 1, max_page))}};
  if (call.since) parameters.emplace_back("since", base::format_time(*call.since));
  if (!call.lang.empty()) parameters.emplace_back("lang", call.lang);
  if (!position.empty()) parameters.emplace_back("before", std::string(position));
  auto out =
      json_request(settings.base_or(base_url), "/" + std::string(platform) + "/search", parameters);
  out.cacheable = false;
  return out;
}

}  // namespace

result<http::request> plan_microblog(const call& call, const settings& settings,
                                     std::string_view position) {
  return plan("microblog", call, settings, position);
}

result<http::request> plan_news(const call& call, const settings& settings,
                                std::string_view position) {
  return plan("news", call, settings, position);
}

}  // namespace freshet::sources::archive
