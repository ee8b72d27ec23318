// Requests to DuckDuckGo's page without scripts, as its own forms make them. What it would take for
// a command ("!bang", "site:") is quoted: a caller's words leave neither the engine nor the web.
#include <algorithm>
#include <base/number.hpp>
#include <base/unicode.hpp>
#include <base/url.hpp>
#include <sources/duckduckgo/wire.hpp>
#include <sources/json_request.hpp>
#include <sources/page_elements.hpp>
#include <sources/position.hpp>
#include <sources/query_syntax.hpp>
#include <sources/search_scope.hpp>

namespace freshet::sources::duckduckgo {

namespace {

constexpr std::size_t max_query_points = 499;  // beyond it the engine answers nothing

/// The page's name of a window of time; "" for all time.
std::string_view window_name(time_window window) {
  switch (window) {
    case time_window::day:
      return "d";
    case time_window::week:
      return "w";
    case time_window::month:
      return "m";
    case time_window::year:
      return "y";
    case time_window::any:
      break;
  }
  return "";
}

using pairs = std::vector<std::pair<std::string_view, std::string>>;
using form_fields = decltype(form_position::fields);

std::string_view value_in(const form_fields& fields, std::string_view name) noexcept {
  const auto found =
      std::ranges::find_if(fields, [name](const auto& field) { return field.first == name; });
  return found == fields.end() ? std::string_view{} : std::string_view(found->second);
}

/// The results before the page that a form leads to; 0 if it does not say.
std::int64_t offset_in(const form_fields& fields) noexcept {
  return std::max<std::int64_t>(
      0, base::parse_number<std::int64_t>(value_in(fields, "s")).value_or(0));
}

std::string form_text(const form_fields& fields) {
  return base::build_query(pairs(fields.begin(), fields.end()));
}

std::optional<form_fields> form_in(std::string_view text) {
  form_fields out;
  while (!text.empty() && out.size() < max_fields) {
    const auto pair = text.substr(0, text.find('&'));
    text.remove_prefix(std::min(text.size(), pair.size() + 1));
    const auto equals = std::min(pair.find('='), pair.size());
    out.emplace_back(base::percent_decode(pair.substr(0, equals)),
                     base::percent_decode(pair.substr(std::min(equals + 1, pair.size()))));
  }
  // Asking for a page without the token of the one before is what gets an address blocked.
  if (!text.empty() || value_in(out, "vqd").empty() || offset_in(out) < 1) return std::nullopt;
  return out;
}

constexpr position_codec positions{"DuckDuckGo", ':',
                                   number_field{&form_position::given, std::int64_t{0}, max_given},
                                   value_field{&form_position::fields, &form_text, &form_in}};

}  // namespace

std::string form_position::text() const {
  return fields.empty() ? std::string() : positions.text(*this);
}

std::int64_t form_position::offset() const noexcept { return offset_in(fields); }

result<form_position> read_position(std::string_view text) {
  if (text.size() > max_position_size) return foreign_position("DuckDuckGo");
  return positions.read(text);
}

result<http::request> plan_search(const call& call, const settings& settings,
                                  std::string_view position) {
  const auto at = read_position(position);
  if (!at) return at.error();
  auto q = with_sites(write_query(call.q, {.special = "!:\\"}), call,
                      {.engine = "DuckDuckGo", .max_points = max_query_points});
  if (!q) return q.error();
  pairs form{{"q", std::move(*q)}};
  if (at->fields.empty()) {
    form.emplace_back("b", "");
    form.emplace_back("kl", region_of(call));
  }
  for (const auto& [name, value] : at->fields) {
    if (name != "q") form.emplace_back(name, value);
  }
  const auto window = window_name(time_window_of(call));
  if (!window.empty() && value_in(at->fields, "df").empty()) form.emplace_back("df", window);
  http::request out;
  out.method = "POST";
  out.url = base::join_path(settings.base_url, "/html/");
  out.body = base::build_query(form);
  out.headers = {{"Content-Type", "application/x-www-form-urlencoded"},
                 {"Accept", "text/html"},
                 {"Referer", base::join_path(settings.base_url, "/")},
                 // As a browser sends them with this form; one of them alone is a sign of none.
                 {"Sec-Fetch-Dest", "document"},
                 {"Sec-Fetch-Mode", "navigate"},
                 {"Sec-Fetch-Site", "same-origin"},
                 {"Sec-Fetch-User", "?1"}};
  if (!call.lang.empty()) out.headers.push_back({"Accept-Language", call.lang});
  out.repeatable = true;
  out.redirect_limit = 0;  // what it leads to is no result of ours
  out.body_limit = max_result_page_bytes;
  return out;
}

result<http::request> plan_suggest(const call& call, const settings& settings,
                                   std::string_view position) {
  if (!position.empty()) return error(errc::invalid_cursor, "suggestions have one page");
  // Not where the pages for browsers without scripts are.
  const bool is_default = settings.base_url == default_base;
  auto out =
      json_request(is_default ? suggest_base : std::string_view(settings.base_url), "/ac/",
                   {{"q", call.q.raw}, {"type", "list"}, {"kl", std::string(region_of(call))}});
  out.redirect_limit = 0;  // what it leads to is no suggestion
  return out;
}

}  // namespace freshet::sources::duckduckgo
