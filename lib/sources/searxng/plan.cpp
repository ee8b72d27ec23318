// Requests to a SearXNG instance. What the instance would take for a command of its own ("!bang",
// ":language") is quoted: a caller's words choose neither engines nor languages.
#include <algorithm>
#include <base/unicode.hpp>
#include <base/url.hpp>
#include <charconv>
#include <sources/query_syntax.hpp>
#include <sources/searxng/wire.hpp>

namespace freshet::sources::searxng {

namespace {

using namespace std::chrono_literals;

/// The windows of time that engines know, the smallest first.
constexpr struct {
  std::chrono::seconds reach;
  std::string_view name;
} time_ranges[] = {{24h, "day"}, {7 * 24h, "week"}, {31 * 24h, "month"}, {366 * 24h, "year"}};

bool is_letters(std::string_view text) {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); });
}

/// "de", "de-AT" or ""; more than that an old instance refuses.
std::string language(const call& what) {
  const auto dash = what.lang.find('-');
  const auto primary = what.lang.substr(0, dash);
  if (primary.size() < 2 || primary.size() > 3 || !is_letters(primary)) return "";
  auto region = what.country;
  if (region.empty() && dash != std::string::npos) region = what.lang.substr(dash + 1);
  auto out = base::to_lower_ascii(primary);
  if (region.size() != 2 || !is_letters(region)) return out;
  out += '-';
  for (const char c : region) out += c >= 'a' ? static_cast<char>(c - 'a' + 'A') : c;
  return out;
}

std::string_view time_range(const call& what) {
  if (!what.since) return "";
  for (const auto& one : time_ranges) {
    if (what.now - *what.since <= one.reach) return one.name;
  }
  return "";
}

}  // namespace

std::string search_position::text() const {
  return std::to_string(page) + ":" + std::to_string(given);
}

result<search_position> read_position(std::string_view text) {
  search_position out;
  if (text.empty()) return out;
  const auto end = text.data() + text.size();
  const auto page = std::from_chars(text.data(), end, out.page);
  const bool divided = page.ec == std::errc{} && page.ptr != end && *page.ptr == ':';
  if (divided) {
    const auto given = std::from_chars(page.ptr + 1, end, out.given);
    if (given.ec == std::errc{} && given.ptr == end && out.page >= 1 && out.page <= max_pages &&
        out.given >= 0 && out.given <= max_given) {
      return out;
    }
  }
  return error(errc::invalid_cursor, "the position is not one of SearXNG");
}

result<http::request> plan_search(const call& what, const settings& with,
                                  std::string_view position) {
  auto at = read_position(position);
  if (!at) return at.error();
  std::vector<std::pair<std::string_view, std::string>> parameters{
      {"q", write_query(what.q, {.special = "!:?"})},
      {"format", "json"},
      {"pageno", std::to_string(at->page)},
  };
  if (auto lang = language(what); !lang.empty()) parameters.emplace_back("language", lang);
  if (const auto range = time_range(what); !range.empty()) {
    parameters.emplace_back("time_range", std::string(range));
  }
  http::request out;
  out.url = base::join_path(with.base_url, "/search") + "?" + base::build_query(parameters);
  out.headers.push_back({"Accept", "application/json"});
  return out;
}

}  // namespace freshet::sources::searxng
