// A call whose sources are told as they answer: server-sent events, or lines of JSON. It decides by
// the first thing that is said whether there is a stream at all, and it waits for nobody: who reads
// too slowly is told less of the sources, and all of the answer.
#pragma once

#include <freshet/response.hpp>
#include <functional>
#include <memory>
#include <mutex>
#include <server/backend.hpp>
#include <server/http/negotiation.hpp>
#include <server/routes.hpp>
#include <string>
#include <string_view>

namespace freshet::server {

/// Thread-safe. Make it with make_shared: the call under way holds it.
class answer_stream : public std::enable_shared_from_this<answer_stream> {
 public:
  answer_stream(const backend& behind, stream_form form, request_facts facts)
      : backend_(behind), form_(form), facts_(std::move(facts)) {}

  /// Starts the call; `give` gets the reply, once. What is returned ends the call of a client that
  /// leaves before.
  [[nodiscard]] std::function<void()> begin(request call, std::function<void(reply)> give);

 private:
  void tell(source_event told);
  void finish(response answered);
  void cancel();
  [[nodiscard]] reply head(const std::shared_ptr<body_stream>& body, bool origin_allowed) const;
  [[nodiscard]] std::string event(std::string_view name, std::string_view data) const;

  const backend& backend_;
  const stream_form form_;
  const request_facts facts_;

  std::mutex mutex_;  // guards the rest
  std::function<void(reply)> give_;
  std::shared_ptr<body_stream> body_;  // null until a source is told of
  std::uint64_t ticket_ = 0;
  bool left_ = false;  // the client has gone
};

/// Such a call, to be begun.
[[nodiscard]] deferred_reply stream_call(const backend& behind, stream_form form,
                                         request_facts facts, request call);

}  // namespace freshet::server
