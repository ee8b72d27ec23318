// The fields by which a caller says whose trace a request belongs to (W3C Trace Context). What they
// say is the engine's to read.
#pragma once

#include <server/http/message_parser.hpp>
#include <string>

namespace freshet::server {

struct trace_fields {
  std::string parent;  ///< traceparent; "" where there is none, or more than one
  std::string state;   ///< all of tracestate, joined by commas
};

[[nodiscard]] trace_fields trace_fields_of(const request_head& head);

}  // namespace freshet::server
