// The names are those of OpenTelemetry's stable conventions for HTTP; what they do not have begins
// with "freshet.". A trace that cannot be kept for want of memory is not worth a call.
#include "engine/runtime/call_spans.hpp"

#include <base/number.hpp>
#include <base/url.hpp>
#include <freshet/error.hpp>
#include <new>
#include <telemetry/tracer.hpp>
#include <utility>

namespace freshet::detail {
namespace {

constexpr std::string_view method_of_calls = "POST";
constexpr std::int64_t http_port = 80, https_port = 443;

}  // namespace

telemetry::span_start span_place::begin() const noexcept {
  return is_told() ? trace->begin(under) : telemetry::span_start();
}

void span_place::end_reading(const telemetry::span_start& which, std::string_view source,
                             errc failure) const noexcept {
  if (!is_told()) return;
  try {
    telemetry::span_end how{"read"};
    how.attributes.emplace_back("freshet.source", source);
    how.failed = failure != errc{};
    if (how.failed) how.attributes.emplace_back("error.type", describe(failure).name);
    trace->end(which, std::move(how));
  } catch (const std::bad_alloc&) {
    // It is not told of.
  }
}

void exchange_span::begin(const span_place& place, std::string_view source,
                          http::request& request) noexcept {
  if (place.trace == nullptr) return;
  try {
    place_ = place;
    span_ = place.trace->begin(place.under);
    source_ = source;
    if (request.chosen_by == http::target_choice::configuration) {
      request.traceparent = place.trace->traceparent(span_.id);
      request.tracestate = place.trace->tracestate();
    }
    if (place.is_told()) name_server(request);
  } catch (const std::bad_alloc&) {
    request.traceparent.clear();
    place_ = {};
  }
}

/// A host that the call has named is a text of the caller's.
void exchange_span::name_server(const http::request& of) {
  method_ = of.method;
  host_.clear();
  if (of.pace_key.empty()) return;
  const auto url = base::parse_url(of.url);
  if (!url) return;
  host_ = url->host;
  const auto usual = url->scheme == "https" ? https_port : http_port;
  port_ = base::parse_number<std::int64_t>(url->port).value_or(usual);
}

void exchange_span::end(const result<http::response>& got) noexcept {
  const auto place = std::exchange(place_, {});
  if (!place.is_told()) return;
  try {
    telemetry::span_end how{method_, telemetry::span_role::client};
    auto& said = how.attributes;
    said.reserve(8);
    said.emplace_back("http.request.method", method_);
    if (!host_.empty()) {
      said.emplace_back("server.address", host_);
      said.emplace_back("server.port", port_);
    }
    said.emplace_back("freshet.source", source_);
    if (got) {
      said.emplace_back("http.response.status_code", std::int64_t{got->status});
      said.emplace_back("freshet.cache", http::name_of(got->cache));
      if (got->rendered) said.emplace_back("freshet.rendered", true);
      how.failed = got->status >= 400;
      if (how.failed) said.emplace_back("error.type", std::to_string(got->status));
    } else {
      how.failed = true;
      said.emplace_back("error.type", describe(got.error().code()).name);
    }
    place.trace->end(span_, std::move(how));
  } catch (const std::bad_alloc&) {
    // It is not told of.
  }
}

void call_spans::begin(telemetry::tracer* told, const request& asked) noexcept {
  if (told == nullptr) return;
  in_process_ = asked.in_process;
  try {
    trace_ = told->begin(asked.traceparent, asked.tracestate);
  } catch (const std::exception&) {
    // No memory, no random numbers: the call goes on without.
  }
}

span_place call_spans::enter(std::string_view phase) noexcept {
  if (trace_ == nullptr) return {};
  leave();
  phase_ = trace_->begin(trace_->root().id);
  phase_name_ = phase;
  return {trace_, phase_->id};
}

void call_spans::leave() noexcept {
  if (!phase_) return;
  try {
    trace_->end(*phase_, {std::string(phase_name_)});
  } catch (const std::bad_alloc&) {
    // It is not told of.
  }
  phase_.reset();
}

void call_spans::end(const catalog::endpoint* endpoint, const response& answer,
                     std::int64_t account, bool is_sandboxed) noexcept {
  if (trace_ == nullptr) return;
  leave();
  const auto trace = std::exchange(trace_, nullptr);
  if (!trace->is_told()) return;
  try {
    telemetry::span_end how{std::string(method_of_calls)};
    auto& said = how.attributes;
    said.reserve(12);
    const auto route = endpoint == nullptr ? "" : "/v1/" + std::string(endpoint->path);
    if (!in_process_) {
      how.role = telemetry::span_role::server;
      said.emplace_back("http.request.method", method_of_calls);
      if (!route.empty()) {
        said.emplace_back("http.route", route);
        how.name += ' ' + route;
      }
      said.emplace_back("http.response.status_code", std::int64_t{answer.status});
    } else {
      how.name = endpoint == nullptr ? "unknown" : endpoint->path;
    }
    said.emplace_back("freshet.request_id", answer.request_id);
    said.emplace_back("freshet.credits_used", answer.credits_used);
    if (account != 0) said.emplace_back("freshet.account", account);
    if (is_sandboxed) said.emplace_back("freshet.sandbox", true);
    if (answer.idempotency_replayed) said.emplace_back("freshet.idempotency_replayed", true);
    if (!answer.ok()) said.emplace_back("error.type", describe(answer.code).name);
    how.failed = answer.status >= 500;
    trace->end_call(std::move(how));
  } catch (const std::bad_alloc&) {
    // It is not told of.
  }
}

}  // namespace freshet::detail
