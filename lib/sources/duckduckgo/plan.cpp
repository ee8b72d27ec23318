// Requests to DuckDuckGo's page without scripts, as its own forms make them. What it would take for
// a command ("!bang", "site:") is quoted: a caller's words leave neither the engine nor the web.
#include <algorithm>
#include <base/unicode.hpp>
#include <base/url.hpp>
#include <charconv>
#include <sources/duckduckgo/wire.hpp>
#include <sources/page_elements.hpp>
#include <sources/query_syntax.hpp>

namespace freshet::sources::duckduckgo {

namespace {

constexpr std::size_t max_query_points = 499;  // beyond it the engine answers nothing

using pairs = std::vector<std::pair<std::string_view, std::string>>;

std::int64_t number(std::string_view text) noexcept {
  std::int64_t out = -1;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), out);
  return read.ec == std::errc{} && read.ptr == text.data() + text.size() ? out : -1;
}

error no_position() { return error(errc::invalid_cursor, "the position is not one of DuckDuckGo"); }

}  // namespace

std::string search_position::text() const {
  if (fields.empty()) return {};
  pairs all;
  for (const auto& [name, value] : fields) all.emplace_back(name, value);
  return std::to_string(given) + ":" + base::build_query(all);
}

std::string_view search_position::field(std::string_view name) const noexcept {
  for (const auto& [one, value] : fields) {
    if (one == name) return value;
  }
  return {};
}

std::int64_t search_position::offset() const noexcept {
  return std::max<std::int64_t>(0, number(field("s")));
}

result<search_position> read_position(std::string_view text) {
  search_position out;
  if (text.empty()) return out;
  const auto colon = text.find(':');
  if (colon == std::string_view::npos || text.size() > max_position_size) return no_position();
  out.given = number(text.substr(0, colon));
  if (out.given < 0 || out.given > max_given) return no_position();
  text.remove_prefix(colon + 1);
  while (!text.empty() && out.fields.size() < max_fields) {
    const auto pair = text.substr(0, text.find('&'));
    text.remove_prefix(std::min(text.size(), pair.size() + 1));
    const auto equals = std::min(pair.find('='), pair.size());
    out.fields.emplace_back(base::percent_decode(pair.substr(0, equals)),
                            base::percent_decode(pair.substr(std::min(equals + 1, pair.size()))));
  }
  // Asking for a page without the token of the one before is what gets an address blocked.
  if (!text.empty() || out.field("vqd").empty() || number(out.field("s")) < 1) return no_position();
  return out;
}

result<http::request> plan_search(const call& what, const settings& with,
                                  std::string_view position) {
  const auto at = read_position(position);
  if (!at) return at.error();
  auto q = write_query(what.q, {.special = "!:\\"});
  if (base::length(q) > max_query_points) {
    return error(errc::invalid_request, "q: DuckDuckGo takes at most 499 characters");
  }
  pairs form{{"q", std::move(q)}};
  if (at->fields.empty()) {
    form.emplace_back("b", "");
    form.emplace_back("kl", region_of(what));
  }
  for (const auto& [name, value] : at->fields) {
    if (name != "q") form.emplace_back(name, value);
  }
  http::request out;
  out.method = "POST";
  out.url = base::join_path(with.base_url, "/html/");
  out.body = base::build_query(form);
  out.headers = {{"Content-Type", "application/x-www-form-urlencoded"},
                 {"Accept", "text/html"},
                 {"Referer", base::join_path(with.base_url, "/")},
                 {"Sec-Fetch-Mode", "navigate"}};
  if (!what.lang.empty()) out.headers.push_back({"Accept-Language", what.lang});
  out.repeatable = true;
  out.redirect_limit = 0;  // what it leads to is no result of ours
  out.body_limit = max_result_page_bytes;
  return out;
}

}  // namespace freshet::sources::duckduckgo
