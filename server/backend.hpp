// What the HTTP layer asks of what is behind it: a narrow seam, so that sessions are tested without
// an engine and the engine knows nothing of sockets.
#pragma once

#include <cstdint>
#include <freshet/engine.hpp>
#include <freshet/response.hpp>
#include <functional>
#include <memory>
#include <server/dashboard_http.hpp>
#include <server/http/reply.hpp>
#include <server/http/request_reader.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace freshet::server {

struct request_facts;

/// An answer that is made elsewhere: `begin` is told, on the io thread, where the reply goes, once
/// and from any thread. What it returns is called if the client leaves before there is one; null:
/// nobody need know. A reply whose body comes in pieces hears of that from its body_stream.
struct deferred_reply {
  std::function<std::function<void()>(std::function<void(reply)>)> begin;
};

/// The calls, as functions. All may be called from the io thread and must not block; `submit`
/// answers once, on any thread.
struct backend {
  std::function<std::uint64_t(request&&, std::function<void(response)>&&)> submit;
  std::function<void(std::uint64_t)> cancel;
  std::function<void(freshet::dashboard_request, std::function<void(dashboard_response)>)>
      submit_dashboard;  ///< as submit, without cancel
  /// Calls back, on any thread, whenever calls of the session's account were logged, until it
  /// answers false or what is returned goes. Null: nobody can watch.
  std::function<result<std::shared_ptr<const void>>(const std::string& session,
                                                    std::function<bool()> written)>
      watch_calls;
  std::function<bool()> ready;
  /// Whether there is memory for further connections; null: always.
  std::function<bool()> has_room;
  /// Whose a key is, as text; it does not wait. Null: every key is "caller".
  std::function<result<std::string>(std::string_view key)> owner_of;
  /// Whether pages of an origin may use any key; null: none.
  std::function<bool(std::string_view origin)> knows_origin;
  /// The requests to /mcp; null: there is no such route.
  std::function<deferred_reply(http_request, const request_facts&)> mcp;
  std::function<response(const error&, std::string_view request_id)> problem;
  bool mcp_open = false;     ///< whether /mcp takes requests without a key
  bool health_only = false;  ///< whether /healthz, /readyz and /metrics are all there is
  std::function<std::string()> metrics;  ///< the text of /metrics; null: there is no such route
  std::function<bool()> draining;  ///< whether another listener of the process does; null: none
  bool pages = true;               ///< whether /dashboard and /docs are served
  bool dropin = false;             ///< whether submit() takes the paths of dropin::paths(), too
  dashboard_settings dashboard_http;
  std::vector<std::string> endpoints;  ///< the POST paths under /v1/: "microblog/search"
  /// The description as JSON, made when it is first asked for, on a thread of its own: that takes a
  /// fraction of a second. Null: there is none.
  std::function<std::string()> openapi;
};

/// The backend that an engine is, which must outlive it.
[[nodiscard]] backend backend_of(engine& behind, dashboard_settings dashboard_http);

}  // namespace freshet::server
