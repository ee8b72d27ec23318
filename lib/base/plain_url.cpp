// One look at each byte, by a table of where it may stand as it is.
#include <array>
#include <base/ascii.hpp>
#include <base/percent.hpp>
#include <base/plain_url.hpp>
#include <cstdint>

namespace freshet::base {
namespace {

/// Beyond these the parser has limits of its own.
constexpr std::size_t max_plain_length = 1 << 16;
constexpr std::size_t max_plain_host = 255;

enum url_part : std::uint8_t {
  in_host = 1,   // of a domain in lower case
  in_path = 2,   // not "?" and "#", which end it, nor "/"
  in_query = 4,  // not "#"
  in_fragment = 8,
};

const auto places = [] {
  std::array<std::uint8_t, 256> out{};
  for (unsigned byte = 0; byte < out.size(); ++byte) {
    const auto value = static_cast<unsigned char>(byte);
    const auto c = static_cast<char>(value);
    const bool divides = c == '/' || c == '\\';
    unsigned is = 0;
    if ((c >= 'a' && c <= 'z') || is_digit(c) || c == '-' || c == '_' || c == '.') is |= in_host;
    if (!is_in(percent_set::path, value) && !divides) is |= in_path;
    if (!is_in(percent_set::special_query, value)) is |= in_query;
    if (!is_in(percent_set::fragment, value)) is |= in_fragment;
    out[byte] = static_cast<std::uint8_t>(is);
  }
  return out;
}();

/// Takes what may stand at `where` off the front of `rest`.
std::string_view take(std::string_view& rest, url_part where) noexcept {
  std::size_t end = 0;
  while (end < rest.size() && (places[static_cast<unsigned char>(rest[end])] & where) != 0) ++end;
  const auto taken = rest.substr(0, end);
  rest.remove_prefix(end);
  return taken;
}

/// Neither an address in numbers nor a name for IDNA to look at.
bool is_plain_host(std::string_view host) noexcept {
  if (host.empty() || host.size() > max_plain_host || host.ends_with('.')) return false;
  const auto last = host.substr(host.rfind('.') + 1);
  return !is_digit(last.front()) && host.find("xn--") == std::string_view::npos;
}

/// A segment that could say "." or "..", also as an escape.
bool may_be_dots(std::string_view segment) noexcept {
  return segment.starts_with('.') || segment.starts_with("%2e") || segment.starts_with("%2E");
}

}  // namespace

std::optional<plain_url> read_plain_url(std::string_view text) noexcept {
  constexpr std::string_view web = "http", divider = "://";
  if (!text.starts_with(web) || text.size() > max_plain_length) return std::nullopt;
  plain_url out;
  const auto secure = text.substr(web.size()).starts_with('s');
  out.scheme = text.substr(0, web.size() + (secure ? 1 : 0));
  auto rest = text.substr(out.scheme.size());
  if (!rest.starts_with(divider)) return std::nullopt;
  rest.remove_prefix(divider.size());
  out.host = take(rest, in_host);
  if (!is_plain_host(out.host) || !rest.starts_with('/')) return std::nullopt;
  const auto from_path = rest;
  while (rest.starts_with('/')) {
    rest.remove_prefix(1);
    if (may_be_dots(take(rest, in_path))) return std::nullopt;
  }
  out.path = from_path.substr(0, from_path.size() - rest.size());
  if (rest.starts_with('?')) {
    rest.remove_prefix(1);
    out.has_query = true;
    out.query = take(rest, in_query);
  }
  if (rest.starts_with('#')) {
    rest.remove_prefix(1);
    out.has_fragment = true;
    out.fragment = take(rest, in_fragment);
  }
  return rest.empty() ? std::optional(out) : std::nullopt;
}

}  // namespace freshet::base
