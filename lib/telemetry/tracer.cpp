// Sampling by the trace's own number, as OpenTelemetry has it: whoever draws at the same share
// draws the same traces.
#include "telemetry/tracer.hpp"

#include <algorithm>
#include <base/digest.hpp>
#include <cmath>
#include <cstring>

namespace freshet::telemetry {
namespace {

constexpr int random_bits = 56;  ///< the last bytes of a trace's number

bool is_drawn(const trace_id& trace, double share) {
  if (share <= 0) return false;  // whatever rounding makes of the largest number
  std::uint64_t number = 0;
  for (std::size_t i = trace.size() - random_bits / 8; i < trace.size(); ++i) {
    number = number << 8 | trace[i];
  }
  return std::ldexp(static_cast<double>(number), -random_bits) >= 1 - share;
}

}  // namespace

result<std::unique_ptr<tracer>> tracer::open(tracer_options options) {
  auto exporting = exporter::open(std::move(options.exporting));
  if (!exporting) return exporting.error();
  return std::unique_ptr<tracer>(new tracer(options.sampling, std::move(*exporting)));
}

std::shared_ptr<call_trace> tracer::begin(std::string_view traceparent,
                                          std::string_view tracestate) {
  auto context = read_trace_context(traceparent, tracestate);
  std::uint64_t seed = 0;
  const bool is_new = !context;
  const auto random = base::random_bytes(sizeof seed + (is_new ? sizeof(trace_id) : 0));
  std::memcpy(&seed, random.data(), sizeof seed);
  if (is_new) {
    context.emplace();
    std::memcpy(context->trace.data(), random.data() + sizeof seed, sizeof(trace_id));
    if (is_drawn(context->trace, sampling_)) context->flags = sampled_flag;
  }
  return std::make_shared<call_trace>(std::move(*context), seed, *exporter_);
}

}  // namespace freshet::telemetry
