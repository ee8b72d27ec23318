// The dashboard's HTTP interface, /dashboard/api/*: cookies and headers, and nothing else. It reads
// the session from its cookie, refuses what another site's page has sent, and turns the rest into a
// dashboard request or a call for the engine, which knows who may do what.
#pragma once

#include <chrono>
#include <freshet/dashboard.hpp>
#include <freshet/engine.hpp>
#include <server/callers.hpp>
#include <server/http/reply.hpp>
#include <server/http/request_reader.hpp>
#include <string>
#include <string_view>

namespace freshet::server {

struct request_facts;

/// What the interface depends on. A value.
struct dashboard_settings {
  std::string base_url;
  bool is_https = false;  ///< whether browsers come by TLS, ours or that of a proxy
  trusted_proxies proxies;
  std::chrono::seconds session_lifetime{0};  ///< of the cookie; the engine ends sessions by itself
};
/// Of the configuration. Error: invalid_configuration (server.trusted_proxies).
[[nodiscard]] result<dashboard_settings> dashboard_settings_of(const config& from);

/// The endpoint's own example, for whoever asks.
[[nodiscard]] request example_call(const std::string& endpoint, const std::string& request_id);

/// Whether the path is the interface's.
[[nodiscard]] bool is_dashboard_api(std::string_view path) noexcept;

class dashboard_http {
 public:
  explicit dashboard_http(dashboard_settings with);

  /// What is known before anything is decided.
  struct arrival {
    std::string session, csrf_token;
    std::string address;  ///< of the caller: the peer, or whom a trusted proxy names
    std::string user_agent;
    /// Peer and Host are of the loopback and nothing says that a proxy stands between.
    bool at_this_machine = false;
  };
  [[nodiscard]] arrival read(const request_head& head, std::string_view peer) const;

  /// How a path below /dashboard/api/ is answered.
  struct way {
    const dashboard_action* command = nullptr;
    std::string endpoint;     ///< of a call: "microblog/search"; "" if it is none
    bool is_example = false;  ///< of that endpoint, for whoever asks
    bool is_watch = false;    ///< the events of the account
    std::string arguments;    ///< that the path has, as JSON; "" if it has none
    std::string_view allow;
  };
  /// Null command, no endpoint and no watch: there is nothing there.
  [[nodiscard]] static way find(std::string_view path);

  /// Refuses a POST of another site's page. Error: csrf_failed, unsupported_media_type.
  [[nodiscard]] result<void> check_origin(const request_head& head) const;
  /// The answer with its cookie.
  [[nodiscard]] reply reply_to(dashboard_response&& made) const;

 private:
  dashboard_settings with_;
  std::string origin_, cookie_name_, cookie_attributes_;
};

/// What the answers of the interface carry beside the usual fields.
void mark_dashboard_reply(reply& what);

}  // namespace freshet::server
