// What a call tells of itself to a collector of traces, where there is one: its own span, one for
// each phase that may wait, and one for each request to a source and its reading. No text of the
// caller's is in them but a request id: no query, no address, no key.
#pragma once

#include <catalog/endpoint.hpp>
#include <cstdint>
#include <freshet/response.hpp>
#include <freshet/result.hpp>
#include <http/message.hpp>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <telemetry/call_trace.hpp>

namespace freshet::telemetry {
class tracer;
}

namespace freshet::detail {

/// Where in a call's trace spans belong. Without a trace it takes them and does nothing.
struct span_place {
  std::shared_ptr<telemetry::call_trace> trace;
  telemetry::span_id under = 0;

  [[nodiscard]] bool is_told() const noexcept { return trace != nullptr && trace->is_told(); }
  [[nodiscard]] telemetry::span_start begin() const noexcept;
  /// An answer of `source` has been read; `failure` is the zero value if it says something.
  void end_reading(const telemetry::span_start& which, std::string_view source,
                   errc failure) const noexcept;
};

/// One request to a source. Not thread-safe.
class exchange_span {
 public:
  /// Begins it, and has the request say whose it is. `source` has static storage.
  void begin(const span_place& place, std::string_view source, http::request& request) noexcept;
  void end(const result<http::response>& got) noexcept;

 private:
  void name_server(const http::request& of);

  span_place place_;
  telemetry::span_start span_;
  std::string_view source_;
  std::string method_;
  std::string host_;  ///< "" where the call has named it
  std::int64_t port_ = 0;
};

/// Of one call, whose stages come one after another.
class call_spans {
 public:
  /// `told` null: nobody is told, and all of this is nothing.
  void begin(telemetry::tracer* told, const request& asked) noexcept;
  /// A phase begins, and goes on until leave() or the end. `phase` has static storage.
  span_place enter(std::string_view phase) noexcept;
  void leave() noexcept;
  /// The call has its answer. `endpoint` null: there is none of that name.
  void end(const catalog::endpoint* endpoint, const response& answer, std::int64_t account,
           bool is_sandboxed) noexcept;

 private:
  std::shared_ptr<telemetry::call_trace> trace_;
  std::optional<telemetry::span_start> phase_;
  std::string_view phase_name_;
  bool in_process_ = true;
};

}  // namespace freshet::detail
