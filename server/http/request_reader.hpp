// From bytes to requests, without I/O: the connection reads into it and asks how far the next
// request has come. It holds one request at a time and a bounded buffer of what a pipelining client
// has sent after it.
#pragma once

#include <freshet/result.hpp>
#include <optional>
#include <server/http/message_parser.hpp>
#include <span>
#include <string_view>
#include <vector>

namespace freshet::server {

class request_reader {
 public:
  /// `judges`: whether advance() says `headed` between a head and its body.
  explicit request_reader(const reader_limits& limits, bool judges = false)
      : limits_(limits), judges_(judges), parser_(limits) {}

  /// Room for the next read, at least 1 byte. Valid until the next prepare(); only one read may be
  /// under way. advance() and take() may be called meanwhile.
  [[nodiscard]] std::span<char> prepare();
  void commit(std::size_t bytes) noexcept { end_ += bytes; }
  /// Forgets what has been buffered.
  void discard() noexcept { begin_ = end_; }
  [[nodiscard]] std::size_t buffered() const noexcept { return end_ - begin_; }
  /// Whether no more should be read until requests have been taken.
  [[nodiscard]] bool full() const noexcept;

  enum class progress : std::uint8_t { idle, head, headed, body, complete, failed };
  /// Goes as far as the buffered bytes allow. `failed` is final: the connection has lost its place.
  progress advance();
  /// After `headed`: what came before the body.
  [[nodiscard]] const request_head& head() const noexcept { return parser_.head(); }
  [[nodiscard]] bool keeps_head() const noexcept { return parser_.keeps_head(); }
  /// After `headed`: see message_parser::limit_body().
  [[nodiscard]] result<void> limit_body(std::size_t bytes) { return parser_.limit_body(bytes); }
  /// What is kept in memory of requests that have not been taken.
  [[nodiscard]] std::size_t held() const noexcept {
    return buffered() + (in_body_ ? buffer_.size() + parser_.body_bytes() : 0);
  }
  /// After `failed`: malformed_http, uri_too_long, headers_too_large, payload_too_large…
  [[nodiscard]] const error& failure() const { return *failure_; }
  /// In `body`: whether the client waits for "100 Continue" and has sent nothing of the body.
  [[nodiscard]] bool wants_continue() const noexcept;
  /// After `complete`: the request; the reader goes on with the next.
  [[nodiscard]] http_request take();

 private:
  [[nodiscard]] std::string_view bytes() const noexcept {
    return {buffer_.data() + begin_, end_ - begin_};
  }
  progress fail(error why);
  progress advance_head();
  progress advance_body();

  reader_limits limits_;
  bool judges_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0, end_ = 0;
  std::size_t searched_ = 0;  // of the head: no empty line before it
  unsigned blank_lines_ = 0;
  bool in_body_ = false;
  message_parser parser_;
  std::optional<error> failure_;
};

}  // namespace freshet::server
