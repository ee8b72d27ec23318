// One client's side of the Model Context Protocol, without transport: messages in, messages out.
// It speaks the revisions with a handshake (2025-03-26 to 2025-11-25) and the one without
// (2026-07-28), told apart by what each request says of itself. Tools are calls of the engine;
// nothing here fetches.
#pragma once

#include <freshet/client.hpp>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <server/mcp/offers.hpp>
#include <server/mcp/request_context.hpp>
#include <string>
#include <string_view>

namespace freshet::server::mcp {

/// As whom tools are called.
struct caller {
  std::string key;         ///< "" for none
  bool in_process = true;  ///< whether a call without a key is allowed
};

/// Thread-safe. Make it with make_shared: calls under way hold it. The client behind it must
/// outlive those calls: close() ends them.
class session_core : public std::enable_shared_from_this<session_core> {
 public:
  session_core(std::shared_ptr<const offers> offered, client& behind, caller caller);

  /// A message of the client. A request's answer goes to `sink`, now or when the call that it asks
  /// for is done; for other messages it may be null. `stateless`: the transport has said that the
  /// revision is the one without a handshake.
  void receive(const message& heard, std::shared_ptr<response_sink> sink, bool stateless = false);
  /// Cancels what runs and withdraws what is unanswered.
  void close();
  /// What the handshake settled; "" before it.
  [[nodiscard]] std::string revision() const;

 private:
  using context_ptr = std::shared_ptr<const request_context>;

  void answer(const context_ptr& of);
  void notice(const message& told);
  void hear_answer(const message& heard);
  void initialize(const request_context& of);
  void discover(const request_context& of) const;
  void set_level(const request_context& of);
  void get_prompt(const request_context& of) const;
  void read_description(const context_ptr& of);
  void read_resource(const context_ptr& of);
  void call_tool(const context_ptr& of);
  void start(const context_ptr& context, request request,
             std::function<void(const response&)> then);
  void ask(const context_ptr& about, std::string_view method, boost::json::object params,
           std::function<void(const message&)> then);

  /// A call of the engine, and whose it is.
  struct call {
    std::uint64_t ticket = 0;
    std::shared_ptr<response_sink> to;
  };
  struct question {
    context_ptr about;
    std::function<void(const message&)> then;
  };

  std::shared_ptr<const offers> offered_;
  client& behind_;
  caller as_;

  mutable std::mutex mutex_;  // guards the rest
  bool closed_ = false;
  std::string revision_;
  std::string log_level_ = "info";
  client_abilities able_;                       // of the client
  std::map<std::string, call> running_;         // by the request's id as JSON
  std::map<std::string, question> unanswered_;  // our requests, by their id as JSON
  std::uint64_t last_question_ = 0;
};

}  // namespace freshet::server::mcp
