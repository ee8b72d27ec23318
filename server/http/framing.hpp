// What stands in front of Beast: a strict look at the raw bytes of a head, and of the lines between
// chunks, for every shape that a proxy and a server might frame differently (request smuggling) and
// that Beast lets pass or waits for. It says where they end and whether to refuse them; their
// parsing is Beast's. Nothing is repaired: no unfolding, no joined duplicates, no bare LF.
#pragma once

#include <cstdint>
#include <freshet/result.hpp>
#include <string_view>

namespace freshet::server {

struct head_limits {
  std::size_t bytes = 8192;  ///< request line and fields with their line ends; at most 65535
  std::size_t fields = 100;
};

/// Where a head ends in a buffer that grows.
struct head_end {
  enum class state : std::uint8_t { incomplete, complete, malformed };
  state what = state::incomplete;
  std::size_t size = 0;       ///< complete: bytes of the head with the empty line
  std::size_t resume_at = 0;  ///< incomplete: where the next search goes on
};

/// Looks for the empty line; `index` is the resume_at of the last search. A line that ends in a
/// bare LF is malformed at once: its sender would otherwise wait for the deadline.
[[nodiscard]] head_end find_head_end(std::string_view bytes, std::size_t index) noexcept;

/// How the body is framed and what the connection does next.
struct framing {
  std::uint64_t content_length = 0;
  bool chunked = false;
  bool keep_alive = true;
  bool expect_continue = false;
};

/// Checks a head that ends with the empty line; what it returns has no keep_alive yet. Errors:
/// malformed_http, headers_too_large, unsupported_transfer_encoding, expectation_failed,
/// length_required.
[[nodiscard]] result<framing> check_head(std::string_view raw, const head_limits& limits);

/// Views into the target.
struct target_parts {
  std::string_view path;   ///< "*" for OPTIONS *; "" if an absolute URL has none
  std::string_view query;  ///< what follows the "?"; "" if nothing does
};
/// Takes a path or an absolute http URL. Errors: malformed_http.
[[nodiscard]] result<target_parts> split_target(std::string_view target);

/// Looks for the end of what stands between the data of two chunks: the CRLF after the data (not
/// before the first chunk) and the line with the size; after the last chunk the trailer and the
/// empty line too. `bytes` starts where the data ended. `resume_at` is not used.
[[nodiscard]] head_end find_chunk_head_end(std::string_view bytes, bool first_chunk) noexcept;

/// Whether two ASCII words are equal when case is ignored.
[[nodiscard]] bool equal_ascii_nocase(std::string_view a, std::string_view b) noexcept;
/// Calls `each` with every element of a comma-separated list, trimmed; empty ones too.
template <class Each>
void for_each_element(std::string_view list, Each each);
/// Without SP and HTAB at both ends.
[[nodiscard]] std::string_view trim_blank(std::string_view text) noexcept;

template <class Each>
void for_each_element(std::string_view list, Each each) {
  while (true) {
    const std::size_t comma = list.find(',');
    each(trim_blank(list.substr(0, comma)));
    if (comma == std::string_view::npos) return;
    list.remove_prefix(comma + 1);
  }
}

}  // namespace freshet::server
