// The request for a feed: its address and nothing else. Feeds take no parameters; the pipeline
// filters what they hold.
#include <base/url.hpp>
#include <sources/feeds/wire.hpp>

namespace freshet::sources::feeds {

result<http::request> plan_search(const call&, const settings& settings,
                                  std::string_view position) {
  if (!position.empty()) return error(errc::invalid_cursor, "a feed has one page");
  const auto url = base::parse_url(settings.base_url);
  if (!url || !url->is_http()) {
    return error(errc::invalid_request, "sources.feeds.urls holds no address of a feed");
  }
  http::request out;
  out.url = settings.base_url;
  out.headers.push_back({"Accept",
                         "application/rss+xml, application/atom+xml, application/feed+json, "
                         "application/xml;q=0.9, text/xml;q=0.9, */*;q=0.5"});
  return out;
}

result<http::request> plan_headlines(const call& call, const settings& settings,
                                     std::string_view position) {
  if (!call.topic.empty() || !call.country.empty()) {
    return error(errc::not_found, "a feed does not say its topic or its country");
  }
  return plan_search(call, settings, position);
}

}  // namespace freshet::sources::feeds
