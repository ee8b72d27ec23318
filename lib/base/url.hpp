// URLs as browsers read them (WHATWG): parsing, resolving, and the canonical form under which two
// addresses of one page are equal. It opens nothing.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace freshet::base {

/// A parsed absolute URL. `host` is lower case, IDNA-encoded, brackets kept for IPv6; numeric IPv4
/// spellings (0x7f.1, 2130706433) are normalised to dotted decimals.
struct url {
  std::string scheme;  ///< lower case, without the colon
  std::string username, password;
  std::string host;
  std::string port;            ///< "" for the scheme's own
  std::string path;            ///< percent-encoded; begins with / for http(s)
  std::string query;           ///< without ?
  std::string fragment;        ///< without #
  bool has_authority = false;  ///< "//" stands in it; also true of file:///, whose host is empty
  bool has_query = false;
  bool has_fragment = false;
  bool opaque = false;  ///< "mailto:a@b": no authority, path is free text

  [[nodiscard]] std::string text() const;
  /// scheme://host[:port]
  [[nodiscard]] std::string origin() const;
  [[nodiscard]] bool is_http() const noexcept { return scheme == "http" || scheme == "https"; }
};

/// Whether a text begins as the addresses of pages are written: http:// or https://, lower case.
[[nodiscard]] constexpr bool has_http_scheme(std::string_view text) noexcept {
  return text.starts_with("http://") || text.starts_with("https://");
}

/// Reads an absolute URL; null if it is none. Leading and trailing spaces, tabs and newlines are
/// dropped, backslashes are slashes in http(s), as browsers do.
[[nodiscard]] std::optional<url> parse_url(std::string_view text);

/// Reads `reference` relative to `against`.
[[nodiscard]] std::optional<url> resolve_url(const url& against, std::string_view reference);
/// The same as text; "" if either does not parse.
[[nodiscard]] std::string resolve_url(std::string_view against, std::string_view reference);

/// The canonical form for `item.url`: tracking parameters (utm_*, fbclid, gclid, ...) removed, the
/// default port dropped, dot segments resolved; fragments kept only when they carry a route (#!,
/// #/). A text that is no absolute http(s) URL comes back as it was.
[[nodiscard]] std::string canonical_url(std::string_view text);

/// The key under which two addresses are the same page when results are merged: canonical, without
/// scheme, "www.", a trailing slash and the fragment (unless it is a route), query parameters
/// sorted, escapes in one spelling.
[[nodiscard]] std::string same_page_key(std::string_view text);

/// The registrable-looking host of a URL without "www.": "news.example.org". "" if none.
[[nodiscard]] std::string host_of(std::string_view text);

/// Everything but the unreserved characters of RFC 3986 (letters, digits, "-._~") as %XX.
[[nodiscard]] std::string percent_encode(std::string_view text);
[[nodiscard]] std::string percent_decode(std::string_view text, bool plus_is_space = false);

/// Builds "a=1&b=2" with encoding, in the order given.
[[nodiscard]] std::string build_query(
    const std::vector<std::pair<std::string_view, std::string>>& parameters);

/// The value of one query parameter, decoded; null if absent.
[[nodiscard]] std::optional<std::string> query_parameter(std::string_view query,
                                                         std::string_view name);

/// base + path, with exactly one slash between; `base` may carry a path prefix, and comes back as
/// it is if `path` is empty.
[[nodiscard]] std::string join_path(std::string_view base, std::string_view path);

}  // namespace freshet::base
