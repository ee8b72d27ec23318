// A byte-wise state machine for the framing and bulk copies for the data.
#include <algorithm>
#include <server/chunked.hpp>

namespace freshet::server {
namespace {

/// 8 hexadecimal digits hold any size that a limit of ours allows, and cannot overflow 64 bits.
constexpr unsigned max_size_digits = 8;
/// One extension or trailer line.
constexpr unsigned max_line_bytes = 1024;
/// Framing per byte of body allowed: one-byte chunks cost 5, so an honest sender stays below.
constexpr std::uint64_t max_framing_ratio = 8;
constexpr std::uint64_t free_framing_bytes = 4096;

error malformed(const char* detail) { return error(errc::malformed_http, detail); }

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

bool is_line_byte(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte == '\t' || (byte >= 0x20 && byte != 0x7f);
}

}  // namespace

result<std::size_t> chunked_decoder::take(std::string_view bytes, std::string& body) {
  std::size_t at = 0;
  while (at < bytes.size() && state_ != state::done) {
    if (state_ == state::data) {
      const std::size_t here =
          static_cast<std::size_t>(std::min<std::uint64_t>(chunk_left_, bytes.size() - at));
      body.append(bytes.substr(at, here));
      chunk_left_ -= here;
      at += here;
      if (chunk_left_ == 0) state_ = state::data_cr;
      continue;
    }
    const std::uint64_t allowed = free_framing_bytes + max_framing_ratio * max_body_bytes_;
    if (++framing_bytes_ > allowed) {
      return error(errc::payload_too_large, "the chunks carry far more framing than data");
    }
    if (const result<void> moved = step(bytes[at], body.size()); !moved) return moved.error();
    ++at;
  }
  return at;
}

result<void> chunked_decoder::step(char c, std::size_t body_size) {
  switch (state_) {
    case state::size:
      return step_size(c, body_size);
    case state::extension:
      if (c == '\r') {
        state_ = state::size_lf;
      } else if (!is_line_byte(c) || ++line_bytes_ > max_line_bytes) {
        return malformed("a chunk extension is not valid");
      }
      return {};
    case state::size_lf:
      if (c != '\n') return malformed("a chunk's line does not end in CRLF");
      state_ = chunk_left_ == 0 ? state::trailer_start : state::data;
      return {};
    case state::data_cr:
      if (c != '\r') return malformed("a chunk's data is not followed by CRLF");
      state_ = state::data_lf;
      return {};
    case state::data_lf:
      if (c != '\n') return malformed("a chunk's data is not followed by CRLF");
      state_ = state::size;
      digits_ = 0;
      line_bytes_ = 0;
      return {};
    default:
      return step_trailer(c);
  }
}

result<void> chunked_decoder::step_size(char c, std::size_t body_size) {
  const int digit = hex_digit(c);
  if (digit >= 0) {
    if (++digits_ > max_size_digits) return malformed("a chunk size has too many digits");
    chunk_left_ = chunk_left_ * 16 + static_cast<unsigned>(digit);
    return {};
  }
  if (digits_ == 0) return malformed("a chunk has no size");
  if (c != '\r' && c != ';') return malformed("a chunk size is not hexadecimal");
  if (chunk_left_ > max_body_bytes_ - std::min(max_body_bytes_, body_size)) {
    return error(errc::payload_too_large, "the body is larger than the server accepts");
  }
  state_ = c == '\r' ? state::size_lf : state::extension;
  return {};
}

result<void> chunked_decoder::step_trailer(char c) {
  switch (state_) {
    case state::trailer_start:
      line_bytes_ = 0;
      if (c == ' ' || c == '\t') return malformed("a trailer field is folded over lines");
      state_ = c == '\r' ? state::end_lf : state::trailer;
      if (c != '\r' && !is_line_byte(c)) return malformed("a trailer field is not valid");
      return {};
    case state::trailer:
      if (c == '\r') {
        state_ = state::trailer_lf;
      } else if (!is_line_byte(c) || ++line_bytes_ > max_line_bytes) {
        return malformed("a trailer field is not valid");
      }
      return {};
    case state::trailer_lf:
      if (c != '\n') return malformed("a trailer field does not end in CRLF");
      state_ = state::trailer_start;
      return {};
    default:
      if (c != '\n') return malformed("the trailer does not end in CRLF");
      state_ = state::done;
      return {};
  }
}

}  // namespace freshet::server
