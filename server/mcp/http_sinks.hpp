// The ways back over HTTP: a session's events, or one answer that decides by its first message
// whether it is a JSON document or a stream.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <server/http/reply.hpp>
#include <server/mcp/event_log.hpp>
#include <server/mcp/request_context.hpp>
#include <server/mcp/session_core.hpp>
#include <string>
#include <utility>
#include <vector>

namespace freshet::server::mcp {

/// A reply with one JSON-RPC message.
[[nodiscard]] reply message_reply(int status, std::string text, const std::string& request_id);

/// Messages of a request, or of a batch of them, as events of a session's stream. Thread-safe.
class event_sink : public response_sink {
 public:
  /// `requests`: so many answers end the stream.
  event_sink(std::shared_ptr<event_log> log, std::uint64_t stream, std::size_t requests)
      : log_(std::move(log)), stream_(stream), left_(requests) {}

  void tell(std::string text) override { log_->append(stream_, text); }
  void answer(std::string text, verdict how) override;
  void withdraw() override {
    if (--left_ == 0) log_->finish(stream_);
  }
  [[nodiscard]] bool has_room() override { return log_->keeps_up(stream_); }
  void interrupt() override { log_->interrupt(stream_); }

 private:
  const std::shared_ptr<event_log> log_;
  const std::uint64_t stream_;
  std::atomic<std::size_t> left_;
};

/// Brings the messages of one request to a session one after the other, no faster than its client
/// takes the answers: what is not answered yet waits as a question, which is small. Make it with
/// make_shared.
class message_feed : public std::enable_shared_from_this<message_feed> {
 public:
  message_feed(std::vector<message> said, std::shared_ptr<session_core> talk,
               std::shared_ptr<event_log> log, std::uint64_t stream, std::size_t requests)
      : said_(std::move(said)),
        talk_(std::move(talk)),
        log_(std::move(log)),
        stream_(stream),
        to_(std::make_shared<event_sink>(log_, stream, requests)) {}

  /// Goes on by itself, on any thread, until all are there.
  void go_on();

 private:
  std::vector<message> said_;
  std::size_t next_ = 0;
  const std::shared_ptr<session_core> talk_;
  const std::shared_ptr<event_log> log_;
  const std::uint64_t stream_;
  const std::shared_ptr<event_sink> to_;
};

/// The answer to one request without a session. Thread-safe.
class direct_sink : public response_sink {
 public:
  /// `on_client_gone` is called when the client leaves a stream, or reads it too slowly.
  direct_sink(std::function<void(reply)> give, std::string request_id,
              std::function<void()> on_client_gone);

  void tell(std::string text) override;
  void answer(std::string text, verdict how) override;
  void withdraw() override;
  [[nodiscard]] bool has_room() override;

 private:
  void put(const std::string& text);

  std::mutex mutex_;
  std::function<void(reply)> give_;
  const std::string request_id_;
  const std::function<void()> on_client_gone_;
  std::shared_ptr<body_stream> body_;  // null until something is told before the answer
};

}  // namespace freshet::server::mcp
