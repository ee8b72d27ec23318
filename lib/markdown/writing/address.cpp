// The scheme is judged after everything that a browser does to find it: control characters go from
// the ends, tabs and newlines from everywhere.
#include <base/ascii.hpp>
#include <base/unicode.hpp>
#include <markdown/writing/address.hpp>

namespace freshet::markdown {

namespace {

bool is_allowed(std::string_view scheme, address_use use) noexcept {
  if (scheme == "http" || scheme == "https") return true;
  return use == address_use::link && (scheme == "mailto" || scheme == "tel");
}

/// Without the control characters that browsers overlook; other ones stand in no address.
std::string as_browsers_read(std::string_view reference) {
  std::string out;
  for (const char c : reference) {
    if (static_cast<unsigned char>(c) >= 0x20 && c != 0x7F) out += c;
  }
  const auto trimmed = base::trim(std::string_view(out));
  return std::string(trimmed);
}

/// What stands before a colon that no slash, question mark or hash comes before; "" if there is
/// none. It need not be a scheme: "12:30" has no other meaning that is safe.
std::string_view said_scheme(std::string_view reference) noexcept {
  const auto end = reference.find_first_of(":/?#\\");
  return end == std::string_view::npos || reference[end] != ':' ? std::string_view()
                                                                : reference.substr(0, end);
}

}  // namespace

std::string allowed_address(const std::optional<base::url>& base, std::string_view reference,
                            address_use use) {
  auto text = as_browsers_read(reference);
  if (text.empty()) return {};
  auto resolved = base ? base::resolve_url(*base, text)
                       : base::parse_url(text.starts_with("//") ? "https:" + text : text);
  if (resolved) {
    if (!is_allowed(resolved->scheme, use)) return {};
    resolved->username.clear();
    resolved->password.clear();
    return resolved->text();
  }
  const bool relative = said_scheme(text).empty() && !text.starts_with(':');
  if (!relative && !is_allowed(base::to_lower_ascii(said_scheme(text)), use)) return {};
  return text;
}

}  // namespace freshet::markdown
