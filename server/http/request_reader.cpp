// The buffer and the order of the checks: an oversized request is refused as soon as its size is
// known, never after it has been read.
#include <algorithm>
#include <cstring>
#include <server/http/request_reader.hpp>
#include <utility>

namespace freshet::server {
namespace {

/// Room for a read: a head is mostly below 1 KB; a body is worth fewer, larger reads.
constexpr std::size_t head_read_bytes = 2048;
constexpr std::size_t body_read_bytes = 16384;
/// A client may send this many empty lines before a request (RFC 9112, 2.2 asks for one).
constexpr unsigned max_blank_lines = 2;
/// What is read ahead of a request that is under way, beside the head that it may end with.
constexpr std::size_t pipelined_bytes = 8192;

}  // namespace

bool request_reader::full() const noexcept {
  return buffered() >= limits_.head.bytes + (in_body_ ? limits_.body_bytes : pipelined_bytes);
}

std::span<char> request_reader::prepare() {
  if (begin_ == end_) begin_ = end_ = 0;
  const std::size_t wanted = in_body_ ? body_read_bytes : head_read_bytes;
  if (buffer_.size() - end_ < wanted) {
    if (begin_ > 0) {
      std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
      end_ -= begin_;
      begin_ = 0;
    }
    if (buffer_.size() - end_ < wanted) buffer_.resize(end_ + wanted);
  }
  return {buffer_.data() + end_, buffer_.size() - end_};
}

request_reader::progress request_reader::fail(error why) {
  failure_ = std::move(why);
  return progress::failed;
}

request_reader::progress request_reader::advance() {
  if (failure_) return progress::failed;
  if (in_body_ && parser_.done()) return progress::complete;
  return in_body_ ? advance_body() : advance_head();
}

request_reader::progress request_reader::advance_head() {
  while (bytes().starts_with("\r\n")) {
    if (++blank_lines_ > max_blank_lines) {
      return fail(error(errc::malformed_http, "there are empty lines before the request"));
    }
    begin_ += 2;
  }
  if (bytes().empty()) return progress::idle;
  if (bytes() == "\r") return progress::head;
  const head_end end = find_head_end(bytes(), searched_);
  if (end.what == head_end::state::malformed) {
    return fail(error(errc::malformed_http, "the head is not lines that end in CRLF"));
  }
  const std::size_t size = end.what == head_end::state::complete ? end.size : buffered();
  if (size > limits_.head.bytes) {
    // Which part is too long decides what the client can do about it.
    const bool long_line =
        bytes().substr(0, limits_.head.bytes).find('\n') == std::string_view::npos;
    return long_line ? fail(error(errc::uri_too_long, "the request line is too long"))
                     : fail(error(errc::headers_too_large,
                                  "the header fields are larger than the server accepts"));
  }
  if (end.what == head_end::state::incomplete) {
    searched_ = end.resume_at;
    return progress::head;
  }
  const result<void> read = parser_.read_head(bytes().substr(0, end.size));
  if (!read) return fail(read.error());
  begin_ += end.size;
  searched_ = 0;
  blank_lines_ = 0;
  in_body_ = true;
  return judges_ ? progress::headed : advance_body();
}

request_reader::progress request_reader::advance_body() {
  const result<std::size_t> taken = parser_.read_body(bytes());
  if (!taken) return fail(taken.error());
  begin_ += *taken;
  return parser_.done() ? progress::complete : progress::body;
}

bool request_reader::wants_continue() const noexcept {
  return in_body_ && !parser_.done() && parser_.head().body().expect_continue &&
         !parser_.body_begun() && buffered() == 0;
}

http_request request_reader::take() {
  in_body_ = false;
  return parser_.take();
}

}  // namespace freshet::server
