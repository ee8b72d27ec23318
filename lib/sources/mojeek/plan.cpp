// Requests to Mojeek's page. The first page is asked for without a start: naming one there is what
// gets a client refused.
#include <base/unicode.hpp>
#include <base/url.hpp>
#include <charconv>
#include <sources/mojeek/wire.hpp>
#include <sources/page_elements.hpp>
#include <sources/query_syntax.hpp>
#include <sources/search_result.hpp>

namespace freshet::sources::mojeek {

namespace {

constexpr std::size_t max_query_points = 256;  // of the page's own field

/// The regions that the page's menu offers, by country.
constexpr struct {
  std::string_view country, region;
} menu_regions[] = {{"GB", "uk"}, {"DE", "de"}, {"FR", "fr"}};

using pairs = std::vector<std::pair<std::string_view, std::string>>;

void add_locale(const call& what, pairs& to) {
  const auto wish = locale_of(what);
  if (!wish.language.empty()) to.emplace_back("lb", wish.language);
  if (wish.country.empty()) return;
  for (const auto& one : menu_regions) {
    if (one.country != wish.country) continue;
    to.emplace_back("reg", one.region);
    return;
  }
  to.emplace_back("arc", base::to_lower_ascii(wish.country));
}

}  // namespace

std::string search_position::text() const {
  return std::to_string(start) + ":" + std::to_string(given);
}

result<search_position> read_position(std::string_view text) {
  search_position out;
  if (text.empty()) return out;
  const auto end = text.data() + text.size();
  const auto start = std::from_chars(text.data(), end, out.start);
  if (start.ec == std::errc{} && start.ptr != end && *start.ptr == ':') {
    const auto given = std::from_chars(start.ptr + 1, end, out.given);
    if (given.ec == std::errc{} && given.ptr == end && out.start > 1 && out.start <= max_given &&
        out.given >= 0 && out.given <= max_given) {
      return out;
    }
  }
  return error(errc::invalid_cursor, "the position is not one of Mojeek");
}

result<http::request> plan_search(const call& what, const settings& with,
                                  std::string_view position) {
  const auto at = read_position(position);
  if (!at) return at.error();
  auto q = write_query(what.q, {.special = ":"});
  if (base::length(q) > max_query_points) {
    return error(errc::invalid_request, "q: Mojeek takes at most 256 characters");
  }
  pairs parameters{{"q", std::move(q)}};
  add_locale(what, parameters);
  if (at->start > 1) parameters.emplace_back("s", std::to_string(at->start));
  http::request out;
  out.url = base::join_path(with.base_url, "/search") + "?" + base::build_query(parameters);
  out.headers = {{"Accept", "text/html"}};
  out.body_limit = max_result_page_bytes;
  return out;
}

}  // namespace freshet::sources::mojeek
