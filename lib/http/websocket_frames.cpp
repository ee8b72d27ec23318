// wslay checks lengths, masks, fragments, UTF-8 and close codes; what it reads is gathered here,
// for it would take memory by the frame, also for a million frames of one byte. An exception must
// not go through its callbacks.
#include <wslay/wslay.h>

#include <base/digest.hpp>
#include <cstring>
#include <http/websocket_frames.hpp>
#include <new>
#include <utility>

namespace freshet::http {

struct websocket_frames::protocol {
  explicit protocol(websocket_frames& owner) {
    wslay_event_callbacks callbacks{};
    callbacks.recv_callback = &give_input;
    callbacks.send_callback = &take_output;
    callbacks.genmask_callback = &make_mask;
    callbacks.on_frame_recv_start_callback = &begin_frame;
    callbacks.on_frame_recv_chunk_callback = &append_payload;
    callbacks.on_msg_recv_callback = &end_message;
    if (wslay_event_context_client_init(&context, &callbacks, &owner) != 0) throw std::bad_alloc();
    wslay_event_config_set_no_buffering(context, 1);
    wslay_event_config_set_max_recv_msg_length(context, owner.max_message_bytes_);
  }
  protocol(const protocol&) = delete;
  protocol& operator=(const protocol&) = delete;
  ~protocol() { wslay_event_context_free(context); }

  using context_ptr = wslay_event_context_ptr;
  static websocket_frames& owner(void* self) { return *static_cast<websocket_frames*>(self); }

  /// Reads no more, and tells the other side why.
  static void refuse(context_ptr context, websocket_frames& frames, refusal why,
                     std::uint16_t status) {
    frames.refused_ = why;
    wslay_event_shutdown_read(context);
    // Without memory for it the connection ends all the same, only without a word.
    if (wslay_event_queue_close(context, status, nullptr, 0) != 0) return;
  }

  static ssize_t give_input(context_ptr context, std::uint8_t* out, std::size_t size, int,
                            void* self) {
    std::string_view& input = owner(self).input_;
    const std::size_t given = std::min(size, input.size());
    if (given == 0) {
      wslay_event_set_error(context, WSLAY_ERR_WOULDBLOCK);
      return -1;
    }
    std::memcpy(out, input.data(), given);
    input.remove_prefix(given);
    return static_cast<ssize_t>(given);
  }

  static ssize_t take_output(context_ptr context, const std::uint8_t* bytes, std::size_t size, int,
                             void* self) {
    try {
      owner(self).unsent_.append(reinterpret_cast<const char*>(bytes), size);
      return static_cast<ssize_t>(size);
    } catch (...) {
      wslay_event_set_error(context, WSLAY_ERR_CALLBACK_FAILURE);
      return -1;
    }
  }

  static int make_mask(context_ptr, std::uint8_t* out, std::size_t size, void*) {
    try {
      const std::string bytes = base::random_bytes(size);
      std::memcpy(out, bytes.data(), size);
      return 0;
    } catch (...) {
      return -1;
    }
  }

  static void begin_frame(context_ptr context, const wslay_event_on_frame_recv_start_arg* frame,
                          void* self) {
    websocket_frames& frames = owner(self);
    frames.in_control_frame_ = wslay_is_ctrl_frame(frame->opcode);
    const std::size_t room = frames.max_message_bytes_ - frames.message_.size();
    if (!frames.in_control_frame_ && frame->payload_length > room) {
      refuse(context, frames, refusal::too_large, WSLAY_CODE_MESSAGE_TOO_BIG);
    }
  }

  static void append_payload(context_ptr context, const wslay_event_on_frame_recv_chunk_arg* chunk,
                             void* self) {
    websocket_frames& frames = owner(self);
    if (frames.in_control_frame_ || frames.refused_ != refusal::none) return;
    try {
      frames.message_.append(reinterpret_cast<const char*>(chunk->data), chunk->data_length);
    } catch (...) {
      refuse(context, frames, refusal::no_memory, WSLAY_CODE_GOING_AWAY);
    }
  }

  static void end_message(context_ptr context, const wslay_event_on_msg_recv_arg* message,
                          void* self) {
    websocket_frames& frames = owner(self);
    if (wslay_is_ctrl_frame(message->opcode) || frames.refused_ != refusal::none) return;
    if (message->opcode != WSLAY_TEXT_FRAME) {
      return refuse(context, frames, refusal::binary, WSLAY_CODE_UNSUPPORTED_DATA);
    }
    try {
      frames.messages_.push_back(std::move(frames.message_));
      frames.message_.clear();
    } catch (...) {
      refuse(context, frames, refusal::no_memory, WSLAY_CODE_GOING_AWAY);
    }
  }

  context_ptr context = nullptr;
};

websocket_frames::websocket_frames(std::size_t max_message_bytes)
    : max_message_bytes_(max_message_bytes), protocol_(std::make_unique<protocol>(*this)) {}

websocket_frames::~websocket_frames() = default;

error websocket_frames::failure() const {
  const auto fault = [](const char* what) {
    return error(errc::source_error, std::string("reading the stream: ") + what);
  };
  switch (refused_) {
    case refusal::too_large:
      return fault("a message is too large");
    case refusal::binary:
      return error(errc::source_error, "the stream sends binary messages");
    case refusal::no_memory:
      return error(errc::overloaded);
    case refusal::none:
      break;
  }
  if (wslay_event_get_close_received(protocol_->context) != 0) {
    const unsigned code = wslay_event_get_status_code_received(protocol_->context);
    return error(errc::source_unavailable,
                 "reading the stream: the other side closed it, code " + std::to_string(code));
  }
  switch (wslay_event_get_status_code_sent(protocol_->context)) {
    case WSLAY_CODE_MESSAGE_TOO_BIG:
      return fault("a message is too large");
    case WSLAY_CODE_INVALID_FRAME_PAYLOAD_DATA:
      return fault("a message is not UTF-8");
    default:
      return fault("it is against the protocol");
  }
}

result<void> websocket_frames::take(std::string_view bytes) {
  input_ = bytes;
  const int read = wslay_event_recv(protocol_->context);
  input_ = {};
  // Sent first: what is said to the other side tells us, too, what was wrong.
  const result<void> written = write_out();
  if (read == WSLAY_ERR_NOMEM) return error(errc::overloaded);
  if (read != 0 || wslay_event_get_read_enabled(protocol_->context) == 0) return failure();
  return written;
}

std::optional<std::string> websocket_frames::next_message() {
  if (messages_.empty()) return std::nullopt;
  std::optional<std::string> out(std::move(messages_.front()));
  messages_.pop_front();
  return out;
}

result<void> websocket_frames::ping() {
  const wslay_event_msg empty{WSLAY_PING, nullptr, 0};
  if (wslay_event_queue_msg(protocol_->context, &empty) != 0) return error(errc::overloaded);
  return write_out();
}

result<void> websocket_frames::write_out() {
  // Nothing is in its way but want of memory: there is room for all of it.
  if (wslay_event_send(protocol_->context) != 0) return error(errc::overloaded);
  return {};
}

}  // namespace freshet::http
