// The Model Context Protocol over HTTP, at /mcp: every revision under one address. It checks who
// asks and how, finds the session or none, and hands messages to a session core; what they mean it
// does not know.
#pragma once

#include <functional>
#include <memory>
#include <server/backend.hpp>
#include <server/mcp/http_checks.hpp>
#include <server/mcp/http_sessions.hpp>
#include <server/mcp/message_rate.hpp>
#include <string>

namespace freshet::server::mcp {

struct http_settings {
  std::string base_url;   ///< "": what the request says
  bool is_https = false;  ///< whether clients come by TLS
  known_hosts hosts;
  session_limits sessions;
  message_allowance rate;
  /// Whether a request without a key is served: the test profile's, on loopback alone. Endpoints
  /// still want one.
  bool open = false;
};

/// `on_loopback`: where the server listens. Error: invalid_configuration.
[[nodiscard]] result<http_settings> http_settings_of(const config& settings, bool on_loopback);

/// What the endpoint asks of the engine.
struct key_check {
  std::function<result<engine::key_rights>(std::string_view key)> rights;
  std::function<response(const error&, std::string_view request_id)> problem;
  /// Whether a key would still be let in; asked without a use of it.
  std::function<bool(std::string_view key)> is_good;
};

/// Used on the io thread only. The client must outlive it and the calls that it starts.
class http_endpoint {
 public:
  /// `offered`: what is offered, made when it is first wanted: it is megabytes, and many servers
  /// are never asked.
  http_endpoint(http_settings settings, std::function<offers()> offered, client& behind,
                key_check keys);

  /// An answer to a request for /mcp.
  [[nodiscard]] deferred_reply receive(http_request request, const request_facts& facts);
  /// Ends what is over: sessions that are idle for too long, or whose key has gone. Call it a few
  /// times a second.
  void sweep();

 private:
  using giver = std::function<void(reply)>;
  using client_gone_handler = std::function<void()>;

  /// One request under way through the checks.
  struct arrival {
    std::shared_ptr<const http_request> what;
    std::string request_id;
    std::string key;
    std::string owner;  // whose the key is; "" without a key
    engine::key_rights may;
    giver give;

    [[nodiscard]] const request_head& head() const { return what->head; }
    void refuse(int status, rpc_error code, std::string_view detail,
                std::string_view allow = {}) const;
  };

  [[nodiscard]] client_gone_handler begin(arrival&& of);
  [[nodiscard]] bool authorize(arrival& of) const;
  [[nodiscard]] bool take_tokens(const arrival& arrival, std::size_t messages);
  void challenge(const arrival& arrival, const error& why, std::string_view kind) const;
  [[nodiscard]] bool has_scope(const arrival& arrival, const message& said) const;

  [[nodiscard]] client_gone_handler post(const arrival& of);
  void listen(const arrival& of);
  void end_session(const arrival& of);
  [[nodiscard]] client_gone_handler post_stateless(const arrival& arrival, const message& said);
  void post_in_session(const arrival& arrival, std::vector<message>&& said);
  [[nodiscard]] std::shared_ptr<body_stream> make_body(const arrival& arrival,
                                                       const http_session& session);
  [[nodiscard]] http_session* open_session(const arrival& arrival, const message& said);
  [[nodiscard]] http_session* find_session(const arrival& of);
  [[nodiscard]] caller caller_of(const arrival& of) const;

  [[nodiscard]] const std::shared_ptr<const offers>& offered() const;

  http_settings with_;
  std::function<offers()> make_offers_;
  mutable std::shared_ptr<const offers> offered_;  // null: not wanted yet
  client& behind_;
  key_check keys_;
  http_sessions sessions_;
  message_rate rate_;
};

}  // namespace freshet::server::mcp
