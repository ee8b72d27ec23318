// Addresses that are already as parse_url() would write them, cut into views: most that sources
// give are, and need no copy of any part. Whatever is not plainly so is left to the parser.
#pragma once

#include <optional>
#include <string_view>

namespace freshet::base {

/// The parts of a plain address, as in `url`; there are no credentials and no port. Views into the
/// text that was read.
struct plain_url {
  std::string_view scheme;  ///< "http" or "https"
  std::string_view host, path, query, fragment;
  bool has_query = false;
  bool has_fragment = false;
};

/// Cuts an absolute http(s) address of which parse_url() would lower, encode, resolve and leave out
/// nothing, so that its text() is the same; null for any other text, and for some such addresses.
[[nodiscard]] std::optional<plain_url> read_plain_url(std::string_view text) noexcept;

}  // namespace freshet::base
