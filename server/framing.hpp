// The head of a request, read strictly from its raw bytes: where it ends, what it says, and whether
// two readers could disagree about where the body ends. Every shape that a proxy and a server might
// frame differently (request smuggling) is refused here, before anything looks at the body. Nothing
// is repaired: no unfolding, no joined duplicates, no bare LF.
#pragma once

#include <cstdint>
#include <freshet/result.hpp>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

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

/// Looks for the empty line; `from` is the resume_at of the last search. A line that ends in a bare
/// LF is malformed at once: its sender would otherwise wait for the deadline.
[[nodiscard]] head_end find_head_end(std::string_view bytes, std::size_t from) noexcept;

/// How the body is framed and what the connection does next.
struct framing {
  std::uint64_t content_length = 0;
  bool has_content_length = false;
  bool chunked = false;
  bool keep_alive = true;
  bool expect_continue = false;
};

/// A checked head. A value that owns its bytes; the views it gives live as long as it, and stay
/// valid when it is moved.
class request_head {
 public:
  request_head() = default;

  /// `raw` ends with the empty line. Errors: malformed_http, headers_too_large,
  /// unsupported_transfer_encoding, expectation_failed, length_required.
  [[nodiscard]] static result<request_head> parse(std::string_view raw, const head_limits& limits);

  [[nodiscard]] std::string_view method() const noexcept { return view(method_); }
  /// The target's path, without its query; "*" for OPTIONS *.
  [[nodiscard]] std::string_view path() const noexcept { return view(path_); }
  /// What follows the "?"; "" if nothing does.
  [[nodiscard]] std::string_view query() const noexcept { return view(query_); }
  [[nodiscard]] int minor_version() const noexcept { return minor_; }
  [[nodiscard]] const struct framing& body() const noexcept { return framing_; }

  /// The first field of this name (ASCII case is ignored), trimmed; null if there is none.
  [[nodiscard]] std::optional<std::string_view> field(std::string_view name) const noexcept;
  [[nodiscard]] std::size_t count(std::string_view name) const noexcept;

 private:
  struct slice {
    std::uint16_t at = 0, size = 0;
  };
  struct field_slices {
    slice name, value;
  };
  [[nodiscard]] std::string_view view(slice s) const noexcept {
    return std::string_view(*raw_).substr(s.at, s.size);
  }
  [[nodiscard]] result<void> read_request_line(std::string_view line);
  [[nodiscard]] result<void> read_target(std::size_t at, std::size_t size);
  [[nodiscard]] result<void> read_field(std::size_t at, std::string_view line);
  [[nodiscard]] result<void> check_host() const;
  [[nodiscard]] result<void> check_framing();
  [[nodiscard]] result<void> read_length();
  void read_connection();

  // On the heap, so that a move keeps the views valid.
  std::shared_ptr<const std::string> raw_;
  slice method_, path_, query_;
  std::vector<field_slices> fields_;
  struct framing framing_;
  int minor_ = 1;
};

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
