// The chunked coding of a request's body, decoded without I/O. Sizes are bounded before they are
// believed, line ends must be CRLF, extensions and trailers are read over and thrown away.
#pragma once

#include <cstdint>
#include <freshet/result.hpp>
#include <string>
#include <string_view>

namespace freshet::server {

/// One body. Feed it until done() or an error.
class chunked_decoder {
 public:
  explicit chunked_decoder(std::size_t max_body_bytes) : max_body_bytes_(max_body_bytes) {}

  /// Takes what it can of `bytes` and appends what they carry to `body`; returns how many it took
  /// (all of them unless done). Errors: malformed_http, payload_too_large.
  [[nodiscard]] result<std::size_t> take(std::string_view bytes, std::string& body);
  [[nodiscard]] bool done() const noexcept { return state_ == state::done; }

 private:
  enum class state : std::uint8_t {
    size,       // hexadecimal digits
    extension,  // after a ';', up to CR
    size_lf,    // the LF that ends the chunk's line
    data,
    data_cr,
    data_lf,
    trailer_start,  // at the start of a line after the last chunk
    trailer,        // within a trailer field
    trailer_lf,     // the LF that ends a trailer field
    end_lf,         // the LF of the empty line
    done,
  };
  [[nodiscard]] result<void> step(char c, std::size_t body_size);
  [[nodiscard]] result<void> step_size(char c, std::size_t body_size);
  [[nodiscard]] result<void> step_trailer(char c);

  std::size_t max_body_bytes_;
  std::uint64_t chunk_left_ = 0;
  std::uint64_t framing_bytes_ = 0;
  unsigned digits_ = 0;
  unsigned line_bytes_ = 0;
  state state_ = state::size;
};

}  // namespace freshet::server
