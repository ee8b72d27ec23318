// The request for a page. Which addresses may be fetched is not decided here: the address guard
// behind the request refuses private ones.
#include <base/url.hpp>
#include <sources/web/wire.hpp>

namespace freshet::sources::web {

namespace {

/// What we can read, best first.
constexpr std::string_view accepted =
    "text/html,application/xhtml+xml,text/markdown;q=0.9,text/plain;q=0.8,*/*;q=0.5";

}  // namespace

result<http::request> plan_page(const call& call, const settings&, std::string_view position) {
  if (!position.empty()) return error(errc::invalid_cursor, "a page has no second part");
  const auto target = base::parse_url(call.url);
  if (!target || !target->is_http()) {
    return error(errc::invalid_request, "url: an absolute http or https address is expected");
  }
  auto address = *target;
  address.fragment.clear();
  address.has_fragment = false;
  http::request out;
  out.url = address.text();
  out.headers = {{"Accept", std::string(accepted)}};
  if (!call.lang.empty()) out.headers.push_back({"Accept-Language", call.lang});
  out.obey_robots = call.respect_robots;
  out.max_age = call.max_age;
  out.pdf_as_html = true;
  // Whether `auto` renders is seen by the page as it was fetched.
  if (call.render == http::rendering::always) out.render = http::rendering::always;
  return out;
}

}  // namespace freshet::sources::web
