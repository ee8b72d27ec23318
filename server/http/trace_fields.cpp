// Two parents are none: nobody can say which is meant.
#include <server/http/trace_fields.hpp>

namespace freshet::server {

trace_fields trace_fields_of(const request_head& head) {
  trace_fields out;
  if (head.count("traceparent") != 1) return out;
  out.parent = *head.field("traceparent");
  for (const auto each : head.fields("tracestate")) {
    out.state.append(out.state.empty() ? "" : ",").append(each);
  }
  return out;
}

}  // namespace freshet::server
