// From a request to either an answer or a call for the engine. No I/O: what is answered here costs
// no credit and asks no source. Endpoints are not listed here; they come from the description.
#pragma once

#include <freshet/engine.hpp>
#include <memory>
#include <server/backend.hpp>
#include <server/dashboard_http.hpp>
#include <server/description.hpp>
#include <server/http/compression.hpp>
#include <server/http/negotiation.hpp>
#include <server/http/reply.hpp>
#include <server/http/request_reader.hpp>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace freshet::server {

/// What the answer to a request depends on beside the route.
struct request_facts {
  std::string request_id;  ///< the caller's, if it was valid, or a fresh one
  bool head_only = false;
  bool wants_gzip = false;
  std::string peer;    ///< the address at the other end of the connection
  std::string origin;  ///< of the web page that asks; "": none does
  std::string owner;   ///< whose the key is; "" if there is none that is valid
};
[[nodiscard]] request_facts facts_of(const request_head& head);
/// The request's own, or one that is made.
[[nodiscard]] std::string request_id_of(const request_head& head);

/// What a head says before its body is read.
struct head_verdict {
  std::string owner;    ///< whose the key is; "" if there is none that is valid
  bool health = false;  ///< asks whether the server runs, which is answered when there is no room
  bool small_body = false;  ///< without a key: no more than keyless_body_bytes
  /// The key is wanted and wrong: the answer, whatever the body is, comes from route() without it.
  bool refused = false;
};
/// What a request may carry that has no key: a sign-in and the like.
inline constexpr std::size_t keyless_body_bytes = 65536;

/// Thread-safe. The backend must outlive it.
class router {
 public:
  explicit router(const backend& behind);

  using outcome = std::variant<reply, request, dashboard_request, deferred_reply>;
  /// `draining`: readiness is over. `request` goes to backend.submit(), `dashboard_request` to
  /// backend.submit_dashboard(),
  /// and `deferred` is begun.
  [[nodiscard]] outcome route(http_request&& request, const request_facts& facts,
                              bool draining) const;
  /// Judges the key of a request. Costs a digest.
  [[nodiscard]] head_verdict judge(const request_head& head) const;
  /// The answer to a request whose head is refused.
  [[nodiscard]] outcome refuse(const request_head& head, const request_facts& facts) const;
  /// The problem document for an error of the HTTP layer itself.
  [[nodiscard]] reply problem(const error& why, std::string_view request_id) const;
  /// The answer to a dashboard request.
  [[nodiscard]] reply reply_to(dashboard_response&& made) const {
    return dashboard_.reply_to(std::move(made));
  }

 private:
  static constexpr std::string_view metrics_path = "/metrics";
  static constexpr std::string_view json_path = "/openapi.json", yaml_path = "/openapi.yaml";
  /// A path of the server's own, under GET and HEAD. One that ends in "/" takes what follows. What
  /// shows nothing is the description's.
  struct fixed_route {
    std::string_view path;
    std::string_view about;  // for the index; "" leaves it out
    reply (router::*show)(const http_request&, const request_facts&, bool draining) const;
  };
  [[nodiscard]] static std::span<const fixed_route> fixed_routes() noexcept;
  [[nodiscard]] outcome route_endpoint(std::string_view endpoint, http_request&& request,
                                       const request_facts& facts) const;
  [[nodiscard]] outcome route_dropin(std::string_view path, http_request&& request,
                                     const request_facts& facts) const;
  [[nodiscard]] reply route_page(std::string_view path, const http_request& request,
                                 const request_facts& facts) const;
  [[nodiscard]] outcome route_dashboard(std::string_view path, http_request&& request,
                                        const request_facts& facts) const;
  [[nodiscard]] result<void> check_dashboard_request(const dashboard_http::way& way,
                                                     const http_request& request,
                                                     stream_form stream) const;
  [[nodiscard]] reply fixed(const fixed_route& found, const http_request& request,
                            const request_facts& facts, bool draining) const;
  /// What a browser asks before a page of another origin sends a call; null where none may.
  [[nodiscard]] std::optional<reply> preflight(const request_head& head,
                                               const request_facts& facts) const;
  [[nodiscard]] reply not_allowed(std::string_view allow, const http_request& request,
                                  const request_facts& facts) const;
  [[nodiscard]] reply unknown(std::string_view path, const request_facts& facts) const;

  /// Whether "/" is asked for by a browser, and there is a page for people.
  [[nodiscard]] bool shows_front_page(const request_head& head) const;
  [[nodiscard]] reply front_page(const http_request& request, const request_facts& facts) const;
  [[nodiscard]] reply missing_page(std::string_view path, const http_request& request,
                                   const request_facts& facts) const;
  [[nodiscard]] reply show_index(const http_request&, const request_facts&, bool) const;
  [[nodiscard]] outcome route_description(std::string_view path, http_request&& request,
                                          const request_facts& facts) const;
  [[nodiscard]] reply show_health(const http_request&, const request_facts&, bool) const;
  [[nodiscard]] reply show_ready(const http_request&, const request_facts&, bool draining) const;
  [[nodiscard]] reply show_metrics(const http_request&, const request_facts&, bool) const;
  [[nodiscard]] reply show_resource(const http_request&, const request_facts&, bool) const;
  [[nodiscard]] reply show_errors(const http_request&, const request_facts&, bool) const;
  [[nodiscard]] reply show_error(std::string_view code, const request_facts& facts) const;

  const backend* backend_;
  dashboard_http dashboard_;
  std::vector<std::string> paths_;            // of the endpoints: "/v1/microblog/search"
  std::vector<std::string_view> all_paths_;   // those and the fixed ones, for "did you mean"
  std::unique_ptr<description> description_;  // null: there is none
};

}  // namespace freshet::server
