// One request out of bytes that are known to be complete parts of it: the checks of framing.hpp,
// then Beast's parser. Beast is kept behind it; it does no I/O and holds no buffer of its own. A
// client mostly says the same head again: what the last one was read as is not read anew.
#pragma once

#include <cstdint>
#include <freshet/result.hpp>
#include <memory>
#include <optional>
#include <server/http/framing.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace freshet::server {

struct reader_limits {
  head_limits head;
  std::size_t body_bytes = 65536;
};

/// A checked head. A value; the views it gives live as long as it or a copy, also when it is moved.
class request_head {
 public:
  request_head() = default;

  [[nodiscard]] std::string_view method() const noexcept;
  /// The target's path, without its query; "*" for OPTIONS *.
  [[nodiscard]] std::string_view path() const noexcept;
  /// What follows the "?"; "" if nothing does.
  [[nodiscard]] std::string_view query() const noexcept;
  [[nodiscard]] int minor_version() const noexcept;
  [[nodiscard]] const struct framing& body() const noexcept;

  /// The first field of this name (ASCII case is ignored), trimmed; null if there is none.
  [[nodiscard]] std::optional<std::string_view> field(std::string_view name) const noexcept;
  [[nodiscard]] std::size_t count(std::string_view name) const noexcept;
  /// All of this name, in their order.
  [[nodiscard]] std::vector<std::string_view> fields(std::string_view name) const;
  /// Whether both are one head, which came again. One that nothing was read into is no other's.
  [[nodiscard]] bool is_same(const request_head& other) const noexcept {
    return parsed_ != nullptr && parsed_ == other.parsed_;
  }

 private:
  friend class message_parser;
  struct parsed_head;
  explicit request_head(std::shared_ptr<const parsed_head> from) noexcept
      : parsed_(std::move(from)) {}

  std::shared_ptr<const parsed_head> parsed_;  // null only in a head that nothing was read into
};

/// A request as it came, head checked and body complete.
struct http_request {
  request_head head;
  std::string body;
};

class message_parser {
 public:
  explicit message_parser(const reader_limits& limits);
  ~message_parser();
  message_parser(const message_parser&) = delete;
  message_parser& operator=(const message_parser&) = delete;

  /// Begins a request; `raw` is its head with the empty line. Errors: those of check_head(),
  /// malformed_http, payload_too_large. After an error only destruction is allowed.
  [[nodiscard]] result<void> read_head(std::string_view raw);
  /// Takes what it can of the body and returns how much; done() or more bytes are needed then.
  /// Errors: malformed_http, payload_too_large.
  [[nodiscard]] result<std::size_t> read_body(std::string_view bytes);
  [[nodiscard]] bool done() const noexcept;
  /// Between read_head() and read_body(): no more than this for this request. Error:
  /// payload_too_large, where the head says already that it is more.
  [[nodiscard]] result<void> limit_body(std::size_t bytes);
  /// Of the body, so far.
  [[nodiscard]] std::size_t body_bytes() const noexcept;
  /// Whether anything of the body has been taken.
  [[nodiscard]] bool body_begun() const noexcept { return body_begun_; }
  /// After read_head().
  [[nodiscard]] const request_head& head() const noexcept { return head_; }
  /// Whether it is kept for when it comes again.
  [[nodiscard]] bool keeps_head() const noexcept { return head_.is_same(last_); }
  /// After done(): the request. read_head() may begin another.
  [[nodiscard]] http_request take();

 private:
  struct state;
  [[nodiscard]] result<void> read_new_head(std::string_view raw);
  [[nodiscard]] result<std::size_t> read_chunk_head(std::string_view bytes);
  [[nodiscard]] result<std::size_t> put(std::string_view bytes);

  reader_limits limits_;
  std::size_t body_limit_ = 0;    // of this request
  std::unique_ptr<state> state_;  // Beast's parser
  request_head head_;
  std::uint64_t chunk_head_bytes_ = 0;
  bool body_begun_ = false;
  // The last head as it came and as it was read; of one that comes again the body, which has a
  // length.
  std::string last_raw_;
  request_head last_;
  bool is_again_ = false;
  std::string body_;
};

}  // namespace freshet::server
