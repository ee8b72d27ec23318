// The frames of one WebSocket (RFC 6455, 5) on the client's side, by wslay: bytes that came go in,
// whole text messages come out, and what has to be said in return (pongs, pings, a close) waits to
// be sent. It does no I/O and knows no time, and takes no binary message.
#pragma once

#include <cstddef>
#include <deque>
#include <freshet/result.hpp>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace freshet::http {

/// For one thread.
class websocket_frames {
 public:
  /// Throws std::bad_alloc.
  explicit websocket_frames(std::size_t max_message_bytes);
  websocket_frames(const websocket_frames&) = delete;
  websocket_frames& operator=(const websocket_frames&) = delete;
  ~websocket_frames();

  /// Reads what has come; the messages that are whole with it wait in next_message(), also those
  /// before an error. After an error nothing more is read, and what tells the other side why is in
  /// unsent(). Errors: source_unavailable (the other side closed the stream), source_error (too
  /// large, not UTF-8, binary, against the protocol), overloaded (no memory).
  [[nodiscard]] result<void> take(std::string_view bytes);
  /// The oldest message that has not been given yet.
  [[nodiscard]] std::optional<std::string> next_message();

  /// Error: overloaded.
  [[nodiscard]] result<void> ping();
  /// What is to be sent.
  [[nodiscard]] std::string_view unsent() const noexcept { return unsent_; }
  /// Its first bytes have gone.
  void mark_sent(std::size_t size) { unsent_.erase(0, size); }

 private:
  /// wslay's context and its callbacks; its header stays out of this one.
  struct protocol;
  enum class refusal { none, too_large, binary, no_memory };

  [[nodiscard]] error failure() const;
  result<void> write_out();

  const std::size_t max_message_bytes_;
  std::unique_ptr<protocol> protocol_;
  std::string_view input_;           ///< of the call of take() that is under way
  std::string message_;              ///< what has come of the next one
  bool in_control_frame_ = false;    ///< which may stand between the parts of a message
  refusal refused_ = refusal::none;  ///< by our own limits; wslay keeps those of the protocol
  std::deque<std::string> messages_;
  std::string unsent_;
};

}  // namespace freshet::http
