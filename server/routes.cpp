// The routes. Each check answers with the contract's own code, and none of them looks at a
// parameter: that is the catalogue's.
#include <algorithm>
#include <array>
#include <server/answer_stream.hpp>
#include <server/dashboard/pages.hpp>
#include <server/dropin/dropin.hpp>
#include <server/http/bearer.hpp>
#include <server/http/negotiation.hpp>
#include <server/http/trace_fields.hpp>
#include <server/mcp/http_address.hpp>
#include <server/nearest.hpp>
#include <server/routes.hpp>
#include <server/watch_stream.hpp>
#include <server/yaml.hpp>

namespace freshet::server {
namespace {

constexpr std::string_view endpoint_prefix = "/v1/";
constexpr std::string_view mcp_path = "/mcp";
constexpr std::size_t max_idempotency_key_bytes = 255;

bool is_health(std::string_view path) { return path == "/healthz" || path == "/readyz"; }

/// Paths from the names of endpoints.
std::vector<std::string> paths_of(const std::vector<std::string>& endpoints) {
  std::vector<std::string> paths;
  for (const std::string& each : endpoints) paths.push_back(std::string(endpoint_prefix) + each);
  return paths;
}

result<std::string> idempotency_key(const request_head& head) {
  const auto field = head.field("idempotency-key");
  if (!field) return std::string();
  const bool printable =
      std::all_of(field->begin(), field->end(), [](char c) { return c >= 0x20 && c < 0x7f; });
  if (head.count("idempotency-key") > 1 || field->empty() || !printable ||
      field->size() > max_idempotency_key_bytes) {
    return error(errc::invalid_request,
                 "Idempotency-Key: give one key of 1 to 255 printable ASCII characters");
  }
  return std::string(*field);
}

/// Whether the body can be read at all: its type, its coding, and no parameters beside it.
result<void> check_representation(const http_request& request,
                                  stream_form stream = stream_form::none) {
  const request_head& head = request.head;
  if (stream == stream_form::none && !accepts_json(head.field("accept").value_or(""))) {
    return error(errc::not_acceptable, "the Accept field does not admit application/json");
  }
  const std::string_view coding = head.field("content-encoding").value_or("identity");
  if (!equal_ascii_nocase(coding, "identity")) {
    return error(errc::unsupported_media_type, "send the body without a Content-Encoding");
  }
  const auto type = head.field("content-type");
  if (!request.body.empty() && !is_json(type.value_or(""))) {
    return error(errc::unsupported_media_type, "send the body as Content-Type: application/json");
  }
  if (!head.query().empty()) {
    return error(errc::invalid_request,
                 "parameters go into the JSON body, not into the URL's query");
  }
  return {};
}

/// The call of a request whose way and key are judged already.
result<request> call_of(std::string_view endpoint, std::string key, http_request&& http_request,
                        const request_facts& facts) {
  result<std::string> idempotency = idempotency_key(http_request.head);
  if (!idempotency) return idempotency.error();
  request call;
  call.endpoint = endpoint;
  call.api_key = std::move(key);
  call.request_id = facts.request_id;
  call.idempotency_key = std::move(*idempotency);
  trace_fields trace = trace_fields_of(http_request.head);
  call.traceparent = std::move(trace.parent);
  call.tracestate = std::move(trace.state);
  call.body = std::move(http_request.body);
  call.in_process = false;
  call.origin = facts.origin;
  return call;
}

}  // namespace

std::string request_id_of(const request_head& head) {
  const auto id = head.field("x-request-id");
  return id && is_valid_request_id(*id) ? std::string(*id) : make_request_id();
}

request_facts facts_of(const request_head& head) {
  request_facts facts;
  facts.request_id = request_id_of(head);
  facts.origin = head.field("origin").value_or("");
  facts.head_only = head.method() == "HEAD";
  facts.wants_gzip = accepts_gzip(head.field("accept-encoding").value_or(""));
  return facts;
}

router::router(const backend& behind)
    : backend_(&behind), dashboard_(behind.dashboard_http), paths_(paths_of(behind.endpoints)) {
  if (behind.openapi) description_ = std::make_unique<description>(behind.openapi);
  for (const std::string& path : paths_) all_paths_.push_back(path);
  for (const fixed_route& route : fixed_routes()) {
    if (behind.metrics || route.path != metrics_path) all_paths_.push_back(route.path);
  }
  if (behind.dropin) {
    for (const std::string_view path : dropin::paths()) all_paths_.push_back(path);
  }
  if (behind.mcp) all_paths_.push_back(mcp_path);
}

router::outcome router::route(http_request&& request, const request_facts& facts,
                              bool draining) const {
  const std::string_view path = request.head.path().empty() ? "/" : request.head.path();
  const bool is_metrics = backend_->metrics && path == metrics_path;
  if (backend_->health_only && !is_health(path) && !is_metrics) return unknown(path, facts);
  if (std::ranges::find(paths_, path) != paths_.end()) {
    return route_endpoint(path.substr(endpoint_prefix.size()), std::move(request), facts);
  }
  if (backend_->dropin && dropin::route_of(path))
    return route_dropin(path, std::move(request), facts);
  if (path == "*" && request.head.method() == "OPTIONS") {
    return not_allowed("GET, HEAD, POST, OPTIONS", request, facts);
  }
  if (backend_->mcp && path == mcp_path) return backend_->mcp(std::move(request), facts);
  if (backend_->pages && is_dashboard_api(path))
    return route_dashboard(path, std::move(request), facts);
  if (backend_->pages && is_page(path)) return route_page(path, request, facts);
  if (path == "/" && shows_front_page(request.head)) return front_page(request, facts);
  for (const fixed_route& candidate : fixed_routes()) {
    const bool below = candidate.path.size() > 1 && candidate.path.ends_with('/') &&
                       path.starts_with(candidate.path);
    if (candidate.path == metrics_path && !is_metrics) continue;
    if (!below && path != candidate.path) continue;
    if (candidate.show != nullptr) return fixed(candidate, request, facts, draining);
    if (description_) return route_description(path, std::move(request), facts);
  }
  if (!path.starts_with(endpoint_prefix) && shows_front_page(request.head)) {
    return missing_page(path, request, facts);
  }
  return unknown(path, facts);
}

head_verdict router::judge(const request_head& head) const {
  head_verdict made;
  const std::string_view path = head.path();
  made.health = is_health(path);
  const bool is_mcp = backend_->mcp && path == mcp_path;
  const auto tool = backend_->dropin ? dropin::route_of(path) : std::nullopt;
  const bool wants_key = is_mcp || tool || std::ranges::find(paths_, path) != paths_.end();
  made.small_body = true;
  if (!wants_key) return made;
  result<std::string> key = bearer_key(head);
  if (key && backend_->owner_of)
    key = backend_->owner_of(*key);
  else if (key)
    key = std::string("caller");
  if (key) {
    made.owner = std::move(*key);
    made.small_body = false;
    return made;
  }
  const bool missing = key.error().code() == errc::missing_api_key;
  // Old clients of Tavily have it in the body.
  const bool may_come =
      missing && ((is_mcp && backend_->mcp_open) || (tool && dropin::is_of_tavily(*tool)));
  made.refused = !may_come;
  return made;
}

router::outcome router::refuse(const request_head& head, const request_facts& facts) const {
  const std::string_view path = head.path();
  http_request without_body{head, {}};
  if (backend_->mcp && path == mcp_path) return backend_->mcp(std::move(without_body), facts);
  outcome out = route(std::move(without_body), facts, false);
  if (std::holds_alternative<reply>(out)) return out;
  // The router found nothing wrong but what the engine would: the key.
  const auto key = bearer_key(head);
  const auto owner = key && backend_->owner_of ? backend_->owner_of(*key) : key;
  const error why = owner ? error(errc::invalid_api_key, "the key is not valid") : owner.error();
  if (const auto tool = backend_->dropin ? dropin::route_of(path) : std::nullopt) {
    return reply_of(dropin::in_shape(*tool, backend_->problem(why, facts.request_id)));
  }
  return problem(why, facts.request_id);
}

router::outcome router::route_endpoint(std::string_view endpoint, http_request&& http_request,
                                       const request_facts& facts) const {
  if (http_request.head.method() != "POST") {
    if (auto answer = preflight(http_request.head, facts)) return std::move(*answer);
    return not_allowed("POST, OPTIONS", http_request, facts);
  }
  const auto form = wanted_stream(http_request.head.field("accept").value_or(""));
  if (const auto sound = check_representation(http_request, form); !sound) {
    return problem(sound.error(), facts.request_id);
  }
  result<std::string> key = bearer_key(http_request.head);
  if (!key) return problem(key.error(), facts.request_id);
  result<request> call = call_of(endpoint, std::move(*key), std::move(http_request), facts);
  if (!call) return problem(call.error(), facts.request_id);
  if (form != stream_form::none) {
    return stream_call(*backend_, form, facts, std::move(*call));
  }
  call->takes_lead = true;
  return std::move(*call);
}

router::outcome router::route_dropin(std::string_view path, http_request&& http_request,
                                     const request_facts& facts) const {
  const dropin::route of = *dropin::route_of(path);
  const auto refused = [&](const error& why) {
    return reply_of(dropin::in_shape(of, backend_->problem(why, facts.request_id)));
  };
  if (!dropin::is_served(path)) {
    return refused(error(errc::unknown_endpoint,
                         "of Firecrawl's paths /v2/scrape and /v2/search are served here, not " +
                             std::string(path)));
  }
  constexpr std::string_view allow = "POST, OPTIONS";
  if (http_request.head.method() == "OPTIONS") return not_allowed(allow, http_request, facts);
  if (http_request.head.method() != "POST") {
    reply out = refused(error(errc::method_not_allowed, "this path takes POST, OPTIONS"));
    out.allow = allow;
    return out;
  }
  if (const auto sound = check_representation(http_request); !sound) return refused(sound.error());
  result<std::string> key = bearer_key(http_request.head);
  if (!key && key.error().code() == errc::missing_api_key) {
    if (std::string given = dropin::key_in_body(of, http_request.body); !given.empty()) {
      key = std::move(given);
    }
  }
  if (!key) return refused(key.error());
  result<request> call = call_of(path, std::move(*key), std::move(http_request), facts);
  if (!call) return refused(call.error());
  return std::move(*call);
}

result<void> router::check_dashboard_request(const dashboard_http::way& way,
                                             const http_request& request,
                                             stream_form stream) const {
  const bool posts =
      !way.is_example && !way.is_watch && (way.command == nullptr || way.command->guarded);
  if (!posts) return {};
  if (auto passed = dashboard_.check_origin(request.head); !passed) return passed;
  return check_representation(request, stream);
}

router::outcome router::route_dashboard(std::string_view path, http_request&& http_request,
                                        const request_facts& facts) const {
  const dashboard_http::way way = dashboard_http::find(path);
  const auto marked = [](reply&& out) {
    mark_dashboard_reply(out);
    return std::move(out);
  };
  if (way.command == nullptr && way.endpoint.empty() && !way.is_watch) {
    return marked(unknown(path, facts));
  }
  const std::string_view method = http_request.head.method();
  const bool reads =
      way.is_example || way.is_watch || (way.command != nullptr && !way.command->guarded);
  const bool is_method =
      reads ? method == "GET" || (method == "HEAD" && !way.is_watch) : method == "POST";
  if (!is_method) {
    return marked(not_allowed(way.allow, http_request, facts));
  }
  const auto form = way.endpoint.empty() || way.is_example
                        ? stream_form::none
                        : wanted_stream(http_request.head.field("accept").value_or(""));
  if (const auto sound = check_dashboard_request(way, http_request, form); !sound) {
    return marked(problem(sound.error(), facts.request_id));
  }
  if (way.is_example) return example_call(way.endpoint, facts.request_id);
  dashboard_http::arrival from = dashboard_.read(http_request.head, facts.peer);
  if (way.is_watch && backend_->watch_calls) {
    return watch_calls(*backend_, std::move(from.session), facts);
  }
  if (way.is_watch) return marked(unknown(path, facts));
  if (way.command != nullptr) {
    return dashboard_request{std::string(way.command->name),
                             reads ? way.arguments : std::move(http_request.body),
                             std::move(from.session),
                             std::move(from.csrf_token),
                             std::move(from.address),
                             std::move(from.user_agent),
                             facts.request_id,
                             from.at_this_machine};
  }
  if (from.session.empty()) {
    return marked(problem(error(errc::not_signed_in, "sign in first"), facts.request_id));
  }
  const bool sandbox =
      equal_ascii_nocase(http_request.head.field("x-sandbox").value_or(""), "true");
  result<request> call = call_of(way.endpoint, {}, std::move(http_request), facts);
  if (!call) return marked(problem(call.error(), facts.request_id));
  call->sandbox = sandbox;
  call->session = std::move(from.session);
  call->csrf_token = std::move(from.csrf_token);
  if (form != stream_form::none) return stream_call(*backend_, form, facts, std::move(*call));
  call->takes_lead = true;
  return std::move(*call);
}

reply router::route_page(std::string_view path, const http_request& request,
                         const request_facts& facts) const {
  const std::string_view method = request.head.method();
  if (method != "GET" && method != "HEAD") return not_allowed("GET, HEAD, OPTIONS", request, facts);
  std::optional<reply> page = show_page(request.head, facts);
  return page ? std::move(*page) : unknown(path, facts);
}

router::outcome router::route_description(std::string_view path, http_request&& request,
                                          const request_facts& facts) const {
  const std::string_view method = request.head.method();
  if (method != "GET" && method != "HEAD") return not_allowed("GET, HEAD, OPTIONS", request, facts);
  const auto as = path == json_path ? description::form::json : description::form::yaml;
  return deferred_reply{[of = description_.get(), as, asked = std::move(request),
                         facts](std::function<void(reply)> give) -> std::function<void()> {
    of->show(as, asked, facts, std::move(give));
    return nullptr;
  }};
}

reply router::fixed(const fixed_route& found, const http_request& request,
                    const request_facts& facts, bool draining) const {
  const std::string_view method = request.head.method();
  if (method != "GET" && method != "HEAD") return not_allowed("GET, HEAD, OPTIONS", request, facts);
  return (this->*found.show)(request, facts, draining);
}

std::optional<reply> router::preflight(const request_head& head, const request_facts& facts) const {
  const auto origin = head.field("origin");
  const auto method = head.field("access-control-request-method");
  if (head.method() != "OPTIONS" || !origin || !method || !backend_->knows_origin ||
      !backend_->knows_origin(*origin)) {
    return std::nullopt;
  }
  reply out;
  out.status = 204;
  out.request_id = facts.request_id;
  out.without_body = true;
  out.readable_by = *origin;
  out.more_fields = {{"Access-Control-Allow-Methods", "POST"},
                     {"Access-Control-Allow-Headers",
                      "Authorization, Content-Type, Idempotency-Key, X-Request-Id"},
                     {"Access-Control-Max-Age", "600"}};
  return out;
}

reply router::unknown(std::string_view path, const request_facts& facts) const {
  return problem(error(errc::unknown_endpoint, "there is nothing at '" + std::string(path) + "'" +
                                                   did_you_mean(path, all_paths_)),
                 facts.request_id);
}

reply router::problem(const error& why, std::string_view request_id) const {
  reply out = reply_of(backend_->problem(why, request_id));
  if (out.request_id.empty()) out.request_id = request_id;
  return out;
}

bool router::shows_front_page(const request_head& head) const {
  const bool reads = head.method() == "GET" || head.method() == "HEAD";
  return reads && backend_->pages && !page_files().empty() &&
         prefers_html(head.field("accept").value_or(""));
}

/// For a browser that shows a page to somebody; programs get the problem document.
reply router::missing_page(std::string_view path, const http_request& request,
                           const request_facts& facts) const {
  reply out = route_page(path, request, facts);
  if (out.status != 200) return unknown(path, facts);
  out.status = 404;
  out.etag = {};
  out.varies_by_accept = true;
  return out;
}

reply router::front_page(const http_request& request, const request_facts& facts) const {
  reply out = route_page("/", request, facts);
  out.varies_by_accept = true;
  return out;
}

}  // namespace freshet::server
