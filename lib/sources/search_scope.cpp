// Sites and windows of time as engines write them.
#include <base/time_text.hpp>
#include <base/unicode.hpp>
#include <sources/search_scope.hpp>

namespace freshet::sources {

result<std::string> with_sites(std::string query, const call& call, const site_syntax& syntax) {
  const auto fits = [&](std::string_view text) {
    return syntax.max_points == 0 || base::length(text) <= syntax.max_points;
  };
  const std::string engine(syntax.engine);
  if (call.sites.size() > 1 && !syntax.alternatives) {
    return left_out("sites", engine + " takes one site at a time");
  }
  std::string sites;
  for (const auto& site : call.sites) sites += (sites.empty() ? "site:" : " OR site:") + site;
  if (call.sites.size() > 1) sites = '(' + sites + ')';
  if (!sites.empty()) query += ' ' + sites;
  if (!fits(query)) {
    return error(errc::invalid_request, std::string(sites.empty() ? "q: " : "q with sites: ") +
                                            engine + " takes at most " +
                                            std::to_string(syntax.max_points) + " characters");
  }
  for (const auto& site : call.exclude_sites) {
    auto longer = query + " -site:" + site;
    if (!fits(longer)) break;
    query = std::move(longer);
  }
  return query;
}

error left_out(std::string_view parameter, std::string_view why) {
  error refused(errc::not_found, std::string(why));
  refused.parameters.push_back({"/" + std::string(parameter), "not_allowed", std::string(why)});
  return refused;
}

time_window time_window_of(const call& call) noexcept {
  using namespace std::chrono_literals;
  constexpr std::chrono::seconds walk = 1h;
  constexpr struct {
    std::chrono::seconds reach;
    time_window window;
  } windows[] = {{24h, time_window::day},
                 {7 * 24h, time_window::week},
                 {30 * 24h, time_window::month},
                 {365 * 24h, time_window::year}};
  if (!call.since) return time_window::any;
  for (const auto& one : windows) {
    if (call.now - *call.since <= one.reach + walk) return one.window;
  }
  return time_window::any;
}

std::string day_of(time_point at) {
  constexpr std::size_t length_of_day = 10;
  return base::format_time(at).substr(0, length_of_day);
}

}  // namespace freshet::sources
