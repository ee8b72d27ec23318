// Requests to Mojeek's page. What no browser puts into the URL gets a client refused: a start on
// the first page, a language, a region.
#include <base/unicode.hpp>
#include <base/url.hpp>
#include <sources/mojeek/wire.hpp>
#include <sources/page_elements.hpp>
#include <sources/position.hpp>
#include <sources/query_syntax.hpp>
#include <sources/search_result.hpp>
#include <sources/search_scope.hpp>

namespace freshet::sources::mojeek {

namespace {

constexpr std::size_t max_query_points = 256;  // of the page's own field

/// What the page's own preferences leave in a browser. As parameters of the URL they are what gets
/// a client refused.
std::string locale_cookies(const call& call) {
  const auto wish = locale_of(call);
  std::string out;
  if (!wish.language.empty()) out = "lb=" + wish.language;
  if (wish.country.empty()) return out;
  return out + (out.empty() ? "" : "; ") + "arc=" + base::to_lower_ascii(wish.country);
}

constexpr position_codec positions{
    "Mojeek", ':', number_field{&start_position::start, std::int64_t{2}, max_given},
    number_field{&start_position::given, std::int64_t{0}, max_given}};

}  // namespace

std::string start_position::text() const { return positions.text(*this); }

result<start_position> read_position(std::string_view text) { return positions.read(text); }

result<http::request> plan_search(const call& call, const settings& settings,
                                  std::string_view position) {
  const auto at = read_position(position);
  if (!at) return at.error();
  auto q = with_sites(write_query(call.q, {.special = ":"}), call,
                      {.engine = "Mojeek", .alternatives = false, .max_points = max_query_points});
  if (!q) return q.error();
  std::vector<std::pair<std::string_view, std::string>> parameters{{"q", std::move(*q)}};
  if (call.since) {
    auto day = day_of(*call.since);
    std::erase(day, '-');
    parameters.emplace_back("since", std::move(day));
  }
  if (at->start > 1) parameters.emplace_back("s", std::to_string(at->start));
  http::request out;
  out.url = base::join_path(settings.base_url, "/search") + "?" + base::build_query(parameters);
  out.headers = {{"Accept", "text/html"}};
  if (auto cookies = locale_cookies(call); !cookies.empty()) {
    out.headers.push_back({"Cookie", std::move(cookies)});
  }
  out.body_limit = max_result_page_bytes;
  return out;
}

}  // namespace freshet::sources::mojeek
